"""Quality control of assignments."""

from __future__ import annotations

import pytest

import multi_summeval
from gistmeter.errors import DataError, GistmeterError
from gistmeter.human import Assignment, TrapAnswer, quality_control, read_assignments, traps_passed


def test_traps_at_their_limits():
    same = [TrapAnswer("same", value) for value in (90, 89.9, 100)]
    different = [TrapAnswer("different", value) for value in (10, 10.1, 0)]
    assert traps_passed(same) == 2
    assert traps_passed(different) == 2
    assert traps_passed([*same, *different], same=89, different=11) == 6


def test_seven_of_ten():
    report = quality_control([Assignment(f"w{passed}", "t", passed) for passed in (10, 7, 6, 0)])
    assert [item.rater for item in report.accepted] == ["w10", "w7"]
    assert [(item.assignment.rater, item.reasons) for item in report.dropped] == [
        ("w6", ("passed 6 of 10 controls, under 70%",)),
        ("w0", ("passed 0 of 10 controls, under 70%",)),
    ]


@pytest.mark.parametrize(
    ("passed", "traps", "retained"), [(14, 20, True), (13, 20, False), (4, 5, True), (3, 5, False)]
)
def test_the_same_share_of_other_numbers_of_traps(passed, traps, retained):
    assert len(quality_control([Assignment("w", "t", passed, traps)]).accepted) == retained


def test_every_share_that_is_reached_is_enough():
    # A product such as 7 / 25 * 25 is above 7: a share that is just met must not be missed.
    for traps in range(1, 101):
        for passed in range(traps + 1):
            assert quality_control([Assignment("w", "t", passed, traps)], least=passed / traps).accepted


def test_too_quick_and_too_careless():
    assignment = Assignment("w", "t", 3, minutes=12.5)
    assert quality_control([assignment], minutes=30).dropped[0].reasons == (
        "passed 3 of 10 controls, under 70%",
        "took 12.5 minutes, less than 30",
    )
    # 26.6444 seconds are 0.444073 minutes, 160 are 2.66667; what rounds to the same has the digits that tell it apart.
    for minutes, words in (
        (26.6444 / 60, "took 0.444 minutes, less than 2.67"),
        (2.6665, "took 2.6665 minutes, less than 2.66667"),
    ):
        work = Assignment("w", "t", 8, minutes=minutes)
        assert quality_control([work], minutes=160 / 60).dropped[0].reasons == (words,)
    # An unknown time is no reason.
    assert quality_control([Assignment("w", "t", 8)], minutes=30).accepted


def test_one_person_is_not_two_raters():
    work = [Assignment("w", "t", 5), Assignment("w", "t", 8), Assignment("w", "t", 9), Assignment("w", "u", 9)]
    report = quality_control(work)
    assert report.accepted == (work[1], work[3])
    assert [item.reasons[0] for item in report.dropped] == [
        "passed 5 of 10 controls, under 70%",
        "w has already done task t",
    ]
    assert quality_control(work, once=False).accepted == tuple(work[1:])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quality_control([Assignment("w", "t", 11)]), "w cannot have passed 11 of 10 controls of task t"),
        (lambda: quality_control([Assignment("w", "t", 0, 0)]), "0 of 0 controls"),
        (lambda: quality_control([], least=7), "such as 0.7 for 7 of 10, not 7"),
        (lambda: traps_passed([TrapAnswer("sane", 5)]), "did you mean same"),
        (lambda: traps_passed([], same=10, different=20), "right for both kinds"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(GistmeterError, match=message):
        call()


@pytest.mark.data
@pytest.mark.parametrize(
    ("language", "again"), [("ES", []), ("DE", []), ("FR", [("FR-w4", "1")]), ("ZH", [("ZH-w3", "1")])]
)
def test_published_assignments(data, language, again):
    """Paper 003 kept 18 assignments a language, all with 7 controls of 10 or more; two of them are repetitions."""
    report = quality_control(multi_summeval.assignments(data, language))
    assert len(report.accepted) == 18 - len(again)
    assert [(item.assignment.rater, item.assignment.task) for item in report.dropped] == again
    assert len(quality_control(multi_summeval.assignments(data, language), once=False).accepted) == 18


def test_a_field_that_no_record_has_is_not_counted_by(tmp_path):
    answer = {"rater": "ann", "task": "1", "trap": "same", "value": 97, "lang": "de"}
    with pytest.raises(DataError, match="no record of the records has `langage` to count assignments by; did you mean"):
        read_assignments([answer | {"language": "de"}], by="langage")
    [assignment] = read_assignments([answer], by="language")  # by any of its names
    assert assignment.group == "de"
