"""How far raters agree by correlation: one with the mean of the rest, and each with each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.human.raters import rater_table
from gistmeter.human.sources import open_ratings
from gistmeter.result import Result
from gistmeter.stats import correlate
from gistmeter.stats.resampling import draws
from gistmeter.stats.tables import Coefficient, check_choice

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.human.raters import Aspects, RaterColumns
    from gistmeter.human.sources import RatingSource
    from gistmeter.judgments import Judgments

FEWEST_ITEMS = 3
"""Items that a correlation needs."""


@dataclass(frozen=True, slots=True)
class OneVersusRest(Result):
    """The correlation of one rater with the mean of the others, and what it rests on."""

    value: float
    coefficient: Coefficient
    items: int
    """How many items had at least two raters."""
    raters: int
    trials: int
    """How many correlations the value is the mean of."""

    def records(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "coefficient": self.coefficient,
                "value": self.value,
                "items": self.items,
                "raters": self.raters,
                "trials": self.trials,
            }
        ]


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

    Parameters
    ----------
    judgments
        Judgments of single raters. A rater who judged an item in two tasks counts as two there.
    aspects
        Which aspects to take, all together; all by default.
    trials
        How many times raters are drawn.
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c).
    seed
        Of the draws: the same seed gives the same figure.

    Returns
    -------
    OneVersusRest
        The mean correlation, and what it rests on.

    Raises
    ------
    DataError
        Fewer than 3 items have two raters, or all judgments are the same.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 2]), ("d2", [2, 2]), ("d3", [4, 5]), ("d4", [3, 5]))]
    >>> round(one_vs_rest(Judgments.from_records(table)).value, 2)
    0.77
    """
    values = rater_table(judgments, aspects=aspects).values
    ratings, counts = shift_left(values)
    if len(ratings) < FEWEST_ITEMS:
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
    judgments: Judgments,
    *,
    aspects: Aspects = None,
    coefficient: Coefficient = "pearson",
    columns: RaterColumns = "assignment",
) -> OneVersusRest:
    """The agreement of each rater in turn with the mean of the rest, without chance.

    Items that the same people rated make a batch. In it each of them is correlated with the mean of the
    others; the agreement is the mean over these, then over batches. (This is what the notebook published with
    Koto, Lau and Baldwin (2021) computes; the trials that the paper describes give nearly the same.)

    Parameters
    ----------
    judgments
        Judgments of single raters.
    aspects
        Which aspects to take, all together; all by default.
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c).
    columns
        `assignment`: where tasks are known, a batch is within one task. `rater`: a rater's tasks are taken together.

    Returns
    -------
    OneVersusRest
        The mean correlation, and what it rests on.

    Raises
    ------
    DataError
        No 3 items, not all alike, were rated by the same people.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 2]), ("d2", [2, 2]), ("d3", [4, 5]), ("d4", [3, 5]))]
    >>> round(each_vs_rest(Judgments.from_records(table)).value, 2)
    0.89
    """
    values = rater_table(judgments, aspects=aspects, columns=columns).values
    batches, members = np.unique(~np.isnan(values), axis=0, return_inverse=True)
    correlations = []
    items = 0
    for number, batch in enumerate(batches):
        ratings = values[members == number][:, batch]
        if ratings.shape[0] < FEWEST_ITEMS or ratings.shape[1] < 2:
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


@dataclass(frozen=True, slots=True)
class RaterPair:
    """The correlation of two raters on the items that both judged."""

    first: str
    second: str
    value: float
    """NaN where one of them gave the same value throughout."""
    items: int


@dataclass(frozen=True, slots=True)
class PairwiseAgreement(Result):
    """The correlation of each rater with each other, and their mean."""

    value: float
    """The mean over pairs whose correlation is defined."""
    coefficient: Coefficient
    pairs: tuple[RaterPair, ...]
    """The pairs with at least 3 items in common, lowest first."""
    undefined: int
    """How many of these have no correlation, as one of the two gave the same value throughout."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each pair."""
        return [
            {"rater": pair.first, "other": pair.second, "value": pair.value, "items": pair.items} for pair in self.pairs
        ]

    def details(self) -> dict[str, Any]:
        """The mean, and of how many pairs."""
        used = len(self.pairs) - self.undefined
        return {"mean": self.value, "coefficient": self.coefficient, "pairs": used, "undefined": self.undefined}


def pairwise_agreement(
    judgments: RatingSource,
    *,
    aspects: Aspects = None,
    coefficient: Coefficient = "pearson",
    columns: RaterColumns = "assignment",
) -> PairwiseAgreement:
    """The correlation of each rater with each other on the items that both judged, and the mean over pairs.

    Parameters
    ----------
    judgments
        Judgments of single raters, or the file they are in; for votes on content units the aspect is `units`.
    aspects
        Which aspects to take, all together; all by default.
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c).
    columns
        `assignment`: where tasks are known, a pair is of two raters in one task. `rater`: a rater's tasks are taken
        together.

    Returns
    -------
    PairwiseAgreement
        A row for each pair with at least 3 items in common, lowest first, and their mean.

    Raises
    ------
    DataError
        No two raters have 3 items in common on which both vary.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 2, 2]), ("d2", [2, 2, 1]), ("d3", [4, 5, 4]), ("d4", [3, 5, 2]))]
    >>> agreement = pairwise_agreement(Judgments.from_records(table))
    >>> round(agreement.value, 2), agreement.pairs[0].first, agreement.pairs[0].second
    (0.77, 'rater2', 'rater3')
    """
    check_choice("coefficient", coefficient, Coefficient)
    ratings = open_ratings(judgments, aspects)
    table = rater_table(ratings.judgments, aspects=ratings.aspects, columns=columns)
    given = ~np.isnan(table.values)
    # Raters of other tasks share no item: only pairs that do are compared.
    common = given.T.astype(np.int64) @ given
    pairs = []
    for first, second in combinations(range(len(table.raters)), 2):
        if common[first, second] < FEWEST_ITEMS:
            continue
        both = given[:, first] & given[:, second]
        correlation = _mean_correlation(table.values[both, first][None], table.values[both, second][None], coefficient)
        pairs.append(
            RaterPair(
                first=table.raters[first],
                second=table.raters[second],
                value=correlation.value if correlation.used else float("nan"),
                items=int(common[first, second]),
            )
        )
    defined = [pair.value for pair in pairs if not np.isnan(pair.value)]
    if not defined:
        raise DataError("no two raters have at least 3 items in common on which both gave different values")
    return PairwiseAgreement(
        value=float(np.mean(defined)),
        coefficient=coefficient,
        pairs=tuple(sorted(pairs, key=lambda pair: (np.isnan(pair.value), pair.value))),
        undefined=len(pairs) - len(defined),
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


def shift_left(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The ratings of each item with two or more, moved to the left, and how many there are."""
    counts = (~np.isnan(values)).sum(axis=1)
    order = np.argsort(np.isnan(values), axis=1, kind="stable")
    several = counts > 1
    return np.take_along_axis(values, order, axis=1)[several], counts[several]


def _count_raters(values: FloatArray) -> int:
    """How many raters share an item with another."""
    shared = (~np.isnan(values)).sum(axis=1) > 1
    return int((~np.isnan(values[shared])).any(axis=0).sum())
