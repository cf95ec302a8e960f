"""Subtle errors: what is replaced, what stays, and the run that is written."""

import json

import pytest

from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.example import Example
from gistmeter.io.runs import open_run
from gistmeter.probe import (
    LabelledSummary,
    corrupt,
    read_labelled_run,
    turn_references_into_summaries,
    write_labelled_run,
)
from tiny_checkpoints import make_checkpoint

pytestmark = pytest.mark.more

SUMMARY = (
    "  The mayor of Paris\topened a NEW bridge -- costing £3m -- over the river's mouth; it didn’t rain.\n\n"
    "Café owners cheered!  "
)
DOCUMENT = "The mayor of Paris opened a bridge on Friday."


def example(summary=SUMMARY, doc_id="1", system="a", **more):
    return Example(doc_id=doc_id, system=system, summary=summary, document=DOCUMENT, **more)


def restore(summary):
    """The corrupted summary with its errors undone."""
    text = summary.example.summary
    for error in reversed(summary.errors):
        assert text[error.start : error.end] == error.replacement
        text = text[: error.start] + error.original + text[error.end :]
    return text


def test_only_the_replaced_words_change():
    clean, wrong = corrupt([example()], errors=5)
    assert clean == LabelledSummary(example())
    assert wrong.example.system == "a+5"
    assert wrong.pair == clean.pair == ("1", "a")
    assert len(wrong.errors) == 5
    assert restore(wrong) == SUMMARY
    for error in wrong.errors:
        assert error.replacement.isalpha()
        assert error.original.isalpha()
        assert error.original.casefold() != error.replacement.casefold()


def test_all_whole_words_can_be_replaced_and_nothing_else():
    _, wrong = corrupt([example()], errors=99)
    replaced = {error.original for error in wrong.errors}
    assert replaced >= {"The", "mayor", "Paris", "opened", "a", "NEW", "bridge", "river", "mouth", "owners"}
    assert not replaced & {"s", "t", "m", "£3m", "3m"}  # pieces of words, and what follows an apostrophe
    assert restore(wrong) == SUMMARY
    by_word = {error.original: error.replacement for error in wrong.errors}
    assert by_word["Paris"][0].isupper()
    assert by_word["NEW"].isupper()


def test_the_same_seed_draws_the_same_in_any_company():
    others = [example(f"Rain fell on the town of {name}.", doc_id=name) for name in ("Bath", "Cork", "Ely")]
    alone = list(corrupt([example()], errors=2, seed=7))
    assert [
        summary for summary in corrupt([*others, example()], errors=2, seed=7) if summary.example.doc_id == "1"
    ] == alone
    drawn = {next(reversed(list(corrupt([example()], errors=2, seed=seed)))).example.summary for seed in range(8)}
    assert len(drawn) > 3


def test_more_errors_hold_the_fewer():
    clean, with_one, with_three = corrupt([example()], errors=[1, 3])
    assert not clean.errors
    assert (with_one.example.system, with_three.example.system) == ("a+1", "a+3")
    assert {error.original for error in with_one.errors} <= {error.original for error in with_three.errors}


@pytest.mark.parametrize("text", ["", "...", "3.5 - 7", "\x00\n"])
def test_a_summary_without_words_comes_as_it_is(text):
    assert list(corrupt([example(text)])) == [LabelledSummary(example(text))]


def test_a_short_summary_has_as_many_errors_as_words():
    _, wrong = corrupt([example("Rain fell.")], errors=3)
    assert len(wrong.errors) == 2


def test_long_summaries_are_read_in_windows():
    text = "The mayor opened a bridge over the river. " * 100
    _, wrong = corrupt([example(text)], errors=3)
    assert restore(wrong) == text


@pytest.mark.parametrize("family", ["bert", "xlm-roberta"])
def test_other_models_by_path(tmp_path, family):
    folder = str(make_checkpoint(tmp_path / family, family))
    text = "The cat sat on the mat and the dog barked."
    _, wrong = corrupt([example(text)], errors=2, model=folder)
    assert restore(wrong) == text
    assert all(error.replacement.isalpha() for error in wrong.errors)


def test_what_cannot_be_done_is_refused():
    with pytest.raises(ArgumentError, match="`errors` is at least 1"):
        corrupt([example()], errors=0)
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        list(corrupt([example("Es regnet.", language="de")]))


def test_references_become_summaries_once_for_each_document():
    runs = [example(system=system, references=("One.", "Two.")) for system in "ab"]
    humans = list(turn_references_into_summaries(runs))
    assert [(human.system, human.summary, human.references) for human in humans] == [
        ("reference1", "One.", ("Two.",)),
        ("reference2", "Two.", ("One.",)),
    ]
    assert {human.document for human in humans} == {DOCUMENT}


def test_a_labelled_run_comes_back_and_is_a_run(tmp_path):
    several = Example(
        doc_id="2", system="b", summary="Rain fell on Rome.", documents=("One.", "Two."), references=("R.",)
    )
    summaries = list(corrupt([example(), several], errors=2))
    file = tmp_path / "labelled.jsonl"
    assert write_labelled_run(summaries, file) == 4
    assert read_labelled_run([file]) == summaries
    assert list(open_run([file]).examples()) == [summary.example for summary in summaries]
    record = json.loads(file.read_text("utf-8").splitlines()[1])
    assert record["corrupted_from"] == "a"
    assert set(record["errors"][0]) == {"start", "end", "original", "replacement", "kind"}


def test_a_run_without_labels_is_told_apart(tmp_path):
    file = tmp_path / "run.jsonl"
    file.write_text('{"doc_id": "1", "system": "a", "summary": "x"}\n')
    assert read_labelled_run([file]) is None
    file.write_text('{"doc_id": "1", "system": "a", "summary": "x", "errors": [{"from": 1}]}\n')
    with pytest.raises(DataError, match=r"record 1 of .* is no labelled summary"):
        read_labelled_run([file])
