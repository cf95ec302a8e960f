"""Mixing: a case worked by hand, from units without sentences to the mixed list."""

import pytest

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example, Unit
from gistmeter.units.mix import assign_sentences, choose_easiest, mix_units
from gistmeter.units.plan import PlannedSentence, cost_plan, plan_sentences

SENTENCES = ["Ann Lee won the race in May.", "Her coach, who was ill, stayed at home."]


def test_units_are_placed_by_overlap():
    units = [Unit("Ann won the race"), Unit("The coach was ill"), Unit("Ann won", sentence=1)]
    # "The coach was ill" shares coach, was, ill with sentence 1 (2*3/12) and only `the` with sentence 0
    assert [unit.sentence for unit in assign_sentences(units, SENTENCES, document="d")] == [0, 1, 1]


def test_a_sentence_that_is_not_there_is_refused():
    with pytest.raises(DataError, match="'x' of document d names sentence 2, but its references have 2"):
        assign_sentences([Unit("x", sentence=2)], SENTENCES, document="d")


def test_the_ranking_is_over_all_documents():
    easy = {"a": [0.9, 0.8], "b": [0.3, 0.7], "c": [0.1]}
    assert choose_easiest(easy, 0.0) == frozenset()
    assert choose_easiest(easy, 0.6) == {("a", 0), ("a", 1), ("b", 1)}  # document a takes both, c none
    assert len(choose_easiest(easy, 1.0)) == 5
    assert choose_easiest({"a": [0.5, 0.5]}, 0.5) == {("a", 0)}  # of equals the first


def test_a_mix_by_hand():
    people = assign_sentences(
        [Unit("Ann won"), Unit("Ann won a race"), Unit("The coach was ill")], SENTENCES, document="d"
    )
    machine = [Unit("Ann Lee won the race", sentence=0), Unit("Ann Lee won in May", sentence=0), Unit("b", sentence=1)]
    # sentence 0 is the easier one and takes the two units by machine; sentence 1 keeps what people wrote
    chosen = {position for _, position in choose_easiest({"d": [0.9, 0.4]}, 0.5)}
    assert [unit.text for unit in mix_units(people, machine, chosen)] == [
        "Ann Lee won the race",
        "Ann Lee won in May",
        "The coach was ill",
    ]
    assert [unit.text for unit in mix_units(people, machine, {0, 1})] == [unit.text for unit in machine]
    assert mix_units(people, machine, ()) == people


def test_a_plan_and_its_costs():
    hard = "The mayor, who had been ill for months, said on Monday that he would resign and, if asked, leave the city."
    units = (Unit("It rained"), Unit("The mayor was ill"))
    texts = (f"It rained.\n{hard}",)
    examples = [Example(doc_id="d", system=name, summary="x", references=texts, units=units) for name in "st"]
    plan = plan_sentences(examples, 0.5)
    assert [
        (planned_sentence.sentence, planned_sentence.by_machine, planned_sentence.units) for planned_sentence in plan
    ] == [(1, False, 1), (0, True, 1)]
    none, half, every = cost_plan(plan, [0, 0.5, 1])
    assert [(item.sentences, item.units) for item in (none, half, every)] == [(2, 2), (1, 1), (0, 0)]
    assert none.expected == 1
    assert half.expected == pytest.approx((1 + plan[1].easiness) / 2)
    assert every.expected == pytest.approx((plan[0].easiness + plan[1].easiness) / 2)


def test_of_equals_a_plan_counts_those_that_a_mix_leaves():
    sentences = [
        PlannedSentence("d", position, "x", 0.5, by_machine=False, units=units)
        for position, units in enumerate([1, 2, 4])
    ]
    # a mix of one third takes sentence 0, the first of equals: people write the 2 + 4 units of the others
    assert choose_easiest({"d": [0.5] * 3}, 1 / 3) == {("d", 0)}
    assert [cost.units for cost in cost_plan(sentences, [1 / 3, 2 / 3])] == [6, 4]


def test_bad_plans():
    with pytest.raises(ArgumentError, match="between 0 and 1"):
        plan_sentences([], 2)
    with pytest.raises(DataError, match="no document has a reference"):
        plan_sentences([Example(doc_id="d", system="s", summary="x")])
