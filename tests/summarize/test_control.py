"""Control: question recall by hand, several judges, systems of the run, models by name, and what is refused."""

import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError, DataError, GistmeterError
from gistmeter.models.answering.spans import Answer
from gistmeter.report.span_charts import draw_control
from gistmeter.scoring.inputs import as_run
from gistmeter.summarize import DocumentSpans, Span
from gistmeter.summarize.control.measuring import judge_texts
from gistmeter.summarize.control.result import Control, describe_control
from gistmeter.summarize.control.texts import WrittenText, collect_systems

DOCUMENT = "Ann Lee won the race in Rome. Bo Tan slept. It rained on the old town. A dog barked at the gate."
NO_ANSWER = Answer(text="", start=0, end=0, probability=0.0, null=1.0, answered=False)


class Parrot:
    """Answers what its list says."""

    def __init__(self, answers):
        self._answers = answers

    def answer_questions(self, pairs):
        return {pair: self._answers.get(pair, NO_ANSWER) for pair in pairs}


def answer(text):
    return Answer(text=text, start=0, end=len(text), probability=1.0, null=0.0, answered=True)


def span(text, question):
    start = DOCUMENT.index(text)
    return Span(start=start, end=start + len(text), text=text, question=question)


def test_question_recall_by_hand():
    # Three questions: one answered with a word of the span, one with another word, one not at all.
    spans = (span("Ann Lee", "Who?"), span("Rome", "Where?"), span("the race", "What?"))
    written = [WrittenText("w", 3, 1, "A summary.", spans), WrittenText("w", 3, 0, "Another.", spans[:1])]
    answers = {("Who?", "A summary."): answer("Lee"), ("Where?", "A summary."): answer("Oslo")}
    reports = []
    shares = judge_texts(written, 2, Parrot(answers), tell=lambda done, total: reports.append((done, total)))
    assert shares.tolist() == [[pytest.approx(2 / 3), pytest.approx(1 / 3)], [0, 0]]
    assert reports == [(1, 2), (2, 2)]


def test_who_cannot_answer_is_told_before_anything_is_written():
    # Finding and writing takes minutes: a slip in a name must not wait for it.
    def too_late(done, total):
        raise AssertionError("something was done")

    with pytest.raises(GistmeterError, match="there is no model 'nosuch/model'"):
        summarize.measure_control([{"document": DOCUMENT}], answerer=["slots", "nosuch/model"], progress=too_late)


@pytest.mark.parametrize(
    ("documents", "message"),
    [([DOCUMENT], "but 1 has no `references`"), ([DOCUMENT, "It rained."], "but 1, 2 have no `references`")],
)
def test_documents_without_references_are_counted(documents, message):
    run = [{"doc_id": str(number), "document": text} for number, text in enumerate(documents, start=1)]
    with pytest.raises(DataError, match=message):
        summarize.label(run)


def test_an_empty_summary_says_nothing_and_a_missing_one_is_noted():
    run = [
        {"doc_id": "1", "document": DOCUMENT, "system": "a", "summary": "Ann won."},
        {"doc_id": "2", "document": DOCUMENT, "system": "a", "summary": ""},
        {"doc_id": "3", "document": DOCUMENT},
    ]
    systems = collect_systems(as_run(run), ())
    assert (systems.systems, systems.by_document["2"], systems.by_document["3"]) == (("a",), {"a": ""}, {})
    assert systems.note_missing(["1", "2", "3"]) == ("a has summaries of 2 of 3 documents: its means are over these",)
    assert systems.note_missing(["1", "2"]) == ()


def test_a_system_with_the_name_of_a_writer_is_refused():
    run = [{"doc_id": "1", "document": DOCUMENT, "system": "with marks", "summary": "x"}]
    with pytest.raises(DataError, match="a system of the run is called 'with marks'"):
        collect_systems(as_run(run), ("with marks",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"writers": ["lead"]}, "unknown writer 'lead'; did you mean lead3"),
        ({"k": [0]}, "`k` are numbers of spans from 1"),
        ({"k": []}, "`k` are numbers of spans from 1"),
        ({"answerer": []}, "`answerer` names nobody"),
    ],
)
def test_arguments_that_are_refused(given, message):
    with pytest.raises(ArgumentError, match=message):
        summarize.measure_control([{"document": DOCUMENT}], **given)


def row(answerer, k, recall):
    figures = dict.fromkeys(("agreed", "agreed_low", "agreed_high", "words_low", "words_high", "ratio"), 0.5)
    names = {"writer": "with marks", "k": k, "answerer": answerer, "documents": 2}
    return summarize.ControlRow(**names, **figures, recall=recall, low=recall, high=recall, words=9.0)


def test_several_judges_are_told_apart():
    rows = tuple(row(name, k, 0.9) for name in ("embedded", "slots") for k in (1, 2))
    control = Control(rows=rows, documents=2, answerers=("embedded", "slots"), spans="predicted")
    assert [record["answerer"] for record in control.records()] == ["embedded", "embedded", "slots", "slots"]
    assert "(answerers: embedded, slots)" in describe_control(control)
    assert "question recall (slots)" in draw_control(control).to_json()


@pytest.mark.more
def test_marks_are_answered_and_both_judges_are_asked_of_the_same_texts():
    reports = []
    control = summarize.measure_control(
        [{"doc_id": "1", "document": DOCUMENT, "system": "a", "summary": "It rained."}],
        spans=[DocumentSpans(doc_id="1", spans=(Span.of(DOCUMENT, 0, 7), Span.of(DOCUMENT, 8, 11)))],
        k=[2],
        answerer=["embedded", "slots"],
        cache=False,
        progress=lambda done, total: reports.append((done, total)),
    )
    recall = {(row.answerer, row.writer): row.recall for row in control.rows}
    assert recall["embedded", "with marks"] == recall["slots", "with marks"] == 1
    assert recall["embedded", "a"] == 0
    lengths = {(row.writer, row.words) for row in control.rows}
    assert len(lengths) == len({row.writer for row in control.rows}) == 5  # each judge reads the same texts
    assert control.notes == ("left out 1 span that no question asks for (no noun phrases)",)
    assert reports == [(2, 4), (3, 4), (4, 4)]  # given spans need not be found; the rest is writing and two judges


@pytest.mark.more
def test_documents_without_spans_to_ask_for():
    with pytest.raises(DataError, match="no document has spans with questions"):
        summarize.measure_control([{"document": "Go!"}], cache=False)
