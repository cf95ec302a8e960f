"""Spans: files of them, what is refused, labelling by words and sentences, agreement with people's."""

import json
import math

import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError, DataError
from gistmeter.summarize import DocumentSpans, Span
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.spans import check_spans

DOCUMENT = "Ann Lee won the race in Rome. Her coach, Bo Tan, was glad. The race was long."
RUN = [{"doc_id": "1", "document": DOCUMENT, "references": ["The race in Rome went to Ann Lee."]}]


def spans_of(doc_id, *ends, text=DOCUMENT):
    return DocumentSpans(doc_id=doc_id, spans=tuple(Span.of(text, start, end) for start, end in ends))


def write_lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("lexical", ["Ann Lee", "the race", "Rome"]),  # not `The race` of the third sentence: the first place alone
        ("entities", ["Ann Lee", "Rome"]),
        ("sentences", ["Ann Lee won the race in Rome."]),  # bigrams: ann lee, the race, in rome; the others add none
    ],
)
def test_labels_by_words_and_sentences(method, expected):
    (labelled,) = summarize.label(RUN, method=method)
    assert [span.text for span in labelled.spans] == expected
    assert labelled.method == method
    assert all(DOCUMENT[span.start : span.end] == span.text for span in labelled.spans)


def test_a_label_says_where_the_reference_states_it():
    reference = RUN[0]["references"][0]
    (labelled,) = summarize.label(RUN, method="lexical")
    assert [(phrase.reference, phrase.text) for phrase in labelled.spans[0].stated] == [(0, "Ann Lee")]
    assert reference[slice(labelled.spans[2].stated[0].start, labelled.spans[2].stated[0].end)] == "Rome"


def test_all_references_label_more_than_the_first():
    run = [{**RUN[0], "references": ["It was long.", "Bo Tan was glad."]}]
    first, every = (summarize.label(run, method="lexical", reference=which)[0] for which in ("first", "all"))
    assert [span.text for span in first.spans] == []
    assert [(span.text, span.stated[0].reference) for span in every.spans] == [("Bo Tan", 1)]


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ([], "the run is empty"),
        ([{"doc_id": "7", "summary": "x"}], "7 has no `document`"),
        ([{"doc_id": "7", "document": "It rained."}], "7 has no `references`"),
        ([{"doc_id": "7", "document": "Es regnete.", "reference": "x", "language": "de"}], "English documents, but 7"),
        ([{**RUN[0]}, {**RUN[0], "document": "Other."}], "two documents of the name '1'"),
    ],
)
def test_runs_that_cannot_be_labelled(run, message):
    with pytest.raises(DataError, match=message):
        summarize.label(run, method="lexical")


def test_an_unknown_method_suggests():
    with pytest.raises(ArgumentError, match="not 'lexica'; did you mean lexical"):
        summarize.label(RUN, method="lexica")


def test_a_document_without_phrases_has_no_spans():
    (labelled,) = summarize.label([{"document": "Go!", "reference": "Go away."}], method="lexical")
    assert (labelled.spans, labelled.candidates) == ((), 0)


def test_records_need_no_summary_and_a_document_is_taken_once():
    run = [{"doc_id": "1", "document": "A b."}, {"doc_id": "1", "system": "x", "summary": "s", "reference": "r"}]
    (source,) = collect_sources(run)
    assert (source.document, source.references) == ("A b.", ("r",))


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([Span(start=70, end=90, text="x")], "ends at character 90, but the document has 77"),
        ([Span(start=5, end=5, text="")], "goes from character 5 to 5"),
        (
            [Span(start=0, end=7, text="Ann Leo")],
            "said to be 'Ann Leo', but characters 0 to 7 of the document are 'Ann",
        ),
        ([Span.of(DOCUMENT, 28, 29)], "has no words"),
        ([Span.of(DOCUMENT, 0, 7), Span.of(DOCUMENT, 4, 11)], "'Ann Lee' .* and 'Lee won' .*keep one"),
    ],
)
def test_spans_that_do_not_fit(spans, message):
    with pytest.raises(DataError, match=message):
        check_spans(spans, DOCUMENT, "document 1")


def test_spans_that_touch_are_taken():
    check_spans([Span.of(DOCUMENT, 0, 3), Span.of(DOCUMENT, 3, 7)], DOCUMENT, "document 1")


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"doc_id": "1"}], "line 1 of .* is no document with spans: it has no `spans`"),
        ([{"doc_id": "1", "spans": [{"start": -1, "end": 2, "text": "x"}]}], "line 1 of .*start"),
        ([{"doc_id": "1", "spans": [{"start": "0", "end": 2, "text": "x"}]}], "is text, not a whole number"),
        ([{"doc_id": "1", "spans": []}, {"doc_id": 1, "spans": []}], "line 2 of .*'1' is there already"),
        ([], "has no spans"),
    ],
)
def test_files_that_are_no_spans(tmp_path, records, message):
    with pytest.raises(DataError, match=message):
        summarize.read_spans(write_lines(tmp_path / "spans.jsonl", *records))


def test_files_of_annotate_are_read(tmp_path):
    gold = {"doc_id": "1", "raters": 3, "phrases": 5, "spans": [{"start": 0, "end": 7, "text": "Ann Lee", "votes": 2}]}
    (read,) = summarize.read_spans(write_lines(tmp_path / "gold.jsonl", gold))
    assert read.spans == (Span.of(DOCUMENT, 0, 7),)


def test_agreement_by_hand():
    # Found: Ann Lee, Rome; people: Ann Lee, the race, Bo Tan. One hit: P 1/2, R 1/3, F1 2/5.
    gold = [spans_of("1", (0, 7), (12, 20), (41, 47)), spans_of("2")]
    compared = summarize.compare_with_gold({"a": [spans_of("1", (0, 7), (24, 28))]}, gold)
    (row,) = compared.rows
    assert (row.precision, row.recall, row.f1) == pytest.approx((1 / 2, 1 / 3, 2 / 5))
    assert compared.notes == ("left out 1 document in which people marked nothing",)
    assert math.isnan(row.pvalues[2])


def test_overlapping_spans_count_once():
    # `won the race` shares 8 of 12 characters with `the race`; `Ann Lee won` 7 of 11 with `Ann Lee`.
    gold = [spans_of("1", (12, 20), (0, 7))]
    labelled = {"a": [spans_of("1", (8, 20), (0, 11))]}
    assert summarize.compare_with_gold(labelled, gold).rows[0].f1 == 0
    assert summarize.compare_with_gold(labelled, gold, match="overlap").rows[0].f1 == 1
    twice = {"a": [spans_of("1", (12, 20), (12, 19))]}
    assert summarize.compare_with_gold(twice, gold, match="overlap").rows[0].precision == 1 / 2


def test_files_are_tested_against_the_first():
    # Six documents, all hits against none: of the 64 ways to swap two are as extreme.
    gold = [spans_of(str(number), (0, 7)) for number in range(6)]
    none = [spans_of(str(number)) for number in range(6)]
    _, second = summarize.compare_with_gold({"none": none, "gold": gold}, gold).rows
    assert second.pvalues == pytest.approx((2 / 64,) * 3)


def test_a_file_that_lacks_documents_is_refused():
    with pytest.raises(DataError, match="silver has no spans of 2"):
        summarize.compare_with_gold({"silver": [spans_of("1", (0, 7))]}, [spans_of("1", (0, 7)), spans_of("2", (0, 7))])


@pytest.mark.more
def test_labels_by_questions():
    (labelled,) = summarize.label(RUN, cache=False)
    assert [span.text for span in labelled.spans] == ["Ann Lee", "the race", "Rome"]
    assert labelled.spans[0].question == "Who won the race in Rome?"
    assert labelled.spans[0].stated[0].text.startswith("Ann Lee")
    assert labelled.candidates > len(labelled.spans)
