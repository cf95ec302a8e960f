"""Do two metrics favour different systems? An F test, which says whether single summaries may be swapped in a test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling.scales import standardise
from gistmeter.stats.tables import align_cells
from gistmeter.stats.ties import tie_width

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True, slots=True)
class SystemEffects:
    """Whether the standardised difference of two metrics depends on the system."""

    f: float
    """The mean square of systems over that of what is left: about 1 if metrics favour no system."""
    pvalue: float
    systems_df: int
    residual_df: int


def system_effects(x: ArrayLike, y: ArrayLike) -> SystemEffects:
    """F test of system effects in the standardised difference of two metrics, with documents as blocks.

    Both metrics are standardised over all cells, as they are before single summaries are swapped (algorithm 2 of the
    thesis), and their difference d is fitted by `d = document + system + error`. F compares what the systems explain,
    after the documents, with the error. Documents are blocks and not replicates, because a document that one metric
    scores high for all systems would otherwise count as error and hide the systems; swapping is not disturbed by it.

    A large F says that the summaries of a system go up or down together when metrics are swapped; "both", "documents"
    and "crossed" of `permutation_test` take them for independent. It does not say why: a metric that follows quality
    better differs by system, too, where systems differ in quality. So F warns, and does not decide.

    Parameters
    ----------
    x, y : array_like
        The tables of the two metrics, systems x documents. A cell that is NaN in one is left out of both.

    Returns
    -------
    SystemEffects

    Raises
    ------
    DataError
        The tables do not fit together, or have too few cells for an error to be left.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x, y = rng.normal(size=(2, 12, 40))
    >>> round(system_effects(x, y).f, 1), system_effects(x + rng.normal(size=(12, 1)), y).pvalue < 0.001
    (1.1, True)
    """
    a, b = align_cells(x, y)
    present = ~np.isnan(a)
    if not present.any():
        raise DataError("system effects need scores of both metrics, but no summary has both")
    first, second = standardise(a), standardise(b)
    marks = present.astype(np.float64)
    per_document = marks.sum(axis=0)
    with np.errstate(invalid="ignore"):
        away = first - second
        away = away - np.nansum(away, axis=0) / per_document
    # The normal equations of the systems' effects when each document has a mean of its own.
    shared = np.divide(marks, per_document, out=np.zeros_like(marks), where=per_document > 0) @ marks.T
    equations = np.diag(marks.sum(axis=1)) - shared
    totals = np.nansum(away, axis=1)
    effects, _, systems_df, _ = np.linalg.lstsq(equations, totals, rcond=1e-9)
    residual_df = int(present.sum() - (per_document > 0).sum() - systems_df)
    if systems_df < 1 or residual_df < 1:
        raise DataError("system effects need at least 2 systems with scores of at least 2 shared documents")
    explained = float(totals @ effects)
    error = float(np.nansum(away**2)) - explained
    # Sums of squares of numbers that are the same but for rounding are 0.
    rounding = present.sum() * tie_width(first, second) ** 2
    if explained <= rounding:
        f = 0.0
    else:
        f = explained / int(systems_df) / (error / residual_df) if error > rounding else math.inf
    from scipy.special import fdtrc

    return SystemEffects(
        f=f, pvalue=float(fdtrc(systems_df, residual_df, f)), systems_df=int(systems_df), residual_df=residual_df
    )
