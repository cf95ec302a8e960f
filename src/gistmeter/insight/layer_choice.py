"""Which layer is best, and by how much it leads: by mean rank (FFCI) or by mean correlation (paper 003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.insight.judged_summaries import JudgedSummary
    from gistmeter.stats.correlation import Coefficient

LayerChoice = Literal["rank", "mean"]
"""By the mean rank over groups (FFCI), or by the mean correlation (Koto, Lau and Baldwin, 2021)."""


@dataclass(frozen=True, slots=True)
class LayerLead:
    """By how much the mean correlation of the layer chosen is higher than that of the next, with its interval."""

    runner_up: int
    difference: float
    low: float
    high: float
    confidence: float
    resamples: int


def order_rows(values: FloatArray, by: LayerChoice = "rank") -> list[int]:
    """The rows of a table (methods x groups), the best first; of equal ones that which the other rule prefers.

    >>> values = np.array([[0.5, 0.5, 0.1], [0.4, 0.4, 0.9]])
    >>> order_rows(values, "rank"), order_rows(values, "mean")
    ([0, 1], [1, 0])
    """
    ranks, means = stats.average_ranks(values), average_rows(values)
    first, second = (ranks, -means) if by == "rank" else (-means, ranks)
    return [int(row) for row in np.lexsort((second, first))]


def average_rows(values: FloatArray) -> FloatArray:
    """The mean of each row over what is defined in it; nothing defined comes last.

    >>> average_rows(np.array([[0.2, np.nan], [np.nan, np.nan]]))
    array([ 0.2, -inf])
    """
    counts = (~np.isnan(values)).sum(axis=1)
    return np.where(counts > 0, np.nansum(values, axis=1) / np.maximum(counts, 1), -np.inf)


def correlate_groups(
    scores: FloatArray, people: FloatArray, groups: Sequence[IntArray], coefficient: Coefficient
) -> FloatArray:
    """The correlation of each column of scores (rows) with people within each group (columns)."""
    return np.array([[_correlate(column[rows], people[rows], coefficient) for rows in groups] for column in scores.T])


def measure_lead(
    judged: Sequence[JudgedSummary],
    scores: FloatArray,
    people: FloatArray,
    layers: Sequence[int],
    *,
    coefficient: Coefficient = "pearson",
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> LayerLead:
    """The lead of the first of two layers over the second, its interval by resampling documents.

    `scores` has the two columns of the two layers. A document is drawn with all its summaries, so that summaries of
    one text do not count as independent.
    """
    groups = _number_groups(judged)
    documents = np.unique([summary.example.doc_id for summary in judged], return_inverse=True)[1]
    rows_of = [np.flatnonzero(documents == document) for document in range(documents.max() + 1)]
    rng = np.random.default_rng(seed)
    drawn: list[float] = []
    for _ in range(resamples):
        rows = np.concatenate([rows_of[document] for document in rng.integers(len(rows_of), size=len(rows_of))])
        in_groups = [rows[groups[rows] == group] for group in range(groups.max() + 1)]
        drawn.append(_difference(correlate_groups(scores, people, in_groups, coefficient)))
    whole = [np.flatnonzero(groups == group) for group in range(groups.max() + 1)]
    defined = np.array([value for value in drawn if not np.isnan(value)])
    edges = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2]) if len(defined) else (np.nan, np.nan)
    return LayerLead(
        runner_up=layers[1],
        difference=_difference(correlate_groups(scores, people, whole, coefficient)),
        low=float(edges[0]),
        high=float(edges[1]),
        confidence=confidence,
        resamples=len(defined),
    )


def _number_groups(judged: Sequence[JudgedSummary]) -> IntArray:
    names = list(dict.fromkeys(summary.group for summary in judged))
    return np.array([names.index(summary.group) for summary in judged])


def _difference(values: FloatArray) -> float:
    """The mean difference of two rows over the groups in which both are defined."""
    differences = values[0] - values[1]
    defined = differences[~np.isnan(differences)]
    return float(defined.mean()) if len(defined) else float("nan")


def _correlate(scores: FloatArray, people: FloatArray, coefficient: Coefficient) -> float:
    try:
        return stats.correlate(scores[None], people[None], level="pooled", coefficient=coefficient).value
    except DataError:  # too few, or all the same
        return float("nan")
