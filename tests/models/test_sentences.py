"""Sentence vectors: near for what means the same, of length 1, and each its own."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME
from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

POOL = (
    "The mayor opened a new bridge.",
    "A new bridge was opened by the mayor.",
    "Prices rose by three per cent on Monday, and nobody on the markets was surprised by that at all.",
    "cats",
    "",
    " ... ",
)
SAME = {
    "de": "Der Bürgermeister eröffnete eine neue Brücke.",
    "fr": "Le maire a inauguré un nouveau pont.",
    "es": "El alcalde inauguró un nuevo puente.",
    "tr": "Belediye başkanı yeni bir köprü açtı.",
    "ru": "Мэр открыл новый мост.",
    "zh": "市长为一座新桥揭幕。",
}
OTHER = {
    "de": "Die Katze schläft auf dem Sofa.",
    "fr": "Le chat dort sur le canapé.",
    "es": "El gato duerme en el sofá.",
    "tr": "Kedi kanepede uyuyor.",
    "ru": "Кошка спит на диване.",
    "zh": "猫在沙发上睡觉。",
}


def test_what_means_the_same_is_near():
    vectors = load_sentence_encoder().vectors(POOL)
    assert vectors[0] @ vectors[1] > 0.8
    assert vectors[0] @ vectors[2] < 0.3


@pytest.mark.parametrize("language", SAME)
def test_across_languages(language):
    enc = load_sentence_encoder(language=language)
    assert enc.name == MULTILINGUAL_NAME
    english, same, other = enc.vectors([POOL[0], SAME[language], OTHER[language]])
    assert english @ same > 0.6 > english @ other


@pytest.fixture(scope="module")
def vectors_alone():
    """The vector of each text of the pool, each encoded by itself, by language."""
    return {
        language: {text: load_sentence_encoder(language=language).vectors([text])[0] for text in POOL}
        for language in ("en", "de")
    }


@pytest.mark.parametrize("language", ["en", "de"])
@settings(max_examples=8)
@given(texts=st.lists(st.sampled_from(POOL), max_size=8))
def test_a_vector_depends_on_its_text_alone(language, texts, vectors_alone):
    enc, expected = load_sentence_encoder(language=language), vectors_alone[language]
    if language == "de":
        enc._cache.clear()
    else:
        load_encoder()._recent._items.clear()
        load_encoder()._recent._bytes = 0
    result = enc.vectors(texts)
    assert result.shape == (len(texts), len(expected[POOL[0]]))
    for text, vector in zip(texts, result, strict=True):
        np.testing.assert_allclose(vector, expected[text], atol=1e-5)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_lengths(language):
    lengths = np.linalg.norm(load_sentence_encoder(language=language).vectors(POOL), axis=1)
    np.testing.assert_allclose(lengths[:4], 1, atol=1e-5)
    assert lengths[4] == 0  # nothing was said


def test_the_mean_of_the_last_states():
    (encoded,) = load_encoder().encode([POOL[0]], [6])
    mean = encoded.states[6].mean(axis=0)
    np.testing.assert_allclose(load_sentence_encoder().vectors([POOL[0]])[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_a_model_that_pools_its_first_token(tiny, tmp_path):
    folder = shutil.copytree(tiny("bert"), tmp_path / "first")
    (folder / "1_Pooling").mkdir()
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (vector,) = load_sentence_encoder(str(folder)).vectors(["the cat"])
    first = load_encoder(str(folder)).encode(["the cat"], [3])[0].states[3][0]
    np.testing.assert_allclose(vector, first / np.linalg.norm(first), atol=1e-6)


def test_a_language_it_does_not_read():
    with pytest.raises(MetricError, match="the embedded sentence encoder does not read 'fi'"):
        load_sentence_encoder(language="fi")
