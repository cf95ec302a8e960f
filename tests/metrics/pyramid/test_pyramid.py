"""Pyramid and LitePyramid from people's labels: by hand, and on REALSumm and PyrXSum."""

import functools
import gzip
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import DataError, GistmeterWarning, MetricError
from gistmeter.example import Example, Unit
from gistmeter.io.runs import open_run
from gistmeter.io.units import label_units
from gistmeter.metrics.pyramid.litepyramid import LitePyramid
from gistmeter.metrics.pyramid.pyramid import Pyramid


def example(*weights_and_labels, references=4, doc_id="d", system="s"):
    """A summary whose units are named u0, u1, ... and given as (weight, present)."""
    units = tuple(Unit(f"u{i}", weight, present=present) for i, (weight, present) in enumerate(weights_and_labels))
    texts = tuple(f"reference {i}" for i in range(references))
    return Example(doc_id=doc_id, system=system, summary="x", references=texts, units=units)


def value(metric, case):
    ((score,),) = metric.score([case])
    return score


# Two units of weight 4, two of 3, one of 2, three of 1: 19 statements in 4 references, 4.75 a reference.
TIERS = (4, 4, 3, 3, 2, 1, 1, 1)


def tiers(*present):
    return example(*((weight, tier in present) for tier, weight in enumerate(TIERS)))


@pytest.mark.parametrize(
    ("present", "modified", "original"),
    [
        # The best five weigh 4 + 4 + 3 + 3 + 2 = 16.
        ((0, 2, 5), 8 / 16, 8 / (4 + 4 + 3)),
        ((0, 1, 2, 3, 4), 1.0, 1.0),
        ((7,), 1 / 16, 1 / 4),
        ((), 0.0, 0.0),
        # A summary with more units than a reference has on average can get above 1.
        (range(8), 19 / 16, 1.0),
    ],
)
def test_pyramid_by_hand(present, modified, original):
    case = tiers(*present)
    assert value(Pyramid(), case) == pytest.approx(modified, abs=1e-15)
    assert value(Pyramid(normalise="original"), case) == pytest.approx(original, abs=1e-15)


def test_units_beyond_the_pyramid_count_for_the_original_score_only():
    # Three more units that no reference states: the best summary with six units has 4 + 4 + 3 + 3 + 2 + 1.
    base = tiers(0, 2, 5)
    case = replace(base, units=(*base.units, *(Unit(f"own {i}", 0, present=True) for i in range(3))))
    assert value(Pyramid(normalise="original"), case) == pytest.approx(8 / 17)
    assert value(Pyramid(), case) == value(Pyramid(), base)
    assert value(LitePyramid(), case) == value(LitePyramid(), base)


@pytest.mark.parametrize(("statements", "size"), [((4, 4), 2), ((4, 3, 1), 2), ((4, 4, 1), 3)])
def test_the_average_number_of_units_is_rounded_up(statements, size):
    # 8 / 4 = 2, 8 / 4 = 2, 9 / 4 = 2.25
    case = example(*((weight, True) for weight in statements))
    assert value(Pyramid(), case) == pytest.approx(sum(statements) / sum(sorted(statements)[-size:]))


def test_a_weight_above_the_number_of_references():
    with pytest.raises(DataError, match=r"s/d has a unit of weight 4 but 2 references: .* give all references"):
        Pyramid().score([example((4, True), references=2)])


def test_modified_needs_references_and_original_does_not():
    case = example((1, True), references=0)
    with pytest.raises(DataError, match="pyramid needs `references`, but s/d"):
        gm.score([case], "pyramid")
    assert gm.score([case], "pyramid(normalise=original)").table["pyramid(normalise=original).score"][0] == 1.0


def test_litepyramid_is_the_share_of_units():
    assert value(LitePyramid(), example((1, True), (1, False), (1, False), (1, True), (1, True))) == 0.6
    # A unit that two references state stands there twice.
    assert value(LitePyramid(), example((2, True), (1, False))) == pytest.approx(2 / 3)
    assert value(LitePyramid(), example((1, False))) == 0.0


@pytest.mark.parametrize("metric", [Pyramid(), Pyramid(normalise="original"), LitePyramid(), LitePyramid(sample=9)])
def test_missing_where_nobody_judged(metric):
    assert math.isnan(value(metric, example((1, True), (1, None))))
    assert math.isnan(value(metric, example((0, True))))
    assert metric.score([]).shape == (0, 1)


def test_what_is_missing_is_counted():
    judged_case, unjudged_case = example((1, True)), example((1, None), doc_id="e")
    with pytest.warns(
        GistmeterWarning, match=r"1 of 2 summaries have no litepyramid \(NaN\): some of their units have no label"
    ) as notes:
        scores = gm.score([judged_case, unjudged_case], "litepyramid")
    assert "`labels=`" in str(notes[0].message)  # the way out
    assert scores.table["litepyramid.recall"].to_list() == pytest.approx([1.0, math.nan], nan_ok=True)


def example_of_labels(labels, **names):
    return example(*((1, bool(label)) for label in labels), **names)


def sample_units(case, metric):
    return [row[0] for row in metric.explain(case).table.rows]


def test_all_systems_of_a_document_are_asked_for_the_same_sample():
    first, second = example_of_labels([1] * 12), example_of_labels([0] * 12, system="t")
    metric = LitePyramid(sample=5)
    assert sample_units(first, metric) == sample_units(second, metric)
    assert len(set(sample_units(first, metric))) == 5
    assert {tuple(sample_units(first, LitePyramid(sample=5, seed=seed))) for seed in range(20)} > {
        tuple(sample_units(first, metric))
    }
    # Pinned, so that a sample never changes between versions.
    assert sample_units(first, metric) == ["u0", "u2", "u3", "u7", "u10"]


def test_a_sample_of_all_is_all_and_a_weight_is_drawn_as_often():
    case = example((3, True), (1, False))
    assert value(LitePyramid(sample=4), case) == value(LitePyramid(), case) == 0.75
    # Three of the four copies: either all of the first (1) or two of it and the second (2/3).
    scores = {value(LitePyramid(sample=3, seed=seed), case) for seed in range(30)}
    assert sorted(scores) == pytest.approx([2 / 3, 1.0])


def test_samples_are_fair():
    case = example_of_labels([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    scores = [value(LitePyramid(sample=4, seed=seed), case) for seed in range(2000)]
    # The share of the sample has mean .3 and deviation sqrt(.3 * .7 / 4 * 6 / 9) = .187, of the mean of 2000 .0042.
    assert np.mean(scores) == pytest.approx(0.3, abs=0.015)
    assert np.std(scores) == pytest.approx(0.187, abs=0.015)


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=12), st.integers(0, 5))
def test_original_pyramid_is_between_0_and_1(units, beyond):
    case = example(*units)
    more = replace(case, units=(*case.units, *(Unit(f"own {i}", 0, present=True) for i in range(beyond))))
    score, with_more = value(Pyramid(normalise="original"), case), value(Pyramid(normalise="original"), more)
    assert 0 <= with_more <= score <= 1


def test_settings_that_cannot_be():
    with pytest.raises(MetricError, match="sample=0: it is at least 1"):
        gm.metric("litepyramid(sample=0)")
    with pytest.raises(MetricError, match="normalise is one of modified, original"):
        gm.metric("pyramid(normalise=none)")
    with pytest.raises(DataError, match=r"s/d has a unit of weight 0\.5: to draw a sample"):
        LitePyramid(sample=1).score([example((0.5, True))])


def test_evidence_lists_units_with_weight_and_presence():
    case = example((1, True), (3, False), (2, None))
    evidence = gm.explain(case, "pyramid(normalise=original),litepyramid")
    pyramid, lite = evidence.values()
    assert pyramid.headline == "1 unit present, weight 1; the best summary with 1 unit has weight 3"
    assert pyramid.table.rows == (("u1", "3", "absent"), ("u2", "2", "not judged"), ("u0", "1", "present"))
    assert lite.headline == "1 of 3 units are in the summary, weight 1 of 6"
    assert lite.table.rows[0] == ("u0", "1", "present")


def test_the_example_run_has_units():
    examples = gm.read_run(demo_run())
    for example in examples:
        assert {unit.weight for unit in example.units} == {1, 2}
        assert all(unit.present is not None and unit.sentence is not None for unit in example.units)
    means = {system.system: system.value for system in gm.rank(gm.score(examples, "litepyramid")).columns[0].systems}
    assert list(means) == ["careful", "lead3", "terse", "dreamer", "looper"]
    assert means["looper"] == 0


def test_the_cache_tells_labels_apart(tmp_path):
    for name, label, score in (("a", True, 1.0), ("b", False, 0.0)):
        scores = gm.score([example((1, label))], "litepyramid", output=tmp_path / f"{name}.jsonl", cache=True)
        assert scores.table["litepyramid.recall"][0] == score


# On the data that people labelled.


@pytest.fixture(scope="module")
def read(data):
    @functools.cache
    def examples(name):
        run = open_run([data / name / f"{name}.jsonl.gz"], units=[data / name / "documents.jsonl.gz"])
        with gzip.open(data / name / f"{name}.jsonl.gz", "rt") as stream:
            return list(run.examples()), [json.loads(line) for line in stream]

    return examples


@pytest.mark.parametrize(
    ("name", "summaries", "system", "mean"),
    [
        # Printed in the README of Lite2-3Pyramid as the gold score.
        ("realsumm", 2500, "abs_bart_out", 0.48349483849483854),
        ("pyrxsum", 1000, "t5-large", 0.29117532467532464),
    ],
)
def test_gold_scores_are_the_released_ones(read, name, summaries, system, mean):
    examples, records = read(name)
    scores = gm.score(examples, "litepyramid").table
    released = [record["human"]["litepyramid_recall"] for record in records]
    assert len(examples) == summaries
    np.testing.assert_allclose(scores["litepyramid.recall"], released, rtol=0, atol=1e-12)
    computed = scores.filter(scores["system"] == system)["litepyramid.recall"].mean()
    assert computed == pytest.approx(mean, abs=1e-15)


def test_votes_give_the_released_labels(read):
    examples, records = read("realsumm")
    checked = 0
    for example, record in zip(examples, records, strict=True):
        voted = label_units(example.units, None, record["scu_votes"])
        assert [unit.present for unit in voted] == [bool(label) for label in record["scu_labels"]]
        checked += len(voted)
    assert checked == 26400
