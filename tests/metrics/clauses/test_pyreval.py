"""pyreval: units by hand and against brute force, assignments, scores, evidence, batches, bad input."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.clauses.building import Assigned, BuiltUnit, assign_segments, build_units
from gistmeter.metrics.clauses.pyreval import CutText, Pyramid
from gistmeter.metrics.clauses.segments import cut_texts

shares = st.sampled_from([0.1, 0.4, 0.6, 0.9])


def example(summary, *references):
    return Example(doc_id="1", system="s", summary=summary, references=references)


def table(size, **pairs):
    """A symmetric table of similarities: `ab=.9` for the first and the second."""
    similarities = np.eye(size)
    for name, value in pairs.items():
        left, right = (ord(letter) - ord("a") for letter in name)
        similarities[left, right] = similarities[right, left] = value
    return similarities


def test_units_have_one_segment_of_each_reference():
    # a and b are of the first reference, c of the second: c joins b, which is nearer, and a stays alone.
    units = build_units(table(3, ac=0.7, bc=0.8), [0, 0, 1], 0.5)
    assert [unit.members for unit in units] == [((0, 1), (1, 0)), ((0, 0),)]
    assert [unit.weight for unit in units] == [2, 1]


def test_every_two_segments_of_a_unit_are_alike():
    # a-b .9 and b-c .8 are alike, a-c .3 is not: c cannot join a and b.
    similarities = table(3, ab=0.9, bc=0.8, ac=0.3)
    assert [unit.weight for unit in build_units(similarities, [0, 1, 2], 0.5)] == [2, 1]
    assert [unit.weight for unit in build_units(similarities, [0, 1, 2], 0.3)] == [3]
    assert [unit.weight for unit in build_units(similarities, [0, 1, 2], 0.95)] == [1, 1, 1]


three = {"min_size": 3, "max_size": 3}


@given(st.lists(st.lists(shares, **three), max_size=3), st.lists(st.integers(1, 3), **three))
def test_assignments_weigh_the_most(rows, weights):
    similarities = np.array(rows).reshape(-1, 3)
    assigned = assign_segments(similarities, weights, 0.5)
    assert all(match.similarity >= 0.5 for match in assigned)
    assert len({match.unit for match in assigned}) == len({match.segment for match in assigned}) == len(assigned)
    best = max(
        sum(weights[unit] for row, unit in enumerate(chosen) if unit is not None and similarities[row, unit] >= 0.5)
        for chosen in itertools.permutations([0, 1, 2, *[None] * len(rows)], len(rows))
    )
    assert sum(weights[match.unit] for match in assigned) == best


def test_the_more_alike_of_equal_weight_is_taken():
    (match,) = assign_segments(np.array([[0.6, 0.9]]), [1, 1], 0.5)
    assert match == Assigned(segment=0, unit=1, similarity=0.9)


def test_scores_by_hand():
    # Units of weight 2, 1, 1. The summary has three clauses and states the first and the third: raw 3.
    # Quality: 3 of 2 + 1 + 1. References have 2 clauses each: coverage 3 of 2 + 1.
    units = [BuiltUnit(((0, 0), (1, 0))), BuiltUnit(((0, 1),)), BuiltUnit(((1, 1),))]
    cut = CutText(("x", "y"), np.zeros((2, 1)))
    summary = CutText(("a", "b", "c"), np.zeros((3, 1)))
    assigned = [Assigned(0, 0, 0.9), Assigned(2, 2, 0.9)]
    pyramid = Pyramid(references=(cut, cut), units=units, assigned=assigned, summary=summary)
    assert pyramid.scores == pytest.approx((0.875, 3 / 4, 1.0, 3))


def test_names_and_bad_input():
    assert parse_metric("PEAK").spelling == "pyreval(segments=triples)"
    with pytest.raises(DataError, match="pyreval reads English only, not language 'fr'"):
        parse_metric("PyrEval").check_language("fr")
    with pytest.raises(MetricError, match="least=2"):
        parse_metric("pyreval(least=2)")


@pytest.mark.more
def test_clauses_of_texts():
    assert cut_texts(["", "Rain.", "Ann won and Bob lost the race."], "clauses")[:2] == [[], ["Rain"]]
    (clauses,) = cut_texts(["The council, which met on Monday, approved the plan."], "clauses")
    assert any("approved the plan" in clause for clause in clauses)


@pytest.mark.more
def test_on_texts():
    metric = parse_metric("pyreval")
    first, second = "The council approved the plan. Work starts in May.", "The plan was approved by the council."
    same, half, none, empty = (
        example(text, first, second) for text in (first, "Work starts in May.", "Cats like to sleep all day.", "")
    )
    scores = metric.score([same, half, none, empty])
    assert scores[0] == pytest.approx([1, 1, 1, 3])  # the plan is in both references
    assert scores[0, 0] > scores[1, 0] > scores[2, 0] == scores[3, 0] == 0
    np.testing.assert_allclose(scores, np.concatenate([metric.score([each]) for each in (same, half, none, empty)]))
    assert np.isnan(metric.score([example("x", "")])).all()
    evidence = metric.explain(half)
    assert evidence.table.header == ("unit", "weight", "stated as", "cosine")
    assert evidence.table.rows[0][1:3] == ("2", "-")
    assert evidence.table.rows[1][2] == "Work starts in May"
    assert metric.explain(example("x", "")) is None
