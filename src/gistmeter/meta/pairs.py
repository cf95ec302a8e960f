"""Does a metric rank pairs of systems as people do, above all the close pairs that people really compare?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any, TypedDict

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.meta.all_documents.tables import SystemTables, read_scores
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import LEFT_OUT, choose_ranked, note_columns
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.scores import Scores
    from gistmeter.stats import Accuracy, ClosestPairs, DeltaCorrelation, PairsHeatmap, SoftAccuracy, TiedAccuracy
    from gistmeter.stats.pairwise.pair_distances import PairCoefficient

# The table shows the curve over the closest pairs at these tenths of all pairs; JSON has all.
_TENTHS_SHOWN = (1, 5, 10)


class _Bounds(TypedDict, total=False):
    """The bounds of a gap, as `delta_correlation` takes them."""

    lower: float
    upper: float
    lower_share: float
    upper_share: float


@dataclass(frozen=True, slots=True)
class MetricPairs:
    """How well one metric ranks pairs of systems."""

    metric: str
    accuracy: Accuracy | None
    """Of all pairs of systems that people rank; None, as all the others, where there is none (notes say why)."""
    significant: Accuracy | None
    """Of those that people tell apart significantly."""
    tied: TiedAccuracy | None
    """Of pairs of summaries, where ties count."""
    soft: SoftAccuracy | None
    """Comparing how sure the metric and people are."""
    closest: ClosestPairs | None
    """The system-level correlation on ever larger shares of the pairs, the closest first."""
    heatmap: PairsHeatmap | None
    """The system-level correlation on the pairs between any two gaps, if it was asked for."""
    between: DeltaCorrelation | None = None
    """The system-level correlation on the pairs between the two gaps that were asked for."""


@dataclass(frozen=True, slots=True)
class PairAgreement(Result):
    """How well metrics rank pairs of systems as one aspect does."""

    aspect: str
    coefficient: PairCoefficient
    rows: tuple[MetricPairs, ...]
    permutations: int
    seed: int
    notes: tuple[str, ...] = ()
    gaps: bool = False
    """Whether pairs between two gaps were asked for, and not the closest."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric: its accuracies, and the correlation on the closest pairs, or between two gaps."""
        return [
            {
                "metric": row.metric,
                "accuracy": row.accuracy.value if row.accuracy else nan,
                "significant pairs": row.significant.value if row.significant else nan,
                "of them": row.significant.pairs if row.significant else 0,
                "tie-calibrated": row.tied.value if row.tied else nan,
                "soft": row.soft.value if row.soft else nan,
                **(_list_between(row.between, self.coefficient) if self.gaps else _list_closest(row.closest)),
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """The whole curve of each metric over the closest pairs."""
        curves = {
            row.metric: [
                {
                    "share": share,
                    "upper": point.upper,
                    "value": point.value,
                    "low": point.low,
                    "high": point.high,
                    "pairs": point.pairs,
                }
                for share, point in zip(row.closest.shares, row.closest.points, strict=True)
            ]
            for row in self.rows
            if row.closest is not None
        }
        return {"curves": curves}


def _list_closest(closest: ClosestPairs | None) -> dict[str, float]:
    """The values on the closest pairs and their widest gap (u); NaN where there are too few systems for a curve."""
    listed: dict[str, float] = {}
    for tenths in _TENTHS_SHOWN:
        point = None if closest is None else closest.points[tenths - 1]
        listed[f"closest {tenths * 10}%"] = nan if point is None else point.value
        if tenths < 10:  # of all pairs it is the widest gap there is
            listed[f"u {tenths * 10}%"] = nan if point is None else point.upper
    return listed


def _list_between(between: DeltaCorrelation | None, coefficient: str) -> dict[str, float]:
    """The bounds, how many pairs are between them, and their correlation with its interval, if it has one."""
    if between is None:
        return {"from": nan, "to": nan, "pairs": 0, coefficient: nan}
    interval = {} if isnan(between.low) else {"low": between.low, "high": between.high}
    return {
        "from": between.lower,
        "to": between.upper,
        "pairs": between.pairs,
        coefficient: between.value,
        **interval,
    }


def _parse_bounds(gap_from: float | str | None, gap_to: float | str | None) -> _Bounds:
    """The bounds that were asked for: a number is a gap in the score, one with % a share of the pairs.

    >>> _parse_bounds(0.5, "20%")
    {'lower': 0.5, 'upper_share': 0.2}
    """
    bounds: _Bounds = {}
    start, starts_as_share = _parse_gap("gap_from", gap_from)
    end, ends_as_share = _parse_gap("gap_to", gap_to)
    if start is not None and end is not None and starts_as_share == ends_as_share and start > end:
        raise ArgumentError(f"`gap_from` ({gap_from}) is above `gap_to` ({gap_to}): no pair is between them")
    if start is not None:
        bounds["lower_share" if starts_as_share else "lower"] = start
    if end is not None:
        bounds["upper_share" if ends_as_share else "upper"] = end
    return bounds


def _parse_gap(name: str, gap: float | str | None) -> tuple[float | None, bool]:
    """A gap, and whether it is a share of the pairs."""
    text = "" if gap is None else str(gap).strip()
    is_share = text.endswith("%")
    try:
        number = float(text.removesuffix("%")) if text else None
    except ValueError:
        number = nan
    if number is not None and not 0 <= number <= (100 if is_share else inf):
        raise ArgumentError(
            f"`{name}` is a gap in the score, such as 0.5, or a share of the pairs such as 20%, not {gap}"
        )
    return (number / 100 if is_share and number is not None else number), is_share


def pairs(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    everything: Scores | str | Path | None = None,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    coefficient: PairCoefficient = "kendall",
    resamples: int = 0,
    permutations: int = 1000,
    heatmap: bool = False,
    gap_from: float | str | None = None,
    gap_to: float | str | None = None,
    seed: int = 0,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> PairAgreement:
    """Pairwise accuracy (plain, significant pairs only, tie-calibrated, soft) and the closest pairs.

    What cannot be computed, such as the share of significant pairs where people tell no two systems apart, is missing,
    and a note says why. The correlation on the closest pairs of systems is that of Deutsch (2022, section 8.4, Fig. 34
    and 42). A score of which neither high nor low is better (`length.words`) is left out, unless `lower` or `higher`
    names it.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    everything
        The scores of all documents, judged or not: `Scores`, or their file. A metric's means are then over all of them
        where close pairs are correlated, as in the figures of the thesis; accuracies are of judged documents alone.
    metrics
        Which scores to look at; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    coefficient
        Of the correlation on the closest pairs: `pearson`, `spearman` or `kendall`.
    resamples
        How many bootstrap resamples give that correlation an interval; none by default.
    permutations
        How many permutations say which pairs people tell apart, and how sure metric and people are.
    heatmap
        Also correlate the pairs between any two bounds, for the heat map.
    gap_from, gap_to
        Correlate the pairs whose scores differ by so much (r_sys-delta of the thesis) in place of the closest: a gap in
        the score such as 0.5, or a share of the pairs, the closest first, such as "20%".
    seed
        Says which permutations and resamples are drawn.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    PairAgreement
        A row for each metric.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or there are fewer than three systems, or none that people tell apart.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> rated = [[1, 1, 2, 1, 2, 1], [3, 3, 2, 3, 3, 3], [5, 4, 5, 5, 5, 4]]
    >>> metric = [[1, 2, 1, 1, 2, 1], [5, 5, 4, 5, 5, 5], [3, 3, 3, 3, 2, 3]]
    >>> [row] = pairs(Study.from_tables({"metric": metric, "rated": rated}, aspects=["rated"])).rows
    >>> round(row.accuracy.value, 3), row.accuracy.pairs
    (0.667, 3)
    """
    bounds = _parse_bounds(gap_from, gap_to)
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    chosen = study.choose_aspect(aspect)
    notes = note_columns(study, (*study.choose_metrics(names), chosen), undirected=LEFT_OUT)
    skipped = SkippedMetrics()
    means = SystemTables(study, None if everything is None else read_scores(everything))
    curve_options: dict[str, Any] = {"coefficient": coefficient, "resamples": resamples, "seed": seed}
    rows = []
    for name in skipped.drop_constant(study, choose_ranked(study, chosen, names)):
        x, z = study.oriented(name), study.oriented(chosen)
        row = MetricPairs(
            metric=name,
            accuracy=skipped.attempt(name, "accuracy", partial(stats.pairwise_accuracy, x, z)),
            significant=skipped.attempt(
                name,
                "significant pairs",
                partial(stats.pairwise_accuracy, x, z, significant_only=True, permutations=permutations, seed=seed),
            ),
            tied=skipped.attempt(name, "tie-calibrated accuracy", partial(stats.tied_accuracy, x, z)),
            soft=skipped.attempt(
                name, "soft accuracy", partial(stats.soft_accuracy, x, z, permutations=permutations, seed=seed)
            ),
            closest=skipped.attempt(
                name,
                "closest pairs",
                partial(means.measure, stats.closest_pairs_curve, name, chosen, **curve_options),
            ),
            heatmap=skipped.attempt(
                name, "heat map", partial(means.measure, stats.pairs_heatmap, name, chosen, coefficient=coefficient)
            )
            if heatmap
            else None,
            between=skipped.attempt(
                name,
                "pairs between these gaps",
                partial(means.measure, stats.delta_correlation, name, chosen, **curve_options, **bounds),
            )
            if bounds
            else None,
        )
        if any((row.accuracy, row.significant, row.tied, row.soft, row.closest, row.heatmap, row.between)):
            rows.append(row)
    skipped.check(rows)
    return PairAgreement(
        aspect=chosen,
        coefficient=coefficient,
        rows=tuple(rows),
        permutations=permutations,
        seed=seed,
        notes=(*means.notes, *notes, *skipped.notes),
        gaps=bool(bounds),
    )
