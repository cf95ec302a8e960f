"""Extracts scored from sentences that were read once: as the metric scores them as summaries, or estimated."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.metrics import parse_metric
from gistmeter.metrics.extracts import join_extract
from gistmeter.probe.search.candidates import Candidates

# Written as documents of users are: a headline without a stop, quotes, numbers, abbreviations, a list, two languages.
DOCUMENT = """Harbour shut as storm nears
By J. Smith, 12:04 a.m. – The harbour of St. Ives was closed on Monday; "nobody goes out", Mayor Ann Lee said.
The storm had killed 3 people in the U.S. the week before. It moved north at 40 km/h ... and it grew
- ferries: cancelled
- trains (to Truro): every two hours
On Tuesday the storm turned west, the mayor said. Ships that had waited outside for 2.5 days came in!
Café owners, e.g. Léa Noël, lost £1,200 each. Will they be paid? Lee didn't say. ‘We’ll see,’ she added ..."""
EXAMPLE = gm.Example(doc_id="d", system="extract", summary="", document=DOCUMENT)
SENTENCES = Candidates.of(DOCUMENT).sentences
CHOICES = [choice for size in (1, 2, 3) for choice in combinations(range(len(SENTENCES)), size)]


def rescore(metric, choices, example=EXAMPLE, sentences=SENTENCES):
    """The scores that the metric itself gives to the extracts."""
    return metric.score([gm.Example(**fields(example), summary=join_extract(sentences, choice)) for choice in choices])


def fields(example):
    return {name: getattr(example, name) for name in ("doc_id", "system", "document", "language")}


def check_same(spelling, choices, tolerance=1e-12):
    metric = parse_metric(spelling)
    scorer = metric.read_extracts(EXAMPLE, SENTENCES)
    assert not scorer.estimates
    scores = scorer.score(choices)
    assert scores.shape == (len(choices), len(metric.summary_columns))
    np.testing.assert_allclose(scores, rescore(metric, choices), atol=tolerance, rtol=0, equal_nan=True)


@pytest.mark.parametrize("spelling", ["js", "js(order=2)", "js(smooth=yes)", "simetrix", "faithfulness(metric=rouge1)"])
def test_words_are_the_metric_s_own_scores(spelling):
    check_same(spelling, CHOICES)


@pytest.mark.parametrize("rule", ["auto", "newline", "split"])
def test_sentences_are_split_as_the_metric_splits(rule):
    check_same(f"faithfulness(metric=rouge2,sentences={rule})", CHOICES[:200])


@pytest.mark.more
@pytest.mark.parametrize("spelling", ["faithfulness", "supert", "supert(n=2)", "supert(metric=rouge1,pick=first)"])
def test_models_give_the_metric_s_own_scores(spelling):
    check_same(spelling, CHOICES[::40], tolerance=1e-5)


@given(text=st.text(alphabet="ab .!\n'é中-", max_size=60), order=st.sampled_from([1, 2]))
@settings(max_examples=80, deadline=None)
def test_any_text_has_the_metric_s_own_scores(text, order):
    metric = parse_metric(f"js(order={order},stopwords=none)")
    sentences = Candidates.of(text).sentences
    choices = [choice for size in (1, 2) for choice in combinations(range(len(sentences)), size)]
    if choices:
        example = gm.Example(doc_id="d", system="x", summary="", document=text)
        scores = metric.read_extracts(example, sentences).score(choices)
        np.testing.assert_allclose(scores, rescore(metric, choices, example, sentences), atol=1e-12, equal_nan=True)


def test_tokens_across_sentences_have_no_short_way():
    assert parse_metric("faithfulness(match=tokens)").read_extracts(EXAMPLE, SENTENCES) is None
    assert parse_metric("repetition").read_extracts(EXAMPLE, SENTENCES) is None


@pytest.mark.more
@pytest.mark.parametrize("spelling", ["estime", "questeval(most=15)", "qags(most=15)", "summaqa"])
def test_estimates_are_near_and_say_so(spelling):
    """A sentence alone is estimated exactly; of several, the estimate goes with the metric's own score.

    Not so questeval's precision, as a sentence answers its own questions where the document should.
    """
    metric = parse_metric(spelling)
    scorer = metric.read_extracts(EXAMPLE, SENTENCES)
    assert scorer.estimates
    singles = [(position,) for position in range(len(SENTENCES))]
    exact = slice(1, 2) if spelling.startswith("questeval") else slice(None)  # its recall
    alone, rescored = scorer.score(singles)[:, exact], rescore(metric, singles)[:, exact]
    np.testing.assert_allclose(alone, rescored, atol=1e-5, equal_nan=True)
    column = 2 if spelling.startswith("questeval") else 0
    choices = CHOICES[len(SENTENCES) :: 20]
    estimated, own = scorer.score(choices)[:, column], rescore(metric, choices)[:, column]
    scored = ~np.isnan(estimated) & ~np.isnan(own)
    assert scored.sum() >= 10
    assert np.corrcoef(estimated[scored], own[scored])[0, 1] > 0.6  # measured: .66 (qags) to 1.0


def test_questions_by_hand(by_hand):
    """What sentences ask is put together; what is asked of them is answered by the surest."""
    document = "The dog saw Ann. The cat saw Bob. It rained."
    example = gm.Example(doc_id="d", system="x", summary="", document=document)
    metric = parse_metric("questeval")
    sentences = Candidates.of(document).sentences
    choices = [choice for size in (1, 2, 3) for choice in combinations(range(len(sentences)), size)]
    scorer = metric.read_extracts(example, sentences)
    np.testing.assert_allclose(
        scorer.score(choices), rescore(metric, choices, example, sentences), atol=1e-12, equal_nan=True
    )


def test_sentences_of_questeval_answer_their_own_questions(by_hand):
    """No question is put to the whole document before an extract is scored in earnest; qags has nothing else to ask."""
    document = "The dog saw Ann. The cat saw Bob. It rained."
    example = gm.Example(doc_id="d", system="x", summary="", document=document)
    sentences = Candidates.of(document).sentences
    for spelling, asked in (("questeval", False), ("feqa", True)):
        by_hand.pairs.clear()
        parse_metric(spelling).read_extracts(example, sentences)
        assert by_hand.pairs
        assert any(text == document for _, text in by_hand.pairs) == asked


@pytest.mark.more
def test_what_is_written_is_the_metric_s_own_score():
    run = [{"doc_id": "d", "system": "a", "summary": "The harbour was closed.", "document": DOCUMENT}]
    probe = gm.probe.optimise(run, "estime.rate", sentences=2, cache=False)
    (row,) = parse_metric("estime").score([gm.Example(**fields(EXAMPLE), summary=probe.documents[0].summary)])
    assert probe.documents[0].score == pytest.approx(row[1], abs=1e-6)
