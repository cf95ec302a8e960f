"""The masked-words role: the embedded model, any masked language model by path, and what is refused."""

import json

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.models.masked_words.model import WEIGHTS, load_masked_words, predict_words
from gistmeter.models.runtime.adapters import (
    LINEAR_MAPS,
    merge_masked_words,
    norm_modules,
    norm_name,
    read_adapter,
    update_names,
)
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings
from tiny_checkpoints import DEPTH, make_checkpoint

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The prime [MASK] said on Monday that taxes would not rise.", "minister"),
        ("She scored the winning [MASK] in the last minute of the match.", "goal"),
        ("The film was directed [MASK] a woman from Norway.", "by"),
        ("They have lived in the United [MASK] for ten years.", "states"),
        ("He has two brothers and one [MASK].", "sister"),
        ("It is too early [MASK] say what caused the fire.", "to"),
    ],
)
def test_the_embedded_model_knows_obvious_words(text, word):
    ((*best,),) = predict_words(load_masked_words(), text, count=5)
    assert word in best


def test_what_is_said_of_a_text_does_not_depend_on_the_batch():
    model = load_masked_words()
    texts = [
        "The cat sat.",
        "A long report on the state of the economy was published by the bank on Friday.",
        "",
        "Rain",
    ] * 3
    ids = [tokens.ids.copy() for tokens in model.tokens(texts)]
    for item in ids:
        item[len(item) // 2] = model.mask_id
    positions = [np.array([len(entry) // 2]) for entry in ids]
    together, states = model.predict(ids, positions), model.states(ids, [0, 3, 6])
    for item, position, row, state in zip(ids, positions, together, states, strict=True):
        alone = model.predict([item], [position])[0]
        assert row.shape == (1, model.vocabulary)
        # Logits are sums of 384 products of about 1 each: compare in units of their spread.
        np.testing.assert_allclose(row / alone.std(), alone / alone.std(), atol=1e-5)
        single = model.states([item], [0, 3, 6])[0]
        for layer in (0, 3, 6):
            assert state[layer].shape == (len(item), model.width)
            np.testing.assert_allclose(state[layer], single[layer], atol=1e-5)


def test_tokens_are_neither_cut_nor_padded():
    (long, short) = load_masked_words().tokens(["word " * 1000, "word"])
    assert len(long) == 1002
    assert len(short) == 3
    assert long.text[long.starts[500] : long.ends[500]] == "word"


@pytest.mark.parametrize("family", ["bert", "xlm-roberta"])
def test_states_and_predictions_are_those_of_transformers(tiny, family):
    folder = str(tiny(family))
    model = load_masked_words(folder)
    direct = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    ids = [tokens.ids.copy() for tokens in model.tokens(["The cat sat on the mat.", "ok"])]
    for item in ids:
        item[1] = model.mask_id
    given = model.predict(ids, [np.array([1, 3]), np.array([1])])
    for item, positions, rows in zip(ids, ([1, 3], [1]), given, strict=True):
        with torch.no_grad():
            expected = direct(input_ids=torch.tensor([item.tolist()]), output_hidden_states=True)
        np.testing.assert_allclose(rows, expected.logits[0, positions].numpy(), atol=1e-5)
        states = model.states([item], range(DEPTH + 1))[0]
        for layer in range(DEPTH + 1):
            np.testing.assert_allclose(states[layer], expected.hidden_states[layer][0].numpy(), atol=1e-5)


def test_no_position_asked_gives_no_rows(tiny):
    model = load_masked_words(str(tiny("bert")))
    ids = [tokens.ids for tokens in model.tokens(["The cat", "ok"])]
    given = model.predict(ids, [np.array([], dtype=np.int64), np.array([1])])
    assert [len(rows) for rows in given] == [0, 1]
    assert model.predict([], []) == []


@pytest.mark.parametrize("family", ["roberta", "distilbert"])
def test_a_checkpoint_without_the_head_is_refused(tiny, family):
    with pytest.raises(MetricError, match="has no masked-word head"):
        load_masked_words(str(tiny(family)))


def test_the_plain_embedded_encoder_is_refused_by_its_path():
    with pytest.raises(MetricError, match="has no masked-word head"):
        load_masked_words(str(locate().folder))


@pytest.mark.parametrize("family", ["gpt2", "t5", "bart"])
def test_a_model_of_another_kind_is_refused(tiny, family):
    with pytest.raises(MetricError, match=r"no mask token|cannot be loaded as a masked-word model|encoder-decoder"):
        load_masked_words(str(tiny(family)))


def test_pickled_weights_are_refused_unless_allowed(tmp_path):
    folder = str(make_checkpoint(tmp_path / "pickled", "bert", safe=False))
    with pytest.raises(MetricError, match="pickle"):
        load_masked_words(folder)
    with use_settings(RuntimeSettings(allow_pickle=True)):
        assert load_masked_words(folder).depth == DEPTH


def test_too_long_a_sequence_and_an_unknown_layer_are_refused(tiny):
    model = load_masked_words(str(tiny("bert")))
    with pytest.raises(MetricError, match="reads 40 tokens at once, not 41"):
        model.states([np.full(41, 5)], [1])
    with pytest.raises(MetricError, match="layers 0 to 3, not 4"):
        model.states([np.array([2, 5, 3])], [4])


def test_merging_adds_the_product_of_low_rank():
    sizes = {
        "vocab_size": 13,
        "hidden_size": 8,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    model = transformers.BertForMaskedLM(transformers.BertConfig(**sizes))
    draws = torch.Generator().manual_seed(2)
    parts = {"embeddings.mask": torch.full((8,), 0.5), "head.bias": torch.arange(13.0)}
    for name in norm_modules(2):
        parts |= {norm_name(name, "weight"): torch.full((8,), 2.0), norm_name(name, "bias"): torch.full((8,), -1.0)}
    for layer in range(2):
        for name, position in LINEAR_MAPS.items():
            out, into = model.bert.get_submodule(f"encoder.layer.{layer}.{position}").weight.shape
            down, up = update_names(layer, name)
            parts |= {down: torch.randn(3, into, generator=draws), up: torch.randn(out, 3, generator=draws)}
    for name in ("head.dense", "head.norm"):
        shape = (8, 8) if name == "head.dense" else (8,)
        parts |= {f"{name}.weight": torch.randn(shape, generator=draws), f"{name}.bias": torch.zeros(8)}
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    merge_masked_words(model, parts, mask_id=4)
    after = model.state_dict()
    position = "bert.encoder.layer.1.intermediate.dense.weight"
    by_hand = (
        before[position].double().numpy()
        + parts["layer.1.inner.up"].double().numpy() @ parts["layer.1.inner.down"].double().numpy()
    )
    np.testing.assert_allclose(after[position].numpy(), by_hand, atol=1e-5)
    assert torch.equal(after["bert.embeddings.word_embeddings.weight"][4], parts["embeddings.mask"])
    assert torch.equal(
        after["bert.embeddings.word_embeddings.weight"][5], before["bert.embeddings.word_embeddings.weight"][5]
    )
    assert torch.equal(after["cls.predictions.decoder.weight"], after["bert.embeddings.word_embeddings.weight"])
    assert torch.equal(after["cls.predictions.bias"], parts["head.bias"])
    assert torch.equal(after["bert.embeddings.LayerNorm.bias"], torch.full((8,), -1.0))


def test_an_adapter_for_another_encoder_is_refused(tiny):
    with pytest.raises(MetricError, match=r"masked_words/weights\.safetensors was trained for weights"):
        read_adapter(WEIGHTS, base=locate(str(tiny("bert"))))


def test_the_shipped_weights_are_small_and_have_a_card():
    assert WEIGHTS.stat().st_size < 3.6e6
    card = WEIGHTS.with_name("card.md").read_text(encoding="utf-8")
    assert "gistmeter train masked" in card
    with WEIGHTS.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        kinds = {tensor["dtype"] for name, tensor in json.loads(stream.read(length)).items() if name != "__metadata__"}
    assert kinds == {"F16"}


def test_the_digest_tells_the_embedded_model_from_its_encoder():
    assert load_masked_words().digest != locate().digest
    assert len(load_masked_words().digest) == 12


def test_weights_for_another_role_are_refused():
    from gistmeter.models.entailment.model import WEIGHTS as ENTAILMENT

    with pytest.raises(MetricError, match="has no masked-word head"):
        load_masked_words(str(ENTAILMENT))
