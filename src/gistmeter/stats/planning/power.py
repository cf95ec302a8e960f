"""How often a test finds that a metric is better than a worse version of itself (Deutsch 2022, 7.5.2, Fig. 27).

The worse version of ROUGE-1 is R_k: ROUGE-1 of a random k% of the summary's tokens. It is made here from counts of
tokens (`TokenMatches`, `thinned_rouge`), or, where there are scores alone, by adding noise that loses about as much
(`noisy_scores`); the result says which.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import bootstrap_test, permutation_test, williams_test
from gistmeter.stats.resampling.trials import in_trials, share_interval
from gistmeter.stats.tables import Coefficient, Level, Undefined, check_choice, check_share, means, scores, shared_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.resampling.pooling import Interval
    from gistmeter.stats.resampling.samples import Resampling, Swapping
    from gistmeter.stats.resampling.trials import Progress

    IntArray: TypeAlias = NDArray[np.int64]
    Tokens: TypeAlias = Sequence[Hashable]
    Degrade: TypeAlias = Callable[[float, np.random.Generator], ArrayLike]

PowerTest = Literal[
    "perm-systems",
    "perm-inputs",
    "perm-both",
    "perm-crossed",
    "boot-systems",
    "boot-inputs",
    "boot-both",
    "williams",
]
RougeVariant = Literal["precision", "recall", "f1"]

SHARES = (0.05, *(tenth / 10 for tenth in range(1, 11)))

# Noise that loses about as much correlation as R_k does on SummEval (measured in tests/stats/test_power.py).
SUMMARY_NOISE, SYSTEM_NOISE = 1.0, 0.5


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

    def row(self, test: PowerTest) -> PowerRow:
        """The row of one test."""
        for row in self.rows:
            if row.test == test:
                return row
        raise DataError(f"there is no row for {test!r} (there is {', '.join(row.test for row in self.rows)})")


def power(
    x: ArrayLike,
    z: ArrayLike,
    degrade: Degrade | None = None,
    *,
    shares: Sequence[float] = SHARES,
    tests: Sequence[PowerTest] = ("perm-both", "boot-both", "williams"),
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    trials: int = 1000,
    draws: int = 1000,
    alpha: float = 0.05,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> PowerCurves:
    """The share of trials in which each test says that `x` is better than a worse version of it, one-sided.

    `degrade(share, rng)` gives the scores of a worse version that keeps a share of the information, anew in each
    trial; without one it is `noisy_scores(x, share)`. `draws` is the number of permutations or resamples of a test.
    Any number of workers gives the same result.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(8, 30))
    >>> metric = judges + rng.normal(size=(8, 30))
    >>> found = power(metric, judges, shares=[0.2, 1], tests=["perm-both", "williams"], trials=20, draws=100)
    >>> found.row("perm-both").power, found.row("williams").power
    ((1.0, 0.0), (0.0, 0.0))
    """
    for name, values in (("tests", tests), ("shares", shares)):
        if isinstance(values, str) or not len(values):
            raise DataError(f"{name} are a list of at least one, not {values!r}")
    for test in tests:
        check_choice("test", test, PowerTest)
    if any(not 0 < share <= 1 for share in shares):
        raise DataError(f"shares are above 0 and at most 1, unlike {list(shares)}")
    check_share("alpha", alpha)
    a, b = shared_cells(x, z)
    of_x = correlate(a, b, level=level, coefficient=coefficient, undefined=undefined).value
    worse: Degrade = degrade or (lambda share, rng: noisy_scores(a, share, rng=rng))

    def trial(number: int, rng: np.random.Generator) -> list[float]:
        y = scores(worse(shares[number // trials], rng))
        if y.shape != a.shape:
            raise DataError(f"the worse version has shape {y.shape}, but the scores have {a.shape}")
        seed = int(rng.integers(2**63))
        return [_lost(of_x, y, b, level, coefficient)] + [
            _pvalue(test, a, y, b, level=level, coefficient=coefficient, undefined=undefined, draws=draws, seed=seed)
            for test in tests
        ]

    outcomes = in_trials(trials * len(shares), trial, seed=seed, workers=workers, progress=progress)
    found = np.array(outcomes).reshape(len(shares), trials, -1)
    rows = tuple(
        PowerRow(
            test,
            tuple((found[:, :, place] <= alpha).sum(axis=1).tolist()),
            tuple((~np.isnan(found[:, :, place])).sum(axis=1).tolist()),
        )
        for place, test in enumerate(tests, start=1)
    )
    losses = [row[~np.isnan(row)] for row in found[:, :, 0]]
    lost = tuple(float(row.mean()) if len(row) else math.nan for row in losses)
    return PowerCurves(tuple(shares), rows, lost, "given" if degrade else "noise", level, coefficient, alpha)


def _lost(of_x: float, y: FloatArray, z: FloatArray, level: Level, coefficient: Coefficient) -> float:
    try:
        return of_x - correlate(y, z, level=level, coefficient=coefficient).value
    except DataError:
        return math.nan


def _pvalue(
    test: PowerTest,
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    *,
    level: Level,
    coefficient: Coefficient,
    undefined: Undefined,
    draws: int,
    seed: int,
) -> float:
    """The p-value of "x is better than y"; NaN if there is none, as when y is constant."""
    kind, _, method = test.partition("-")
    try:
        if kind == "williams":
            return williams_test(
                x, y, z, level=level, coefficient=coefficient, alternative="greater", undefined=undefined
            ).pvalue
        if kind == "perm":
            return permutation_test(
                x,
                y,
                z,
                level=level,
                coefficient=coefficient,
                method=cast("Swapping", method),
                alternative="greater",
                permutations=draws,
                undefined=undefined,
                seed=seed,
            ).pvalue
        return bootstrap_test(
            x,
            y,
            z,
            level=level,
            coefficient=coefficient,
            method=cast("Resampling", method),
            alternative="greater",
            resamples=draws,
            undefined=undefined,
            seed=seed,
        ).pvalue
    except DataError:
        return math.nan


def noisy_scores(
    x: ArrayLike,
    share: float,
    *,
    summary_noise: float = SUMMARY_NOISE,
    system_noise: float = SYSTEM_NOISE,
    rng: np.random.Generator | None = None,
) -> FloatArray:
    """The scores with normal noise, as if of a share of the tokens: its variance grows as (1 - share) / share.

    So does the error of a share of tokens drawn without replacement. At a share of 1/2 the noise of each summary has
    `summary_noise` times the variance of the systems' scores on a document, and a noise that all summaries of a
    system have in common `system_noise` times the variance of the systems' means: R_k favours some systems, since
    with fewer tokens F1 counts recall for more. With the values given it loses about as much as R_k on SummEval.

    >>> noisy_scores([[1.0, 2], [3, 5]], share=1)
    array([[1., 2.],
           [3., 5.]])
    """
    _check_tokens(share)
    table = scores(x)
    rng = rng or np.random.default_rng(0)
    spread_of_summaries, spread_of_systems = math.sqrt(_variance(table)), math.sqrt(_variance(means(table)[:, None]))
    summaries = math.sqrt(summary_noise) * spread_of_summaries * rng.standard_normal(table.shape)
    systems = math.sqrt(system_noise) * spread_of_systems * rng.standard_normal((len(table), 1))
    return np.asarray(table + math.sqrt((1 - share) / share) * (summaries + systems))


def _variance(table: FloatArray) -> float:
    """The variance within columns, averaged over those that have scores."""
    known = ~np.isnan(table).all(axis=0)
    return float(np.nanvar(table[:, known], axis=0).mean()) if known.any() else 0.0


def _check_tokens(share: float) -> None:
    if not 0 < share <= 1:
        raise DataError(f"a share of the tokens is above 0 and at most 1, not {share}")


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatches:
    """Which tokens of many summaries are in their references, as arrays; all that R_k needs of the texts.

    A word is a token with its summary: the same token in two summaries is two words.
    """

    shape: tuple[int, int]
    """How many systems and documents there are."""
    words: IntArray
    """The word of each token, summary by summary."""
    lengths: IntArray
    """How many tokens each summary has; -1 where there is no summary."""
    distinct: IntArray
    """How many words each summary has."""
    limits: FloatArray
    """How often each word is in each reference (words x references)."""
    reference_lengths: FloatArray
    """How many tokens each reference of a summary has (summaries x references), NaN where there is none."""

    @classmethod
    def of(cls, summaries: Sequence[Sequence[Tokens | None]], references: Sequence[Sequence[Tokens]]) -> TokenMatches:
        """From the tokens (words or numbers) of summaries, systems x documents, and of each document's references."""
        if not summaries or not references or any(len(row) != len(references) for row in summaries):
            raise DataError(
                "token matches need summaries of the same documents for each system, and references of those documents"
            )
        most = max(map(len, references))
        counted = [[Counter(reference) for reference in some] for some in references]
        sizes = np.full((len(references), most), np.nan)
        for place, some in enumerate(references):
            sizes[place, : len(some)] = [len(reference) for reference in some]
        words: list[int] = []
        limits: list[list[int]] = []
        lengths, distinct = [], []
        for row in summaries:
            for tokens, counts in zip(row, counted, strict=True):
                first = len(limits)
                known = dict.fromkeys(tokens or ())
                places = {token: first + place for place, token in enumerate(known)}
                words.extend(places[token] for token in tokens or ())
                limits.extend([count[token] for count in counts] + [0] * (most - len(counts)) for token in known)
                lengths.append(-1 if tokens is None else len(tokens))
                distinct.append(len(known))
        return cls(
            (len(summaries), len(references)),
            np.array(words, dtype=np.int64),
            np.array(lengths, dtype=np.int64),
            np.array(distinct, dtype=np.int64),
            np.array(limits, dtype=np.float64).reshape(-1, most),
            np.tile(sizes, (len(summaries), 1)),
        )


def thinned_rouge(
    matches: TokenMatches, share: float, *, variant: RougeVariant = "f1", rng: np.random.Generator | None = None
) -> FloatArray:
    """R_k: ROUGE-1 of a random share of each summary's tokens (rounded down), mean over references, as 0 to 1.

    A share of 1 is ROUGE-1.

    >>> matches = TokenMatches.of([["the cat sat".split()], ["the dog".split()]], [["the cat".split()]])
    >>> thinned_rouge(matches, 1.0)
    array([[0.8],
           [0.5]])
    """
    _check_tokens(share)
    check_choice("variant", variant, RougeVariant)
    rng = rng or np.random.default_rng(0)
    lengths = np.maximum(matches.lengths, 0)
    # A product such as 0.29 * 100 is a little below 29, and that is 29 tokens.
    taken = np.floor(lengths * share + 1e-9).astype(np.int64)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((rng.random(len(owners)), owners))
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    counts = np.bincount(matches.words[order[within < taken[owners]]], minlength=len(matches.limits))
    overlap = np.zeros(matches.reference_lengths.shape)
    filled = matches.distinct > 0
    if filled.any():
        starts = (np.cumsum(matches.distinct) - matches.distinct)[filled]
        overlap[filled] = np.add.reduceat(np.minimum(counts[:, None], matches.limits), starts, axis=0)
    overlap[np.isnan(matches.reference_lengths)] = np.nan
    by = {"precision": taken[:, None], "recall": matches.reference_lengths}
    # F1 is the overlap by the mean of both lengths.
    size = by[variant] if variant in by else (by["precision"] + by["recall"]) / 2
    values = np.where(overlap > 0, overlap / np.where(size > 0, size, 1.0), overlap)
    absent = (matches.lengths < 0) | np.isnan(values).all(axis=1)
    found = np.full(len(values), np.nan)
    found[~absent] = np.nanmean(values[~absent], axis=1)
    return found.reshape(matches.shape)
