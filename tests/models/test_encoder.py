"""The states of a text are its own: whatever stands beside it, in whatever order, however long it is."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import check_language, load_encoder
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.settings import RuntimeSettings
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.models.runtime.windows import split_into_windows
from tiny_checkpoints import TEXTS

POOL = (
    "The cat sat on the mat.",
    "Prices rose by three per cent on Monday, the bank said; nobody was surprised.",
    "ok",
    "",
    "...",
    "A mayor opened a bridge over the river on Friday after two years of work and several delays.",
    "the cat sat on the mat .",
    "Zürich \U0001f600 naïve",
    "She said: 'no'.",
    "x " * 40,
)


def fresh(batch_tokens, name="embedded", dtype="fp32"):
    """An encoder that has cached nothing; those of one name share a network."""
    encoder = copy.copy(load_encoder(name, dtype=dtype))
    encoder._settings = RuntimeSettings(batch_tokens=batch_tokens)
    encoder._recent = RecentCache(1 << 28)
    return encoder


@pytest.fixture(scope="module")
def alone():
    """The embedded encoder's states of each text of the pool, each encoded by itself."""
    enc = fresh(1)
    return {text: enc.encode([text], [0, 3, 6])[0] for text in POOL}


@pytest.mark.more
@settings(max_examples=12)
@given(texts=st.lists(st.sampled_from(POOL), max_size=14), most=st.sampled_from((1, 60, 1024)))
def test_states_depend_on_the_text_alone(texts, most, alone):
    enc = fresh(most)
    result = enc.encode(texts, [0, 3, 6])
    assert [encoded.text for encoded in result] == texts
    for encoded in result:
        expected = alone[encoded.text]
        assert (encoded.ids == expected.ids).all()
        for layer in (0, 3, 6):
            np.testing.assert_allclose(encoded.states[layer], expected.states[layer], atol=1e-5)


@pytest.mark.more
@settings(max_examples=6)
@given(order=st.permutations(POOL))
def test_scores_depend_on_the_pair_alone(order, alone):
    """What metrics take from states: cosines, here of all tokens of a text with one of another."""
    enc = fresh(1024)
    probe = scale_to_unit_length(alone[POOL[0]].states[6])
    for encoded in enc.encode(order, [6]):
        together = scale_to_unit_length(encoded.states[6]) @ probe.T
        np.testing.assert_allclose(together, scale_to_unit_length(alone[encoded.text].states[6]) @ probe.T, atol=1e-5)


@pytest.mark.parametrize("family", ["gpt2", "t5", "pegasus", "bart", "xlm-roberta", "xlnet", "distilbert"])
def test_padding_changes_nothing_for_any_architecture(family, tiny):
    one_by_one, together = fresh(1, str(tiny(family))), fresh(4096, str(tiny(family)))
    for single, batched in zip(
        (one_by_one.encode([text], [1, 3])[0] for text in TEXTS), together.encode(TEXTS, [1, 3]), strict=True
    ):
        for layer in (1, 3):
            np.testing.assert_allclose(single.states[layer], batched.states[layer], atol=1e-5)


@pytest.mark.slow
def test_half_precision_depends_on_the_batch_no_more_than_on_rounding():
    one_by_one, together = fresh(1, dtype="bf16"), fresh(4096, dtype="bf16")
    for text, batched in zip(POOL, together.encode(POOL, [6]), strict=True):
        (single,) = one_by_one.encode([text], [6])
        cosines = np.einsum("ij,ij->i", scale_to_unit_length(single.states[6]), scale_to_unit_length(batched.states[6]))
        assert cosines.min() > 0.999


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5", "xlnet"])
def test_long_texts_are_the_states_of_their_windows(family, tiny):
    enc = fresh(256, str(tiny(family)))
    enc.max_tokens = most = 40
    (encoded,) = enc.encode([" ".join(TEXTS * 6)], [2])
    plain = np.flatnonzero(~encoded.special)
    head, tail = int(plain[0]), len(encoded) - 1 - int(plain[-1])
    inner = encoded.ids[head : len(encoded) - tail]
    for window in split_into_windows(len(inner), most - head - tail):
        ids = np.concatenate([encoded.ids[:head], inner[window.start : window.end], encoded.ids[len(encoded) - tail :]])
        direct = enc._stack([ids], [2])[0][2]
        retained = slice(head + window.keep_start - window.start, head + window.keep_end - window.start)
        np.testing.assert_allclose(
            encoded.states[2][head + window.keep_start : head + window.keep_end], direct[retained], atol=1e-5
        )


@pytest.mark.more
def test_the_middle_of_a_long_text_reads_as_in_a_window_of_its_own():
    """With 64 tokens lent on either side, where a window ends hardly shows."""
    sentence = "The committee met on Tuesday to discuss the budget of the city and voted for a new bridge. "
    (long,) = load_encoder().encode([sentence * 35], [6])
    (short,) = load_encoder().encode([sentence * 25], [6])
    assert len(long) > 600
    same = scale_to_unit_length(long.states[6][200:240]) @ scale_to_unit_length(short.states[6][200:240]).T
    assert np.diag(same).min() > 0.98


def test_truncation_keeps_the_first_tokens_and_the_last_special_one():
    text = "word " * 600
    (cut,) = load_encoder(long="truncate").encode([text], [6])
    assert (len(cut), cut.special.tolist().count(True)) == (load_encoder().max_tokens, 2)
    assert cut.special[0]
    assert cut.special[-1]
    assert cut.ids[-1] == load_encoder().tokens(["a"])[0].ids[-1]


def test_what_was_encoded_is_not_encoded_again():
    enc = fresh(1024)
    (first,) = enc.encode([POOL[0]], [6])
    assert enc.encode([POOL[0]], [6])[0] is first
    assert enc.encode([POOL[0]] * 3, [6]) == [first] * 3


def test_a_long_document_is_read_in_little_time_and_whole(tiny):
    enc = fresh(1024, str(tiny("bert")))
    text = "the cat sat on the mat . " * 3_000  # 21,000 words
    (encoded,) = enc.encode([text], [1])
    assert len(encoded) == 21_002
    assert encoded.ends.max() == len(text.rstrip())
    assert np.isfinite(encoded.states[1]).all()


def test_encoders_are_loaded_once_per_process_and_setting():
    assert load_encoder() is load_encoder()
    assert load_encoder() is not load_encoder(long="truncate")


def test_the_embedded_encoder():
    enc = load_encoder()
    assert (enc.name, enc.depth, enc.width) == ("all-MiniLM-L6-v2", 6, 384)
    (encoded,) = enc.encode(["A cat sat there."], [6])
    assert [encoded.text[a:b] for a, b in zip(encoded.starts, encoded.ends, strict=True)] == [
        *("", "A", "cat", "sat", "there", ".", "")
    ]


def test_check_language():
    check_language("embedded", "en", "bertscore")
    check_language("xlm-roberta-base", "de", "bertscore")
    with pytest.raises(MetricError, match=r"bertscore with the embedded encoder reads English, not 'de'"):
        check_language("embedded", "de", "bertscore")


def test_a_layer_that_is_not_there():
    with pytest.raises(MetricError, match="all-MiniLM-L6-v2 has the layers 0 to 6, not 7"):
        load_encoder().encode(["a"], [7])
