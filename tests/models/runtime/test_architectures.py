"""Every architecture gives the states that transformers gives, by the same code.

The oracle is a network built with fewer layers (its configuration says so) and called on one text at a time:
what bert-score takes for the states of a layer, the final normalisation included.
"""

import copy
import functools
import unicodedata

import numpy as np
import pytest
import torch
import transformers

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.load import quiet_loading
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.tokenizer import Tokenizer
from tiny_checkpoints import DEPTH, FAMILIES, TEXTS, WIDTH

pytestmark = pytest.mark.more

DEPTH_SETTING = {"distilbert": "n_layers", "gpt2": "n_layer", "t5": "num_layers", "bart": "encoder_layers"} | {
    "pegasus": "encoder_layers",
    "xlnet": "n_layer",
}
BYTE_LEVEL = ("roberta", "gpt2", "bart")


@pytest.fixture(scope="module")
def encoders(tiny):
    """The encoder of each family, loaded once."""
    return functools.cache(lambda family: load_encoder(str(tiny(family))))


def cut_network(folder, family, depth):
    """The network built with only its first `depth` layers."""
    kind = transformers.T5EncoderModel if family == "t5" else transformers.AutoModel
    with quiet_loading():
        model = kind.from_pretrained(folder, **{DEPTH_SETTING.get(family, "num_hidden_layers"): depth}).eval()
    return model.encoder if family in ("bart", "pegasus") else model


def direct_states(model, ids):
    """Its last states for one sequence of token ids."""
    with torch.no_grad():
        return model(input_ids=torch.tensor([list(ids)])).last_hidden_state[0].numpy()


def plain_letters(text, family):
    """What the family's tokenizer makes of letters before it looks them up."""
    if family in ("bert", "distilbert", "xlnet"):
        text = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return text.lower() if family in ("bert", "distilbert") else text


def short(texts, result, most):
    return [text for text, tokens in zip(texts, result, strict=True) if 0 < len(tokens) <= most]


@pytest.mark.parametrize("family", FAMILIES)
def test_states_of_every_layer_are_those_of_the_cut_network(family, tiny, encoders):
    folder, enc = tiny(family), encoders(family)
    assert (enc.depth, enc.width) == (DEPTH, WIDTH)
    texts = short(TEXTS, enc.tokens(TEXTS), 40)
    assert len(texts) >= 3
    encoded_texts = enc.encode(texts, range(DEPTH + 1))
    for layer in (0, 2, DEPTH):
        model = cut_network(folder, family, layer)
        for encoded in encoded_texts:
            expected = direct_states(model, encoded.ids)
            np.testing.assert_allclose(encoded.states[layer], expected, atol=2e-5, err_msg=f"{family} layer {layer}")


@pytest.mark.parametrize("family", FAMILIES)
def test_one_layer_is_the_same_alone_as_among_all(family, encoders):
    enc = encoders(family)
    together = enc.encode(TEXTS, range(DEPTH + 1))
    for layer in range(DEPTH + 1):
        for alone, among in zip(enc.encode(TEXTS, [layer]), together, strict=True):
            np.testing.assert_allclose(alone.states[layer], among.states[layer], atol=2e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_are_the_models_own(family, tiny, encoders):
    enc = encoders(family)
    own = transformers.AutoTokenizer.from_pretrained(tiny(family))
    for tokens in enc.tokens([*TEXTS, "", "  x  "]):
        text = tokens.text.strip()
        spaced = f" {text}" if family in BYTE_LEVEL and text else text  # as bert-score does
        assert tokens.ids.tolist() == own(spaced)["input_ids"]
        assert tokens.special.sum() == own.num_special_tokens_to_add()


@pytest.mark.parametrize("family", FAMILIES)
def test_places_are_where_the_tokens_stand(family, tiny, encoders):
    enc = encoders(family)
    spelled = Tokenizer(locate(str(tiny(family)))).decode
    for text in ("  The cat sat,\n\tand the dog barked. ", *TEXTS):
        (tokens,) = enc.tokens([text])
        plain = ~tokens.special & (tokens.ends > tokens.starts)  # a bare byte-level space has no width
        assert (tokens.starts <= tokens.ends).all()
        assert (tokens.ends <= len(text)).all()
        assert not tokens.starts[tokens.special].any()
        assert not tokens.ends[tokens.special].any()
        assert (np.diff(tokens.starts[plain]) >= 0).all()
        covered = {position for a, b in zip(tokens.starts, tokens.ends, strict=True) for position in range(a, b)}
        assert covered >= {position for position, letter in enumerate(text) if not letter.isspace()}
        for token, start, end in zip(tokens.ids[plain], tokens.starts[plain], tokens.ends[plain], strict=True):
            piece = spelled(int(token))
            if piece.isascii() and piece.isalnum():
                assert plain_letters(text[start:end], family) == piece


@pytest.mark.parametrize("family", FAMILIES)
def test_long_texts_are_read_whole(family, encoders):
    enc = encoders(family)
    text = " ".join(TEXTS * 12)
    (encoded,) = enc.encode([text], [DEPTH])
    assert len(encoded) > 4 * 40
    assert encoded.ends.max() == len(text)
    assert np.abs(encoded.states[DEPTH]).sum(axis=1).min() > 0  # every token got its states
    truncating = copy.copy(enc)
    truncating._long, truncating._recent = "truncate", RecentCache(1 << 20)
    (cut,) = truncating.encode([text], [DEPTH])
    assert len(cut) == min(enc.max_tokens, len(encoded))
    assert cut.special.sum() == encoded.special.sum()


@pytest.mark.parametrize("family", FAMILIES)
def test_empty_and_odd_texts(family, encoders):
    enc = encoders(family)
    texts = ["", "   ", "...", "\x00\x01\u200b", "a\ud800b", "\U0001f600" * 3]
    for encoded in enc.encode(texts, [0, DEPTH]):
        assert encoded.states[DEPTH].shape == (len(encoded), WIDTH)
        assert np.isfinite(encoded.states[DEPTH]).all()
    assert enc.encode([], [0]) == []


def test_a_layer_that_is_not_there(tiny):
    enc = load_encoder(str(tiny("gpt2")))
    for layer in (-1, 4):
        with pytest.raises(MetricError, match=rf"has the layers 0 to 3, not {layer}"):
            enc.encode(["a"], [layer])


def test_an_architecture_whose_layers_are_not_found(tiny, tmp_path):
    config = transformers.AlbertConfig(
        vocab_size=300, embedding_size=8, hidden_size=16, num_attention_heads=2, intermediate_size=16
    )
    transformers.AlbertModel(config).save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(tiny("bert")).save_pretrained(tmp_path)
    with pytest.raises(MetricError, match="AlbertModel, whose layers gistmeter cannot find"):
        load_encoder(str(tmp_path))
