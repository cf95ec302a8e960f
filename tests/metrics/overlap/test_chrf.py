"""chrF: equal to sacrebleu for single summaries and for every subset of a system's summaries."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric

words = st.lists(st.sampled_from(["a", "ab", "Abc", "dog.", "été"]), max_size=6).map(" ".join)
pairs = st.tuples(words, st.lists(words.filter(bool), min_size=1, max_size=3))
settings = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 6),
        "word_order": st.integers(0, 2),
        "beta": st.integers(1, 3),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
    }
)


def example(summary, references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=tuple(references), language=language)


def spelled(options):
    return f"chrf({','.join(f'{key}={value}' for key, value in options.items())})"


def test_chrf_by_hand():
    # char_order=2, beta=1: "abd" against "abc". Letters: 2 of 3 match both ways. Pairs: ab of ab, bd: 1 of 2.
    # Mean precision = mean recall = (2/3 + 1/2) / 2, so F is the same.
    scores = parse_metric("chrf(char_order=2,beta=1)").score([example("abd", ["abc"])])
    assert scores[0, 0] == pytest.approx(100 * (2 / 3 + 1 / 2) / 2)
    assert scores[0, 1:].tolist() == [3, 3, 2, 2, 2, 1]


@given(pairs, settings)
def test_sentence_chrf_is_sacrebleus(pair, options):
    summary, references = pair
    expected = CHRF(**options).sentence_score(summary, references).score
    assert parse_metric(spelled(options)).score([example(*pair)])[0, 0] == pytest.approx(expected)


@given(st.lists(pairs, min_size=1, max_size=6), settings)
def test_corpus_chrf_is_sacrebleus(corpus, options):
    metric = parse_metric(spelled(options))
    parts = metric.score([example(*pair) for pair in corpus])[:, 1:]
    most = max(len(references) for _, references in corpus)
    streams = [[references[k] if k < len(references) else None for _, references in corpus] for k in range(most)]
    expected = CHRF(**options).corpus_score([summary for summary, _ in corpus], streams).score
    assert parts.shape[1] == len(metric.parts)
    assert metric.pool(parts.sum(axis=0)) == pytest.approx([expected])


def test_pool_takes_many_sums_at_once():
    rng = np.random.default_rng(7)
    vocabulary = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "mat"])
    texts = [" ".join(rng.choice(vocabulary, rng.integers(3, 15))) for _ in range(40)]
    summaries, references = texts[:20], texts[20:]
    metric = parse_metric("chrf")
    parts = metric.score([example(s, [r]) for s, r in zip(summaries, references, strict=True)])[:, 1:]
    chosen = rng.integers(0, 20, size=(2, 4, 12))
    pooled = metric.pool(parts[chosen].sum(axis=2))
    assert pooled.shape == (2, 4, 1)
    for i, j in np.ndindex(2, 4):
        picked = chosen[i, j]
        expected = sacrebleu.corpus_chrf([summaries[k] for k in picked], [[references[k] for k in picked]])
        assert pooled[i, j, 0] == pytest.approx(expected.score, abs=1e-9)


def test_empty_texts():
    metric = parse_metric("chrf")
    assert metric.score([example("", ["a reference"])])[0, 0] == 0
    assert np.isnan(metric.score([example("a summary", ["", " "])])).all()
    assert np.isnan(metric.score([example("a summary", [])])).all()
    assert np.isnan(metric.pool(np.zeros(18)))


@given(st.lists(pairs, min_size=1, max_size=5))
def test_the_batch_does_not_matter(corpus):
    metric, examples = parse_metric("chrf"), [example(*pair) for pair in corpus]
    alone = np.concatenate([metric.score([case]) for case in examples])
    np.testing.assert_array_equal(metric.score(examples), alone)


@pytest.mark.parametrize("text", ["委员会星期一批准了预算。", "Комитет одобрил бюджет.", "Bütçeyi onayladı."])
def test_identical_text_scores_100(text):
    assert parse_metric("chrf").score([example(text, [text])])[0, 0] == pytest.approx(100)


def test_the_signature_names_sacrebleu():
    assert f"|sacrebleu:{sacrebleu.__version__}|" in parse_metric("chrf").signature()


def test_settings_out_of_range_are_refused():
    with pytest.raises(MetricError, match="char_order=0"):
        parse_metric("chrf(char_order=0)")
