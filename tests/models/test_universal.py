"""Tokens of the multilingual encoder: cut as its package cuts, placed where they stand, and summed to its vectors."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import choose_encoder, load_encoder
from gistmeter.models.encoder.idf import load_background_weights, load_vocabulary_weights
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME, locate
from gistmeter.models.runtime.settings import RuntimeSettings
from gistmeter.models.universal.loading import load_sentence_model, load_universal_tokenizer

pytestmark = pytest.mark.more

POOL = (
    "Der Stadtrat hat den Haushalt gebilligt.",
    "市议会批准了预算。",
    "وافق مجلس المدينة على الميزانية.",
    "อนุมัติงบประมาณแล้ว",
    "予算を承認した。",
    "Городской совет утвердил бюджет на 2027 год.",
    "Meclis bütçeyi onayladı; İstanbul'da.",
    "L'été, à l'Élysée : « oui ».",
    "",
    "...",
    "x " * 40,
)
LETTERS = "ab zE é\u0301 ½ﬁ… 市议。 مـر ดี \u00a0\u3000\n ▁<unk>s/1２ \U0001f600ก"


def fresh(batch_tokens):
    """The encoder with an empty cache; the network is shared."""
    encoder = copy.copy(load_encoder(MULTILINGUAL_NAME))
    encoder._settings = RuntimeSettings(batch_tokens=batch_tokens)
    encoder._recent = RecentCache(1 << 28)
    return encoder


def pieces(text):
    """The tokens of a text that are text: how the vocabulary spells them, and what stands at their place."""
    tokenizer = load_universal_tokenizer()
    (tokens,) = tokenizer([text])
    return [
        (tokenizer.decode(token).lstrip("▁"), text[start:end])
        for token, start, end, special in zip(
            tokens.ids.tolist(), tokens.starts, tokens.ends, tokens.special, strict=True
        )
        if not special
    ]


@given(st.text(alphabet=LETTERS, min_size=1, max_size=30) | st.text(max_size=20) | st.sampled_from(POOL))
def test_texts_are_cut_as_the_package_cuts_them(text):
    (tokens,) = load_universal_tokenizer()([text])
    expected = load_sentence_model()._tokenizer.encode(text.encode("utf-8", "replace").decode())
    if expected == [1, 0, 2]:  # an unknown token stands for an empty text there; here it has no tokens
        expected = tokens.ids.tolist() if tokens.ids.tolist() == [1, 0, 2] else [1, 2]
    assert tokens.ids.tolist() == expected


@given(st.text(alphabet=LETTERS, max_size=30) | st.text(max_size=20) | st.sampled_from(POOL))
def test_positions_are_in_order_and_inside_the_text(text):
    (tokens,) = load_universal_tokenizer()([text])
    plain = ~tokens.special
    starts, ends = tokens.starts[plain], tokens.ends[plain]
    assert (starts < ends).all()
    assert (np.diff(starts) >= 0).all()
    assert (np.diff(ends) >= 0).all()
    assert not len(ends) or ends[-1] <= len(text)
    assert not tokens.starts[tokens.special].any()
    assert not tokens.ends[tokens.special].any()


@pytest.mark.parametrize(
    "text",
    [
        "Der Stadtrat hat den Haushalt gebilligt.",
        "市议会 批准了预算。",
        "وافق مجلس المدينة على الميزانية",
        "อนุมัติงบประมาณแล้ว",
        "  Городской\n\nсовет\u00a0 утвердил бюджет ",
    ],
)
def test_a_token_stands_where_its_letters_are(text):
    assert all(spelt == shown for spelt, shown in pieces(text))
    assert "".join(shown for _, shown in pieces(text)) == "".join(text.split())


def test_characters_that_become_several_or_one():
    assert ("1⁄2", "½") in pieces("½ Liter")
    assert ("...", "…") in pieces("Warten …")
    assert pieces("cafe\u0301")[-1][1].endswith("e\u0301")  # two characters, one letter
    assert pieces("\U0001f600 gut")[0] == ("<unk>", "\U0001f600")


def test_the_sum_of_states_is_what_the_sentence_vector_is_made_of():
    """From the states to the vector there are two blocks of two matrices; the package computes the same vector."""
    model = load_sentence_model()
    weights = model._model
    for text in POOL[:8]:
        (encoded,) = fresh(1024).encode([text], [2])
        total = encoded.states[2].sum(axis=0) / np.sqrt(len(encoded))
        hidden = np.maximum(total @ weights.p1 + np.maximum(total @ weights.d0, 0) @ weights.d1, 0)
        vector = np.tanh(hidden @ weights.p3 + np.maximum(hidden @ weights.d2, 0) @ weights.d3)
        np.testing.assert_allclose(vector / np.linalg.norm(vector), model.encode(text), atol=1e-5)


@settings(max_examples=15)
@given(texts=st.lists(st.sampled_from(POOL), max_size=12), most=st.sampled_from((1, 60, 1024)))
def test_states_depend_on_the_text_alone(texts, most):
    alone = fresh(1)
    for encoded in fresh(most).encode(texts, [0, 1, 2]):
        (expected,) = alone.encode([encoded.text], [0, 1, 2])
        for layer in (0, 1, 2):
            np.testing.assert_allclose(encoded.states[layer], expected.states[layer], atol=1e-4)


def test_windows_change_no_state(monkeypatch):
    text = " ".join(POOL[:8]) * 4
    (whole,) = fresh(1024).encode([text], [2])
    cut = fresh(1024)
    monkeypatch.setattr(cut, "max_tokens", 60)
    (windowed,) = cut.encode([text], [2])
    assert len(whole) > 200
    np.testing.assert_allclose(windowed.states[2], whole.states[2], atol=1e-4)


def test_which_model_reads_which_language():
    assert choose_encoder("embedded", "English", "bertscore") == "embedded"
    assert choose_encoder("embedded", "zh-Hans", "bertscore") == MULTILINGUAL_NAME
    assert choose_encoder("xlm-roberta-base", "sw", "bertscore") == "xlm-roberta-base"
    with pytest.raises(MetricError, match=r"does not read 'sw' \(it reads ar, de, .*bertscore\(model="):
        choose_encoder("embedded", "sw", "bertscore")
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        choose_encoder("all-MiniLM-L6-v2", "de", "bertscore")


def test_what_it_has_not():
    encoder = load_encoder(MULTILINGUAL_NAME)
    assert (encoder.depth, encoder.width, encoder.digest) == (2, 512, locate(MULTILINGUAL_NAME).digest)
    with pytest.raises(MetricError, match="layers 0 to 2, not 6"):
        encoder.encode(["a"], [6])
    with pytest.raises(MetricError, match="fp32 alone"):
        load_encoder(MULTILINGUAL_NAME, dtype="bf16")


def test_rare_words_weigh_more_with_a_list_and_without():
    tokenizer = load_universal_tokenizer()
    listed, of_vocabulary = load_background_weights(MULTILINGUAL_NAME, "de"), load_vocabulary_weights(MULTILINGUAL_NAME)
    for weights, text in ((listed, "Das Erdbeben in der Stadt."), (of_vocabulary, "Il terremoto nella città.")):
        (tokens,) = tokenizer([text])
        values = weights(tokens)
        assert (values[tokens.special] == 0).all()
        first_word, second_word, full_stop = values[1], values[2], values[-2]
        assert second_word > 1.5 * first_word > 0
        assert full_stop < first_word
