"""Marks: which spans are said by default, what is noted where some are not, and budgets that are used up."""

import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError, GistmeterWarning
from gistmeter.summarize import DocumentSpans, Span
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.documents import Source
from gistmeter.summarize.marking import choose_spans, find_marks
from gistmeter.summarize.stages import Stages

NAMES = [f"{first}{second}" for first in "BCDFG" for second in ("an", "el", "im", "os", "ut")]
LONG = " ".join(f"{name} ran." for name in NAMES)


def mark_names(text, names):
    return tuple(find_marks(text, names))


def test_all_given_spans_are_said_unless_k_says_fewer():
    # 25 spans of a file: a default of 20, which is for predicted spans, must not drop five of them.
    given = [DocumentSpans(doc_id="1", spans=mark_names(LONG, NAMES))]
    sources = [Source("1", LONG)]
    assert len(choose_spans(sources, given, k=None)[0].spans) == 25
    assert len(choose_spans(sources, given, k=3)[0].spans) == 3


def test_a_name_that_is_no_file_suggests():
    with pytest.raises(ArgumentError, match="there is no file predictd; did you mean predicted"):
        summarize.summarize([{"document": LONG}], spans="predictd")


def test_stages_are_told_as_one_work():
    reports = []
    stages = Stages(lambda done, total: reports.append((done, total)), stages=2, steps=2)
    label, write = stages.begin(), stages.begin()
    for tell in (label, write):
        tell(1, 2)
        tell(2, 2)
    assert reports == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.more
def test_progress_covers_prediction_and_writing():
    reports = []
    summarize.summarize([{"document": LONG}], k=2, progress=lambda done, total: reports.append((done, total)))
    assert reports == [(1, 2), (2, 2)]


@pytest.mark.more
def test_a_mark_that_stands_in_no_sentence_is_noted():
    document = "London (CNN) -- Ann Lee won the race in Rome. It rained."
    with pytest.warns(GistmeterWarning, match=r"1 marked span not written from: 'London' \(1\); they stand in no"):
        written = summarize.summarize([{"document": document}], marks=["London", "Rome"])
    assert [span.text for span in written.summaries[0].covered] == ["Rome"]


REPEATED = (
    "Ann Lee won the race in Rome on Sunday. It rained. Ann Lee won the race in Rome on Sunday, a friend said. Ann Lee "
    "won the race in Rome on Sunday, a friend said on Monday."
)


@pytest.mark.more
def test_of_three_repetitions_no_mark_is_lost():
    # The first sentence is in the second, and that in the third: all three marks are said by the last.
    starts = [index for index in range(len(REPEATED)) if REPEATED.startswith("the race", index)]
    spans = [Span.of(REPEATED, start, start + 8) for start in starts]
    written = SpanSummarizer(REPEATED, keep="sentences").write(spans)
    assert len(written.sentences) == 1
    assert written.covered == tuple(spans)


@pytest.mark.more
def test_a_sentence_is_no_repetition_where_the_marked_word_differs():
    # Twelve of thirteen words are shared, but not the marked ones.
    same = "took part in the long race through the old town by the river"
    document = f"Ann Lee {same}. Cy Lee {same} last week."
    spans = mark_names(document, ["Ann", "Cy"])
    written = SpanSummarizer(document, keep="sentences").write(spans)
    assert written.covered == tuple(spans)
    assert "Ann" in written.text


@pytest.mark.more
def test_the_words_allowed_are_used_up():
    # A name takes more words than the pronoun in its place; what fits then must still be said.
    document = "Mayor Lena Okafor spoke. It rained. She thanked the families. Snow fell. She praised Bo Tan."
    spans = mark_names(document, ["the families", "Bo Tan"])
    most = len(SpanSummarizer(document).write(spans).text.split())
    for words in range(3, most + 1):
        written = SpanSummarizer(document).write(spans, words=words)
        assert len(written.text.split()) <= words
        alone = [len(SpanSummarizer(document).write([span]).text.split()) for span in spans]
        fitting = 2 if words == most else int(min(alone) <= words)
        assert len(written.covered) == fitting
