"""Meta-evaluation results as sheets and as rows for figures."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter import stats
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.meta.study import Matrices
    from gistmeter.stats import (
        Anchors,
        ClosestPairs,
        CorrelationInterval,
        Coverage,
        MetricComparison,
        MetricMatrix,
        Normality,
        PairsHeatmap,
        PowerCurves,
        TestResult,
    )


def correlation_sheet(
    matrices: Matrices,
    *,
    metrics: Sequence[str],
    human: str,
    levels: Sequence[Any],
    coefficients: Sequence[Any],
    undefined: Any,
) -> Sheet:
    """Correlations of metrics with one judgment."""
    rows = []
    for name in metrics:
        for level in levels:
            for coefficient in coefficients:
                found = stats.correlate(
                    matrices[name], matrices[human], level=level, coefficient=coefficient, undefined=undefined
                )
                rows.append(
                    {
                        "metric": name,
                        "human": human,
                        "level": level,
                        "coefficient": coefficient,
                        "value": found.value,
                        "used": found.used,
                        "undefined": found.undefined,
                        "missing": found.missing,
                    }
                )
    size = f"{len(matrices.systems)} systems, {len(matrices.documents)} documents"
    return Sheet.of(rows, caption=f"{size}; undefined correlations (constant scores): {undefined}.")


def fold_sheet(
    matrices: Matrices,
    folds: Sequence[Sequence[int]],
    *,
    by: Literal["examples", "systems"],
    metrics: Sequence[str],
    human: str,
    levels: Sequence[Any],
    coefficients: Sequence[Any],
    undefined: Any,
) -> Sheet:
    """Correlations of metrics with one judgment, averaged over folds."""
    rows = []
    for name in metrics:
        for level in levels:
            for coefficient in coefficients:
                found = stats.correlate_by_folds(
                    matrices[name],
                    matrices[human],
                    folds,
                    axis="documents" if by == "examples" else "systems",
                    level=level,
                    coefficient=coefficient,
                    undefined=undefined,
                )
                rows.append(
                    {
                        "metric": name,
                        "level": level,
                        "coefficient": coefficient,
                        "mean": found.value,
                        "lowest": min(found.values),
                        "highest": max(found.values),
                        "undefined": found.undefined,
                    }
                )
    sizes = f"{min(map(len, folds))} to {max(map(len, folds))}"
    things = "documents" if by == "examples" else "systems"
    return Sheet.of(
        rows,
        caption=f"{human}: means over {len(folds)} folds of {sizes} {things}; undefined correlations: {undefined}.",
    )


def interval_sheet(found: Mapping[tuple[str, str], CorrelationInterval], *, seed: int) -> Sheet:
    """Correlations with their intervals."""
    rows = [
        {
            "metric": name,
            "level": level,
            "coefficient": one.coefficient,
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "undefined": one.undefined,
        }
        for (name, level), one in found.items()
    ]
    first = next(iter(found.values()))
    how = f"bootstrap by {first.method}, {first.resamples:,} resamples, seed {seed}" if first.method else "Fisher"
    return Sheet.of(rows, caption=f"{first.confidence:.0%} intervals ({first.interval}: {how}).")


def pair_sheet(names: Sequence[str], human: str, result: TestResult) -> Sheet:
    """One test of two metrics."""
    row = {
        "x": names[0],
        "y": names[1],
        "human": human,
        "level": result.level,
        "coefficient": result.coefficient,
        "of x": result.of_x,
        "of y": result.of_y,
        "difference": result.statistic,
        "p": result.pvalue,
    }
    caption = f"{result.test} test, {result.alternative}: does x agree better with people than y?"
    return Sheet.of([row], caption=caption, pvalue=result.pvalue, statistic=result.statistic)


def test_sheet(table: MetricComparison, level: str, coefficient: str) -> Sheet:
    """All metrics, best first, with those they beat."""
    order = np.argsort(-table.values)
    rows = []
    for i in order:
        beaten = [
            table.names[j]
            for j in range(len(table.names))
            if i != j and table.adjusted[i, j] <= table.alpha  # NaN compares as False
        ]
        rows.append(
            {"metric": table.names[i], "value": float(table.values[i]), "better than": ", ".join(beaten) or "–"}
        )
    caption = (
        f"{level} level, {coefficient}; one-sided permutation tests of all pairs, {table.correction} correction, "
        f"alpha {table.alpha:g}."
    )
    more = {"names": list(table.names), "pvalues": table.pvalues.tolist(), "adjusted": table.adjusted.tolist()}
    return Sheet.of(rows, caption=caption, **more)


def decision_rows(table: MetricComparison) -> list[dict[str, Any]]:
    """For the matrix picture (Fig. 29), best metric first."""
    order = np.argsort(-table.values)
    rows = []
    for i in order:
        for j in order:
            if i == j:
                continue
            verdict = "not significant"
            if table.adjusted[i, j] <= table.alpha:
                verdict = "significant, corrected"
            elif table.pvalues[i, j] <= table.alpha:
                verdict = "significant alone"
            rows.append({"row": table.names[i], "column": table.names[j], "verdict": verdict})
    return rows


def pairs_sheet(
    matrices: Matrices,
    names: Sequence[str],
    human: str,
    curves: Mapping[str, ClosestPairs],
    *,
    permutations: int,
    seed: int,
) -> Sheet:
    """Pairwise accuracies, and the correlation on the closest pairs."""
    rows = []
    for name in names:
        x, z = matrices[name], matrices[human]
        plain = stats.pairwise_accuracy(x, z)
        sure = stats.pairwise_accuracy(x, z, significant_only=True, permutations=permutations, seed=seed)
        tied = stats.tied_accuracy(x, z)
        soft = stats.soft_accuracy(x, z, permutations=permutations, seed=seed)
        curve = zip(curves[name].shares, curves[name].points, strict=True)
        closest = {f"closest {share:.0%}": point.value for share, point in curve if round(10 * share) in (1, 5, 10)}
        rows.append(
            {
                "metric": name,
                "accuracy": plain.value,
                "significant pairs": sure.value,
                "of them": sure.pairs,
                "tie-calibrated": tied.value,
                "soft": soft.value,
                **closest,
            }
        )
    details = {
        name: [
            {"share": share, "upper": p.upper, "value": p.value, "low": p.low, "high": p.high, "pairs": p.pairs}
            for share, p in zip(curve.shares, curve.points, strict=True)
        ]
        for name, curve in curves.items()
    }
    caption = (
        f"System pairs ranked as by {human}: all, those people separate significantly, soft; tie-calibrated is by "
        f"document. Then the system-level correlation on the closest pairs. {permutations:,} permutations, seed {seed}."
    )
    return Sheet.of(rows, caption=caption, curves=details)


def curve_rows(curves: Mapping[str, ClosestPairs]) -> list[dict[str, Any]]:
    """For the curve over the closest pairs."""
    return [
        {"name": name, "x": 100 * share, "value": point.value, "low": point.low, "high": point.high}
        for name, curve in curves.items()
        for share, point in zip(curve.shares, curve.points, strict=True)
    ]


def heat_rows(heat: PairsHeatmap) -> list[dict[str, Any]]:
    """For the heat map over both bounds."""
    return [
        {"row": f"{low:.3f}", "column": f"{high:.3f}", "value": float(heat.values[i, j])}
        for i, low in enumerate(heat.lower)
        for j, high in enumerate(heat.upper)
    ]


def matrix_sheet(table: MetricMatrix) -> Sheet:
    """Metrics by metrics."""
    rows = [
        {"metric": name, **{other: float(table.values[i, j]) for j, other in enumerate(table.names)}}
        for i, name in enumerate(table.names)
    ]
    return Sheet.of(rows, caption=f"{table.level} level, {table.coefficient}.")


def matrix_rows(table: MetricMatrix) -> list[dict[str, Any]]:
    """For the picture of it."""
    return [
        {"row": name, "column": other, "value": float(table.values[i, j])}
        for i, name in enumerate(table.names)
        for j, other in enumerate(table.names)
    ]


def anchors_sheet(found: Anchors) -> Sheet:
    """Each metric's correlation with two anchors."""
    rows = [
        {"metric": row.name, found.first: row.first, found.second: row.second, "difference": row.difference}
        for row in found.rows
    ]
    between = f"{found.first} and {found.second} correlate {found.between:.3f}"
    return Sheet.of(rows, caption=f"{found.level} level, {found.coefficient}; {between}.")


def coverage_sheet(found: Sequence[Coverage], metric: str, human: str) -> Sheet:
    """How often intervals hold the correlation of the other half."""
    rows = [
        {
            "level": one.level,
            "method": row.method,
            "coverage": row.share,
            "below": row.below,
            "above": row.above,
            "undefined": row.undefined,
        }
        for one in found
        for row in one.rows
    ]
    first = found[0]
    caption = (
        f"{metric} with {human}, {first.coefficient}, {first.trials:,} trials: share of {first.confidence:.0%} "
        "intervals on one half of systems and documents that hold the correlation on the other."
    )
    return Sheet.of(rows, caption=caption)


def power_sheet(found: PowerCurves, metric: str, human: str) -> Sheet:
    """Power of each test by how much of the metric is kept."""
    rows = [
        {"kept": share, "lost correlation": found.lost[i], **{row.test: row.power[i] for row in found.rows}}
        for i, share in enumerate(found.shares)
    ]
    how = (
        "noise of the size that thinning tokens makes was added"
        if found.degraded == "noise"
        else "ROUGE-1 of a share of the tokens"
    )
    caption = (
        f"Share of trials in which a test says that {metric} agrees with {human} better than its worse version "
        f"({how}); {found.level} level, {found.coefficient}, alpha {found.alpha:g}."
    )
    return Sheet.of(rows, caption=caption)


def power_rows(found: PowerCurves) -> list[dict[str, Any]]:
    """For the curves of power."""
    return [
        {"name": row.test, "x": share, "value": one.value, "low": one.low, "high": one.high}
        for row in found.rows
        for share, one in zip(found.shares, row.intervals, strict=True)
    ]


def normality_sheet(found: Mapping[tuple[str, str], Normality]) -> Sheet:
    """Shapiro-Wilk by score and level."""
    rows = [
        {
            "score": name,
            "level": level,
            "tested": one.tested,
            "not normal": one.rejected,
            "share": one.share if one.tested else nan,
            "p": one.pvalue if one.tested == 1 else None,
            "undefined": one.undefined,
        }
        for (name, level), one in found.items()
    ]
    alpha = next(iter(found.values())).alpha
    return Sheet.of(rows, caption=f"Shapiro-Wilk tests that reject normality at alpha {alpha:g}.")
