"""Many tests at once: correcting their p-values, and showing which systems do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

_ALPHABET_SIZE = 26


def holm(pvalues: ArrayLike) -> FloatArray:
    """P-values corrected by Holm's step-down method (1979).

    The smallest of m p-values is multiplied by m, the next by m - 1 and so on, and none may fall below the one before.

    Parameters
    ----------
    pvalues : array_like
        A list of p-values. NaN is not counted as a test.

    Returns
    -------
    array of float
        The corrected p-values in the order given, NaN where a p-value is NaN.

    Raises
    ------
    ArgumentError
        The p-values are not a list of numbers from 0 to 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    given = np.asarray(pvalues, dtype=np.float64)
    if given.ndim != 1:
        raise ArgumentError(f"p-values to correct are a list, not an array of {given.ndim} dimensions")
    tested = given[~np.isnan(given)]
    if ((tested < 0) | (tested > 1)).any():
        raise ArgumentError("p-values to correct must be between 0 and 1")
    order = np.argsort(tested, kind="stable")
    stepped = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
    corrected = np.empty_like(tested)
    corrected[order] = np.minimum(stepped, 1.0)
    adjusted = np.full_like(given, np.nan)
    adjusted[~np.isnan(given)] = corrected
    return adjusted


def letter_groups(order: Sequence[int], differs: ArrayLike) -> tuple[str, ...]:
    """The letters of each system, best first: two systems share a letter if and only if they do not differ.

    The method is insert and absorb (Piepho, 2004).

    Parameters
    ----------
    order : sequence of int
        The systems from best to worst, as rows of `differs`.
    differs : array_like of bool
        The symmetric table, systems x systems, of which two differ significantly.

    Returns
    -------
    tuple of str
        The letters of each system in `order`; the best carries "a". Beyond "z" come "aa", "ab" ..., and then spaces
        stand between the letters of a system.

    Raises
    ------
    ArgumentError
        `differs` is not a symmetric table, or `order` names a system twice or one that is not there.

    Examples
    --------
    >>> differs = [[False, False, True], [False, False, False], [True, False, False]]
    >>> letter_groups([0, 1, 2], differs)
    ('a', 'ab', 'b')
    """
    table = np.asarray(differs, dtype=bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table != table.T).any():
        raise ArgumentError(f"which systems differ is a symmetric table, systems x systems, not {table.shape}")
    if len(set(order)) != len(order) or not set(order) <= set(range(len(table))):
        raise ArgumentError(f"the order must name each of {len(table)} systems at most once, not {list(order)}")
    if not order:
        return ()
    ranked = table[np.ix_(order, order)]
    groups = _maximal_groups(len(order), zip(*np.nonzero(np.triu(ranked, 1)), strict=True))
    members = sorted([rank for rank in range(len(order)) if group >> rank & 1] for group in groups)
    separator = "" if len(members) <= _ALPHABET_SIZE else " "
    return tuple(
        separator.join(_letter(number) for number, group in enumerate(members) if rank in group)
        for rank in range(len(order))
    )


def _maximal_groups(size: int, differing: Iterable[tuple[int, int]]) -> list[int]:
    """All largest sets without a differing pair, each as the bits of a number."""
    groups = [(1 << size) - 1]
    for first, second in differing:
        first_bit, second_bit = 1 << int(first), 1 << int(second)
        broken = [group for group in groups if group & first_bit and group & second_bit]
        intact = [group for group in groups if not (group & first_bit and group & second_bit)]
        # Insert the two halves of each broken group, unless it is absorbed: lies within an intact one. (It cannot
        # lie within another half: the groups they come from would have to contain one another.)
        halves = [group & ~bit for group in broken for bit in (first_bit, second_bit)]
        groups = intact + [half for half in halves if all(half & ~group for group in intact)]
    return groups


def _letter(number: int) -> str:
    """The letters that stand for a number: a, b ... z, aa, ab ..."""
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, _ALPHABET_SIZE)
        letters = chr(ord("a") + digit) + letters
    return letters
