"""Long trainings on pairs of texts, whatever network learns."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from gistmeter.errors import DataError
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.resumable import ResumableTraining, linear_rate_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.loop.recipe import PairRecipe

SHUFFLE_BATCHES = 16
"""So many batches are shuffled together, sorted by length and cut anew, so that pairs of like length stand together."""


class PairLearner(Protocol):
    """A network that learns from pairs."""

    @property
    def learned(self) -> Mapping[str, torch.Tensor]:
        """The weights that learn, by name."""
        ...

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:
        """Logits for each pair; `numbers` are their positions among the training pairs."""
        ...

    def write(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the weights as they are used."""
        ...


class PairTraining(ResumableTraining["IntArray"]):
    """A training on pairs in its folder: `labels` says which of the pairs are learned from, and what they are."""

    free_settings = ("epochs", "check_every")

    def __init__(
        self,
        learner: PairLearner,
        pairs: Sequence[JoinedTokens],
        labels: Mapping[int, float] | Mapping[int, tuple[int, int]],
        folder: Path,
        *,
        recipe: PairRecipe,
        task: Literal["entailment", "presence", "answering", "next sentence", "consistency"],
        loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
        check: Callable[[], Mapping[str, float]] | None = None,
    ) -> None:
        if not labels:
            raise DataError("there are no pairs to learn from")
        self.learner, self.pairs, self.task = learner, pairs, task
        self._loss, self._check_pairs = loss, check
        self.pair_recipe = recipe
        self.numbers = np.array(list(labels))
        self.labels = np.array(list(labels.values()))
        self.lengths = np.array([len(pairs[number].ids) for number in labels])
        digest = hashlib.blake2b(self.labels.tobytes(), digest_size=8)
        for number in labels:
            digest.update(pairs[number].ids.tobytes())
        super().__init__(
            folder,
            recipe,
            learned=learner.learned,
            digest=digest.hexdigest(),
            steps=max(1, math.ceil(recipe.epochs * math.ceil(len(labels) / recipe.batch))),
        )

    def batches(self) -> Iterator[IntArray]:
        """The batches from the present step on; pairs of like length stand together, batches in any order."""
        step, epoch, size = 0, 0, self.pair_recipe.batch
        while step < (self.steps or 0):
            rng = np.random.default_rng((self.recipe.seed, epoch))
            order = rng.permutation(len(self.labels))
            for start in range(0, len(order), SHUFFLE_BATCHES * size):
                chunk = order[start : start + SHUFFLE_BATCHES * size]
                chunk = chunk[np.argsort(self.lengths[chunk], kind="stable")]
                cuts = [chunk[i : i + size] for i in range(0, len(chunk), size)]
                for number in rng.permutation(len(cuts)):
                    if self.step <= step < (self.steps or 0):
                        yield cuts[number]
                    step += 1
            epoch += 1

    def count_tokens(self, batch: IntArray) -> int:
        """The tokens of a batch."""
        return int(self.lengths[batch].sum())

    def loss(self, batch: IntArray) -> torch.Tensor:
        """The loss that the role gave."""
        torch = import_torch()
        numbers = self.numbers[batch].tolist()
        logits = self.learner.logits([self.pairs[number] for number in numbers], numbers)
        labels = torch.from_numpy(self.labels[batch])
        return self._loss(logits, labels.float() if labels.is_floating_point() else labels)

    def rate_share(self) -> float:
        """A warm-up, then a straight line down to nothing."""
        warm_up = max(1, round(self.pair_recipe.warm_up * (self.steps or 0)))
        return linear_rate_share(self.step, steps=self.steps, warm_up=warm_up)

    def check_figures(self) -> Mapping[str, float]:
        """The figures that the role measures, if any."""
        return dict(self._check_pairs()) if self._check_pairs else {}

    def write_weights(self) -> Path:
        """Write the weights, saying what they learned."""
        return self.learner.write(self.folder, {"steps": str(self.step), "learned": self.task})


def predict_logits(
    learner: PairLearner,
    pairs: Sequence[JoinedTokens],
    *,
    numbers: Sequence[int] | None = None,
    batch_tokens: int = 1024,
) -> StateArray:
    """The logits of pairs, in their order, without learning; `numbers` are their positions among training pairs."""
    torch = import_torch()
    logits = np.zeros((len(pairs), 3), dtype=np.float32)
    with torch.no_grad():
        for batch in split_into_batches([len(pair.ids) for pair in pairs], batch_tokens):
            of_batch = [numbers[i] for i in batch] if numbers is not None else None
            logits[batch] = learner.logits([pairs[i] for i in batch], of_batch).numpy()
    return logits


def select_short(labels: Mapping[int, float], pairs: Sequence[JoinedTokens], longest: int) -> dict[int, float]:
    """The labels of pairs that are not longer than so many tokens."""
    return {number: label for number, label in labels.items() if len(pairs[number].ids) <= longest}
