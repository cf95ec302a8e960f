"""The labelled cells of a table: their weights in resamples, and what is measured under weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats.labels.agreement import weighted_auc, weighted_balanced_accuracy
from gistmeter.stats.resampling.draws import split_draws
from gistmeter.stats.resampling.samples import draw_counts

if TYPE_CHECKING:
    from collections.abc import Callable

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import LabelCoefficient


class LabelledCells:
    """The labels of a table, and AUC and balanced accuracy under weights of its cells."""

    def __init__(self, truth: FloatArray) -> None:
        self.truth = truth
        self.present = ~np.isnan(truth)

    def draw_weights(self, method: Resampling, draws: int, rng: np.random.Generator) -> FloatArray:
        """How often each labelled cell is drawn in each of `draws` resamples; draws x cells."""
        systems, documents = self.truth.shape
        rows = np.ones((draws, systems)) if method == "documents" else draw_counts(systems, draws, rng)
        columns = np.ones((draws, documents)) if method == "systems" else draw_counts(documents, draws, rng)
        return np.asarray((rows[:, :, None] * columns[:, None, :])[:, self.present])

    def measure(self, rows: FloatArray, coefficient: LabelCoefficient, weights: FloatArray) -> FloatArray:
        """The coefficient of scores (AUC) or predictions (balanced accuracy) for each row of weights."""
        measured = weighted_auc if coefficient == "auc" else weighted_balanced_accuracy
        return measured(rows[self.present], self.truth[self.present], weights)


def in_small_batches(
    block: Callable[[int, np.random.Generator], FloatArray], cells: int
) -> Callable[[int, np.random.Generator], FloatArray]:
    """The same draws, a few at a time, so that large tables fit into memory."""

    def run(draws: int, rng: np.random.Generator) -> FloatArray:
        return np.concatenate([block(size, rng) for size in split_draws(draws, cells, "draws")])

    return run
