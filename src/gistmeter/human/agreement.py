"""How far raters agree: a rater with the rest, Krippendorff's alpha, the majority and who is outside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.human.raters import rater_table
from gistmeter.stats import correlate
from gistmeter.stats.resampling import draws
from gistmeter.stats.tables import Coefficient, check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.judgments import Judgments

    Aspects: TypeAlias = str | Sequence[str] | None

Measurement = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class OneVersusRest:
    """The correlation of one rater with the mean of the others, and what it rests on."""

    value: float
    coefficient: Coefficient
    items: int
    """How many items had at least two raters."""
    raters: int
    trials: int
    """How many correlations the value is the mean of."""


def one_vs_rest(
    judgments: Judgments,
    *,
    aspects: Aspects = None,
    trials: int = 1000,
    coefficient: Coefficient = "pearson",
    seed: int = 0,
) -> OneVersusRest:
    """The agreement of one rater with the rest, by trials (Koto, Lau and Baldwin 2021, after Lau et al. 2020).

    In a trial one rater is drawn at random for each item, and these are correlated with the means of the
    item's other raters; the agreement is the mean over trials. It says how well a single person would do as
    a metric. For raters with habits of their own, `standardise` the judgments first.

    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 2]), ("d2", [2, 2]), ("d3", [4, 5]), ("d4", [3, 5]))]
    >>> round(one_vs_rest(Judgments.from_records(table)).value, 2)
    0.77
    """
    values = rater_table(judgments, aspects=aspects).values
    ratings, counts = _shift_left(values)
    if len(ratings) < 3:
        raise DataError(f"agreement needs at least 3 items with two raters or more, not {len(ratings)}")
    sums = np.where(np.isnan(ratings), 0.0, ratings).sum(axis=1)
    rng = np.random.default_rng(seed)
    correlations = []
    for count in draws.split_draws(trials, len(ratings), "trials"):
        drawn = (rng.random((count, len(ratings))) * counts).astype(np.int64)
        single = ratings[np.arange(len(ratings)), drawn]
        correlations.append(_mean_correlation(single, (sums - single) / (counts - 1), coefficient))
    means, used = np.array(correlations).T
    if not used.any():
        raise DataError("agreement is undefined: all judgments are the same")
    return OneVersusRest(
        value=float((means * used).sum() / used.sum()),
        coefficient=coefficient,
        items=len(ratings),
        raters=_count_raters(values),
        trials=int(used.sum()),
    )


def each_vs_rest(
    judgments: Judgments, *, aspects: Aspects = None, coefficient: Coefficient = "pearson"
) -> OneVersusRest:
    """The agreement of each rater in turn with the mean of the rest, without chance.

    Items that the same people rated make a batch. In it each of them is correlated with the mean of the
    others; the agreement is the mean over these, then over batches. (This is what the notebook published with
    Koto, Lau and Baldwin (2021) computes; the trials that the paper describes give nearly the same.)

    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 2]), ("d2", [2, 2]), ("d3", [4, 5]), ("d4", [3, 5]))]
    >>> round(each_vs_rest(Judgments.from_records(table)).value, 2)
    0.89
    """
    values = rater_table(judgments, aspects=aspects).values
    batches, members = np.unique(~np.isnan(values), axis=0, return_inverse=True)
    correlations = []
    items = 0
    for number, batch in enumerate(batches):
        ratings = values[members == number][:, batch]
        if ratings.shape[0] < 3 or ratings.shape[1] < 2:
            continue
        rest = (ratings.sum(axis=1, keepdims=True) - ratings) / (ratings.shape[1] - 1)
        correlation = _mean_correlation(ratings.T, rest.T, coefficient)
        if correlation.used:
            correlations.append(correlation)
            items += len(ratings)
    if not correlations:
        raise DataError("agreement of each rater needs at least 3 items, not all alike, that the same people rated")
    means, trials = np.array(correlations).T
    return OneVersusRest(
        value=float(means.mean()),
        coefficient=coefficient,
        items=items,
        raters=_count_raters(values),
        trials=int(trials.sum()),
    )


class _MeanCorrelation(NamedTuple):
    """The mean of correlations, and of how many it is."""

    value: float
    used: int


def _mean_correlation(ratings: FloatArray, rest: FloatArray, coefficient: Coefficient) -> _MeanCorrelation:
    """The mean of the rows' correlations; rows where a side is constant are left out."""
    try:
        correlation = correlate(ratings, rest, level="per-system", coefficient=coefficient)
    except DataError:  # all rows are constant
        return _MeanCorrelation(0.0, 0)
    return _MeanCorrelation(correlation.value, correlation.used)


def _shift_left(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The ratings of each item with two or more, moved to the left, and how many there are."""
    counts = (~np.isnan(values)).sum(axis=1)
    order = np.argsort(np.isnan(values), axis=1, kind="stable")
    several = counts > 1
    return np.take_along_axis(values, order, axis=1)[several], counts[several]


def _count_raters(values: FloatArray) -> int:
    """How many raters share an item with another."""
    shared = (~np.isnan(values)).sum(axis=1) > 1
    return int((~np.isnan(values[shared])).any(axis=0).sum())


@dataclass(frozen=True, slots=True)
class KrippendorffAlpha:
    """Krippendorff's alpha: 1 is perfect agreement, 0 what chance gives."""

    value: float
    measurement: Measurement
    items: int
    """Items with two ratings or more; the others say nothing of agreement."""
    ratings: int


def krippendorff_alpha(
    judgments: Judgments, *, aspects: Aspects = None, measurement: Measurement = "interval"
) -> KrippendorffAlpha:
    """Krippendorff's alpha of the single raters' judgments; several aspects are taken as items of one table.

    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 1]), ("d2", [2, 3]), ("d3", [4, 4]))]
    >>> round(krippendorff_alpha(Judgments.from_records(table)).value, 3)
    0.912
    """
    return ratings_alpha(rater_table(judgments, aspects=aspects).values, measurement=measurement)


def ratings_alpha(ratings: ArrayLike, *, measurement: Measurement = "interval") -> KrippendorffAlpha:
    """Krippendorff's alpha of a table, items x raters, NaN where a rater has not rated an item.

    Alpha is 1 - observed / expected disagreement (Krippendorff 2011). Disagreement is "not the same" for
    nominal ratings, the squared difference for interval ones, and for ordinal ones the squared difference of
    the ratings' middle ranks among all ratings, which is Krippendorff's ordinal metric.

    >>> round(ratings_alpha([[1, 1], [2, 3], [4, 4]], measurement="nominal").value, 3)
    0.615
    """
    check_choice("measurement", measurement, Measurement)
    table = np.array(ratings, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"ratings are a table, items x raters, not an array of {table.ndim} dimensions")
    shifted, counts = _shift_left(table)
    items = np.repeat(np.arange(len(shifted)), counts)
    categories, values = np.unique(shifted[~np.isnan(shifted)], return_inverse=True)
    if len(categories) < 2:
        raise DataError("alpha is undefined: there are no two different ratings of items rated more than once")
    # The disagreements of all pairs of n ratings add up to n times (or 2 n times) how far they spread around
    # their mean, so pairs need not be compared.
    if measurement == "nominal":
        within = _mixture(items, values)
        overall = _mixture(np.zeros_like(items), values)[0]
    else:
        totals = np.bincount(values)
        scale = categories if measurement == "interval" else np.cumsum(totals) - totals / 2
        within = _variation(items, scale[values])
        overall = _variation(np.zeros_like(items), scale[values])[0]
    observed = (within * counts / (counts - 1)).sum() / len(values)
    expected = overall / (len(values) - 1)
    return KrippendorffAlpha(
        value=1.0 - float(observed / expected), measurement=measurement, items=len(shifted), ratings=len(values)
    )


def _mixture(items: IntArray, values: IntArray) -> FloatArray:
    """For each item n - (sum of squared counts of its values) / n: 0 if all its n ratings are the same."""
    width = int(values.max()) + 1
    kinds, counts = np.unique(items * width + values, return_counts=True)
    ratings = np.bincount(items)
    return np.asarray(ratings - np.bincount(kinds // width, counts**2) / ratings)


def _variation(items: IntArray, values: FloatArray) -> FloatArray:
    """For each item the squared distances of its ratings from their mean, added up."""
    centres = np.bincount(items, values) / np.bincount(items)
    return np.asarray(np.bincount(items, (values - centres[items]) ** 2), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class MajorityVote:
    """The vote of most raters on each item."""

    labels: FloatArray
    """1 (present), 0 (absent), NaN if nobody voted."""
    tied: int
    """How many items had as many votes for as against; they are absent."""


def majority_vote(votes: ArrayLike) -> MajorityVote:
    """The majority of 0/1 votes, items x raters (NaN: no vote), a tie being "absent" (Bhandari et al. 2020).

    >>> vote = majority_vote([[1, 1, 0, float("nan")], [1, 1, 0, 0]])
    >>> vote.labels, vote.tied
    (array([1., 0.]), 1)
    """
    table = np.array(votes, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"votes are a table, items x raters, not an array of {table.ndim} dimensions")
    cast = ~np.isnan(table)
    if not np.isin(table[cast], (0.0, 1.0)).all():
        raise DataError("votes must be 0 (absent) or 1 (present); NaN is no vote")
    count, yes = cast.sum(axis=1), np.nansum(table, axis=1)
    labels = np.where(count > 0, (2 * yes > count).astype(np.float64), np.nan)
    return MajorityVote(labels, int(((2 * yes == count) & (count > 0)).sum()))


@dataclass(frozen=True, slots=True)
class MajorityAgreement:
    """How often a rater gave the value that most of the other raters gave."""

    rater: str
    agreement: float
    """The share of `items`; NaN if there are none."""
    items: int
    """Items on which more than half of the other raters gave the same value."""


def majority_agreement(judgments: Judgments, *, aspects: Aspects = None) -> tuple[MajorityAgreement, ...]:
    """How often each rater gave the value that more than half of the item's other raters gave, lowest first.

    The rater's own vote is not part of the majority, which would make everyone agree with it too often.

    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"unit": votes}}
    ...          for d, votes in (("d1", [1, 1, 0]), ("d2", [0, 0, 1]), ("d3", [1, 1, 1]))]
    >>> [(row.rater, row.agreement, row.items) for row in majority_agreement(Judgments.from_records(table))]
    [('rater3', 0.333..., 3), ('rater1', 1.0, 1), ('rater2', 1.0, 1)]
    """
    table = rater_table(judgments, aspects=aspects)
    others = (~np.isnan(table.values)).sum(axis=1, keepdims=True) - 1
    decided, agreeing = np.zeros((2, *table.values.shape), dtype=np.bool_)
    for value in np.unique(table.values[~np.isnan(table.values)]):
        own = table.values == value
        majority = 2 * (own.sum(axis=1, keepdims=True) - own) > others
        decided |= majority
        agreeing |= majority & own
    decided &= ~np.isnan(table.values)
    items, right = decided.sum(axis=0), (decided & agreeing).sum(axis=0)
    with np.errstate(invalid="ignore"):
        shares = right / items
    rows = [
        MajorityAgreement(rater, agreement=float(share), items=int(count))
        for rater, share, count in zip(table.raters, shares, items, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (np.isnan(row.agreement), row.agreement)))


def disagreeing_raters(
    judgments: Judgments, *, threshold: float = 0.5, fewest: int = 10, aspects: Aspects = None
) -> tuple[MajorityAgreement, ...]:
    """The raters whose agreement with the majority is below the threshold, lowest first.

    A rater is judged on at least `fewest` items. PyrXSum left out one such rater, who disagreed with the
    majority in 72% of 210 tasks (Zhang and Bansal 2021).

    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"unit": votes}}
    ...          for d, votes in (("d1", [1, 1, 0]), ("d2", [0, 0, 1]), ("d3", [1, 1, 1]))]
    >>> [row.rater for row in disagreeing_raters(Judgments.from_records(table), fewest=3)]
    ['rater3']
    """
    if not 0 <= threshold <= 1:
        raise ArgumentError(f"the threshold is a share of the items, from 0 to 1, not {threshold}")
    rows = majority_agreement(judgments, aspects=aspects)
    return tuple(row for row in rows if row.items >= fewest and row.agreement < threshold)
