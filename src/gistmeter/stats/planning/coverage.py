"""How often an interval made on one half of the data holds the correlation of the other half (Deutsch 2022, 7.5.1).

Systems and documents are both split at random, so the other half has other systems on other documents: what a
metric is used for. An interval that says 95% should hold that correlation about 95% of the time (Table 19).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import IntervalKind, bootstrap, fisher
from gistmeter.stats.resampling.trials import run_trials, share_interval
from gistmeter.stats.tables import Coefficient, Level, Undefined, align_cells, check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.intervals import CorrelationInterval
    from gistmeter.stats.resampling.pooling import Interval
    from gistmeter.stats.resampling.trials import Progress

IntervalMethod = Literal["fisher", "systems", "documents", "both"]
INTERVAL_METHODS: tuple[IntervalMethod, ...] = ("fisher", "systems", "documents", "both")


@dataclass(frozen=True, slots=True)
class MethodCoverage:
    """How often the intervals of one method held the correlation of the other half."""

    method: IntervalMethod
    inside: int
    """Trials whose correlation was within the interval."""
    below: int
    """Trials whose correlation was below the interval, which then promised too much."""
    above: int
    """Trials whose correlation was above the interval."""
    undefined: int
    """Trials without an interval or a correlation, scores being constant. They are left out of the share."""

    @property
    def share(self) -> float:
        """The share of the trials inside; NaN if there was none."""
        trials = self.inside + self.below + self.above
        return self.inside / trials if trials else math.nan

    @property
    def interval(self) -> Interval:
        """The share with the 95% interval that the number of trials gives it."""
        return share_interval(self.inside, self.inside + self.below + self.above)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of each method's intervals, all on the same halves."""

    rows: tuple[MethodCoverage, ...]
    level: Level
    coefficient: Coefficient
    confidence: float
    trials: int

    def row(self, method: IntervalMethod) -> MethodCoverage:
        """The row of one method."""
        for row in self.rows:
            if row.method == method:
                return row
        raise ArgumentError(f"there is no row for {method!r} (there is {', '.join(row.method for row in self.rows)})")


def coverage(
    x: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    methods: Sequence[IntervalMethod] = INTERVAL_METHODS,
    trials: int = 1000,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: IntervalKind = "percentile",
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Coverage:
    """Make intervals on half of the systems and documents, and look for the correlation of the other half in them.

    Of an odd number of systems or documents the first half has one less.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of the judges, systems x documents.
    level, coefficient, undefined
        Which correlation is taken, as in `correlate`.
    methods : sequence of {"fisher", "systems", "documents", "both"}
        How intervals are made: by Fisher's transformation, or by the bootstrap of what the word says.
    trials : int
        How many times systems and documents are split.
    resamples, confidence, interval
        How bootstrap intervals are made, as in `bootstrap`.
    seed, workers : int
        The seed of the splits, and how many threads share the trials: any number gives the same result.
    progress : callable, optional
        Called as `progress(done, total)` after each trial.

    Returns
    -------
    Coverage

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables do not fit together, their halves are too small, or they have no correlation.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> metric = judges + rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> result = coverage(metric, judges, methods=["documents", "both"], trials=50, resamples=100)
    >>> result.row("documents").share < result.row("both").share
    True
    """
    _check_methods(methods)
    for method in methods:
        check_choice("method", method, IntervalMethod)
    check_choice("interval", interval, IntervalKind)
    check_choice("undefined", undefined, Undefined)
    check_share("confidence", confidence)
    a, b = align_cells(x, z)
    _check_halves(a, methods, coefficient)
    # What cannot be correlated at all is an error of the tables, not of a trial.
    correlate(a, b, level=level, coefficient=coefficient, undefined=undefined)
    half_undefined: Undefined = "zero" if undefined == "zero" else "drop"

    def run_trial(_: int, rng: np.random.Generator) -> list[str]:
        """For each method, on which side of its interval the correlation of the other half was."""
        rows, columns = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
        half_rows, half_columns = len(rows) // 2, len(columns) // 2
        first = np.ix_(rows[:half_rows], columns[:half_columns])
        second = np.ix_(rows[half_rows:], columns[half_columns:])
        bootstrap_seed = int(rng.integers(2**63))

        def make_interval(method: IntervalMethod) -> CorrelationInterval:
            if method == "fisher":
                return fisher(
                    a[first],
                    b[first],
                    level=level,
                    coefficient=coefficient,
                    confidence=confidence,
                    undefined=half_undefined,
                )
            return bootstrap(
                a[first],
                b[first],
                level=level,
                coefficient=coefficient,
                method=method,
                resamples=resamples,
                confidence=confidence,
                interval=interval,
                undefined=half_undefined,
                seed=bootstrap_seed,
            )

        try:
            held_out = correlate(
                a[second], b[second], level=level, coefficient=coefficient, undefined=half_undefined
            ).value
        except DataError:
            return ["undefined"] * len(methods)
        return [_locate(held_out, make_interval, method) for method in methods]

    outcomes = run_trials(trials, run_trial, seed=seed, workers=workers, progress=progress)
    rows = []
    for column, method in enumerate(methods):
        counts = Counter(outcome[column] for outcome in outcomes)
        rows.append(
            MethodCoverage(
                method,
                inside=counts["inside"],
                below=counts["below"],
                above=counts["above"],
                undefined=counts["undefined"],
            )
        )
    return Coverage(tuple(rows), level=level, coefficient=coefficient, confidence=confidence, trials=trials)


def _locate(
    value: float, make_interval: Callable[[IntervalMethod], CorrelationInterval], method: IntervalMethod
) -> str:
    """Whether a value is inside, below or above an interval, or the interval is undefined."""
    try:
        interval = make_interval(method)
    except DataError:
        return "undefined"
    if value < interval.low:
        return "below"
    return "above" if value > interval.high else "inside"


def _check_methods(methods: Sequence[IntervalMethod]) -> None:
    if isinstance(methods, str) or not methods:
        raise ArgumentError(f"methods are a list of {', '.join(INTERVAL_METHODS)}, not {methods!r}")


def _check_halves(table: FloatArray, methods: Sequence[IntervalMethod], coefficient: Coefficient) -> None:
    """Refuse tables whose halves are too small for the intervals."""
    systems, documents = table.shape
    fewest = 3
    if "fisher" in methods:
        if coefficient == "kendall-c":
            raise ArgumentError("Fisher's interval is not for kendall-c; leave it out of the methods")
        fewest = 5 if coefficient == "kendall" else 4
    if systems < 2 * fewest or documents < 4:
        raise DataError(
            f"coverage needs at least {2 * fewest} systems and 4 documents to split in halves, "
            f"but there are {systems} and {documents}"
        )
