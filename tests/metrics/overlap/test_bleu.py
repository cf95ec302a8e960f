"""BLEU: equal to sacrebleu for single summaries and for every subset of a system's summaries."""

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from gistmeter.example import Example
from gistmeter.metrics import parse_metric

SMOOTHINGS = ["exp", "floor", "add-k", "none"]

words = st.lists(st.sampled_from(["a", "b", "c", "Dog", "dog", "."]), max_size=8).map(" ".join)
some_words = words.filter(bool)
pairs = st.tuples(words, st.lists(some_words, min_size=1, max_size=3))


def example(summary, references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=tuple(references), language=language)


def bleu(metric, summary, references, language="en"):
    return parse_metric(metric).score([example(summary, references, language)])[0, 0]


def test_bleu_by_hand():
    # Tokens: the cat sat down . (5) against the cat sat down here . (6).
    # Precisions 5/5, 3/4 (the "down ." pair is new), 2/3, 1/2; brevity exp(1 - 6/5).
    expected = 100 * np.exp(1 - 6 / 5) * (1 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
    assert bleu("bleu", "the cat sat down.", ["the cat sat down here."]) == pytest.approx(expected)


@given(pairs, st.sampled_from(SMOOTHINGS))
def test_sentence_bleu_is_sacrebleus(pair, smooth):
    summary, references = pair
    expected = sacrebleu.sentence_bleu(summary, references, smooth_method=smooth).score
    assert bleu(f"bleu(smooth={smooth})", summary, references) == pytest.approx(expected)


@given(st.lists(pairs, min_size=1, max_size=6), st.sampled_from(SMOOTHINGS), st.booleans())
def test_corpus_bleu_is_sacrebleus(corpus, smooth, lowercase):
    metric = parse_metric(f"bleu(smooth={smooth},lowercase={'yes' if lowercase else 'no'})")
    parts = metric.score([example(*pair) for pair in corpus])[:, 1:]
    most = max(len(references) for _, references in corpus)
    streams = [[references[k] if k < len(references) else None for _, references in corpus] for k in range(most)]
    counter = BLEU(smooth_method=smooth, lowercase=lowercase, force=True)
    stats = counter._extract_corpus_statistics([summary for summary, _ in corpus], streams)
    assert parts.tolist() == stats
    expected = counter.corpus_score([summary for summary, _ in corpus], streams).score
    assert metric.pool(parts.sum(axis=0)) == pytest.approx([expected])


def test_pool_takes_many_sums_at_once():
    rng = np.random.default_rng(7)
    vocabulary = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "."])
    texts = [" ".join(rng.choice(vocabulary, rng.integers(3, 15))) for _ in range(40)]
    summaries, references = texts[:20], texts[20:]
    metric = parse_metric("bleu")
    parts = metric.score([example(s, [r]) for s, r in zip(summaries, references, strict=True)])[:, 1:]
    chosen = rng.integers(0, 20, size=(3, 5, 12))
    pooled = metric.pool(parts[chosen].sum(axis=2))
    assert pooled.shape == (3, 5, 1)
    for i, j in np.ndindex(3, 5):
        picked = chosen[i, j]
        expected = sacrebleu.corpus_bleu([summaries[k] for k in picked], [[references[k] for k in picked]])
        assert pooled[i, j, 0] == pytest.approx(expected.score, abs=1e-9)


def test_empty_texts():
    assert bleu("bleu", "", ["a reference"]) == 0
    assert np.isnan(bleu("bleu", "a summary", []))
    assert np.isnan(parse_metric("bleu").score([example("a summary", ["", " \n"])])).all()
    assert bleu("bleu", "a b c d", ["", "a b c d"]) == pytest.approx(100)
    assert np.isnan(parse_metric("bleu").pool(np.zeros(10)))


@given(st.lists(pairs, min_size=1, max_size=5))
def test_the_batch_does_not_matter(corpus):
    metric, examples = parse_metric("bleu"), [example(*pair) for pair in corpus]
    alone = np.concatenate([metric.score([case]) for case in examples])
    np.testing.assert_array_equal(metric.score(examples), alone)


@pytest.mark.parametrize(
    ("language", "text", "tokenize"),
    [
        ("en", "The committee approved the budget on Monday.", "13a"),
        ("id", "Komite menyetujui anggaran itu pada hari Senin.", "13a"),
        ("fr", "Le comité a approuvé le budget lundi matin.", "13a"),
        ("tr", "Komite bütçeyi pazartesi günü onayladı ve dağıldı.", "13a"),
        ("zh", "委员会星期一批准了预算。", "zh"),
        ("ru", "Комитет одобрил бюджет в понедельник.", "13a"),
        ("de", "Der Ausschuss billigte am Montag den Haushalt.", "13a"),
        ("es", "El comité aprobó el presupuesto el lunes.", "13a"),
    ],
)
def test_identical_text_scores_100_in_every_language(language, text, tokenize):
    assert bleu("bleu", text, [text], language) == pytest.approx(100)
    assert parse_metric("bleu").traits(example(text, [text], language))["tokenize"] == tokenize


def test_the_signature_names_sacrebleu():
    metric = parse_metric("bleu(tokenize=intl)")
    assert f"|sacrebleu:{sacrebleu.__version__}|" in metric.signature()
    assert "tokenize:intl" in metric.signature()
    assert metric.spelling == "bleu(tokenize=intl)"
