"""Questions that people wrote: put instead of the model's, and what they cover, by hand."""

import json
import math

import pytest

from gistmeter.api import score
from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example, Unit
from gistmeter.insight import measure_question_coverage
from gistmeter.metrics import parse_metric
from gistmeter.metrics.question.qaeval import QaEval

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
SUMMARY = "Ann won silver. Robert lost his money."
EXAMPLE = Example(doc_id="d", system="s", summary=SUMMARY, references=(REFERENCE,))
BOTH = Example(doc_id="d", system="s", summary=SUMMARY, references=(REFERENCE, "Eve slept."))


@pytest.fixture
def written(tmp_path):
    """A file of questions."""

    def write(*records, name="questions.jsonl"):
        file = tmp_path / name
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(file)

    return write


def test_people_s_questions_are_put_and_no_others(written, by_hand):
    # "who lost his money": 3 of the 3 small words stand in "Robert lost his money": Robert, for "old Robert" F1 2/3.
    # "who won silver": Ann, for "Ann" 1. The mean is 5/6; exact 1/2.
    file = written(
        {"doc_id": "d", "question": "who lost his money", "answer": "old Robert"},
        {"doc_id": "d", "question": "who won silver", "answer": "ann"},
        {"doc_id": "other", "question": "who slept", "answer": "Eve"},
    )
    metric = QaEval(questions=file)
    f1, em, *_ = metric.score([EXAMPLE])[0]
    assert (f1, em) == (pytest.approx(5 / 6), 0.5)
    assert by_hand.texts == []  # nothing was asked by the model
    shown = metric.explain(EXAMPLE)
    assert [row[0] for row in shown.table.rows] == ["who lost his money", "who won silver"]
    reference = next(pane for pane in shown.panes if pane.title == "reference")
    assert [REFERENCE[mark.start : mark.end] for mark in reference.marks] == ["Ann"]  # "old Robert" is not there


def test_questions_belong_to_references(written):
    file = written(
        {"doc_id": "d", "reference": 1, "question": "who won silver", "answer": "Ann"},
        {"doc_id": "d", "reference": 2, "question": "who lost his money", "answer": "Eve"},
        {"doc_id": "d", "reference": "2", "question": "who won silver", "answer": "Ann"},
    )
    assert QaEval(questions=file).score([BOTH])[0, 0] == pytest.approx((1 + 1 / 2) / 2)
    assert QaEval(questions=file, most=1).score([BOTH])[0, 0] == pytest.approx((1 + 0) / 2)


def test_several_files_tables_and_the_signature(written, tmp_path):
    first = written({"doc_id": "d", "question": "who won silver", "answer": "Ann"}, name="a.jsonl")
    table = tmp_path / "b.csv"
    table.write_text("doc_id,reference,question,answer,units\nd,1,who lost his money,Eve,2\n")
    metric = QaEval(questions=(first, str(table)))
    assert metric.score([EXAMPLE])[0, 0] == 0.5
    assert parse_metric(metric.spelling) == metric
    assert "|asker:people|" in metric.signature()
    assert "asker.parser" not in metric.signature()
    assert QaEval(questions=first).signature() != metric.signature()
    assert "|questions:none|" in QaEval().signature()


def test_a_document_without_questions_has_no_score(written):
    file = written({"doc_id": "other", "question": "who won silver", "answer": "Ann"})
    with pytest.warns(UserWarning, match="the file of questions has none for its references"):
        scores = score([EXAMPLE], f"qaeval(questions={file})")
    assert math.isnan(scores.table[scores.columns[0].name][0])


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"question": "q", "answer": "a"}, "record 1 of .* has no `doc_id`"),
        ({"doc_id": "d", "answer": "a", "qestion": "q"}, "has no `question`; did you mean"),
        ({"doc_id": "d", "question": "q", "answer": " "}, "has no `answer`"),
        ({"doc_id": "d", "question": "q", "answer": 3}, "has a `answer` that is not a text: 3"),
        ({"doc_id": "d", "question": "q", "answer": "a"}, "does not say which reference it is about, but d has 2"),
        ({"doc_id": "d", "question": "q", "answer": "a", "reference": 3}, "about reference 3, but d has 2"),
        ({"doc_id": "d", "question": "q", "answer": "a", "reference": "x"}, "a `reference` that is not a number"),
        ({"doc_id": "d", "question": "q", "answer": "a", "units": "x"}, "`units` that are not numbers"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_sentence(written, record, says):
    with pytest.raises(DataError, match=says):
        QaEval(questions=written(record)).score([BOTH])


def test_settings_of_askers_do_not_go_with_questions(written):
    with pytest.raises(MetricError, match="cannot have answers=entities beside questions"):
        QaEval(questions="q.jsonl", answers="entities")
    with pytest.raises(DataError, match="has no questions"):
        QaEval(questions=written()).score([EXAMPLE])


UNITS = (Unit("Ann won gold"), Unit("Robert lost money"), Unit("It rained"), Unit("Beyond", weight=0))
COVERED = Example(doc_id="d", system="s", summary=SUMMARY, references=(REFERENCE,), units=UNITS)


def test_what_the_model_s_questions_cover():
    # "who won gold" is answered with Ann by the first unit; "who lost money badly" by the second (2 of 3 words are
    # there: .33 not answerable) with Robert: both map to a unit (precision 1), and 2 of 3 units are covered.
    (row,) = measure_question_coverage([QaEval()], [COVERED, COVERED]).rows
    assert (row.documents, row.questions, row.units) == (1, 2, 3)
    assert (row.precision, row.coverage) == (1, pytest.approx(2 / 3))
    # Of names with four letters or more there is Robert alone.
    (row,) = measure_question_coverage([QaEval(answers="entities")], [COVERED]).rows
    assert (row.questions, row.precision, row.coverage) == (1, 1, pytest.approx(1 / 3))


def test_people_map_their_questions_to_units(written, by_hand):
    # Three questions; one maps to the units 1 and 3, one to unit 1 by its text, one to none:
    # precision 2/3, coverage 2/3.
    file = written(
        {"doc_id": "d", "question": "who won", "answer": "Ann", "units": [1, 3]},
        {"doc_id": "d", "question": "what did Ann do", "answer": "win", "units": ["Ann won gold"]},
        {"doc_id": "d", "question": "who slept", "answer": "Eve", "units": []},
    )
    coverages = measure_question_coverage([QaEval(questions=file)], [COVERED, EXAMPLE_WITHOUT_UNITS])
    (row,) = coverages.rows
    assert (row.precision, row.coverage) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (row.by_people, row.skipped) == (3, 1)
    assert by_hand.pairs == []  # no model was asked
    assert "people mapped all questions to units" in coverages.notes[0]
    with pytest.raises(DataError, match="maps to the unit '4', but d has units 1 to 3"):
        measure_question_coverage(
            [QaEval(questions=written({"doc_id": "d", "question": "q", "answer": "a", "units": [4]}))], [COVERED]
        )


EXAMPLE_WITHOUT_UNITS = Example(doc_id="e", system="s", summary=SUMMARY, references=(REFERENCE,))


def test_averages_are_over_documents():
    # A second document: one question (Eve), no unit says it: precision 0, coverage 0 of 1. Means: 1/2, 1/3.
    other = Example(doc_id="e", system="s", summary="", references=("Eve slept well.",), units=("It rained",))
    (row,) = measure_question_coverage([QaEval()], [COVERED, other]).rows
    assert (row.questions, row.precision, row.coverage) == (1.5, 0.5, pytest.approx(1 / 3))
    with pytest.raises(DataError, match="no document has references and content units"):
        measure_question_coverage([QaEval()], [EXAMPLE])


def test_the_command_prints_the_three_strategies(checked_command, tmp_path):
    record = {"doc_id": "d", "system": "s", "summary": SUMMARY, "references": [REFERENCE], "units": ["Ann won gold"]}
    (tmp_path / "run.jsonl").write_text(json.dumps(record))
    shown = json.loads(checked_command("qa", "coverage", "run.jsonl", "--json").stdout)
    assert [row["metric"] for row in shown["rows"]] == [
        "qaeval(answers=entities)",
        "qaeval",
        "qaeval(answers=maximal)",
    ]
    assert [row["QA precision"] for row in shown["rows"]] == [0, 0.5, 0.5]
    refused = checked_command("qa", "coverage", "run.jsonl", "-m", "qags", fails=True)
    assert "qags does not ask about references" in refused.stderr
