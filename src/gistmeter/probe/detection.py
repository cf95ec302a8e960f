"""Detection: how well scores tell summaries with errors from the same summaries without them.

The harness of Table 3 of Vasilyev and Bohannon (2021): clean summaries have the golden score 1, corrupted ones 0, and
scores are correlated with it over all summaries, Spearman and Kendall's tau-c. As every corrupted summary has a clean
twin, the share of pairs in which the clean one scores better is given too; ties count half.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.score_files.names import find_name
from gistmeter.meta.study.directions import stated_directions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.probe.corruption import LabelledSummary
    from gistmeter.scores import Better, Scores


Golden = Literal["presence", "number"]


@dataclass(frozen=True, slots=True)
class ColumnDetection:
    """How one score answers to errors; correlations are positive when summaries with errors score worse.

    A score that judges nothing (`better` is "neither") has no right sign: it is taken the way in which its correlation
    is positive, so that |r| is given.
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
    pairs_by_kind: Mapping[str, float] = field(default_factory=dict)
    """The same share for each kind of words replaced (`names`, `numbers` ...), where there are several."""


@dataclass(frozen=True, slots=True)
class Detection:
    """How scores answer to errors, and on how many summaries that rests."""

    rows: tuple[ColumnDetection, ...]
    clean: int
    corrupted: int
    golden: Golden
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many corrupted summaries there are of each kind of words replaced, where there are several."""


def measure_detection(
    summaries: Sequence[LabelledSummary],
    scores: Scores,
    *,
    golden: Golden = "presence",
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
) -> Detection:
    """How well each score tells the errors in these summaries; `golden="number"` counts them.

    `lower` and `higher` name scores of which lower, or higher, is better, where they themselves say otherwise; short
    names will do (`rouge1` for its f1).

    >>> from gistmeter import Example, score
    >>> from gistmeter.probe import Error, LabelledSummary
    >>> clean = Example(doc_id="1", system="a", summary="It rained in Rome.", document="It rained in Rome all day.")
    >>> wrong = Example(doc_id="1", system="a+1", summary="It rained in Bonn.", document="It rained in Rome all day.")
    >>> pair = [LabelledSummary(clean), LabelledSummary(wrong, (Error(13, 17, "Rome", "Bonn"),), "a")]
    >>> detection = measure_detection(pair, score([clean, wrong], "content(against=document)"))
    >>> detection.rows[0].column, detection.rows[0].spearman, detection.rows[0].pairs
    ('content(against=document).precision', 1.0, 1.0)
    """
    if golden not in ("presence", "number"):
        raise ArgumentError(f"`golden` is presence or number, not {golden!r}")
    has_errors = np.array([bool(summary.errors) for summary in summaries], dtype=np.bool_)
    corrupted = int(has_errors.sum())
    if not corrupted or corrupted == len(summaries):
        raise DataError(
            f"{corrupted} of {len(summaries)} summaries have errors: there must be some with errors and some without"
        )
    counts = np.array([len(summary.errors) for summary in summaries], dtype=float)
    target = -counts if golden == "number" else (~has_errors).astype(float)
    row_of = {key: row for row, key in enumerate(scores.table.select("doc_id", "system").iter_rows())}
    table_rows = [row_of.get((summary.example.doc_id, summary.example.system)) for summary in summaries]
    twins = _pair_twins(summaries)
    kind_of_twins = np.array([summaries[position].words for position in twins[:, 1]])
    counts_by_kind = Counter(summary.words for summary in summaries if summary.errors)
    kinds = dict(counts_by_kind) if len(counts_by_kind) > 1 else {}
    rows = []
    directions = _state_directions(scores, lower, higher)
    for column in scores.columns:
        if column.parts:
            continue  # it has no value for one summary
        better = directions[column.name]
        in_table = scores.table[column.name].to_numpy()
        values = np.array([np.nan if row is None else in_table[row] for row in table_rows], dtype=float)
        oriented = -values if better == "lower" else values
        present = ~np.isnan(values)
        if better == "neither" and _correlate(values[present], target[present], "spearman") < 0:
            oriented = -values
        rows.append(
            ColumnDetection(
                column=column.name,
                better=better,
                spearman=_correlate(oriented[present], target[present], "spearman"),
                kendall=_correlate(oriented[present], target[present], "kendall-c"),
                pairs=_compare_twins(oriented, twins),
                clean=_average(values, ~has_errors),
                corrupted=_average(values, has_errors),
                used=int(present.sum()),
                missing=int((~present).sum()),
                pairs_by_kind={kind: _compare_twins(oriented, twins[kind_of_twins == kind]) for kind in kinds},
            )
        )
    return Detection(
        rows=tuple(rows), clean=len(summaries) - corrupted, corrupted=corrupted, golden=golden, kinds=kinds
    )


def _state_directions(scores: Scores, lower: Sequence[str], higher: Sequence[str]) -> dict[str, Better]:
    """Which way is good for each score: as it says, or as the caller does."""
    better = {column.name: column.better for column in scores.columns}

    def resolve(name: str) -> str:
        return find_name(name, better) or scores.column(name).name

    return stated_directions(better, lower=lower, higher=higher, resolve=resolve)


def _pair_twins(summaries: Sequence[LabelledSummary]) -> NDArray[np.int64]:
    """Each corrupted summary with its clean twin, as rows of two positions: clean, corrupted."""
    clean = {summary.pair: position for position, summary in enumerate(summaries) if not summary.errors}
    twins = [
        (clean[summary.pair], position)
        for position, summary in enumerate(summaries)
        if summary.errors and summary.pair in clean
    ]
    return np.array(twins, dtype=np.int64).reshape(-1, 2)


def _compare_twins(values: FloatArray, twins: NDArray[np.int64]) -> float:
    """The share of twins of which the clean one has the higher value; ties count half."""
    gaps = values[twins[:, 0]] - values[twins[:, 1]]
    gaps = gaps[~np.isnan(gaps)]
    return float(((gaps > 0) + 0.5 * (gaps == 0)).mean()) if len(gaps) else float("nan")


def _correlate(values: FloatArray, target: FloatArray, coefficient: Literal["spearman", "kendall-c"]) -> float:
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(target) == 0:
        return float("nan")
    return stats.correlate(values[None, :], target[None, :], level="pooled", coefficient=coefficient).value


def _average(values: FloatArray, which: NDArray[np.bool_]) -> float:
    chosen = values[which & ~np.isnan(values)]
    return float(chosen.mean()) if len(chosen) else float("nan")
