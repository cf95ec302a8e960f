"""A reader of two sentences: what it learns from, its loss, and how much it counts beside the other parts."""

import json

import numpy as np
import pytest
import torch

from gistmeter.errors import ArgumentError, DataError
from gistmeter.models.next_sentence.heads import PairVectors, read_head
from gistmeter.models.next_sentence.votes import Votes
from gistmeter.training.loop.check import Check, TrainingRun
from gistmeter.training.next_sentence import training
from gistmeter.training.next_sentence.combination import fit_shares
from gistmeter.training.next_sentence.joint_groups import OTHER_SHARES, draw_joint_groups
from gistmeter.training.next_sentence.reader import LONGEST_TOKENS, TrainedReader, reader_loss, train_reader
from gistmeter.training.next_sentence.recipe import NextSentenceData, NextSentenceRecipe
from gistmeter.training.next_sentence.training import train_next_sentence
from gistmeter.training.progress import SILENCE
from gistmeter.training.sources.sentences import SentenceText

pytestmark = pytest.mark.more

TEXTS = [
    SentenceText(
        f"d{number}", tuple(f"page {number} tells of its own long story thing {position}" for position in range(14))
    )
    for number in range(60)
]
WHERE = {sentence: (text.name, position) for text in TEXTS for position, sentence in enumerate(text.sentences)}


def test_every_joint_comes_with_its_reversal_and_often_with_another_pair():
    groups = draw_joint_groups(TEXTS, 500, seed=2)
    assert len(groups) == 500
    for joint, reversal, *others in groups:
        (document, position), (same, after) = WHERE[joint.first], WHERE[joint.second]
        assert (document, position + 1) == (same, after)
        assert (reversal.first, reversal.second) == (joint.second, joint.first)
        assert [pair.kind for pair in (joint, reversal, *others)] == [0, 1, 2][: 2 + len(others)]
        assert {pair.position for pair in (joint, reversal, *others)} == {position}
        for other in others:
            assert other.first == joint.first
            assert other.second not in (joint.first, joint.second)
    share = sum(len(group) > 2 for group in groups) / len(groups)
    assert 0.35 < share < sum(OTHER_SHARES.values()) + 0.02  # some joints have nothing far before or after them
    assert len({group[0] for group in groups}) == 500
    assert draw_joint_groups(TEXTS, 500, seed=2) == groups != draw_joint_groups(TEXTS, 500, seed=3)


def test_early_joints_are_drawn_more_often():
    positions = [WHERE[group[0].first][1] for group in draw_joint_groups(TEXTS, 200)]
    # of 13 joints each; weights exp(-i/10): the first four have .41 of the weight, the last four .17
    assert np.mean(np.array(positions) < 4) > 1.5 * np.mean(np.array(positions) > 8)


def test_a_gap_is_no_joint():
    text = SentenceText("d", ("one two three", None, "four five six", "seven eight nine"))
    (group,) = draw_joint_groups([text], 5)
    assert group[0].first == "four five six"


def test_the_loss_by_hand():
    logits = torch.log(torch.tensor([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.3, 0.2, 0.5]]))
    kinds = torch.tensor([0, 1, 2])
    # -mean(log .6, log .7, log .5), and the log odds of .6 against .2: log(1 + 1/3)
    expected = -np.mean(np.log([0.6, 0.7, 0.5])) + np.log(1 + 0.2 / 0.6)
    assert float(reader_loss(logits, kinds)) == pytest.approx(expected, abs=1e-6)


def test_shares_find_what_each_part_knows():
    rng = np.random.default_rng(0)
    kinds = rng.choice([0, 1, 2], size=4000, p=[0.3, 0.5, 0.2])
    signs = np.where(kinds == 0, 1.0, -1.0)
    informed = signs + rng.normal(size=4000)  # normal with means 1 and -1: the log odds are 2 x
    contrary = -signs + rng.normal(size=4000)
    noise = rng.normal(size=(4000, 2))
    shares = fit_shares(Votes(informed, contrary, noise), kinds, np.ones(4000))
    assert shares.networks == pytest.approx(2, abs=0.2)
    assert shares.cues == 0  # a part is never taken for the opposite of what it says
    assert max(shares.reader_order, shares.reader_together) < 0.1
    assert shares.bias == pytest.approx(0, abs=0.1)  # joints weigh as much as all others
    nothing = np.zeros(4000)
    better = fit_shares(Votes(nothing, nothing, np.column_stack([informed, noise[:, 0]])), kinds, np.ones(4000))
    assert better.reader_order == pytest.approx(2, abs=0.2)
    # half of the pairs, in which nothing can be told, weigh nothing
    later = np.arange(4000) >= 2000
    mixed = np.where(later, noise[:, 1], informed)
    early = fit_shares(Votes(mixed, nothing, noise), kinds, np.where(later, 1e-9, 1.0))
    assert early.networks == pytest.approx(2, abs=0.3)
    assert fit_shares(Votes(mixed, nothing, noise), kinds, np.ones(4000)).networks < 1.5


class HandReader:
    """Reads the numbers in two sentences: neighbours are told, and their order."""

    def __init__(self, *_):
        pass

    def logits(self, pairs):
        numbers = [[[int(word) for word in text.split() if word.isdigit()] for text in pair] for pair in pairs]
        positions = [[of_text[-1] if of_text else 0 for of_text in of_pair] for of_pair in numbers]
        steps = [second - first for first, second in positions]
        return np.array([[step, -step, -3.0] if abs(step) == 1 else [0.0, 0.0, 3.0] for step in steps])


def test_a_head_is_trained_with_a_reader_and_its_card_tells(tmp_path, monkeypatch):
    from gistmeter.models.next_sentence import votes
    from gistmeter.models.next_sentence.reader import ReaderParts

    asked = {}

    def fake(groups, checked, folder, *, seed, progress):
        asked.update(groups=len(groups), folder=folder.name, checked=len(checked))
        check = Check(step=5, steps=5, seconds=60.0, tokens=900, loss=1.0)
        run = TrainingRun(file=folder, checks=(check,), tokens=900, plans=((0, 5),))
        return TrainedReader(ReaderParts({"head.out.bias": np.zeros(3, np.float32)}, "abc"), run, len(groups))

    class NoVectors:
        digest = "by hand"

        def of(self, texts):
            return PairVectors(*np.zeros((2, len(texts), 384), np.float32))

    monkeypatch.setattr(training, "load_vector_source", lambda _, **__: NoVectors())
    monkeypatch.setattr(training, "train_reader", fake)
    monkeypatch.setattr(votes, "PairReader", HandReader)
    file = tmp_path / "docs.jsonl"
    records = [json.dumps({"paragraphs": [f"{'. '.join(text.sentences)}."]}) for text in TEXTS]
    file.write_text("\n".join(records), "utf-8")
    data = NextSentenceData(data=(str(file),), start="embedded")
    trained = train_next_sentence(
        tmp_path / "h.safetensors", data, recipe=NextSentenceRecipe(pairs=100, reader=300, order=0)
    )
    assert asked == {"groups": 300, "folder": "h.reader", "checked": 6 * 13}
    assert trained.order.order == 1.0  # the networks alone, which see nothing here, tell none
    head = read_head(trained.file)
    assert head.shares.reader_order > 0
    assert head.reader.base_weights == "abc"
    card = trained.card.read_text("utf-8")
    for phrase in (
        "It learned from 300 joints",
        "5 steps of 16 joints",
        f"reader order {head.shares.reader_order:.3f}",
    ):
        assert phrase in card


def test_a_reader_is_for_english():
    with pytest.raises(ArgumentError, match="--reader reads English"):
        NextSentenceRecipe(reader=100, multilingual=True)
    with pytest.raises(ArgumentError, match="--reader is for the embedded head"):
        NextSentenceRecipe(reader=100).refuse_unused()


@pytest.mark.slow
def test_a_reader_learns_goes_on_and_repeats_itself(tmp_path):
    subjects = ("boat", "bridge", "library", "museum", "storm", "school")
    texts = [
        SentenceText(
            f"{subject} {number}",
            (f"A new {subject} was opened in town {number}.", f"But the {subject} was closed again within a week."),
        )
        for subject in subjects
        for number in range(12)
    ]
    groups = draw_joint_groups(texts[:60], 60)
    held_out = [group[0] for group in draw_joint_groups(texts[60:], 12)]
    checked = [(pair.first, pair.second) for pair in held_out]
    trained = train_reader(groups, checked, tmp_path / "a", seed=0, progress=SILENCE)
    assert trained.groups == 60
    assert trained.run.checks[-1].figures["order of development joints"] > 0.9
    again = train_reader(groups, checked, tmp_path / "b", seed=0, progress=SILENCE)
    assert all(np.array_equal(trained.parts.arrays[name], again.parts.arrays[name]) for name in trained.parts.arrays)
    # a finished training in its folder is read, not run again
    read = train_reader(groups, checked, tmp_path / "a", seed=0, progress=SILENCE)
    assert read.run.tokens == trained.run.tokens
    with pytest.raises(DataError, match="other settings or data"):
        train_reader(groups[:30], checked, tmp_path / "a", seed=0, progress=SILENCE)


def test_joints_too_long_to_learn_from_are_refused(tmp_path):
    endless = " ".join(["word"] * LONGEST_TOKENS)
    groups = draw_joint_groups([SentenceText("d", (endless, endless))], 3)
    with pytest.raises(DataError, match="nothing to learn from"):
        train_reader(groups, [], tmp_path / "a", seed=0, progress=SILENCE)
