"""Extracts scored from sentences that were read once: as the metric scores them as summaries, or estimated."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.metrics import parse_metric
from gistmeter.metrics.extracts import NarrowingScorer, join_extract
from gistmeter.probe.search import scoring
from gistmeter.probe.search.candidates import Candidates
from gistmeter.probe.search.narrowing import find_best
from gistmeter.qa.cache import ANSWERS

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
        parse_metric(spelling).read_extracts(example, sentences).score([(0,), (1,)])
        assert by_hand.pairs
        assert any(text == document for _, text in by_hand.pairs) == asked


@pytest.mark.parametrize("spelling", ["questeval", "questeval(most=2)", "qags", "feqa", "summaqa"])
def test_what_an_extract_can_still_be_worth_never_falls_short(by_hand, spelling):
    """Each row is at most the one before it, and the last is what the metric gives."""
    document = "The dog saw Ann. The cat saw Bob. Ann saw the dog and the cat. It rained."
    example = gm.Example(doc_id="d", system="x", summary="", document=document)
    metric = parse_metric(spelling)
    sentences = Candidates.of(document).sentences
    scorer = metric.read_extracts(example, sentences)
    assert isinstance(scorer, NarrowingScorer)
    choices = [choice for size in (1, 2, 3) for choice in combinations(range(len(sentences)), size)]
    for narrow, last in (
        (scorer.narrow_score, rescore(metric, choices, example, sentences)),
        (metric.read_extracts(example, sentences).narrow_estimate, scorer.score(choices)),
    ):
        for choice, own in zip(choices, last, strict=True):
            rows = np.array(list(narrow(choice)))
            np.testing.assert_allclose(rows[-1], own, atol=1e-12, equal_nan=True)
            assert np.all((np.diff(rows, axis=0) <= 1e-12) | np.isnan(rows[1:]))


@pytest.mark.parametrize("search", ["greedy", "beam", "exact"])
@pytest.mark.parametrize("spelling", ["questeval", "questeval(most=3)", "feqa"])
def test_reading_less_finds_the_same(by_hand, monkeypatch, search, spelling):
    """The picks, scores and remarks are those of a search that reads all of the shortlist to the end."""
    document = "The dog saw Ann. The cat saw Bob. Ann saw the dog and the cat. Bob met the dog. It rained."
    run = [{"doc_id": "d", "summary": "The dog met Bob.", "document": document}]

    def search_and_count():
        by_hand.pairs.clear()
        ANSWERS.clear()
        probe = gm.probe.optimise(run, spelling, search=search, cache=False)
        return probe, len(by_hand.pairs)

    less, pairs = search_and_count()
    monkeypatch.setattr(
        scoring, "find_best", lambda bounds, **_: {position: list(rows)[-1] for position, rows in enumerate(bounds)}
    )
    everything, all_pairs = search_and_count()
    assert less == everything
    assert pairs <= all_pairs


@pytest.mark.more
def test_what_is_written_is_the_metric_s_own_score():
    run = [{"doc_id": "d", "system": "a", "summary": "The harbour was closed.", "document": DOCUMENT}]
    probe = gm.probe.optimise(run, "estime.rate", sentences=2, cache=False)
    (row,) = parse_metric("estime").score([gm.Example(**fields(EXAMPLE), summary=probe.documents[0].summary)])
    assert probe.documents[0].score == pytest.approx(row[1], abs=1e-6)


BOUNDS = st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, np.nan]), min_size=1, max_size=4), max_size=6)


@given(falling=BOUNDS, keep=st.integers(1, 3), floor=st.sampled_from([-np.inf, 0.4]))
def test_the_best_are_found_without_looking_at_all(falling, keep, floor):
    """As good as looking at every value: the best above the floor, and of the others nothing that is better."""
    bounds = [sorted(row, key=lambda bound: (np.isnan(bound), -bound)) for row in falling]
    values = {position: row[-1] for position, row in enumerate(bounds) if not np.isnan(row[-1]) and row[-1] > floor}
    best = sorted(values.values(), reverse=True)[:keep]
    best_values = find_best([iter(row) for row in bounds], keep=keep, floor=floor)
    assert list(best_values) == sorted(best_values)
    assert {position: value for position, value in values.items() if best and value >= best[-1]} == best_values


def test_what_cannot_be_best_is_not_looked_at_to_the_end():
    low = iter([1.0, 0.3, 0.2, 0.1])
    assert find_best([low, iter([0.9, 0.8])], keep=1) == {1: 0.8}
    assert next(low) == 0.2
