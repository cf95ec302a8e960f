"""The majority of raters: its vote, how often a rater is with it, and judgments without those who seldom are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.human.raters import rater_table, without_raters
from gistmeter.human.sources import open_ratings
from gistmeter.result import Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.human.raters import Aspects
    from gistmeter.human.sources import RatingSource
    from gistmeter.judgments import Judgments


@dataclass(frozen=True, slots=True, eq=False)
class MajorityVote(Result):
    """The vote of most raters on each item."""

    labels: FloatArray
    """1 (present), 0 (absent), NaN if nobody voted."""
    tied: int
    """How many items had as many votes for as against; they are absent."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each item."""
        return [{"item": number, "label": float(label)} for number, label in enumerate(self.labels, start=1)]

    def details(self) -> dict[str, Any]:
        """How many items were tied."""
        return {"tied": self.tied}


def majority_vote(votes: ArrayLike) -> MajorityVote:
    """The majority of 0/1 votes, a tie being "absent" (Bhandari et al. 2020).

    Parameters
    ----------
    votes
        Items x raters: 1 is present, 0 absent, NaN no vote.

    Returns
    -------
    MajorityVote
        A label for each item, and how many were tied.

    Raises
    ------
    DataError
        It is not a table of such votes.

    Examples
    --------
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


@dataclass(frozen=True, slots=True)
class MajorityAgreements(Result):
    """How often raters gave the value that most of the others gave, lowest first."""

    rows: tuple[MajorityAgreement, ...]

    def records(self) -> list[dict[str, Any]]:
        """A row for each rater."""
        return [{"rater": row.rater, "agreement": row.agreement, "items": row.items} for row in self.rows]


def majority_agreement(judgments: RatingSource, *, aspects: Aspects = None) -> MajorityAgreements:
    """How often each rater gave the value that more than half of the item's other raters gave.

    The rater's own vote is not part of the majority, which would make everyone agree with it too often.

    Parameters
    ----------
    judgments
        Judgments of single raters, who judged each item once: votes, or grades on a scale of few steps. Or the file
        they are in; for votes on content units the aspect is `units`.
    aspects
        Which aspects to take, all together; all by default.

    Returns
    -------
    MajorityAgreements
        A row for each rater, lowest agreement first.

    Raises
    ------
    DataError
        There are no judgments of single raters, or a rater judged an item twice.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"unit": votes}}
    ...          for d, votes in (("d1", [1, 1, 0]), ("d2", [0, 0, 1]), ("d3", [1, 1, 1]))]
    >>> [(row.rater, row.agreement, row.items) for row in majority_agreement(Judgments.from_records(table)).rows]
    [('rater3', 0.333..., 3), ('rater1', 1.0, 1), ('rater2', 1.0, 1)]
    """
    ratings = open_ratings(judgments, aspects)
    table = rater_table(ratings.judgments, aspects=ratings.aspects, columns="rater")
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
    return MajorityAgreements(tuple(sorted(rows, key=lambda row: (np.isnan(row.agreement), row.agreement))))


def disagreeing_raters(
    judgments: RatingSource, *, threshold: float = 0.5, fewest: int = 10, aspects: Aspects = None
) -> MajorityAgreements:
    """The raters whose agreement with the majority is below a threshold.

    PyrXSum left out one such rater, who disagreed with the majority in 72% of 210 tasks (Zhang and Bansal 2021).

    Parameters
    ----------
    judgments
        Judgments of single raters, who judged each item once, or the file they are in.
    threshold
        The share of items on which a rater must be with the majority.
    fewest
        On how many items, at least, a rater is judged.
    aspects
        Which aspects to take, all together; all by default.

    Returns
    -------
    MajorityAgreements
        A row for each such rater, lowest agreement first.

    Raises
    ------
    ArgumentError
        The threshold is no share.
    DataError
        There are no judgments of single raters, or a rater judged an item twice.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"unit": votes}}
    ...          for d, votes in (("d1", [1, 1, 0]), ("d2", [0, 0, 1]), ("d3", [1, 1, 1]))]
    >>> [row.rater for row in disagreeing_raters(Judgments.from_records(table), fewest=3).rows]
    ['rater3']
    """
    _check_threshold(threshold)
    rows = majority_agreement(judgments, aspects=aspects).rows
    return MajorityAgreements(tuple(row for row in rows if _disagrees(row, threshold, fewest)))


@dataclass(frozen=True, slots=True)
class DroppedRaters(Result):
    """Which raters disagree with the majority, and the judgments of all others."""

    rows: tuple[MajorityAgreement, ...]
    """All raters, lowest agreement first."""
    threshold: float
    fewest: int
    judgments: Judgments
    """What the others said; all of it where nobody is dropped."""

    @property
    def dropped(self) -> tuple[MajorityAgreement, ...]:
        """The raters whose judgments are left out."""
        return tuple(row for row in self.rows if _disagrees(row, self.threshold, self.fewest))

    def records(self) -> list[dict[str, Any]]:
        """A row for each rater, and whether it is dropped."""
        return [
            {
                "rater": row.rater,
                "agreement": row.agreement,
                "items": row.items,
                "dropped": _disagrees(row, self.threshold, self.fewest),
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """Where the line was drawn."""
        return {"threshold": self.threshold, "fewest": self.fewest}


def drop_disagreeing(
    judgments: RatingSource, *, threshold: float = 0.5, fewest: int = 10, aspects: Aspects = None
) -> DroppedRaters:
    """Leave out the raters whose agreement with the majority is below a threshold.

    Raters are measured once, with all others there: when one of them is gone, majorities change a little, and the
    function can be called again on what is left.

    Parameters
    ----------
    judgments
        Judgments of single raters, who judged each item once, or the file they are in.
    threshold
        The share of items on which a rater must be with the majority.
    fewest
        On how many items, at least, a rater is judged; one who did fewer stays.
    aspects
        By which aspects raters are measured, all together; all by default. All their judgments are left out.

    Returns
    -------
    DroppedRaters
        Each rater's agreement with the majority, who is dropped, and the judgments of the others.

    Raises
    ------
    ArgumentError
        The threshold is no share.
    DataError
        There are no judgments of single raters, a rater judged an item twice, or nobody would be left.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"unit": votes}}
    ...          for d, votes in (("d1", [1, 1, 0]), ("d2", [0, 0, 1]), ("d3", [1, 1, 1]))]
    >>> result = drop_disagreeing(Judgments.from_records(table), fewest=3)
    >>> [row.rater for row in result.dropped], len(result.judgments.table)
    (['rater3'], 6)
    """
    _check_threshold(threshold)
    ratings = open_ratings(judgments, aspects)
    rows = majority_agreement(ratings.judgments, aspects=ratings.aspects).rows
    dropped = [row.rater for row in rows if _disagrees(row, threshold, fewest)]
    if len(dropped) == len(rows):
        raise DataError(f"all {len(rows)} raters agree with the majority in less than {threshold:.0%}: nobody is left")
    remaining = without_raters(ratings.judgments, dropped) if dropped else ratings.judgments
    return DroppedRaters(rows=rows, threshold=threshold, fewest=fewest, judgments=remaining)


def _check_threshold(threshold: float) -> None:
    """Refuse a threshold that is no share."""
    if not 0 <= threshold <= 1:
        raise ArgumentError(f"the threshold is a share of the items, from 0 to 1, not {threshold}")


def _disagrees(row: MajorityAgreement, threshold: float, fewest: int) -> bool:
    """Whether a rater was measured on enough items and is below the threshold."""
    return row.items >= fewest and row.agreement < threshold
