"""Correlations of many resampled or permuted tables, in blocks whose randomness does not depend on who does them.

    PairSampler   the correlation of two tables when systems and documents are drawn with replacement
    SwapSampler   the correlations of two metrics with the judges when some of their scores are swapped

A draw is a weight for each system and each document, or a mark on each cell to swap. Where a draw changes only how
often whole correlations count (documents at summary level), those are taken once and weighed.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling.draws import MAX_CELLS
from gistmeter.stats.resampling.scales import standardise, standardise_rows
from gistmeter.stats.resampling.swapped_columns import swap_columns, swap_columns_by_row
from gistmeter.stats.tables import GROUPS, OBSERVATIONS, align_cells, check_counts, check_seed, correlated_rows
from gistmeter.stats.ties import rank_rows, snap_ties, tie_width
from gistmeter.wording import there_are

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.stats.tables import Coefficient, Level, Undefined

    Marks: TypeAlias = NDArray[np.uint8]
    Counts: TypeAlias = FloatArray | None

Resampling = Literal["systems", "documents", "both"]
SwapMethod = Literal["scaled-systems", "systems", "documents", "both", "crossed"]
"""What is swapped between metrics: as `Swapping`, or whole systems with the metrics on the scale of the correlation."""
WHOLE_SYSTEMS: frozenset[SwapMethod] = frozenset({"scaled-systems", "systems"})
"""The methods that metrics may favour systems under."""

DRAWS_PER_SEED = 250
"""How many draws share a seed. It must stay as it is: another number would give other draws."""

_COEFFICIENT_CODES = {"pearson": 0, "spearman": 1, "kendall": 2, "kendall-c": 3}
"""As in the module `kernels`, which is imported when first needed: compiling takes seconds."""


def run_in_blocks(
    total: int,
    work: Callable[[int, np.random.Generator], FloatArray],
    *,
    name: str,
    seed: int,
    workers: int = 1,
) -> FloatArray:
    """The results of `work(draws, rng)` for `total` draws, the same for any number of workers.

    >>> run_in_blocks(600, lambda draws, rng: np.array([draws]), name="resamples", seed=0, workers=2)
    array([250, 250, 100])
    """
    check_counts(**{name: total, "workers": workers})
    check_seed(seed)
    sizes = [min(DRAWS_PER_SEED, total - done) for done in range(0, total, DRAWS_PER_SEED)]
    generators = [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(len(sizes))]
    if workers == 1 or len(sizes) == 1:
        return np.concatenate([work(size, rng) for size, rng in zip(sizes, generators, strict=True)])
    # Threads are enough: the compiled loops let go of the interpreter.
    with ThreadPoolExecutor(min(workers, len(sizes))) as pool:
        return np.concatenate(list(pool.map(work, sizes, generators)))


def count_observations(table: FloatArray, level: Level, *, at_least: int = 3) -> int:
    """How many observations one correlation of the level has (the most of any); too few are refused.

    >>> count_observations(np.ones((4, 9)), "summary")
    4
    """
    present = ~np.isnan(table)
    if level == "system":
        count = int(present.any(axis=1).sum())
    else:
        count = int(present.sum(axis={"summary": 0, "per-system": 1, "pooled": None}[level]).max(initial=0))
    if count < at_least:
        group = f" of one {GROUPS[level][:-1]}" if level in GROUPS else ""
        needed = f"scores{group} for at least {at_least} {OBSERVATIONS[level]}"
        raise DataError(f"an interval or a test at {level} level needs {needed}, but {there_are(count)}")
    return count


def draw_counts(size: int, draws: int, rng: np.random.Generator) -> FloatArray:
    """How often each of `size` systems or documents is drawn in each of `draws` resamples with replacement."""
    return tally(rng.integers(size, size=(draws, size)), size)


def tally(drawn: IntArray, size: int) -> FloatArray:
    """How often each of the indices below `size` stands in each row.

    >>> tally(np.array([[0, 2, 2], [1, 0, 1]]), 3)
    array([[1., 0., 2.],
           [1., 2., 0.]])
    """
    cells = drawn + size * np.arange(len(drawn))[:, None]
    return np.bincount(cells.ravel(), minlength=len(drawn) * size).reshape(-1, size).astype(np.float64)


class PairSampler:
    """Two tables (systems x documents) made ready to be correlated again and again, as `correlate` does it.

    >>> x, z = np.array([[0.1, 0.2], [0.3, 0.1], [0.5, 0.9]]), np.array([[1.0, 2], [2, 1], [3, 3]])
    >>> sampler = PairSampler(x, z, level="summary", coefficient="pearson")
    >>> sampler.correlations(documents=np.array([[1.0, 1], [2, 0]])).round(3)
    array([0.959, 1.   ])
    """

    def __init__(
        self, x: FloatArray, z: FloatArray, *, level: Level, coefficient: Coefficient, undefined: Undefined = "drop"
    ) -> None:
        self._level, self._shape = level, x.shape
        self._kind, self._zero = _COEFFICIENT_CODES[coefficient], undefined == "zero"
        a, b = align_cells(correlated_rows(x, level), correlated_rows(z, level))
        self._x, self._z = _encode_ranks(self._kind, a), _encode_ranks(self._kind, b)
        self._by_document = (*_transpose_scores(x), *_transpose_scores(z)) if level == "system" else ()
        self._tie_widths = tie_width(x), tie_width(z)

    def correlations(
        self, *, systems: Counts = None, documents: Counts = None, z_documents: Counts = None
    ) -> FloatArray:
        """The correlation in each draw, NaN where undefined.

        A draw is how often each system and each document is taken (draws x systems, draws x documents); None is
        all of them, once. At system level z can have documents, and so draws, of its own.
        """
        if self._level == "pooled":
            return self._correlate_cells(systems, documents)
        if self._level == "system" and documents is not None:
            return self._correlate_means(systems, documents, documents if z_documents is None else z_documents)
        observations, rows = (documents, systems) if self._level == "per-system" else (systems, documents)
        if observations is not None:
            return self._correlate_rows(observations, rows)
        values = _row_correlations(self._kind, self._x, self._z, self._zero)
        return _average_rows(values, np.ones((1, len(values))) if rows is None else rows)

    def _correlate_rows(self, observations: FloatArray, rows: Counts) -> FloatArray:
        """The mean correlation of the rows when each observation, and each row, is drawn so often."""
        from gistmeter.stats.resampling import kernels

        if rows is None:
            rows = np.ones((len(observations), len(self._x)))
        return np.asarray(kernels.resample_rows(self._kind, self._x, self._z, observations, rows, self._zero))

    def _correlate_means(self, systems: Counts, documents: FloatArray, z_documents: FloatArray) -> FloatArray:
        """The correlation of the systems' means over the documents drawn."""
        from gistmeter.stats.resampling import kernels

        systems = np.ones((len(documents), self._shape[0])) if systems is None else systems
        return np.asarray(
            kernels.resample_means(
                self._kind, *self._by_document, systems, documents, z_documents, self._tie_widths, self._zero
            )
        )

    def _correlate_cells(self, systems: Counts, documents: Counts) -> FloatArray:
        """A cell is drawn as often as its system times as often as its document; a few draws at a time."""
        sides = [
            np.ones((1, size)) if counts is None else counts
            for counts, size in zip((systems, documents), self._shape, strict=True)
        ]
        draws, cells = max(map(len, sides)), self._x.shape[1]
        rows, columns = (np.broadcast_to(side, (draws, side.shape[1])) for side in sides)
        batch = max(1, MAX_CELLS // cells)
        return np.concatenate(
            [
                self._correlate_rows(
                    (rows[i : i + batch, :, None] * columns[i : i + batch, None]).reshape(-1, cells), None
                )
                for i in range(0, draws, batch)
            ]
        )


class SwapSampler:
    """Two metrics' tables and the judges', made ready to swap scores of the metrics; NaN in the same cells.

    The metrics' scores are standardised first, so that one can stand in for the other: over all cells (Deutsch 2022,
    alg. 2), or if `scaled` as they enter the correlation (the systems' means, or their scores on each document), and as
    ranks for the rank coefficients. Scaled scores can be swapped by systems only.
    """

    def __init__(
        self,
        x: FloatArray,
        y: FloatArray,
        z: FloatArray,
        *,
        level: Level,
        coefficient: Coefficient,
        undefined: Undefined = "drop",
        scaled: bool = False,
    ) -> None:
        self._level, self._shape = level, x.shape
        self._kind, self._zero = _COEFFICIENT_CODES[coefficient], undefined == "zero"
        if not scaled:
            x, y = standardise(x), standardise(y)
        a, b, c = (correlated_rows(table, level) for table in (x, y, z))
        if scaled:
            put_on_scale = standardise_rows if coefficient == "pearson" else rank_rows
            a, b = put_on_scale(a), put_on_scale(b)
            x, y = a, b
        # One coding, and one width of ties, for both metrics: their scores will stand side by side.
        width = tie_width(x, y)
        self._xy = np.stack(np.hsplit(_encode_ranks(self._kind, snap_ties(np.hstack([a, b]), width)), 2))
        self._z = _encode_ranks(self._kind, c)
        if level == "system" and not scaled:
            self._scored = ~np.isnan(c[0])
            first, second = (_transpose_scores(table[self._scored])[0] for table in (x, y))
            counts = (~np.isnan(x[self._scored])).sum(axis=1).astype(np.float64)
            self._by_document = (
                np.stack([first, second]),
                counts,
                _encode_ranks(self._kind, c[:, self._scored])[0],
                width,
            )

    def correlations(self, swaps: Marks) -> FloatArray:
        """The correlations of x and of y with z (draws x 2) after the marked cells are swapped, NaN where undefined.

        `swaps` is as from `swap_marks.draw_swap_marks`.
        """
        from gistmeter.stats.resampling import kernels

        # A lone document or system has marks of length 1 along both axes.
        marks = np.broadcast_to(swaps, (len(swaps), *self._shape))
        if self._level == "summary" and swaps.shape[1] == 1:
            return self._swap_rows(marks[:, 0])
        if self._level == "per-system" and swaps.shape[2] == 1:
            return self._swap_rows(marks[:, :, 0])
        if self._level in ("summary", "per-system") and 1 in swaps.shape[1:]:
            columns = marks[:, :, 0] if self._level == "summary" else marks[:, 0]
            return swap_columns(self._kind, self._xy, self._z, columns, self._zero)
        if self._level == "system" and swaps.shape[2] == 1:
            return self._swap_cells(np.array(marks[:, None, :, 0], order="C"))
        if self._level == "system":
            marks = np.ascontiguousarray(marks[:, self._scored].transpose(0, 2, 1))
            return np.asarray(kernels.swap_means(self._kind, *self._by_document, marks, self._zero))
        # Copied, since a broadcast array cannot be written to, and for such arrays loops are compiled once more.
        if self._level == "summary":
            return self._swap_cells(np.array(marks.transpose(0, 2, 1), order="C"))
        return self._swap_cells(np.array(marks, order="C").reshape(len(swaps), *self._z.shape))

    def row_differences(self, swaps: Marks) -> FloatArray:
        """How much better x agrees with z than y does in each row (draws x rows) after whole columns are swapped.

        `swaps` is draws x columns (systems, at summary level); a difference is NaN where it is undefined.
        """
        of_x, of_y = np.split(swap_columns_by_row(self._kind, self._xy, self._z, swaps, self._zero), 2)
        return np.asarray(of_x - of_y)

    def _swap_cells(self, marks: Marks) -> FloatArray:
        """The mean correlations of the rows after the marked cells are swapped."""
        from gistmeter.stats.resampling import kernels

        return np.asarray(kernels.swap_cells(self._kind, self._xy, self._z, marks, self._zero))

    def _swap_rows(self, swaps: Marks) -> FloatArray:
        """Whole rows, and so whole correlations, are swapped: each correlation is computed once."""
        together = np.concatenate([_row_correlations(self._kind, table, self._z, self._zero) for table in self._xy])
        marks = swaps.astype(np.float64)
        return np.stack(
            [
                _average_rows(together, np.hstack([1.0 - marks, marks])),
                _average_rows(together, np.hstack([marks, 1.0 - marks])),
            ],
            axis=1,
        )


def _encode_ranks(kind: int, table: FloatArray) -> FloatArray:
    """Scores for Pearson; for the rank coefficients, how many in the same row are smaller."""
    if kind == _COEFFICIENT_CODES["pearson"]:
        return table
    order = np.argsort(table, axis=1)  # NaN goes last
    ordered = np.take_along_axis(table, order, axis=1)
    starts = np.zeros(table.shape, dtype=np.int64)
    starts[:, 1:] = np.where(ordered[:, 1:] != ordered[:, :-1], np.arange(1, table.shape[1]), 0)
    codes = np.empty_like(table)
    np.put_along_axis(codes, order, np.maximum.accumulate(starts, axis=1).astype(np.float64), axis=1)
    codes[np.isnan(table)] = np.nan
    return codes


def _transpose_scores(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The table as documents x systems with 0 for NaN, and where there is a score (1 or 0; no rows if everywhere)."""
    present = ~np.isnan(table.T)
    marks = present[:0] if present.all() else present
    # One layout for all tables: a loop is compiled for each layout that it meets.
    return np.ascontiguousarray(np.where(present, table.T, 0.0)), np.ascontiguousarray(marks, dtype=np.float64)


def _row_correlations(kind: int, x: FloatArray, z: FloatArray, zero: bool) -> FloatArray:
    """The correlation of each row of two tables."""
    from gistmeter.stats.resampling import kernels

    return np.asarray(kernels.correlate_rows(kind, x, z, zero))


def _average_rows(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The mean of the values that are not NaN, for each row of weights; NaN where all weigh nothing."""
    defined = ~np.isnan(values)
    total = weights[:, defined].sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(weights[:, defined] @ values[defined] / total)
