"""Readers of two sentences: their parts lie in the head's file, and what they say is what was trained."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from gistmeter.errors import MetricError
from gistmeter.models.entailment.model import WEIGHTS as ENTAILMENT
from gistmeter.models.next_sentence.heads import Shares, head_file, normalize_spelling, read_head, write_head
from gistmeter.models.next_sentence.model import load_next_sentence, weights_digest
from gistmeter.models.next_sentence.reader import PairReader, ReaderParts, cut_around_joint, split_log_odds
from gistmeter.models.runtime.adapters import read_adapter
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.tokenizer import PairTokens
from gistmeter.weights import digest_files

SHARES = Shares(networks=0.5, cues=0.25, reader_order=0.75, reader_together=0.125, bias=-0.5)
PAIRS = [
    ("The mayor of Leeds opened a new bridge on Friday.", "It had taken four years to build."),
    ("It had taken four years to build.", "The mayor of Leeds opened a new bridge on Friday."),
    ("Shares in the airline fell.", "..."),
    ("The mayor of Leeds opened a new bridge on Friday.", "It had taken four years to build."),
]


@pytest.fixture(scope="module")
def parts():
    """Any parts of a model of pairs serve: those of the entailment model."""
    base = locate()
    arrays = {name: part.half().float().numpy() for name, part in read_adapter(ENTAILMENT, base=base).items()}
    return ReaderParts(arrays, digest_files(base.weights))


@pytest.fixture(scope="module")
def head_with_reader(parts, tmp_path_factory):
    file = tmp_path_factory.mktemp("heads") / "head.safetensors"
    shipped = read_head(head_file(multilingual=False))
    write_head(file, replace(shipped, reader=parts, shares=SHARES))
    return file


def test_a_head_gives_its_reader_back(head_with_reader, parts, tmp_path):
    head = read_head(head_with_reader)
    assert head.shares == SHARES
    assert head.reader.base_weights == parts.base_weights
    assert head.reader.arrays.keys() == parts.arrays.keys()
    assert all(np.array_equal(head.reader.arrays[name], parts.arrays[name]) for name in parts.arrays)
    assert not any(name.startswith("reader") for name in head.arrays)
    write_head(tmp_path / "again.safetensors", head)
    assert (tmp_path / "again.safetensors").read_bytes() == head_with_reader.read_bytes()


def test_probabilities_are_the_shares_of_what_each_part_says(head_with_reader, parts, tmp_path):
    shipped = read_head(head_file(multilingual=False))
    networks_alone = tmp_path / "networks.safetensors"
    write_head(networks_alone, replace(shipped, order=None, reader=None, shares=None))
    share = load_next_sentence(str(networks_alone)).probabilities(PAIRS)
    spelled = [tuple(map(normalize_spelling, pair)) for pair in PAIRS]
    logits = PairReader(parts).logits(spelled)
    following, reverse, other = np.exp(logits).T
    log_odds = (
        0.5 * np.log(share / (1 - share))
        + 0.25 * shipped.order.log_odds(spelled)
        + 0.75 * np.log(following / reverse)
        + 0.125 * np.log((following + reverse) / other)
        - 0.5
    )
    model = load_next_sentence(str(head_with_reader))
    np.testing.assert_allclose(model.probabilities(PAIRS), 1 / (1 + np.exp(-log_odds)), atol=1e-5)
    # each pair alone says what it says among others
    alone = [model.probabilities([pair])[0] for pair in PAIRS]
    np.testing.assert_allclose(model.probabilities(PAIRS), alone, atol=1e-5)
    assert model.digest.startswith(digest_files([head_with_reader]))
    assert weights_digest(str(head_with_reader)).startswith(digest_files([head_with_reader]))


def test_what_speaks_for_an_order_is_what_cues_and_reader_add(head_with_reader, parts):
    pair = ("but it rained", "a new bridge opened")
    (text,) = load_next_sentence(str(head_with_reader)).describe_order([pair])
    order = read_head(head_file(multilingual=False)).order
    following, reverse, _ = PairReader(parts).logits([pair])[0]
    read = 0.75 * (following - reverse)
    total = 0.25 * order.log_odds([pair])[0] + read
    assert text.startswith(f"{total:+.2f}, {read:+.2f} of it from reading both: ")
    assert 'first starts "but"' in text


def test_a_reader_says_what_its_training_says(parts):
    from gistmeter.training.entailment.learners import AdapterLearner
    from gistmeter.training.entailment.recipe import EntailmentRecipe
    from gistmeter.training.loop.pair_run import predict_logits

    learner = AdapterLearner(EntailmentRecipe(precision="fp32"), start=ENTAILMENT)
    trained = predict_logits(learner, learner.tokenizer.pairs(PAIRS))
    np.testing.assert_allclose(PairReader(parts).logits(PAIRS), trained, atol=1e-3)


@pytest.mark.parametrize("broken", [{"reader:base": None}, {"reader:shares": np.zeros(3, np.float32)}])
def test_half_a_reader_is_refused(broken, head_with_reader, tmp_path):
    tensors = {name: tensor for name, tensor in (load_file(head_with_reader) | broken).items() if tensor is not None}
    save_file(tensors, tmp_path / "half.safetensors", metadata={"reads": "mean@6"})
    with pytest.raises(MetricError, match=r"half\.safetensors is not a next-sentence head"):
        read_head(tmp_path / "half.safetensors")


def test_a_reader_for_other_weights_is_refused(parts):
    with pytest.raises(MetricError, match="trained for weights 0123, but all-MiniLM-L6-v2 here has others"):
        PairReader(ReaderParts(parts.arrays, "0123"))


def test_log_odds_of_order_change_sign_with_the_order():
    logits = np.array([[1.0, -2.0, 0.5], [-2.0, 1.0, 0.5]])  # next and reversed exchanged
    order, together = split_log_odds(logits).T
    assert order.tolist() == [3.0, -3.0]
    assert together[0] == together[1]


@pytest.mark.parametrize(
    ("first", "second", "longest", "expected"),
    [
        (4, 3, 10, [101, 1, 2, 3, 4, 102, 11, 12, 13, 102]),  # fits
        (4, 3, 9, [101, 2, 3, 4, 102, 11, 12, 13, 102]),  # the start of a long first sentence goes
        (9, 1, 8, [101, 6, 7, 8, 9, 102, 11, 102]),  # a short second one leaves its room to the first
        (1, 9, 8, [101, 1, 102, 11, 12, 13, 14, 102]),  # and the other way round
        (9, 0, 6, [101, 7, 8, 9, 102, 102]),
    ],
)
def test_a_long_pair_is_cut_around_its_joint(first, second, longest, expected):
    ids = np.array([101, *range(1, first + 1), 102, *range(11, 11 + second), 102])
    types = (np.arange(len(ids)) > first + 1).astype(int)
    cut = cut_around_joint(PairTokens(ids, types, np.arange(first + 2, first + 2 + second)), longest)
    assert cut.ids.tolist() == expected
    middle = expected.index(102)
    assert cut.types.tolist() == [0] * (middle + 1) + [1] * (len(expected) - middle - 1)
    assert cut.ids[cut.hypothesis].tolist() == [token for token in expected[middle:] if 10 < token < 100]


@pytest.mark.more
def test_a_sentence_longer_than_the_encoder_reads_is_judged(head_with_reader):
    endless = " ".join(["the council met and the council voted"] * 200)
    values = load_next_sentence(str(head_with_reader)).probabilities([(endless, "It closed."), ("It closed.", endless)])
    assert np.all((values > 0) & (values < 1))
