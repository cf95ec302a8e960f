"""The next-sentence role: checkpoints give what transformers gives, and a missing head is refused, not invented."""

import json

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from gistmeter.errors import MetricError
from gistmeter.models.next_sentence.heads import head_file, normalize_spelling
from gistmeter.models.next_sentence.model import load_next_sentence, weights_digest
from gistmeter.models.runtime.load import quiet_loading
from gistmeter.models.runtime.locate import locate
from gistmeter.models.sentence_vectors import vectors as sentences
from tiny_checkpoints import TEXTS, make_checkpoint

PAIRS = [(TEXTS[0], TEXTS[1]), (TEXTS[1], TEXTS[0]), (TEXTS[5], TEXTS[2]), (TEXTS[0], TEXTS[1])]


def with_head(folder, kind, **config):
    """A tiny BERT with a head, on the tokenizer and sizes of the tiny checkpoint."""
    make_checkpoint(folder, "bert", positions=80)
    with quiet_loading():
        settings = transformers.AutoConfig.from_pretrained(folder, **config)
    torch.manual_seed(1)
    getattr(transformers, kind)(settings).save_pretrained(folder)
    return folder


def direct(folder, kind, follows):
    model = getattr(transformers, kind).from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    results = []
    for first, second in PAIRS:
        with torch.no_grad():
            logits = model(**tokenizer(first, second, return_tensors="pt")).logits[0]
        results.append(float(torch.softmax(logits, dim=0)[follows]))
    return results


def test_a_next_sentence_head_gives_what_transformers_gives(tmp_path):
    folder = with_head(tmp_path / "nsp", "BertForNextSentencePrediction")
    model = load_next_sentence(str(folder))
    expected = direct(folder, "BertForNextSentencePrediction", 0)  # 0 is "is next" in BERT
    np.testing.assert_allclose(model.probabilities(PAIRS), expected, atol=1e-5)
    assert len(set(np.round(expected[:3], 6))) == 3
    assert model.digest == weights_digest(str(folder))


@pytest.mark.parametrize(("labels", "follows"), [(None, 1), ({0: "isNext", 1: "notNext"}, 0)])
def test_a_classifier_with_two_classes_serves_too(labels, follows, tmp_path):
    config = {"id2label": labels} if labels else {}
    folder = with_head(tmp_path / "two", "BertForSequenceClassification", num_labels=2, **config)
    expected = direct(folder, "BertForSequenceClassification", follows)
    np.testing.assert_allclose(load_next_sentence(str(folder)).probabilities(PAIRS), expected, atol=1e-5)


def test_a_checkpoint_that_lacks_other_weights_is_refused(tmp_path):
    folder = with_head(tmp_path / "less", "BertForNextSentencePrediction")
    weights = load_file(folder / "model.safetensors")
    del weights["bert.pooler.dense.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(MetricError, match=r"lacks weights of a next-sentence model: bert\.pooler\.dense\.weight"):
        load_next_sentence(str(folder))


def test_a_checkpoint_in_half_precision(tmp_path):
    folder = with_head(tmp_path / "half", "BertForNextSentencePrediction")
    whole, half = (load_next_sentence(str(folder), dtype=dtype).probabilities(PAIRS) for dtype in ("fp32", "fp16"))
    np.testing.assert_allclose(half, whole, atol=0.01)
    assert np.abs(half - whole).max() > 0


def test_a_checkpoint_without_the_head_is_refused(tiny, tmp_path):
    with pytest.raises(MetricError, match="has no next-sentence head"):
        load_next_sentence(str(tiny("bert")))
    three = with_head(tmp_path / "three", "BertForSequenceClassification", num_labels=3)
    with pytest.raises(MetricError, match="3 classes, not 2"):
        load_next_sentence(str(three))
    with pytest.raises(MetricError, match="no head"):
        load_next_sentence(str(tmp_path / "nothing.safetensors"))
    (tmp_path / "broken.safetensors").write_bytes(json.dumps({}).encode())
    with pytest.raises(MetricError, match="not a safetensors file"):
        load_next_sentence(str(tmp_path / "broken.safetensors"))


SENTENCES = (
    "The mayor of Leeds opened a new bridge on Friday.",
    "It had taken four years to build.",
    "Shares in the airline fell by a tenth after the profit warning.",
    "She said the work had been worth the wait .",
    "...",
)


@pytest.mark.more
@pytest.mark.parametrize("language", ["en", "de"])
def test_embedded_probabilities_depend_on_their_own_pair_alone(language):
    model = load_next_sentence(language=language)
    pairs = [(first, second) for first in SENTENCES for second in SENTENCES]
    together = model.probabilities(pairs)
    assert np.all((together > 0) & (together < 1))
    alone = np.array([model.probabilities([pair])[0] for pair in pairs])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(model.probabilities(pairs[::-1])[::-1], together, atol=1e-5)
    assert model.probabilities([]).shape == (0,)


@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.more)])
def test_embedded_hears_what_belongs_together(language):
    bridge, years, shares, *_ = SENTENCES
    good, other, again = load_next_sentence(language=language).probabilities(
        [(bridge, years), (bridge, shares), (bridge, "The mayor Leeds opened new bridge Friday.")]
    )
    assert good > 0.5 > other
    assert again < good


def test_the_digest_follows_the_heads_and_both_encoders(monkeypatch):
    before = weights_digest()
    monkeypatch.setattr(sentences, "multilingual_digest", lambda: "another release")
    assert before != weights_digest()
    assert weights_digest(str(head_file(multilingual=True))).endswith("+another release")
    assert weights_digest(str(head_file(multilingual=False))).endswith(f"+{locate().digest}")


def test_an_english_head_reads_english_only():
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        load_next_sentence(str(head_file(multilingual=False)), language="de")


def test_tokenised_and_lower_cased_text_is_the_same_text():
    left = ("The mayor's bridge (a new one) opened.", "It cost £4m, she said.")
    right = ("the mayor 's bridge ( a new one ) opened .", "it cost £ 4m , she said")
    assert [normalize_spelling(text) for text in left] == [normalize_spelling(text) for text in right]
    model = load_next_sentence()
    np.testing.assert_allclose(*(model.probabilities([pair]) for pair in (left, right)), atol=1e-5)
