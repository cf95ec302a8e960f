"""How well a table of scores tells two labels apart: ROC-AUC, and balanced accuracy at a threshold.

Labels are a table of 0 and 1, systems x documents, such as whether a summary is consistent with its document. A cell
that is NaN in one table is left out of both.

    auc                how often a summary labelled 1 scores above one labelled 0 (a tie is half), over all such pairs
    balanced-accuracy  the mean of two shares: of 1s that score at least the threshold, and of 0s that score below it

Both are 0.5 for a score that knows nothing, however rare a label is. A threshold chosen on the summaries it is then
tested on flatters the score, so `choose_threshold` takes tables of its own: a development part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.tables import LabelCoefficient, align_cells, check_choice, check_seed
from gistmeter.stats.ties import snap_ties, tie_width

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """How well scores tell two labels apart, and what that rests on."""

    value: float
    coefficient: LabelCoefficient
    positive: int
    """How many summaries are labelled 1."""
    negative: int
    """How many summaries are labelled 0."""
    missing: int
    """How many cells were left out of both tables, being NaN in at least one."""


def agree_with_labels(
    x: ArrayLike, labels: ArrayLike, *, coefficient: LabelCoefficient = "auc", threshold: ArrayLike | None = None
) -> LabelAgreement:
    """How well scores tell summaries labelled 1 from those labelled 0.

    Parameters
    ----------
    x : array_like
        The scores, systems x documents; higher scores should go with the label 1.
    labels : array_like
        A table of 0 and 1 of the same size, NaN where there is no label.
    coefficient : {"auc", "balanced-accuracy"}
        What is measured.
    threshold : float or array_like
        For balanced accuracy, the score from which on a summary counts as 1: one for all, or one for each document.
        Choose it on other summaries than these, with `choose_threshold`.

    Returns
    -------
    LabelAgreement

    Raises
    ------
    ArgumentError
        A choice does not exist, or `threshold` is missing, or is given for the AUC.
    DataError
        A label is neither 0 nor 1, all labels are the same, or the tables have different sizes.

    Examples
    --------
    >>> scores = [[0.9, 0.4], [0.3, 0.4]]
    >>> consistent = [[1, 1], [0, 0]]
    >>> agree_with_labels(scores, consistent).value  # of the four pairs three are in order and one is tied
    0.875
    >>> agree_with_labels(scores, consistent, coefficient="balanced-accuracy", threshold=0.35).value
    0.75
    """
    check_choice("coefficient", coefficient, LabelCoefficient)
    a, b = labelled_cells(x, labels)
    present = ~np.isnan(a)
    weights = present.reshape(1, -1)[:, present.ravel()].astype(np.float64)
    truth = b[present]
    if coefficient == "auc":
        if threshold is not None:
            raise ArgumentError("the AUC has no `threshold`: it looks at all of them")
        value = weighted_auc(a[present], truth, weights)[0]
    else:
        value = weighted_balanced_accuracy(predict_labels(a, threshold)[present], truth, weights)[0]
    return LabelAgreement(
        value=float(value),
        coefficient=coefficient,
        positive=int(truth.sum()),
        negative=int((1 - truth).sum()),
        missing=int((~present).sum()),
    )


def choose_threshold(x: ArrayLike, labels: ArrayLike) -> float:
    """The threshold with the best balanced accuracy on a development part; the middle one where several are as good.

    Candidates lie halfway between neighbouring scores, and below and above all of them.

    Parameters
    ----------
    x : array_like
        Scores of a development part, systems x documents; higher scores should go with the label 1.
    labels : array_like
        A table of 0 and 1 of the same size, NaN where there is no label.

    Returns
    -------
    float
        From this score on a summary counts as 1; it may be infinite, where calling all alike is best.

    Raises
    ------
    DataError
        A label is neither 0 nor 1, or all labels are the same.

    Examples
    --------
    >>> choose_threshold([[0.9, 0.8], [0.3, 0.6]], [[1, 1], [0, 0]])
    0.7
    """
    a, b = labelled_cells(x, labels)
    present = ~np.isnan(a)
    scores, truth = a[present], b[present]
    values, positions = np.unique(scores, return_inverse=True)
    positive = np.bincount(positions, weights=truth, minlength=len(values))
    negative = np.bincount(positions, weights=1 - truth, minlength=len(values))
    # Candidate number k calls the k lowest values 0 and the others 1.
    positive_below = np.concatenate([[0.0], np.cumsum(positive)])
    negative_below = np.concatenate([[0.0], np.cumsum(negative)])
    # Cross-multiplied whole numbers: equally good candidates are exactly equal.
    quality = (positive.sum() - positive_below) * negative.sum() + negative_below * positive.sum()
    best = np.flatnonzero(quality == quality.max())
    return float(_thresholds_between(values)[best[len(best) // 2]])


def cross_fit_thresholds(x: ArrayLike, labels: ArrayLike, *, folds: int = 5, seed: int = 0) -> FloatArray:
    """A threshold for each document, chosen on the documents of the other folds, as `threshold` of balanced accuracy.

    Parameters
    ----------
    x : array_like
        The scores, systems x documents; higher scores should go with the label 1.
    labels : array_like
        A table of 0 and 1 of the same size, NaN where there is no label.
    folds : int
        In how many folds the documents are divided.
    seed : int
        Says which folds are drawn.

    Returns
    -------
    array of float
        The threshold of each document.

    Raises
    ------
    ArgumentError
        There are fewer than two folds.
    DataError
        There are fewer documents than folds, a label is neither 0 nor 1, or the other folds have one label only.

    Examples
    --------
    >>> scores, labels = [[0.9, 0.8, 0.9, 0.7]], [[1, 0, 1, 0]]
    >>> cross_fit_thresholds(scores, labels, folds=2).shape
    (4,)
    """
    if folds < 2:
        raise ArgumentError(f"`folds` is at least 2, not {folds}")
    check_seed(seed)
    a, b = labelled_cells(x, labels)
    labelled = np.flatnonzero(~np.isnan(b).all(axis=0))
    if len(labelled) < folds:
        raise DataError(
            f"thresholds from {folds} folds need as many documents with labels, but there are {len(labelled)}"
        )
    fold_of_document = np.full(a.shape[1], -1)
    fold_of_document[np.random.default_rng(seed).permutation(labelled)] = np.arange(len(labelled)) % folds
    thresholds = np.zeros(a.shape[1])
    for fold in range(folds):
        others = fold_of_document != fold
        thresholds[~others] = choose_threshold(a[:, others], b[:, others])
    return thresholds


def labelled_cells(x: ArrayLike, labels: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Scores and labels as float tables, NaN in both where one is NaN; labels that are not 0 and 1 are refused."""
    a, b = align_cells(x, labels)
    truth = b[~np.isnan(b)]
    wrong = truth[(truth != 0) & (truth != 1)]
    if len(wrong):
        raise DataError(f"labels are 0 or 1, but there is {wrong[0]:g}: say from which value on a judgment counts as 1")
    if not (truth == 1).any() or not (truth == 0).any():
        only = "there is none" if not len(truth) else f"all {len(truth)} are {truth[0]:g}"
        raise DataError(f"telling labels apart needs summaries labelled 0 and summaries labelled 1, but {only}")
    return a, b


def predict_labels(x: FloatArray, threshold: ArrayLike | None) -> FloatArray:
    """1 where a score reaches the threshold (one for all, or one for each document), else 0."""
    if threshold is None:
        raise ArgumentError("balanced accuracy needs a `threshold`, chosen on a development part")
    limits = np.asarray(threshold, dtype=np.float64)
    if np.isnan(limits).any():
        raise ArgumentError("a `threshold` must be a number, not NaN")
    if limits.ndim > 1 or (limits.ndim == 1 and len(limits) != x.shape[1]):
        raise ArgumentError(f"`threshold` is one number, or one for each of {x.shape[1]} documents")
    return np.asarray(x >= limits, dtype=np.float64)


def weighted_auc(scores: FloatArray, truth: FloatArray, weights: FloatArray) -> FloatArray:
    """The AUC for each row of weights (draws x summaries); NaN where a label has no weight.

    Scores that differ by a rounding error only (`gistmeter.stats.ties`) tie.

    >>> weighted_auc(np.array([1.0, 2, 2]), np.array([0.0, 0, 1]), np.array([[1.0, 1, 1], [0, 2, 1], [1, 1, 0]]))
    array([0.75, 0.5 ,  nan])
    """
    scores = snap_ties(scores, tie_width(scores))
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    positive = np.add.reduceat(weights[:, order] * truth[order], starts, axis=1)
    negative = np.add.reduceat(weights[:, order] * (1 - truth[order]), starts, axis=1)
    # A positive beats the negatives below its value, and half of those at its value.
    beaten = np.cumsum(negative, axis=1) - negative / 2
    with np.errstate(invalid="ignore"):
        return np.asarray((positive * beaten).sum(axis=1) / (positive.sum(axis=1) * negative.sum(axis=1)))


def weighted_balanced_accuracy(predicted: FloatArray, truth: FloatArray, weights: FloatArray) -> FloatArray:
    """The balanced accuracy for each row of weights (draws x summaries); NaN where a label has no weight.

    `predicted` is one row for all draws, or a row for each.

    >>> weighted_balanced_accuracy(np.array([1.0, 0, 1]), np.array([1.0, 0, 0]), np.array([[1.0, 1, 1], [1, 3, 1]]))
    array([0.75 , 0.875])
    """
    rows = np.atleast_2d(predicted)
    positive, negative = weights * truth, weights * (1 - truth)
    with np.errstate(invalid="ignore"):
        sensitivity = (positive * rows).sum(axis=1) / positive.sum(axis=1)
        specificity = (negative * (1 - rows)).sum(axis=1) / negative.sum(axis=1)
    return np.asarray((sensitivity + specificity) / 2)


def _thresholds_between(values: FloatArray) -> FloatArray:
    """Below all of the sorted values, halfway between neighbours, and above all."""
    # Where no number lies between two neighbours, the upper one: a score reaches its own threshold.
    halves = np.maximum(values[:-1] / 2 + values[1:] / 2, np.nextafter(values[:-1], np.inf))
    return np.concatenate([[-np.inf], halves, [np.inf]])
