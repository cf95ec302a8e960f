"""How sure is an AUC or a balanced accuracy? The bootstrap by documents, systems or both.

Summaries of one document have much in common, and so have those of one system: what is drawn together says what the
interval holds for. `documents`, the default, is for these systems on other documents. A threshold is the
same in every resample, because it was chosen elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.labels.agreement import agree_with_labels, labelled_cells, predict_labels
from gistmeter.stats.labels.cells import LabelledCells, in_small_batches
from gistmeter.stats.resampling.samples import Resampling, run_in_blocks
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.tables import LabelCoefficient


@dataclass(frozen=True, slots=True)
class LabelInterval:
    """How well scores tell two labels apart, with a percentile interval of the bootstrap."""

    value: float
    low: float
    high: float
    confidence: float
    coefficient: LabelCoefficient
    method: Resampling
    """What was resampled."""
    resamples: int
    undefined: int
    """How many resamples had one label only; they are left out."""
    samples: FloatArray = field(repr=False, compare=False)
    """The values of the resamples that had both labels."""


def label_interval(
    x: ArrayLike,
    labels: ArrayLike,
    *,
    coefficient: LabelCoefficient = "auc",
    threshold: ArrayLike | None = None,
    method: Resampling = "documents",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> LabelInterval:
    """A bootstrap interval of the AUC or the balanced accuracy.

    Parameters
    ----------
    x, labels, coefficient, threshold
        As in `agree_with_labels`. The threshold is the same in every resample.
    method : {"documents", "systems", "both"}
        What is drawn anew, with replacement.
    resamples : int
        How many resamples are drawn.
    confidence : float
        How often intervals made this way should hold the true value.
    seed, workers : int
        The seed of the draws, and how many threads share them: any number of workers gives the same result.

    Returns
    -------
    LabelInterval

    Raises
    ------
    ArgumentError
        A choice does not exist, a number is out of its range, or the threshold is missing.
    DataError
        A label is neither 0 nor 1, all are the same, or there is too little to resample.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.integers(2, size=(4, 60))
    >>> result = label_interval(labels + rng.normal(size=(4, 60)), labels)
    >>> round(result.value, 2), round(result.low, 2), round(result.high, 2)
    (0.84, 0.79, 0.89)
    """
    check_choice("method", method, Resampling)
    check_share("confidence", confidence)
    observed = agree_with_labels(x, labels, coefficient=coefficient, threshold=threshold)
    a, b = labelled_cells(x, labels)
    check_resampling(method, *a.shape)
    cells = LabelledCells(b)
    rows = a if coefficient == "auc" else predict_labels(a, threshold)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return cells.measure(rows, coefficient, cells.draw_weights(method, draws, rng))

    samples = run_in_blocks(resamples, in_small_batches(block, a.size), name="resamples", seed=seed, workers=workers)
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        raise DataError(f"none of the {resamples} resamples has summaries of both labels")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return LabelInterval(
        value=observed.value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        coefficient=coefficient,
        method=method,
        resamples=resamples,
        undefined=len(samples) - len(defined),
        samples=defined,
    )
