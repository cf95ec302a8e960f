"""Does one score tell labels apart better than another? By swapping scores, and by the bootstrap.

What is swapped or drawn together says what the answer holds for; `documents`, the default, is for these systems on
other documents. Thresholds stay as they are, because they were chosen elsewhere. The AUC looks at ranks alone, so
before scores of two metrics are swapped they become ranks (Venkatraman and Begg, 1996); ranks that tie after that
count half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.stats.hypothesis import Alternative, TestResult, share_as_extreme
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.labels.agreement import (
    agree_with_labels,
    labelled_cells,
    predict_labels,
    weighted_balanced_accuracy,
)
from gistmeter.stats.labels.cells import LabelledCells, in_small_batches
from gistmeter.stats.resampling.samples import Resampling, run_in_blocks
from gistmeter.stats.resampling.swap_marks import Swapping, draw_swap_marks
from gistmeter.stats.tables import LabelCoefficient, align_cells, check_choice
from gistmeter.stats.ties import snap_ties, tie_width

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import BoolArray, FloatArray


def label_permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    labels: ArrayLike,
    *,
    coefficient: LabelCoefficient = "auc",
    thresholds: tuple[ArrayLike, ArrayLike] | None = None,
    method: Swapping = "documents",
    alternative: Alternative = "two-sided",
    permutations: int = 1000,
    seed: int = 0,
    workers: int = 1,
) -> TestResult:
    """Test by swapping the ranks (AUC) or the predictions (balanced accuracy) of two metrics.

    Parameters
    ----------
    x, y, labels : array_like
        The scores of the two metrics and the labels, systems x documents. A cell missing in one is left out of all.
    coefficient : {"auc", "balanced-accuracy"}
        What is compared.
    thresholds : two of float or array_like
        For balanced accuracy, the threshold of x and that of y, each as in `agree_with_labels`.
    method : {"systems", "documents", "both", "crossed"}
        What is swapped together; "both" is each summary for itself.
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether x is the better metric.
    permutations : int
        How many times they are swapped.
    seed, workers : int
        The seed of the swaps, and how many threads share them: any number of workers gives the same result.

    Returns
    -------
    TestResult
        At the level "pooled".

    Raises
    ------
    ArgumentError
        A choice does not exist, a number is out of its range, or thresholds are missing.
    DataError
        A label is neither 0 nor 1, or all are the same.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.integers(2, size=(4, 60))
    >>> good, poor = labels + rng.normal(size=(4, 60)), labels + 4 * rng.normal(size=(4, 60))
    >>> label_permutation_test(good, poor, labels).pvalue
    0.000999...
    """
    check_choice("method", method, Swapping)
    compared = _ComparedCells(x, y, labels, coefficient, thresholds)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        marks = draw_swap_marks(compared.cells.truth.shape, draws, method, rng)
        return compared.swap_differences(marks.astype(bool))

    return compared.test("permutation", method, alternative, permutations, block, seed=seed, workers=workers)


def label_bootstrap_test(
    x: ArrayLike,
    y: ArrayLike,
    labels: ArrayLike,
    *,
    coefficient: LabelCoefficient = "auc",
    thresholds: tuple[ArrayLike, ArrayLike] | None = None,
    method: Resampling = "documents",
    alternative: Alternative = "two-sided",
    resamples: int = 1000,
    seed: int = 0,
    workers: int = 1,
) -> TestResult:
    """Test by drawing summaries anew: how often is the difference on the other side of 0?

    Parameters
    ----------
    x, y, labels, coefficient, thresholds, alternative, seed, workers
        As in `label_permutation_test`.
    method : {"documents", "systems", "both"}
        What is drawn anew, with replacement.
    resamples : int
        How many resamples are drawn.

    Returns
    -------
    TestResult
        At the level "pooled".

    Raises
    ------
    ArgumentError, DataError
        As for `label_permutation_test`; or there is too little to resample.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> labels = rng.integers(2, size=(4, 60))
    >>> good, poor = labels + rng.normal(size=(4, 60)), labels + 4 * rng.normal(size=(4, 60))
    >>> label_bootstrap_test(good, poor, labels).pvalue < 0.01
    True
    """
    check_choice("method", method, Resampling)
    compared = _ComparedCells(x, y, labels, coefficient, thresholds)
    check_resampling(method, *compared.cells.truth.shape)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return compared.resample_differences(compared.cells.draw_weights(method, draws, rng))

    return compared.test("bootstrap", method, alternative, resamples, block, seed=seed, workers=workers)


class _ComparedCells:
    """Two metrics on the same labelled cells: as ranks for the AUC, as predictions for balanced accuracy."""

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        labels: ArrayLike,
        coefficient: LabelCoefficient,
        thresholds: tuple[ArrayLike, ArrayLike] | None,
    ) -> None:
        check_choice("coefficient", coefficient, LabelCoefficient)
        if (thresholds is None) is not (coefficient == "auc"):
            raise ArgumentError("balanced accuracy needs `thresholds`, one for each metric; the AUC has none")
        self.coefficient = coefficient
        metrics = align_cells(x, y, labels)[:2]
        self.cells = LabelledCells(labelled_cells(metrics[0], labels)[1])
        limits = thresholds or (None, None)
        self.of_x, self.of_y = (
            agree_with_labels(metric, self.cells.truth, coefficient=coefficient, threshold=limit).value
            for metric, limit in zip(metrics, limits, strict=True)
        )
        self.rows = [
            self._rank(metric) if coefficient == "auc" else predict_labels(metric, limit)
            for metric, limit in zip(metrics, limits, strict=True)
        ]

    def _rank(self, metric: FloatArray) -> FloatArray:
        """The ranks of the labelled cells, ties sharing the mean of theirs; NaN elsewhere."""
        ranks = np.full_like(metric, np.nan)
        scores = metric[self.cells.present]
        ranks[self.cells.present] = _rank_rows(snap_ties(scores, tie_width(scores))[None, :])[0]
        return ranks

    def resample_differences(self, weights: FloatArray) -> FloatArray:
        """The difference of the two metrics for each row of weights."""
        of_x, of_y = (self.cells.measure(rows, self.coefficient, weights) for rows in self.rows)
        return np.asarray(of_x - of_y)

    def swap_differences(self, marks: BoolArray) -> FloatArray:
        """The difference of the two metrics for each draw of marks (draws x systems x documents) on what is swapped."""
        shape = (len(marks), *self.cells.truth.shape)
        swapped = np.broadcast_to(marks, shape)[:, self.cells.present]
        of_x, of_y = (rows[self.cells.present] for rows in self.rows)
        first = self._measure_rows(np.where(swapped, of_y, of_x))
        return first - self._measure_rows(np.where(swapped, of_x, of_y))

    def _measure_rows(self, rows: FloatArray) -> FloatArray:
        """The coefficient of each row of ranks or predictions of the labelled cells."""
        truth = self.cells.truth[self.cells.present]
        if self.coefficient == "balanced-accuracy":
            return weighted_balanced_accuracy(rows, truth, np.ones((1, len(truth))))
        positive = truth.sum()
        # The sum of the positives' ranks counts the negatives that they beat (Mann and Whitney).
        beaten = (_rank_rows(rows) * truth).sum(axis=1) - positive * (positive + 1) / 2
        return np.asarray(beaten / (positive * (len(truth) - positive)))

    def test(
        self,
        kind: Literal["permutation", "bootstrap"],
        method: Swapping,
        alternative: Alternative,
        draws: int,
        block: Callable[[int, np.random.Generator], FloatArray],
        *,
        seed: int,
        workers: int,
    ) -> TestResult:
        """The result of a test whose draws `block` makes."""
        check_choice("alternative", alternative, Alternative)
        name = "permutations" if kind == "permutation" else "resamples"
        samples = run_in_blocks(
            draws, in_small_batches(block, self.cells.truth.size), name=name, seed=seed, workers=workers
        )
        statistic = self.of_x - self.of_y
        defined = samples[~np.isnan(samples)]
        # Resamples vary around the observed difference, permutations around none.
        centre = statistic if kind == "bootstrap" else 0.0
        return TestResult(
            pvalue=share_as_extreme(defined - centre, statistic, alternative),
            statistic=statistic,
            of_x=self.of_x,
            of_y=self.of_y,
            alternative=alternative,
            test=kind,
            level="pooled",
            coefficient=self.coefficient,
            method=method,
            draws=draws,
            undefined=len(samples) - len(defined),
            samples=samples,
        )


def _rank_rows(rows: FloatArray) -> FloatArray:
    """Ranks from 1 along each row; ties share the mean of their ranks."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(rows, axis=1))
