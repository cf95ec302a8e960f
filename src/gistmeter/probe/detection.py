"""Detection: how well scores tell summaries with errors from the same summaries without them.

The harness of Table 3 of Vasilyev and Bohannon (2021): clean summaries have the golden score 1, corrupted ones 0, and
scores are correlated with it over all summaries, Spearman and Kendall's tau-c. As every corrupted summary has a clean
twin, the share of pairs in which the clean one scores better is given too; ties count half.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.probe.corruption import Labelled
    from gistmeter.scores import Better, Scores


Golden = Literal["presence", "number"]


@dataclass(frozen=True, slots=True)
class Detected:
    """How one score answers to errors; correlations are positive when summaries with errors score worse.

    A score that judges nothing (`better` is "neither") is taken as it is, as if more were better.
    """

    column: str
    better: Better
    spearman: float
    kendall: float
    pairs: float
    """Share of pairs in which the clean summary scores better than the corrupted one; ties count half."""
    clean: float
    corrupted: float
    """Mean scores of clean and of corrupted summaries."""
    used: int
    missing: int


@dataclass(frozen=True, slots=True)
class Detection:
    """How scores answer to errors, and on how many summaries that rests."""

    rows: tuple[Detected, ...]
    clean: int
    corrupted: int
    golden: Golden


def detection(summaries: Sequence[Labelled], scores: Scores, *, golden: Golden = "presence") -> Detection:
    """How well each score tells the errors in these summaries; `golden="number"` counts them.

    >>> from gistmeter import Example, score
    >>> from gistmeter.probe import Error, Labelled
    >>> clean = Example(doc_id="1", system="a", summary="It rained in Rome.", document="It rained in Rome all day.")
    >>> wrong = Example(doc_id="1", system="a+1", summary="It rained in Bonn.", document="It rained in Rome all day.")
    >>> pair = [Labelled(clean), Labelled(wrong, (Error(13, 17, "Rome", "Bonn"),), "a")]
    >>> found = detection(pair, score([clean, wrong], "content(against=document)"))
    >>> found.rows[0].column, found.rows[0].spearman, found.rows[0].pairs
    ('content(against=document).precision', 1.0, 1.0)
    """
    if golden not in ("presence", "number"):
        raise DataError(f"there is no golden score by {golden!r} (presence or number)")
    wrong = sum(bool(one.errors) for one in summaries)
    if not wrong or wrong == len(summaries):
        raise DataError(
            f"{wrong} of {len(summaries)} summaries have errors: there must be some with errors and some without"
        )
    target = np.array([-len(one.errors) if golden == "number" else float(not one.errors) for one in summaries], float)
    table = {key: row for row, key in enumerate(scores.table.select("doc_id", "system").iter_rows())}
    places = [table.get((one.example.doc_id, one.example.system)) for one in summaries]
    twins = _twins(summaries)
    rows = []
    for column in scores.columns:
        if column.parts:
            continue  # it has no value for one summary
        all_values = scores.table[column.name].to_numpy()
        values = np.array([np.nan if place is None else all_values[place] for place in places], dtype=float)
        oriented = -values if column.better == "lower" else values
        there = ~np.isnan(values)
        rows.append(
            Detected(
                column=column.name,
                better=column.better,
                spearman=_correlation(oriented[there], target[there], "spearman"),
                kendall=_correlation(oriented[there], target[there], "kendall-c"),
                pairs=_told_apart(oriented, twins),
                clean=_mean(values, np.array([not one.errors for one in summaries])),
                corrupted=_mean(values, np.array([bool(one.errors) for one in summaries])),
                used=int(there.sum()),
                missing=int((~there).sum()),
            )
        )
    return Detection(tuple(rows), len(summaries) - wrong, wrong, golden)


def _twins(summaries: Sequence[Labelled]) -> NDArray[np.int64]:
    """Clean and corrupted summaries that belong together, as rows of two places."""
    clean = {one.pair: place for place, one in enumerate(summaries) if not one.errors}
    found = [(clean[one.pair], place) for place, one in enumerate(summaries) if one.errors and one.pair in clean]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _told_apart(values: FloatArray, twins: NDArray[np.int64]) -> float:
    gaps = values[twins[:, 0]] - values[twins[:, 1]]
    gaps = gaps[~np.isnan(gaps)]
    return float(((gaps > 0) + 0.5 * (gaps == 0)).mean()) if len(gaps) else float("nan")


def _correlation(values: FloatArray, target: FloatArray, coefficient: Literal["spearman", "kendall-c"]) -> float:
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(target) == 0:
        return float("nan")
    return stats.correlate(values[None, :], target[None, :], level="pooled", coefficient=coefficient).value


def _mean(values: FloatArray, which: NDArray[np.bool_]) -> float:
    chosen = values[which & ~np.isnan(values)]
    return float(chosen.mean()) if len(chosen) else float("nan")
