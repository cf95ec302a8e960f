"""Many tests at once: correcting their p-values, and showing which systems do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

    The letters are those that insert and absorb (Piepho, 2004) gives.

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
    if len(order) == 0:
        return ()
    ranked = table[np.ix_(order, order)]
    alike = [sum(1 << int(rank) for rank in np.flatnonzero(~row)) & ~(1 << system) for system, row in enumerate(ranked)]
    groups = _maximal_groups(alike)
    members = sorted(list(_bits(group)) for group in groups)
    return _join_letters(members, len(order))


def letter_runs(differs: ArrayLike) -> tuple[str, ...]:
    """The letters of many systems, best first: a letter marks a run of neighbours that do not differ from its first.

    Groups of systems that do not differ from one another (`letter_groups`) may be more than anybody can read; runs are
    never more than systems.

    Parameters
    ----------
    differs : array_like of bool
        The symmetric table of which two systems differ significantly, systems x systems, best first.

    Returns
    -------
    tuple of str
        The letters of each system, as `letter_groups` writes them.

    Raises
    ------
    ArgumentError
        `differs` is not a symmetric table.

    Examples
    --------
    >>> differs = [[False, False, True], [False, False, False], [True, False, False]]
    >>> letter_runs(differs)
    ('a', 'ab', 'b')
    """
    table = np.asarray(differs, dtype=bool)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table != table.T).any():
        raise ArgumentError(f"which systems differ is a symmetric table, systems x systems, not {table.shape}")
    runs: list[range] = []
    for first in range(len(table)):
        later = np.flatnonzero(table[first, first + 1 :])
        end = first + 1 + int(later[0]) if len(later) else len(table)
        if not runs or end > runs[-1].stop:
            runs.append(range(first, end))
    return _join_letters(runs, len(table))


def _join_letters(groups: Sequence[Sequence[int]], systems: int) -> tuple[str, ...]:
    """The letters of each system, which are those of the groups that it belongs to."""
    separator = "" if len(groups) <= _ALPHABET_SIZE else " "
    letters: list[list[str]] = [[] for _ in range(systems)]
    for number, group in enumerate(groups):
        for rank in group:
            letters[rank].append(_letter(number))
    return tuple(separator.join(of_system) for of_system in letters)


def _maximal_groups(alike: Sequence[int]) -> list[int]:
    """All largest sets of systems of which no two differ, each as the bits of a number.

    `alike` has for each system those that it does not differ from (itself left out), as bits. The method is that of
    Bron and Kerbosch (1973) with a pivot: what does not differ from the pivot joins a group with it, so that only the
    pivot and the others need to be tried.
    """
    groups: list[int] = []
    waiting = [(0, (1 << len(alike)) - 1, 0)]  # a group so far, who may still join it, who did so in another one
    while waiting:
        group, joining, tried = waiting.pop()
        if not joining:
            if not tried:
                groups.append(group)
            continue
        pivot = max(_bits(joining | tried), key=lambda system: (joining & alike[system]).bit_count())
        for system in _bits(joining & ~alike[pivot]):
            waiting.append((group | 1 << system, joining & alike[system], tried & alike[system]))
            joining &= ~(1 << system)
            tried |= 1 << system
    return groups


def _bits(number: int) -> Iterator[int]:
    """The positions of the bits that are set."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def _letter(number: int) -> str:
    """The letters that stand for a number: a, b ... z, aa, ab ..."""
    letters = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, _ALPHABET_SIZE)
        letters = chr(ord("a") + digit) + letters
    return letters
