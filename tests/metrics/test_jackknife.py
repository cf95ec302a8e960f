"""jackknife: each reference left out in turn, for any metric that reads references."""

import math
from dataclasses import replace

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError, GistmeterWarning, MetricError
from gistmeter.example import Example
from gistmeter.io.runs import Run, reopen_run
from gistmeter.metrics import parse_metric

PEOPLE = (
    "The council approved the new harbour wall on Tuesday.",
    "A wall for the harbour was approved by the council this week.",
    "Councillors voted for a harbour wall that costs 6.8 million.",
)
SYSTEM = Example(doc_id="1", system="a", summary="The council approved a harbour wall.", references=PEOPLE)
PERSON = replace(SYSTEM, system="person", summary=PEOPLE[1] + "\n")


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "rougeL", "content"])
def test_it_is_what_the_setting_of_a_metric_does(name):
    built_in = parse_metric(f"{name}(references=jackknife)").score([SYSTEM, PERSON])
    wrapped = parse_metric(f"jackknife(metric={name}(references=max))").score([SYSTEM, PERSON])
    np.testing.assert_allclose(wrapped, built_in, atol=1e-12)


@pytest.mark.parametrize("name", ["rouge1", "bleu", "chrf", "meteor"])
def test_a_system_gets_the_mean_and_a_person_is_compared_with_the_others(name):
    inner, metric = parse_metric(name), parse_metric(f"jackknife(metric={name})")
    two_left = [replace(SYSTEM, references=left) for left in (PEOPLE[1:], PEOPLE[::2], PEOPLE[:2])]
    np.testing.assert_allclose(metric.score([SYSTEM])[0], inner.score(two_left).mean(axis=0), atol=1e-12)
    others = replace(PERSON, references=PEOPLE[::2])
    np.testing.assert_allclose(metric.score([PERSON])[0], inner.score([others])[0], atol=1e-12)


def test_a_person_no_longer_scores_one():
    plain, fair = (parse_metric(name).score([PERSON])[0, 2] for name in ("rouge1(references=max)", "jackknife"))
    assert plain == 1.0
    assert 0 < fair < 1


def test_the_batch_does_not_matter():
    metric, examples = parse_metric("jackknife(metric=bleu)"), [SYSTEM, PERSON, replace(SYSTEM, references=PEOPLE[:1])]
    alone = np.concatenate([metric.score([example]) for example in examples])
    np.testing.assert_array_equal(metric.score(examples), alone)


def test_one_reference_is_the_plain_score_or_none():
    single = replace(SYSTEM, references=PEOPLE[:1])
    own = replace(single, summary=PEOPLE[0])
    metric, inner = parse_metric("jackknife"), parse_metric("rouge1")
    np.testing.assert_array_equal(metric.score([single]), inner.score([single]))
    assert all(map(math.isnan, metric.score([own])[0]))
    assert "only reference" in metric.why_missing(own)


def test_a_pooled_score_is_that_of_the_averaged_counts():
    inner, metric = parse_metric("bleu"), parse_metric("jackknife(metric=bleu)")
    two_left = [replace(SYSTEM, references=left) for left in (PEOPLE[1:], PEOPLE[::2], PEOPLE[:2])]
    counts = inner.score(two_left)[:, len(inner.summary_columns) :].mean(axis=0)
    wrapped = metric.score([SYSTEM])[0, len(metric.summary_columns) :]
    assert metric.pool(wrapped) == pytest.approx(inner.pool(counts))


@pytest.mark.parametrize(
    "name", ["novelty", "litepyramid", "lite2.5pyramid", "rouge1(references=jackknife)", "jackknife"]
)
def test_what_cannot_be_wrapped_is_refused(name):
    with pytest.raises(MetricError, match="jackknife cannot use"):
        parse_metric(f"jackknife(metric={name})")


def test_the_signature_names_the_inner_metric_and_its_traits():
    (signature,) = set(gm.score([SYSTEM], "jackknife(metric=rouge1)").signatures.values())
    assert signature.startswith("jackknife|language:en|metric:rouge1|metric.alpha:0.5|")
    assert "|metric.stem:porter|" in signature


def test_evidence_leaves_the_summary_itself_out():
    metric = parse_metric("jackknife")
    for_person, for_system = metric.explain(PERSON), metric.explain(SYSTEM)
    assert "reference 2 of 3" in for_person.headline
    assert PEOPLE[1] not in [pane.text for pane in for_person.panes[1:]]
    assert "the mean of 3 scores" in for_system.headline
    assert metric.explain(replace(PERSON, references=(PERSON.summary,))) is None


def test_a_summary_that_is_its_own_reference_is_noted_where_it_misleads():
    with pytest.warns(GistmeterWarning, match=r"1 of 2 summaries are one of their own references .* person \(1\)"):
        gm.score([SYSTEM, PERSON], "rouge1")
    for fair in ("jackknife", "rouge1(references=jackknife)", "novelty"):
        examples = [replace(example, document="A harbour wall.") for example in (SYSTEM, PERSON)]
        assert not [note for note in gm.score(examples, fair).notes if "own references" in note]


def test_own_references_are_looked_for_only_where_a_metric_compares_with_them(monkeypatch):
    from gistmeter.scoring import batch

    compared = []
    monkeypatch.setattr(batch, "find_own_reference", lambda summary, _: compared.append(summary))
    examples = [replace(example, document="A harbour wall.") for example in (SYSTEM, PERSON)]
    gm.score(examples, "novelty", cache=False)
    assert compared == []
    gm.score(examples, "rouge1", cache=False)
    assert compared == [SYSTEM.summary, PERSON.summary]


def test_a_text_scored_alone_against_itself_is_not_noted():
    assert gm.score_one(summary="the cat", references="the cat", metrics="rouge1")["rouge1.f1"] == 1


def test_a_human_row_has_a_reference_for_each_document_that_has_several():
    examples = [
        replace(SYSTEM, doc_id=str(number), system=system, references=PEOPLE if number else PEOPLE[:1])
        for number in range(40)
        for system in ("a", "b")
    ]
    run = Run(memory=examples).with_human_row()
    people = [example for example in run.examples() if example.system == "human"]
    assert [example.doc_id for example in people] == [str(number) for number in range(1, 40)]
    # Each of the three people is drawn, and always the same for a document.
    assert {example.summary for example in people} == set(PEOPLE)
    assert people == [example for example in run.examples() if example.system == "human"]
    table = gm.score(run, "jackknife").table
    assert table.filter(system="human")["jackknife.f1"].is_between(0.1, 0.9).all()


def test_a_human_row_needs_metrics_that_leave_it_out():
    run = Run(memory=[SYSTEM]).with_human_row()
    with pytest.raises(ArgumentError, match=r"score jackknife\(metric=rouge1\)"):
        gm.score(run, "rouge1")
    with pytest.raises(DataError, match="two or more references"):
        gm.score(Run(memory=[replace(SYSTEM, references=PEOPLE[:1])]).with_human_row(), "jackknife")
    with pytest.raises(DataError, match="a system 'human' already"):
        gm.score(Run(memory=[replace(SYSTEM, system="human")]).with_human_row(), "jackknife")


def test_a_file_with_a_human_row_is_read_again_for_a_report(tmp_path, checked_command):
    output = tmp_path / "scores.parquet"
    checked_command(
        "score", demo_run(), "-m", "jackknife", "--human-row", "-o", output, "--report", tmp_path / "r.html"
    )
    assert "human" in gm.Scores.read(output).systems
    assert "human" in {example.system for example in reopen_run(gm.Scores.read(output).origin).examples()}
    assert '"human"' in (tmp_path / "r.html").read_text("utf-8")
