"""Summaries of predicted spans: whole sentences, the likeliest and the early ones first, within a number of words."""

import gzip
import json
from dataclasses import replace

import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.summarize import DocumentSpans
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.marking import find_marks
from gistmeter.text.sentences import find_sentences

pytestmark = pytest.mark.more  # they load the parser and the coreference network

FERRY = "Ann Lee, a nurse, won the race in Rome. Bo Tan, a cook, sold a boat in Oslo."
HARBOUR = (
    "The council of Port Arrow voted on Tuesday to rebuild the harbour wall after the storm. Mayor Lena Okafor said "
    "the harbour wall would cost 14 million dollars. Fishing families had asked the council for help since the storm. "
    "Engineers will begin next week. A cafe by the road sells tea and cakes to visitors from the valley. The road is "
    "narrow there, and a sheep dog was asleep on it on Monday. Some visitors come for the birds in spring. The weather "
    "was mild this week, a local man with a red hat said, and he had seen two swans near the old mill. The mill was "
    "built by a man from the valley in 1820. It has a wheel, a pond and a small shop."
)


def read_records(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def mark(document, **scores):
    spans = find_marks(document, scores)
    return [replace(span, score=score) for span, score in zip(spans, scores.values(), strict=True)]


def write_sentences(spans, words=None):
    return SpanSummarizer(FERRY, keep="sentences").write(spans, words=words).text


def test_a_likelier_span_is_preferred_where_words_are_few():
    # Both sentences have nine words. The second is worth half its spans: .9 / 2 > .3, but .9 / 2 < .6.
    assert write_sentences(mark(FERRY, Rome=0.3, Oslo=0.9), words=9) == "Bo Tan, a cook, sold a boat in Oslo."
    assert write_sentences(mark(FERRY, Rome=0.6, Oslo=0.9), words=9) == "Ann Lee, a nurse, won the race in Rome."


def test_sentences_stay_whole():
    assert write_sentences(mark(FERRY, Rome=0.3, Oslo=0.9)) == FERRY
    assert SpanSummarizer(FERRY).write(mark(FERRY, Rome=0.3)).text == "Ann Lee won the race in Rome."


def test_a_whole_sentence_does_not_begin_with_but():
    document = "It rained. But Bo Tan, a cook, sold a boat in Oslo."
    written = SpanSummarizer(document, keep="sentences").write(mark(document, Oslo=0.9))
    assert written.text == "Bo Tan, a cook, sold a boat in Oslo."


def test_a_pronoun_in_a_whole_sentence_becomes_the_name_that_was_not_said():
    document = "Mayor Lena Okafor spoke. It rained. She thanked the families of the town."
    spans = find_marks(document, ["the families"])
    written = SpanSummarizer(document, keep="sentences").write(spans)
    assert written.text == "Mayor Lena Okafor thanked the families of the town."


def test_predicted_spans_keep_whole_sentences_of_the_lead():
    (summary,) = summarize.summarize([{"document": HARBOUR}]).summaries
    lead = HARBOUR[: HARBOUR.index(" Engineers")]
    assert summary.text.startswith(lead)
    assert summary.words <= 85 < len(HARBOUR.split())


def test_marks_of_a_user_keep_what_is_marked():
    run = [{"document": FERRY}]
    assert summarize.summarize(run, marks=["Rome"]).summaries[0].text == "Ann Lee won the race in Rome."
    whole = summarize.summarize(run, marks=["Rome"], keep="sentences").summaries[0]
    assert whole.text == "Ann Lee, a nurse, won the race in Rome."
    pruned = summarize.summarize(run, keep="marked").summaries[0]
    assert len(pruned.covered) == len(pruned.marked)  # no limit of words: all predicted spans are said
    # Marks beside predicted spans are a user's choice, too.
    both = summarize.summarize(run, spans="predicted", k=1, marks=["Oslo"]).summaries[0]
    assert "a cook" not in both.text


def test_sentences_longer_than_the_default_limit_still_give_a_summary():
    document = f"Ann Lee won the race in Rome with {', '.join(f'Bo{number} Tan' for number in range(60))} and Cy Hill."
    given = [DocumentSpans(doc_id="1", spans=tuple(find_marks(document, ["Ann Lee", "Rome"])))]
    assert len(document.split()) > 85
    (summary,) = summarize.summarize([{"document": document}], spans=given, keep="sentences").summaries
    assert "Ann Lee won the race" in summary.text


def test_what_to_keep_is_for_the_embedded_summarizer():
    with pytest.raises(ArgumentError, match="`keep` is for the embedded summarizer"):
        summarize.summarize([{"document": FERRY}], keep="sentences", model="somebody/model")
    with pytest.raises(ArgumentError, match="`keep` cannot be 'all'"):
        summarize.summarize([{"document": FERRY}], keep="all")


def test_the_same_limit_holds_for_control():
    control = summarize.measure_control([{"document": HARBOUR}], k=[5], words=20, writers=["embedded"], cache=False)
    assert control.rows[0].words <= 20
    with pytest.raises(ArgumentError, match="`words` is at least 1, not 0"):
        summarize.measure_control([{"document": HARBOUR}], words=0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_predicted_spans_are_as_near_to_references_as_the_first_three_sentences(data):
    """On the 50 documents of SummEval that docs/summarize.md has: ROUGE-2 .187 against .191, and not longer."""
    texts = {record["doc_id"]: record["document"] for record in read_records(data / "summeval" / "documents.jsonl.gz")}
    references = {}
    for record in read_records(data / "summeval" / "summeval.jsonl.gz"):
        references.setdefault(record["doc_id"], record["references"][0])
    names = sorted(references)[1::2]
    written = summarize.summarize([{"doc_id": name, "document": texts[name]} for name in names]).summaries
    leads = [" ".join(texts[name][slice(*ends)] for ends in find_sentences(texts[name])[:3]) for name in names]
    examples = [
        Example(doc_id=name, system=system, summary=summary, references=(references[name],))
        for system, summaries in (("predicted", [summary.text for summary in written]), ("lead", leads))
        for name, summary in zip(names, summaries, strict=True)
    ]
    predicted, lead = parse_metric("rouge2").score(examples)[:, 2].reshape(2, -1).mean(axis=1)
    assert predicted > lead - 0.01
    assert sum(summary.words for summary in written) < 1.05 * sum(len(text.split()) for text in leads)
