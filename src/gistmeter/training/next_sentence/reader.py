"""Training a reader of two sentences: small parts on the embedded encoder, from those of the entailment model on.

The entailment model has learned to compare two texts already. What its lower layers say of a sentence stays; the upper
ones and the head learn three classes: next, reversed, other. Beside the cross-entropy every joint is to be likelier
next than its reversal.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.models.entailment.model import WEIGHTS as ENTAILMENT_WEIGHTS
from gistmeter.models.next_sentence.heads import normalize_spelling
from gistmeter.models.next_sentence.reader import NEXT, REVERSED, ReaderParts
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.entailment.learners import AdapterLearner
from gistmeter.training.entailment.recipe import EntailmentRecipe
from gistmeter.training.loop.check import tell_check
from gistmeter.training.loop.pair_run import PairTraining, predict_logits
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.tokenizer import PairTokens
    from gistmeter.training.loop.check import Check, TrainingRun
    from gistmeter.training.next_sentence.joint_groups import ReadPair
    from gistmeter.training.progress import Progress

FIRST_LAYER = 2
GROUPS_TO_A_STEP = 16
LONGEST_TOKENS = 128
RATE = 1e-3
CHECKED_JOINTS = 400
"""Joints of development documents to look at while training."""


class TrainedReader(NamedTuple):
    """The parts of a reader, and how its training went."""

    parts: ReaderParts
    run: TrainingRun
    groups: int
    """Joints that it learned from."""


def train_reader(
    groups: Sequence[Sequence[ReadPair]],
    checked: Sequence[tuple[str, str]],
    folder: Path,
    *,
    seed: int,
    progress: Progress,
) -> TrainedReader:
    """Learn from groups of pairs, or go on where an interrupted training in this folder stopped.

    `checked` are joints of development documents, whose order is asked for at every check.
    """
    recipe = EntailmentRecipe(
        seed=seed, rate=RATE, batch=GROUPS_TO_A_STEP, first=FIRST_LAYER, precision="fp32",
        check_every=500,
    )  # fmt: skip
    learner = AdapterLearner(recipe, start=ENTAILMENT_WEIGHTS)
    tokens = iter(learner.tokenizer.pairs([(pair.first, pair.second) for group in groups for pair in group]))
    read_groups = [[(next(tokens), pair.kind) for pair in group] for group in groups]
    short = [group for group in read_groups if max(len(pair.ids) for pair, _ in group) <= LONGEST_TOKENS]
    if not short:
        raise DataError(f"no joint has at most {LONGEST_TOKENS} tokens, so that a reader has nothing to learn from")
    spelled = [(normalize_spelling(first), normalize_spelling(second)) for first, second in checked[:CHECKED_JOINTS]]
    both_orders = learner.tokenizer.pairs([*spelled, *((second, first) for first, second in spelled)])

    def check() -> Mapping[str, float]:
        logits = predict_logits(learner, both_orders)
        forward, backward = np.split(logits[:, NEXT] - logits[:, REVERSED], 2)
        return {"order of development joints": float((forward > backward).mean())}

    def report(at: Check) -> None:
        tell_check(progress, at)

    training = _GroupTraining(learner, short, folder, recipe=recipe, check=check if spelled else None)
    run = training.run(report)
    arrays = {name: part.detach().numpy() for name, part in learner.parts.items()}
    return TrainedReader(ReaderParts(arrays, digest_files(learner.base.weights)), run, len(short))


class _GroupTraining(PairTraining):
    """A training whose batches are whole groups: a joint is always beside its reversal."""

    def __init__(
        self,
        learner: AdapterLearner,
        groups: Sequence[Sequence[tuple[PairTokens, int]]],
        folder: Path,
        *,
        recipe: EntailmentRecipe,
        check: Callable[[], Mapping[str, float]] | None,
    ) -> None:
        self._kinds = np.array([kind for group in groups for _, kind in group])
        self._ends = np.cumsum([len(group) for group in groups])
        starts = self._ends - np.array([len(group) for group in groups])
        super().__init__(
            learner,
            [pair for group in groups for pair, _ in group],
            {int(start): number for number, start in enumerate(starts)},
            folder,
            recipe=recipe,
            task="next sentence",
            loss=reader_loss,
            check=check,
        )

    def _rows_of(self, batch: IntArray) -> list[int]:
        """The pairs of the groups of a batch; a group is known by its first pair."""
        spans = zip(self.numbers[batch].tolist(), self._ends[self.labels[batch]].tolist(), strict=True)
        return list(itertools.chain.from_iterable(range(start, end) for start, end in spans))

    def count_tokens(self, batch: IntArray) -> int:
        """The tokens of all pairs of a batch."""
        return sum(len(self.pairs[row].ids) for row in self._rows_of(batch))

    def loss(self, batch: IntArray) -> torch.Tensor:
        """The loss of all pairs of a batch."""
        rows = self._rows_of(batch)
        kinds = import_torch().from_numpy(self._kinds[rows])
        return self._loss(self.learner.logits([self.pairs[row] for row in rows]), kinds)


def reader_loss(logits: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of three classes, and of each joint being likelier next than its reversal, which follows it."""
    functional = import_torch().nn.functional
    next_share = functional.log_softmax(logits, dim=1)[:, NEXT]
    margins = next_share[kinds == NEXT] - next_share[kinds == REVERSED]
    loss: torch.Tensor = functional.cross_entropy(logits, kinds) + functional.softplus(-margins).mean()
    return loss
