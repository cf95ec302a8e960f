"""FFCI: four columns at once, in English and in other languages."""

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.embedding.sts import Sts
from gistmeter.metrics.ffci.aspects import Coverage, Focus
from gistmeter.metrics.ffci.faithfulness import Faithfulness
from gistmeter.metrics.ffci.ffci import Ffci
from gistmeter.metrics.registry import parse_metric

ENGLISH = {
    "document": "A cat sat on the mat.\nIt rained all day.\nThe cat was wet.\nShares fell.",
    "references": "The cat sat in the rain and got wet.",
}
GERMAN = {
    "document": "Eine Katze saß auf der Matte. Es regnete den ganzen Tag. Die Aktien fielen.",
    "references": "Die Katze saß im Regen.",
    "language": "de",
}


def example(summary, **fields):
    return Example(doc_id="d", system="s", summary=summary, **fields)


@pytest.fixture(autouse=True)
def fake_next_sentence(monkeypatch):
    """A next-sentence model by hand: one half, whatever it is asked."""

    class Fake:
        def probabilities(self, pairs):
            return np.full(len(pairs), 0.5)

    import gistmeter.models.next_sentence.model as role

    monkeypatch.setattr(role, "load_next_sentence", lambda *_, **__: Fake())
    monkeypatch.setattr(role, "weights_digest", lambda *_, **__: "0123")


def test_the_columns_are_the_four_metrics():
    batch = [example("The cat sat. It rained.", **ENGLISH), example("Shares fell.", **ENGLISH)]
    scores = Ffci().score(batch)
    for column, metric in enumerate((Faithfulness(), Focus(), Coverage())):
        np.testing.assert_allclose(scores[:, column], metric.score(batch)[:, 0], atol=1e-6)
    np.testing.assert_array_equal(scores[:, 3], [0.5, np.nan])  # a summary of one sentence has no joint
    assert [column.name for column in Ffci().columns] == ["faithfulness", "focus", "coverage", "coherence"]
    assert Ffci().needs == {"document", "references"}


@pytest.mark.more
def test_other_languages_are_compared_by_tokens_too():
    german, english = example("Die Katze saß. Es regnete.", **GERMAN), example("The cat sat.", **ENGLISH)
    scores = Ffci().score([english, german])
    weighed = BertScore(model="universal-sentence-encoder-multilingual", layer=2, idf="background")
    for column, metric in enumerate((Faithfulness(weighed), Focus(weighed), Coverage(weighed))):
        assert scores[1, column] == pytest.approx(metric.score([german])[0, 0], abs=1e-5)
    assert scores[0, :3] == pytest.approx(Ffci().score([english])[0, :3], abs=1e-6)
    expected = {"metric": "bertscore", "language": "en", "metric.model": "all-MiniLM-L6-v2", "metric.idf": "none"}
    assert expected.items() <= Ffci().traits(english).items()
    expected = {"metric.model": "universal-sentence-encoder-multilingual", "metric.layer": "2"}
    assert {**expected, "metric.idf": "background"}.items() <= Ffci().traits(german).items()
    by_vectors = Ffci(Sts()).score([german])  # what compared other languages before
    assert by_vectors[0, 1] == pytest.approx(Focus(Sts()).score([german])[0, 0], abs=1e-6)


def test_any_metric_can_compare():
    batch = [example("The cat sat.", **ENGLISH), example("Die Katze saß.", **GERMAN)]
    rouge = parse_metric("rouge1")
    scores = Ffci(rouge).score(batch)
    np.testing.assert_allclose(scores[:, 0], Faithfulness(rouge).score(batch)[:, 0])
    np.testing.assert_allclose(scores[:, 2], Coverage(rouge).score(batch)[:, 0])
    assert Ffci(rouge).spelling == "ffci(metric=rouge1)"
    with pytest.raises(MetricError, match="coverage needs a metric with the column recall"):
        Ffci(parse_metric("bleu"))
    tokens = Ffci(match="tokens").score(batch[:1])
    np.testing.assert_allclose(tokens[:, 0], Faithfulness(match="tokens").score(batch[:1])[:, 0])


@pytest.mark.more
def test_tokens_are_matched_in_every_language():
    german = [example("Die Katze saß.", **GERMAN)]
    scores = Ffci(match="tokens").score(german)
    assert scores[0, 0] == pytest.approx(Faithfulness(match="tokens").score(german)[0, 0])
    np.testing.assert_allclose(scores[:, 1:3], Ffci().score(german)[:, 1:3])


def test_signature_says_once_what_is_common():
    facts = Ffci().facts()
    assert facts["metric"] == "bertscore"
    assert facts["faithfulness.metric.aspect"] == "faithfulness"
    assert facts["focus.metric.aspect"] == "focus"
    assert facts["coherence.weights"] == "0123"
    assert "metric.weights" in facts


def test_weights_from_the_run():
    metric = Ffci(BertScore(idf="references"))
    batch = [example("The cat sat.", **ENGLISH), example("Shares fell.", **ENGLISH)]
    assert metric.fits
    fitted = metric.fit(iter(batch))
    assert not fitted.fits
    assert fitted.spelling == metric.spelling
    faithfulness, focus = fitted.score(batch)[0, :2]
    assert faithfulness == pytest.approx(Faithfulness(BertScore(idf="references")).fit(batch).score(batch)[0, 0])
    assert focus == pytest.approx(Focus(BertScore(idf="references")).fit(batch).score(batch)[0, 0])


def test_empty_texts():
    batch = [
        example("", **ENGLISH),
        example("...", **ENGLISH),
        example("The cat sat.", document="", references=ENGLISH["references"]),
        example("The cat sat.", document=ENGLISH["document"], references=""),
    ]
    scores = Ffci().score(batch)
    np.testing.assert_array_equal(scores[0, :3], 0)
    assert scores[1, 0] == 0
    assert np.isnan(scores[2, 0])
    assert not np.isnan(scores[2, 1:3]).any()
    assert np.isnan(scores[3, 1:3]).all()
    assert np.isnan(scores[:, 3]).all()
    assert Ffci().score([]).shape == (0, 4)


def test_evidence_shows_all_four_and_what_supports_each_sentence():
    evidence = Ffci().explain(example("The cat sat on the mat. It rained.", **ENGLISH))
    for name in ("faithfulness 0.", "focus 0.", "coverage 0.", "coherence 0.500"):
        assert name in evidence.headline
    assert [pane.title for pane in evidence.panes] == ["summary", "document"]
    assert len(evidence.table.rows) == 2
    assert "coherence -" in Ffci().explain(example("It rained.", **ENGLISH)).headline


def test_a_next_sentence_model_of_ones_own_judges_the_joints(monkeypatch):
    import gistmeter.models.next_sentence.model as role

    class Own:
        def probabilities(self, pairs):
            return np.full(len(pairs), 0.9)

    asked = []

    def load(name, **_):
        asked.append(name)
        return Own()

    monkeypatch.setattr(role, "load_next_sentence", load)
    monkeypatch.setattr(role, "weights_digest", lambda name: f"digest of {name}")
    metric = parse_metric("ffci(coherence=my head.safetensors)")
    scores = metric.score([example("The cat sat. It rained.", **ENGLISH)])
    assert scores[0, 3] == 0.9
    assert asked == ["my head.safetensors"]
    assert metric.facts()["coherence.weights"] == "digest of my head.safetensors"
    assert metric.spelling == "ffci(coherence=my head.safetensors)"
    assert parse_metric(metric.spelling) == metric


def test_each_column_can_have_a_metric_of_its_own():
    batch = [example("The cat sat. It rained.", **ENGLISH), example("Shares fell.", **ENGLISH)]
    metric = parse_metric("ffci(faithfulness=rouge2,focus=rouge1,coverage=coverage(metric=rougeL))")
    scores = metric.score(batch)
    rouge1, rouge2, rouge_l = (parse_metric(name) for name in ("rouge1", "rouge2", "rougeL"))
    np.testing.assert_allclose(scores[:, 0], Faithfulness(rouge2).score(batch)[:, 0])
    np.testing.assert_allclose(scores[:, 1], rouge1.score(batch)[:, 0])  # ROUGE-1's precision
    np.testing.assert_allclose(scores[:, 2], rouge_l.score(batch)[:, 1])  # ROUGE-L's recall
    assert metric.spelling == "ffci(coverage=coverage(metric=rougeL),faithfulness=rouge2,focus=rouge1)"
    assert parse_metric(metric.spelling) == metric
    assert metric.signature() != Ffci().signature()


def test_a_score_that_reads_the_document_stands_for_itself():
    batch = [example("The cat sat.", **ENGLISH)]
    support = "supert(metric=rouge1,pick=first,n=2)"
    scores = parse_metric(f"ffci(metric=rouge1,faithfulness={support})").score(batch)
    assert scores[0, 0] == pytest.approx(parse_metric(support).score(batch)[0, 0])  # its first score, precision
    with pytest.raises(MetricError, match=r"ffci cannot have faithfulness=js: its first score is not one to be high"):
        parse_metric("ffci(faithfulness=js)")
    with pytest.raises(MetricError, match=r"ffci cannot have faithfulness=litepyramid: it needs"):
        parse_metric("ffci(faithfulness=litepyramid)")
