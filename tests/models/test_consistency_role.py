"""The consistency role: passages, plain features, their combination, and classifiers by name."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.models.consistency.combination import Combination, read_combination, write_combination
from gistmeter.models.consistency.features import PLAIN_FEATURES, DocumentWords, find_unsupported, measure_plain
from gistmeter.models.consistency.passages import choose_passages, join_passages, split_document
from gistmeter.models.consistency.reader import SupportReader, find_support, load_support_reader
from tiny_checkpoints import make_checkpoint

DOCUMENT = (
    "The council met on Monday. It approved 6.8 million euros for a bridge. Ann Lee, the mayor, was pleased.\n"
    "Critics of the bridge said it was too wide. The weather was mild."
)


def named(document, passages, claim):
    words = DocumentWords.of(split_document(document))
    return dict(zip(PLAIN_FEATURES, measure_plain(words, passages, claim).tolist(), strict=True))


def test_passages_cover_the_claim_in_the_order_of_the_document():
    split = split_document(DOCUMENT)
    claim = "The mayor was pleased that the council approved the bridge."
    chosen = choose_passages(split, claim)
    # bridge and approved: sentence 1; mayor and pleased: sentence 2; council: sentence 0
    assert chosen == (0, 1, 2)
    assert join_passages(split, chosen).startswith("The council met")


def test_passages_have_a_bound_in_words_and_in_sentences():
    split = split_document(DOCUMENT)
    claim = "The mayor was pleased that the council approved the bridge."
    assert len(choose_passages(split, claim, max_sentences=1)) == 1
    assert len(choose_passages(split, claim, max_words=12)) == 1


def test_a_claim_that_shares_nothing_still_has_a_passage():
    assert choose_passages(split_document(DOCUMENT), "Penguins swim.") == (0,)
    assert choose_passages(split_document(""), "Penguins swim.") == ()


def test_features_by_hand():
    passage = "It approved 6.8 million euros for a bridge."
    features = named(DOCUMENT, passage, "It approved 8.6 million euros for a tunnel.")
    # words: it approved 8 6 million euros for a tunnel; only tunnel is new (8 and 6 stand in 6.8)
    assert features["novel words"] == pytest.approx(1 / 9)
    # 2-grams that are new: "approved 8", "8 6", "6 million", "a tunnel" of eight
    assert features["novel 2-grams"] == pytest.approx(4 / 8)
    assert features["numbers not in document"] == 1
    assert features["conflict: number"] > 0
    # the longest stretch copied is "million euros for a", four of nine words
    assert features["copied stretch"] == pytest.approx(4 / 9)


def test_a_copied_sentence_lacks_nothing():
    passage = "It approved 6.8 million euros for a bridge."
    features = named(DOCUMENT, passage, passage)
    assert features.pop("copied stretch") == 1
    assert set(features.values()) == {0}


def test_what_the_document_does_not_have():
    words = DocumentWords.of(split_document(DOCUMENT))
    missing = find_unsupported(words, "On Tuesday Bo Ek gladly paid 7 million.")
    assert missing.dates == ("Tuesday",)
    assert missing.names == ("Bo", "Ek")
    assert missing.numbers == ("7 million",)
    assert {"gladly", "paid"} <= missing.words


@given(st.text(alphabet="abc 1.,", max_size=40), st.text(alphabet="abc 1.,", max_size=40))
def test_features_are_finite_for_any_text(document, claim):
    words = DocumentWords.of(split_document(document))
    assert np.isfinite(measure_plain(words, document, claim)).all()


def test_a_combination_is_a_weighted_sum():
    plain = np.zeros((2, len(PLAIN_FEATURES)))
    plain[1, PLAIN_FEATURES.index("numbers not in document")] = 1.0
    weights = Combination(network=0.5, constant=1.0, features={"numbers not in document": -3.0})
    # logits: .5 * 2 + 1 = 2, and .5 * 2 - 3 + 1 = -1
    np.testing.assert_allclose(weights(np.array([2.0, 2.0]), plain), 1 / (1 + np.exp([-2.0, 1.0])))


def test_a_combination_is_read_as_it_was_written(tmp_path):
    weights = Combination(network=0.5, constant=1.0, features={"novel words": -0.25})
    (tmp_path / "c.json").write_bytes(write_combination(weights))
    assert read_combination(tmp_path / "c.json").weights == weights
    (tmp_path / "c.json").write_text(json.dumps({"network": 1, "constant": 0, "features": {"luck": 1}}))
    with pytest.raises(MetricError, match="a feature that there is not: luck"):
        read_combination(tmp_path / "c.json")
    with pytest.raises(MetricError, match="there is no combination"):
        read_combination(tmp_path / "none.json")


def test_of_a_claim_too_long_to_read_the_least_supported_part_counts():
    class Halves:
        """Divides at a bar; the entailment of a part is the number it says."""

        max_tokens = 8

        def divide_hypothesis(self, hypothesis):
            return hypothesis.split("|")

        def logits(self, pairs):
            return np.array([[float(part), 0.0, 0.0] for _, part in pairs]).reshape(-1, 3)

    reader = SupportReader(Halves(), two_way=True)
    assert reader.margins([("t", "3|-2|1"), ("t", "4")]).tolist() == [-2.0, 4.0]
    assert reader.margins([]).tolist() == []


def test_which_output_means_supported():
    assert find_support(["not_entailment", "entailment"], None, name="m") == (1, 0)
    assert find_support(["SUPPORTED", "REFUTED"], None, name="m") == (0, 1)
    assert find_support(["LABEL_0", "LABEL_1"], None, name="m") == (1, 0)
    assert find_support(["a", "b"], ["unsupported", "supported"], name="m") == (1, 0)
    with pytest.raises(MetricError, match="labels=unsupported/supported"):
        find_support(["yes", "no"], None, name="m")
    with pytest.raises(MetricError, match="has one output, but labels name 2"):
        find_support(["score"], ["unsupported", "supported"], name="m")
    with pytest.raises(MetricError, match="has 4 classes"):
        find_support(["a", "b", "c", "d"], None, name="m")


@pytest.mark.more
@pytest.mark.parametrize("labels", [("refuted", "supported"), ("score",), ("contradiction", "neutral", "entailment")])
def test_classifiers_of_one_two_and_three_classes(labels, tmp_path):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    make_checkpoint(tmp_path, "bert", positions=48)
    config = transformers.AutoConfig.from_pretrained(tmp_path)
    config.id2label, config.num_labels = dict(enumerate(labels)), len(labels)
    config.label2id = {label: position for position, label in enumerate(labels)}
    config.initializer_range = 0.3
    torch.manual_seed(3)
    model = transformers.AutoModelForSequenceClassification.from_config(config).eval()
    model.save_pretrained(tmp_path)
    pair = ("The cat sat on the mat.", "The dog barked.")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    with torch.no_grad():
        logits = model(**tokenizer(*pair, return_tensors="pt")).logits[0].double().numpy()
    expected = 1 / (1 + np.exp(-logits[0])) if len(labels) == 1 else np.exp(logits[-1]) / np.exp(logits).sum()
    reader = load_support_reader(str(tmp_path))
    np.testing.assert_allclose(reader.probabilities([pair]), [expected], atol=1e-5)
    np.testing.assert_allclose(reader.margins([pair]), [np.log(expected / (1 - expected))], atol=1e-4)
