"""The entailment role: four ways to read logits, classifiers by path, long premises, and what is refused."""

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.entailment.model import l2c, l3c, load_entailment, p2c, p3c
from gistmeter.models.presence.premises import choose_premise, choose_sentences
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.pair_classifier import match_columns
from gistmeter.text.chunks import split_into_chunks
from gistmeter.units.judge import UnitJudge
from tiny_checkpoints import make_checkpoint

CLASSES = ("entailment", "neutral", "contradiction")
PAIRS = [
    ("The cat sat on the mat, and the dog barked.", "The dog barked at 9.30."),
    ("Prices rose by 3% on Monday; nobody was surprised.", "Prices rose."),
    ("ok", "Prices rose by 3% on Monday."),
    ("The cat sat on the mat, and the dog barked.", "ok"),
    ("Prices rose by 3% on Monday; nobody was surprised.", "Prices rose."),
]


@pytest.fixture(scope="module")
def tiny_classifier(tmp_path_factory):
    """The folder of a tiny random classifier of three classes, with its tokenizer."""
    folders = {}

    def folder(family, labels=("contradiction", "neutral", "entailment"), *, positions=48):
        key = (family, tuple(labels), positions)
        if key not in folders:
            folders[key] = _classifier(tmp_path_factory.mktemp("nli") / family, family, labels, positions)
        return str(folders[key])

    return folder


def _classifier(folder, family, labels, positions):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    make_checkpoint(folder, "bert" if family == "albert" else family, positions=positions)
    config = transformers.AutoConfig.from_pretrained(folder)
    if family == "albert":
        sizes = {"hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 32}
        config = transformers.AlbertConfig(
            vocab_size=config.vocab_size, max_position_embeddings=positions, embedding_size=16, pad_token_id=0, **sizes
        )
    config.id2label, config.num_labels = dict(enumerate(labels)), len(labels)
    config.label2id = {label: position for position, label in enumerate(labels)}
    config.initializer_range = 0.3
    torch.manual_seed(3)
    transformers.AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    return folder


def test_four_ways_to_read_logits_by_hand():
    logits = np.log([[6.0, 3.0, 1.0], [2.0, 3.0, 0.5], [1.0, 0.25, 2.0]])
    # p3c: 6 / 10, 2 / 5.5, 1 / 3.25. p2c: e^(n+c) is the product, so 6 / (6 + 3), 2 / (2 + 1.5), 1 / (1 + .5).
    np.testing.assert_allclose(p3c(logits), [0.6, 2 / 5.5, 1 / 3.25])
    np.testing.assert_allclose(p2c(logits), [6 / 9, 2 / 3.5, 1 / 1.5])
    assert l3c(logits).tolist() == [1, 0, 0]
    assert l2c(logits).tolist() == [1, 1, 1]
    assert l2c(np.array([[1.0, 0.5, 0.5]])).tolist() == [0]  # exactly one half is not above it


@given(st.lists(st.tuples(*[st.floats(-800, 800)] * 3), min_size=1, max_size=5))
def test_probabilities_stay_probabilities_however_large_the_logits(rows):
    logits = np.array(rows)
    for probability in (p3c(logits), p2c(logits)):
        assert np.all((probability >= 0) & (probability <= 1))
    margin = logits[:, 0] - logits[:, 1] - logits[:, 2]
    clear = np.abs(margin) > 1e-9  # nearer to one half than that, rounding decides
    assert l2c(logits)[clear].tolist() == (margin > 0)[clear].tolist()


@pytest.mark.parametrize("family", ["bert", "roberta", "albert"])
def test_logits_are_those_of_transformers_in_the_order_of_the_classes(tiny_classifier, family):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = tiny_classifier(family)
    given = load_entailment(folder).logits(PAIRS)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for pair, row in zip(PAIRS, given, strict=True):
        with torch.no_grad():
            direct = model(**tokenizer(*pair, return_tensors="pt")).logits[0].numpy()
        np.testing.assert_allclose(row, direct[[2, 1, 0]], atol=1e-5)
        np.testing.assert_allclose(p3c(row[None]), torch.softmax(torch.tensor(direct), 0)[2].item(), atol=1e-5)
    assert np.ptp(given, axis=0).min() > 1e-3  # the pairs differ, so that a mix-up would show


def test_identical_pairs_are_judged_once_and_nothing_depends_on_the_company(tiny_classifier, monkeypatch):
    model = load_entailment(tiny_classifier("bert"))
    recorded = []
    inner = model._network
    monkeypatch.setattr(model, "_network", lambda pairs: recorded.extend(pairs) or inner(pairs))
    together = model.logits(PAIRS * 3)
    assert len(recorded) == 4
    assert np.array_equal(model.logits(PAIRS), together[: len(PAIRS)])
    assert len(recorded) == 4  # recent pairs are remembered
    monkeypatch.setattr(model, "_recent", RecentCache(0))
    alone = np.concatenate([model.logits([pair]) for pair in PAIRS])
    assert len(recorded) == 4 + len(PAIRS)
    np.testing.assert_allclose(together, np.tile(alone, (3, 1)), atol=1e-5)
    assert model.logits([]).shape == (0, 3)


def test_a_long_premise_is_divided_and_its_best_stretch_speaks(tiny_classifier, monkeypatch):
    model = load_entailment(tiny_classifier("bert", positions=24))
    sentences = [
        "The cat sat on the mat.",
        "Prices rose on Monday.",
        "Nobody was surprised.",
        "The dog barked in Zürich.",
    ]
    long, hypothesis = " ".join(sentences), "Prices rose."
    assert len(model._tokenizer.pairs([(long, hypothesis)])[0].ids) > model.max_tokens
    parts = model._divide_premise(long, hypothesis, len(model._tokenizer.pairs([(long, hypothesis)])[0].ids))
    assert len(parts) > 1
    assert " ".join(part for part, _ in parts) == long  # every word of the premise is read
    each = model.logits(parts)
    monkeypatch.setattr(model, "_recent", RecentCache(0))
    best = each[np.argmax(each[:, 0] - np.logaddexp(each[:, 1], each[:, 2]))]
    np.testing.assert_allclose(model.logits([(long, hypothesis), ("ok", "ok")])[0], best, atol=1e-5)


def test_a_hypothesis_too_long_to_read_is_refused(tiny_classifier):
    with pytest.raises(MetricError, match="too few for a hypothesis"):
        load_entailment(tiny_classifier("bert")).logits([("ok", "The cat sat on the mat. " * 20)])


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_parts_of_a_long_hypothesis_leave_room_for_a_premise(tiny_classifier, family):
    model = load_entailment(tiny_classifier(family, positions=48))
    assert model.divide_hypothesis("The cat sat.") == ["The cat sat."]
    assert len(model.divide_hypothesis("The cat sat on the mat. " * 20)) > 1
    for long in ("The cat sat on the mat. " * 20, "市议会批准了海堤" * 20, "x" * 500, "é😀" * 200):
        parts = model.divide_hypothesis(long.strip())
        assert "".join(parts).replace(" ", "") == long.replace(" ", "")
        assert model.logits([("The cat.", part) for part in parts]).shape == (len(parts), 3)


def test_stretches_keep_every_word():
    text = "One two three. Four five six seven eight nine ten eleven twelve thirteen. Fourteen."
    for most in range(1, 16):
        result = split_into_chunks(text, most, lengths=lambda texts: [len(item.split()) for item in texts])
        assert " ".join(result) == text
        assert all(len(item.split()) <= most for item in result)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), "give labels"),
        (("entailment", "not_entailment"), "has 2 classes"),
        (("entailment", "neutral", "neutral"), "give labels"),
    ],
)
def test_classes_that_are_not_known_are_asked_for(tiny_classifier, labels, message):
    with pytest.raises(MetricError, match=message):
        load_entailment(tiny_classifier("bert", labels))


def test_a_mapping_says_what_the_outputs_mean(tiny_classifier):
    folder = tiny_classifier("bert", ("LABEL_0", "LABEL_1", "LABEL_2"))
    item = load_entailment(folder, labels=("contradiction", "neutral", "entailment")).logits(PAIRS[:1])
    other = load_entailment(folder, labels=("entailment", "neutral", "contradiction")).logits(PAIRS[:1])
    np.testing.assert_allclose(item, other[:, ::-1], atol=1e-6)
    with pytest.raises(MetricError, match="each of them once"):
        load_entailment(folder, labels=("entailment", "neutral", "maybe"))
    assert match_columns({0: "c", 1: "e", 2: "n"}, None, order=CLASSES, name="m") == (1, 2, 0)


def test_a_random_head_is_refused(tiny):
    with pytest.raises(MetricError, match="no classification head"):
        load_entailment(str(tiny("bert")))


def test_a_classifier_tells_that_it_learned_presence(tiny_classifier, tmp_path):
    folder = shutil.copytree(tiny_classifier("bert"), tmp_path / "model")
    assert UnitJudge(str(folder)).value_used == "l3c"
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "gistmeter_learned": "presence"}))
    assert UnitJudge(str(folder)).value_used == "p2c"
    assert (
        UnitJudge("shiyue/roberta-large-realsumm").value_used == "p2c"
    )  # released by the authors; found without a network


def test_the_facts_of_a_model_change_with_its_weights(tiny_classifier, tmp_path):
    from gistmeter.models.entailment.model import entailment_identity

    folder = tiny_classifier("bert")
    assert load_entailment(folder).identity() == {"model": folder, "weights": entailment_identity(folder).digest}
    assert entailment_identity(folder).digest != entailment_identity(tiny_classifier("roberta")).digest
    with pytest.raises(MetricError, match="no trained weights"):
        load_entailment(str(tmp_path / "none.safetensors"))


def test_premises_are_the_sentences_with_the_words_of_the_unit():
    results = ["Fans left.", "Ann Lee coached them.", "The match was lost.", "Rain fell on the fans."]
    assert choose_sentences(results, "The fans saw rain.", max_sentences=1) == [3]
    assert choose_sentences(results, "Ann Lee saw rain with the fans.", max_sentences=2) == [1, 3]
    assert choose_sentences(results, "The fans saw rain.", max_sentences=2) == [
        3
    ]  # both words are there: no other adds one
    assert choose_sentences(results, "Nothing of this.", max_sentences=2) == [0]
    assert choose_sentences([], "Nothing.", max_sentences=2) == []
    assert choose_premise("Ann left\nBob stayed\nCarl slept", "Carl and Bob") == "Bob stayed Carl slept"


@pytest.mark.parametrize(
    ("premise", "asked", "entailed"),
    [
        ("A man in a red shirt is riding a bicycle down the street.", "A man is riding a bicycle.", 1),
        ("The company said on Monday that it would close two factories in Ohio.", "Two factories will close.", 1),
        ("The company said on Monday that it would close two factories in Ohio.", "The company opened a school.", 0),
        ("A woman is playing the piano on stage.", "A woman is asleep in her bed.", 0),
        ("Two dogs run across a field.", "Two dogs are chasing a rabbit that belongs to a farmer.", 0),
    ],
)
def test_the_embedded_model_knows_obvious_cases(premise, asked, entailed):
    assert l3c(load_entailment().logits([(premise, asked)])).tolist() == [entailed]


@pytest.mark.more
def test_the_embedded_model_says_the_same_in_any_company_and_reads_long_premises(monkeypatch):
    model = load_entailment()
    monkeypatch.setattr(RecentCache, "get", lambda cache, key: None)  # each is judged in its company
    pairs = [("It rained all day in Oslo. " * count, "It rained in Oslo.") for count in (1, 3, 90)]
    assert len(model._tokenizer.pairs(pairs[2:])[0].ids) > model.max_tokens
    together = model.logits(pairs)
    np.testing.assert_allclose(together, np.concatenate([model.logits([pair]) for pair in pairs]), atol=1e-4)
    assert l3c(together).tolist() == [1, 1, 1]


@pytest.mark.more
def test_the_last_layer_makes_the_states_that_are_asked_for_as_if_all_were():
    stack = load_encoder()._stack
    batch = [np.array([101, 2009, 15814, 102]), np.array([101, 2009, 2001, 2204, 4633, 102])]
    rows = [np.array([0, 2]), np.array([0, 3, 4])]
    whole = stack(batch, [3, 6])
    part = stack(batch, [3, 6], rows=rows)
    for all_states, some_states, own in zip(whole, part, rows, strict=True):
        np.testing.assert_allclose(some_states[6], all_states[6][own], atol=1e-5)
        np.testing.assert_array_equal(some_states[3], all_states[3])
