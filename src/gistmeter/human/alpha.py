"""Krippendorff's alpha: how far raters agree, beside what chance gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.human.agreement import shift_left
from gistmeter.human.raters import rater_table
from gistmeter.result import Result
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.human.raters import Aspects
    from gistmeter.judgments import Judgments

Measurement = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class KrippendorffAlpha(Result):
    """Krippendorff's alpha: 1 is perfect agreement, 0 what chance gives."""

    value: float
    measurement: Measurement
    items: int
    """Items with two ratings or more; the others say nothing of agreement."""
    ratings: int

    def records(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {"alpha": self.value, "measurement": self.measurement, "items": self.items, "ratings": self.ratings},
        ]


def krippendorff_alpha(
    judgments: Judgments, *, aspects: Aspects = None, measurement: Measurement = "interval"
) -> KrippendorffAlpha:
    """Krippendorff's alpha of the single raters' judgments.

    Parameters
    ----------
    judgments
        Judgments of single raters. A rater who judged an item in two tasks counts as two there.
    aspects
        Which aspects to take, as items of one table; all by default.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`.

    Returns
    -------
    KrippendorffAlpha
        Alpha, and how many items and ratings it rests on.

    Raises
    ------
    DataError
        There are no two different ratings of items that were rated twice or more.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> table = [{"doc_id": d, "system": "s", "annotators": {"focus": values}}
    ...          for d, values in (("d1", [1, 1]), ("d2", [2, 3]), ("d3", [4, 4]))]
    >>> round(krippendorff_alpha(Judgments.from_records(table)).value, 3)
    0.912
    """
    return ratings_alpha(rater_table(judgments, aspects=aspects).values, measurement=measurement)


def ratings_alpha(ratings: ArrayLike, *, measurement: Measurement = "interval") -> KrippendorffAlpha:
    """Krippendorff's alpha of a table of ratings.

    Alpha is 1 - observed / expected disagreement (Krippendorff 2011). Disagreement is "not the same" for
    nominal ratings, the squared difference for interval ones, and for ordinal ones the squared difference of
    the ratings' middle ranks among all ratings, which is Krippendorff's ordinal metric.

    Parameters
    ----------
    ratings
        Items x raters, NaN where a rater has not rated an item.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`.

    Returns
    -------
    KrippendorffAlpha
        Alpha, and how many items and ratings it rests on.

    Raises
    ------
    DataError
        It is not a table, or there are no two different ratings of items that were rated twice or more.

    Examples
    --------
    >>> round(ratings_alpha([[1, 1], [2, 3], [4, 4]], measurement="nominal").value, 3)
    0.615
    """
    check_choice("measurement", measurement, Measurement)
    table = np.array(ratings, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"ratings are a table, items x raters, not an array of {table.ndim} dimensions")
    shifted, counts = shift_left(table)
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
