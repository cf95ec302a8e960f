"""Compression: sentences stay English and true, pronouns are understood, and the best marks fit the words."""

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter import summarize
from gistmeter.errors import ArgumentError, DataError, GistmeterWarning
from gistmeter.linguistics.parser import load_parser
from gistmeter.summarize.compression.choosing import Offer, choose_offers
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.compression.verifying import compress_sentence
from gistmeter.summarize.compression.writing import write_sentence
from gistmeter.summarize.markable import MOST_FREE_PHRASES, make_markable, put_together
from gistmeter.summarize.marking import find_marks
from gistmeter.summarize.spans import Span

pytestmark = pytest.mark.more  # they load the parser and the coreference network

CASES = tomllib.loads((Path(__file__).parent / "compressions.toml").read_text("utf-8"))["case"]
HARBOUR = (
    "The council of Port Arrow voted on Tuesday to rebuild the harbour wall. Mayor Lena Okafor, a former pilot, said "
    "the work would cost 14 million dollars. She thanked the fishing families. Engineers will begin the work next "
    "week. Their report is due before the end of the year. The ferry company has promised to pay a third of the cost. "
    "Its director spoke to reporters."
)


def write(document, *marks, words=None):
    return SpanSummarizer(document).write(find_marks(document, marks), words=words).text


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['text'][:20]}-{case['marks'][0]}")
def test_what_sentences_become(case):
    (doc,) = load_parser().parse([case["text"]], entities=True)
    marks = find_marks(case["text"], case["marks"])
    positions = {word.i for word in doc for mark in marks if mark.start <= word.idx < mark.end}
    assert write_sentence(doc, compress_sentence(doc, positions)) == case["becomes"]


def test_a_pronoun_whose_name_is_not_said_becomes_the_name():
    assert write(HARBOUR, "the fishing families") == "Mayor Lena Okafor thanked the fishing families."
    assert write(HARBOUR, "14 million dollars", "the fishing families").endswith("She thanked the fishing families.")


def test_possessives_at_the_start_are_understood():
    assert write(HARBOUR, "Their report").startswith("Engineers' report")
    assert write(HARBOUR, "reporters").startswith("The ferry company's director")


def test_no_third_person_pronoun_opens_a_summary():
    for mark in ("the harbour wall", "the fishing families", "Their report", "reporters"):
        assert not re.match(r"(?i)(he|she|it|they|his|her|its|their)\b", write(HARBOUR, mark))


def test_the_most_worthy_marks_fit_the_words():
    spans = [
        Span(start=span.start, end=span.end, text=span.text, score=score)
        for span, score in zip(
            find_marks(HARBOUR, ["the harbour wall", "14 million dollars", "the fishing families"]),
            (0.9, 0.2, 0.8),
            strict=True,
        )
    ]
    written = SpanSummarizer(HARBOUR).write(spans, words=19)
    assert [span.text for span in written.covered] == ["the harbour wall", "the fishing families"]
    assert len(written.text.split()) <= 19


def test_what_is_said_twice_is_written_once():
    twice = "Ann Lee won the race in Rome on Sunday. It rained. Ann Lee won the race in Rome on Sunday, a friend said."
    spans = [Span.of(twice, 0, 7), Span.of(twice, twice.rindex("the race"), twice.rindex("the race") + 8)]
    written = SpanSummarizer(twice).write(spans)
    assert written.text.count("won the race") == 1
    assert written.covered == tuple(spans)


@given(
    st.lists(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=3), min_size=1, max_size=4),
    st.integers(1, 25),
)
def test_the_choice_is_the_best_of_all(sentences, words):
    offers = [
        [Offer(number, frozenset({number}), length, float(worth)) for length, worth in ways]
        for number, ways in enumerate(sentences)
    ]
    choices = product(*([None, *ways] for ways in offers))
    fitting = [[offer for offer in choice if offer] for choice in choices]
    best = max(sum(o.worth for o in choice) for choice in fitting if sum(o.words for o in choice) <= words)
    chosen = choose_offers(offers, words)
    assert sum(offer.worth for offer in chosen) == best
    assert sum(offer.words for offer in chosen) <= words
    assert chosen == choose_offers(offers, words + 10**12 if words >= 9 * len(offers) else words)  # takes no longer


def test_the_page_puts_together_what_the_summarizer_writes():
    markable = make_markable("1", HARBOUR, find_marks(HARBOUR, ["14 million dollars", "the fishing families"]))
    marked = [sentence.marked for sentence in markable.sentences]
    assert put_together(markable, marked) == write(HARBOUR, "14 million dollars", "the fishing families")


@pytest.mark.parametrize(
    "marks", [("Their report",), ("Engineers", "Their report"), ("the harbour wall", "Their report")]
)
def test_the_page_knows_when_a_sentence_takes_up_the_one_before(marks):
    markable = make_markable("1", HARBOUR, find_marks(HARBOUR, marks))
    assert put_together(markable, [sentence.marked for sentence in markable.sentences]) == write(HARBOUR, *marks)


def test_the_page_says_what_is_marked_and_little_else_in_a_long_sentence():
    # Nine phrases: choices of four are not written beforehand, and the whole sentence says them.
    text = "Ann met Bo, Cy, Di, Ed, Flo, Gus, Hal and Ida."
    markable = make_markable("1", text, [])
    (sentence,) = markable.sentences
    assert len(sentence.phrases) > MOST_FREE_PHRASES
    for marked in ([0], [1, 8], [1, 2, 8], [0, 1, 2, 8], list(range(9))):
        written = put_together(markable, [marked])
        assert all(text[slice(*sentence.phrases[number])] in written for number in marked)
    assert len(put_together(markable, [[1]]).split()) < len(put_together(markable, [[1, 2, 3, 8]]).split())


def test_a_mark_that_is_no_noun_phrase_can_be_clicked():
    markable = make_markable("1", HARBOUR, find_marks(HARBOUR, ["voted", "the harbour wall"]))
    sentence = markable.sentences[0]
    assert [HARBOUR[slice(*sentence.phrases[number])] for number in sentence.marked] == ["voted", "the harbour wall"]
    assert put_together(markable, [sentence.marked for sentence in markable.sentences]) == write(
        HARBOUR, "voted", "the harbour wall"
    )


def test_marks_are_whole_words_of_any_case():
    (summary,) = summarize.summarize([{"document": HARBOUR}], marks=["mayor lena okafor"]).summaries
    assert summary.covered[0].text == "Mayor Lena Okafor"
    with pytest.raises(DataError, match="'harb' does not stand in document '1'"):
        summarize.summarize([{"document": HARBOUR}], marks=["harb"])


def test_a_document_in_which_nothing_is_marked_is_noted():
    run = [{"doc_id": "a", "document": HARBOUR}, {"doc_id": "b", "document": "It rained in Rome."}]
    with pytest.warns(GistmeterWarning, match="nothing is marked in b"):
        written = summarize.summarize(run, marks=["the harbour wall"])
    assert [summary.words > 0 for summary in written.summaries] == [True, False]


@pytest.mark.parametrize(
    ("given", "message"), [({"k": 0}, "`k` is at least 1"), ({"words": 0}, "`words` is at least 1")]
)
def test_numbers_below_one_are_refused(given, message):
    with pytest.raises(ArgumentError, match=message):
        summarize.summarize([{"document": HARBOUR}], marks=["Mayor"], **given)


def test_given_spans_are_checked(tmp_path):
    file = tmp_path / "spans.jsonl"
    file.write_text('{"doc_id": "1", "spans": [{"start": 0, "end": 9999, "text": "x"}]}\n')
    with pytest.raises(DataError, match=r"a span of document '1' in .* ends at character 9999"):
        summarize.summarize([{"document": HARBOUR}], spans=file)
    with pytest.raises(DataError, match="has no spans of 2"):
        summarize.summarize([{"doc_id": "2", "document": HARBOUR}], spans=file)


def test_a_document_without_noun_phrases_says_so(tmp_path):
    with pytest.raises(DataError, match="nothing to say of 1: it has no noun phrase"):
        summarize.summarize([{"document": "Go!"}], spans=[summarize.DocumentSpans(doc_id="1", spans=(), candidates=0)])
