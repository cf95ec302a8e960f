"""How often a test finds that a metric is better than a worse version of itself (Deutsch 2022, 7.5.2, Fig. 27)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, cast

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import bootstrap_test, permutation_test
from gistmeter.stats.planning.worse_metrics import noisy_scores
from gistmeter.stats.resampling.trials import run_trials, share_interval
from gistmeter.stats.tables import Coefficient, Level, Undefined, align_cells, check_choice, check_share, score_table
from gistmeter.stats.williams import williams_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.resampling.pooling import Interval
    from gistmeter.stats.resampling.samples import Resampling, SwapMethod
    from gistmeter.stats.resampling.trials import Progress

    Degrade: TypeAlias = Callable[[float, np.random.Generator], ArrayLike]

PowerTest = Literal[
    "perm-scaled-systems",
    "perm-systems",
    "perm-documents",
    "perm-both",
    "perm-crossed",
    "boot-systems",
    "boot-documents",
    "boot-both",
    "williams",
]

PowerAlternative = Literal["greater", "two-sided"]

DEFAULT_TESTS: tuple[PowerTest, ...] = ("perm-scaled-systems", "perm-both", "boot-both", "williams")
"""The default of `meta test`, and the tests of the thesis."""

SHARES = (0.05, *(tenth / 10 for tenth in range(1, 11)))
"""The shares of the information that worse versions keep, unless others are asked for."""


@dataclass(frozen=True, slots=True)
class PowerRow:
    """How often one test said that the metric is better than its worse version, for each share."""

    test: PowerTest
    rejected: tuple[int, ...]
    trials: tuple[int, ...]
    """The trials that had a p-value."""

    @property
    def power(self) -> tuple[float, ...]:
        """The shares of rejections; NaN where no trial had a p-value."""
        return tuple(interval.value for interval in self.intervals)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The shares of rejections with the 95% intervals that the number of trials gives them."""
        return tuple(share_interval(*pair) for pair in zip(self.rejected, self.trials, strict=True))


@dataclass(frozen=True, slots=True)
class PowerCurves:
    """The power of several tests on the same worse versions of a metric (Fig. 27)."""

    shares: tuple[float, ...]
    rows: tuple[PowerRow, ...]
    lost: tuple[float, ...]
    """How much lower the correlation of the worse version is, on average over trials."""
    degraded: Literal["noise", "given"]
    """Whether noise was added to the scores, or the caller gave the worse versions."""
    level: Level
    coefficient: Coefficient
    alpha: float
    alternative: PowerAlternative

    def row(self, test: PowerTest) -> PowerRow:
        """The row of one test."""
        for row in self.rows:
            if row.test == test:
                return row
        raise ArgumentError(f"there is no row for {test!r} (there is {', '.join(row.test for row in self.rows)})")


def power(
    x: ArrayLike,
    z: ArrayLike,
    degrade: Degrade | None = None,
    *,
    shares: Sequence[float] = SHARES,
    tests: Sequence[PowerTest] = DEFAULT_TESTS,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    trials: int = 1000,
    draws: int = 1000,
    alpha: float = 0.05,
    alternative: PowerAlternative = "greater",
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> PowerCurves:
    """The share of trials in which each test says that `x` is better than a worse version of it.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of the judges, systems x documents.
    degrade : callable, optional
        `degrade(share, rng)` gives the scores of a worse version that keeps a share of the information, anew in each
        trial; without one it is `noisy_scores(x, share)`.
    shares : sequence of float
        The shares of the information that the worse versions keep, above 0 and at most 1.
    tests : sequence of str
        The tests: "williams", or "perm-" or "boot-" with what is swapped or resampled, such as "perm-both".
    level, coefficient, undefined
        Which correlations are compared, as in `correlate`.
    trials : int
        How many worse versions are made for each share.
    draws : int
        The number of permutations or resamples of a test.
    alpha : float
        The p-value up to which a test says that `x` is better.
    alternative : {"greater", "two-sided"}
        Whether tests ask if `x` is better, as in the thesis, or if the two differ, as `permutation_test` by default. A
        two-sided test that finds the worse version to be better does not count.
    seed, workers : int
        The seed of the trials, and how many threads share them: any number of workers gives the same result.
    progress : callable, optional
        Called as `progress(done, total)` after each trial.

    Returns
    -------
    PowerCurves

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables do not fit together or have no correlation, or a worse version has another shape.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(8, 30))
    >>> metric = judges + rng.normal(size=(8, 30))
    >>> curves = power(metric, judges, shares=[0.2, 1], tests=["perm-both", "williams"], trials=20, draws=100)
    >>> curves.row("perm-both").power, curves.row("williams").power
    ((1.0, 0.0), (0.0, 0.0))
    """
    for name, values in (("tests", tests), ("shares", shares)):
        if isinstance(values, str) or not len(values):
            raise ArgumentError(f"{name} are a list of at least one, not {values!r}")
    for test in tests:
        check_choice("test", test, PowerTest)
    if any(not 0 < share <= 1 for share in shares):
        raise ArgumentError(f"shares are above 0 and at most 1, unlike {list(shares)}")
    check_choice("alternative", alternative, PowerAlternative)
    check_share("alpha", alpha)
    a, b = align_cells(x, z)
    of_x = correlate(a, b, level=level, coefficient=coefficient, undefined=undefined).value
    make_worse: Degrade = degrade or (lambda share, rng: noisy_scores(a, share, rng=rng))

    def run_trial(number: int, rng: np.random.Generator) -> list[float]:
        """How much correlation a worse version lost, and the p-value of each test."""
        y = score_table(make_worse(shares[number // trials], rng))
        if y.shape != a.shape:
            raise DataError(f"the worse version has shape {y.shape}, but the scores have {a.shape}")
        seed = int(rng.integers(2**63))
        how = _TestKeywords(level=level, coefficient=coefficient, undefined=undefined, alternative=alternative)
        return [_lost_correlation(of_x, y, b, level, coefficient)] + [
            _pvalue(test, a, y, b, draws=draws, seed=seed, how=how) for test in tests
        ]

    outcomes = run_trials(trials * len(shares), run_trial, seed=seed, workers=workers, progress=progress)
    table = np.array(outcomes).reshape(len(shares), trials, -1)
    rows = tuple(
        PowerRow(
            test,
            rejected=tuple((table[:, :, column] <= alpha).sum(axis=1).tolist()),
            trials=tuple((~np.isnan(table[:, :, column])).sum(axis=1).tolist()),
        )
        for column, test in enumerate(tests, start=1)
    )
    losses = [row[~np.isnan(row)] for row in table[:, :, 0]]
    return PowerCurves(
        shares=tuple(shares),
        rows=rows,
        lost=tuple(float(row.mean()) if len(row) else math.nan for row in losses),
        degraded="given" if degrade else "noise",
        level=level,
        coefficient=coefficient,
        alpha=alpha,
        alternative=alternative,
    )


def _lost_correlation(of_x: float, y: FloatArray, z: FloatArray, level: Level, coefficient: Coefficient) -> float:
    """How much lower the correlation of y is than that of x; NaN if it is undefined."""
    try:
        return of_x - correlate(y, z, level=level, coefficient=coefficient).value
    except DataError:
        return math.nan


class _TestKeywords(TypedDict):
    """What all tests take."""

    level: Level
    coefficient: Coefficient
    undefined: Undefined
    alternative: PowerAlternative


def _pvalue(
    test: PowerTest, x: FloatArray, y: FloatArray, z: FloatArray, *, draws: int, seed: int, how: _TestKeywords
) -> float:
    """The p-value of "x is better than y", 1 if y is the better; NaN if there is none, as when y is constant."""
    kind, _, method = test.partition("-")
    try:
        if kind == "williams":
            result = williams_test(x, y, z, **how)
        elif kind == "perm":
            swapped = cast("SwapMethod", method)
            result = permutation_test(x, y, z, method=swapped, permutations=draws, seed=seed, **how)
        else:
            resampled = cast("Resampling", method)
            result = bootstrap_test(x, y, z, method=resampled, resamples=draws, seed=seed, **how)
    except DataError:
        return math.nan
    if how["alternative"] == "two-sided" and result.statistic <= 0:
        return 1.0
    return result.pvalue
