"""What a table of correlations says of each cell: its confidence interval, and a test against a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.meta.comparisons import PairTest
from gistmeter.meta.interval import interval as measure_intervals
from gistmeter.meta.test import test
from gistmeter.stats.multiple import holm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.meta.options import CorrelationOptions
    from gistmeter.meta.study import Study
    from gistmeter.stats.resampling.samples import SwapMethod
    from gistmeter.stats.tables import Coefficient, Level, Undefined

Bounds = dict[tuple[str, str, str], tuple[float, float]]
"""The ends of intervals, by metric, level and coefficient."""


@dataclass(frozen=True, slots=True)
class CellPvalues:
    """P-values of all metrics of a column against the baseline, NaN for the baseline itself, and what to note."""

    pvalues: tuple[float, ...]
    corrected: tuple[float, ...]
    notes: tuple[str, ...] = ()


def measure_bounds(
    study: Study,
    metrics: Sequence[str],
    aspect: str,
    *,
    levels: Sequence[Level],
    coefficients: Sequence[Coefficient],
    undefined: Undefined,
    resamples: int,
    confidence: float,
    seed: int,
    workers: int,
) -> Bounds:
    """The intervals of `gistmeter.meta.interval`; those that the data is too small for are left out."""
    bounds: Bounds = {}
    for coefficient in coefficients:
        for level in levels:
            try:
                measured = measure_intervals(
                    study,
                    metrics=metrics,
                    aspect=aspect,
                    level=level,
                    coefficient=coefficient,
                    undefined=undefined,
                    resamples=resamples,
                    confidence=confidence,
                    seed=seed,
                    workers=workers,
                )
            except DataError:
                continue
            for row in measured.rows:
                bounds[row.metric, level, coefficient] = (row.interval.low, row.interval.high)
    return bounds


def compare_with(
    study: Study,
    baseline: str,
    values: Mapping[str, float],
    metrics: Sequence[str],
    aspect: str,
    options: CorrelationOptions,
    *,
    method: SwapMethod,
    permutations: int,
    alpha: float,
    seed: int,
    workers: int,
) -> CellPvalues:
    """Two-sided p-values of `gistmeter.meta.test` against a baseline, and after Holm's correction for their number."""
    pvalues = np.full(len(metrics), nan)
    notes: dict[str, None] = {}
    for number, metric in enumerate(metrics):
        if metric == baseline or metric not in values or baseline not in values:
            continue
        try:
            tested = test(
                study,
                metrics=[metric, baseline],
                aspect=aspect,
                level=options.level,
                coefficient=options.coefficient,
                method=method,
                permutations=permutations,
                alpha=alpha,
                undefined=options.undefined,
                seed=seed,
                workers=workers,
            )
        except (ArgumentError, DataError) as error:
            notes[f"{metric} is not tested against {baseline}: {error}"] = None
            continue
        if isinstance(tested, PairTest):
            pvalues[number] = tested.pvalue
    corrected = np.full(len(metrics), nan)
    tested_rows = np.isfinite(pvalues)
    if tested_rows.any():
        corrected[tested_rows] = holm(pvalues[tested_rows])
    return CellPvalues(tuple(pvalues.tolist()), tuple(corrected.tolist()), tuple(notes))
