"""SUPERT: pseudo-references are the sentences that stand out, and the alignment is the metric's within."""

import math

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.embedding.supert import Supert
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.runtime.locate import locate
from gistmeter.models.sentence_vectors import vectors as sentences

DOCUMENT = (
    "The mayor opened a new bridge on Friday. The bridge cost ten million. Cats are popular pets. "
    "People crossed the new bridge after the mayor. The weather was fine."
)


def example(summary, **fields):
    return Example(doc_id="d", system="s", summary=summary, **({"document": DOCUMENT} | fields))


def test_the_first_sentences_are_the_reference():
    case = example("The mayor opened a bridge.")
    first = "The mayor opened a new bridge on Friday. The bridge cost ten million."
    expected = BertScore(references="mean").score([example(case.summary, document=None, references=(first,))])
    np.testing.assert_allclose(Supert(n=2, pick="first").score([case]), expected, atol=1e-6)


def test_the_central_sentences_are_about_what_the_document_is_about():
    (pseudo,) = Supert(n=3)._add_pseudo_references([example("x")])
    (text,) = pseudo.references
    assert "Cats" not in text
    assert "weather" not in text
    assert text.index("opened") < text.index("crossed")  # in the order of the document


def test_a_short_document_is_taken_whole():
    for pick in ("first", "central"):
        assert Supert(n=5, pick=pick)._add_pseudo_references([example("x")])[0].references == (DOCUMENT,)


def test_several_documents_count_alike():
    rouge = parse_metric("rouge1(stem=none,references=mean)")
    both = example("a cat sat", document=None, documents=("A cat sat.", "It rained."))
    # 3 of 3 words in the first and none in the second: (1 + 0) / 2
    np.testing.assert_allclose(Supert(rouge).score([both]), [[0.5, 0.5, 0.5]])


def test_empty_texts():
    scores = Supert().score([example(""), example("A bridge.", document="... !"), example("A bridge.", document="")])
    assert scores[0].tolist() == [0, 0, 0]
    assert all(math.isnan(value) for value in scores[1:].ravel())


def test_a_score_depends_on_its_example_alone():
    examples = [example("A bridge was opened."), example("Cats!"), example("It rained.", document="It rained. A lot.")]
    metric = Supert(n=3, pick="central")
    alone = np.concatenate([metric.score([case]) for case in examples])
    np.testing.assert_allclose(metric.score(examples[::-1])[::-1], alone, atol=1e-5)


def test_what_cannot_be():
    with pytest.raises(MetricError, match="n=0"):
        Supert(n=0)
    with pytest.raises(MetricError, match="supert cannot use length"):
        Supert(parse_metric("length"))
    with pytest.raises(MetricError, match="does not read 'sw'"):
        Supert().score([example("Daraja jipya.", language="sw")])


def test_the_signature_names_what_it_runs_on():
    signature = Supert(n=3, pick="central").signature()
    for part in ("metric:bertscore", "metric.weights:", "sentence_weights:", "pick:central", "n:3"):
        assert part in signature


def test_the_signature_names_the_sentence_encoders_of_all_languages(monkeypatch):
    central = parse_metric("supert(metric=rouge1,pick=central)")
    before = central.facts()["sentence_weights"]
    monkeypatch.setattr(sentences, "multilingual_digest", lambda: "another release")
    assert before != central.facts()["sentence_weights"] == f"{locate().digest}+another release"


def test_evidence_is_of_the_pseudo_reference():
    shown = Supert(parse_metric("rouge1"), n=1, pick="first").explain(example("The mayor opened it."))
    assert shown.metric.startswith("supert(")
    assert any("Friday" in pane.text for pane in shown.panes)
    assert shown.panes[1].title == "pseudo-reference"
    assert "no words" in Supert().explain(example("x", document="")).headline
