"""Many tests at once: correcting their p-values, and showing which systems do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray


def holm(pvalues: ArrayLike) -> FloatArray:
    """P-values corrected by Holm's step-down method (1979); NaN stays NaN and is not counted as a test.

    The smallest of m p-values is multiplied by m, the next by m - 1 and so on, none below the one before.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    given = np.asarray(pvalues, dtype=np.float64)
    if given.ndim != 1:
        raise DataError(f"p-values to correct are a list, not an array of {given.ndim} dimensions")
    known = given[~np.isnan(given)]
    if ((known < 0) | (known > 1)).any():
        raise DataError("p-values to correct must be between 0 and 1")
    order = np.argsort(known, kind="stable")
    stepped = np.maximum.accumulate(known[order] * np.arange(len(known), 0, -1))
    corrected = np.empty_like(known)
    corrected[order] = np.minimum(stepped, 1.0)
    adjusted = np.full_like(given, np.nan)
    adjusted[~np.isnan(given)] = corrected
    return adjusted


def letter_groups(order: Sequence[int], differs: ArrayLike) -> tuple[str, ...]:
    """The letters of each system, best first: two systems share a letter if and only if they do not differ.

    `order` has the systems from best to worst, as rows of `differs`, the symmetric table of which two differ
    significantly. The best system carries "a". Beyond "z" come "aa", "ab" ..., and then spaces stand between
    the letters of a system. The method is insert and absorb (Piepho, 2004).

    >>> differs = [[False, False, True], [False, False, False], [True, False, False]]
    >>> letter_groups([0, 1, 2], differs)
    ('a', 'ab', 'b')
    """
    table = np.asarray(differs, dtype=bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table != table.T).any():
        raise DataError(f"which systems differ is a symmetric table, systems x systems, not {table.shape}")
    if len(set(order)) != len(order) or not set(order) <= set(range(len(table))):
        raise DataError(f"the order must name each of {len(table)} systems at most once, not {list(order)}")
    if not order:
        return ()
    ranked = table[np.ix_(order, order)]
    groups = _maximal_groups(len(order), zip(*np.nonzero(np.triu(ranked, 1)), strict=True))
    members = sorted([place for place in range(len(order)) if group >> place & 1] for group in groups)
    between = "" if len(members) <= 26 else " "
    return tuple(
        between.join(_letter(number) for number, group in enumerate(members) if place in group)
        for place in range(len(order))
    )


def _maximal_groups(size: int, differing: Iterable[tuple[int, int]]) -> list[int]:
    """All largest sets without a differing pair, each as the bits of a number."""
    groups = [(1 << size) - 1]
    for first, second in differing:
        one, other = 1 << int(first), 1 << int(second)
        broken = [group for group in groups if group & one and group & other]
        whole = [group for group in groups if not (group & one and group & other)]
        # Insert the two halves of each broken group, unless it is absorbed: lies within a whole one. (It cannot
        # lie within another half: the groups they come from would have to contain one another.)
        halves = [group & ~bit for group in broken for bit in (one, other)]
        groups = whole + [half for half in halves if all(half & ~group for group in whole)]
    return groups


def _letter(number: int) -> str:
    """a, b ... z, aa, ab ..."""
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
