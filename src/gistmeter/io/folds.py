"""Folds: which documents, or which systems, are tested together in a cross-validation."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FoldUnit = Literal["documents", "systems"]
"""What folds are of."""

_KEYS = {
    "documents": ("by_documents", "by_examples"),
    "systems": ("by_systems",),
}
"""Under which names a file may have the folds; released ones say "examples" for documents."""


def read_folds(
    path: str | Path, by: FoldUnit = "documents", *, open_: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """The folds of a JSON file: lists of names, or an object with such lists as by_documents and by_systems.

    Documents may be called examples (`by_examples`), as in released folds. `open_` asks for so many folds that are
    still to be filled (`deal_into_folds`): lists may then be empty, and of an object one kind of folds may be missing.
    """
    content: Any = read_json(path, "a file of folds")
    if isinstance(content, dict):
        key = next((key for key in _KEYS[by] if key in content), None)
        if key is None and open_ is not None and {"by_documents", "by_examples", "by_systems"} & set(content):
            return ((),) * open_
        if key is None:
            raise DataError(f"{path} has no folds {_KEYS[by][0]} (it has {', '.join(content) or 'nothing'})")
        content = content[key]
    if not isinstance(content, list) or not all(isinstance(fold, list) for fold in content):
        raise DataError(f"{path} is not a file of folds: it must hold lists of names")
    if open_ is not None and len(content) != open_:
        raise DataError(f"{path} has {len(content)} folds by {by}, but {open_} are needed")
    if open_ is None and (len(content) < 2 or not all(content)):
        raise DataError(f"{path} is not a file of folds: it must hold at least two lists of names, none of them empty")
    folds = tuple(tuple(map(str, fold)) for fold in content)
    counts = Counter(name for fold in folds for name in fold)
    repeated = next((name for name, count in counts.items() if count > 1), None)
    if repeated is not None:
        raise DataError(f"{path} has {repeated!r} in two folds")
    return folds


def draw_folds(names: Sequence[str], count: int, *, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Names divided at random into folds of nearly equal size.

    >>> [len(fold) for fold in draw_folds(list("abcdefg"), 3)]
    [3, 2, 2]
    """
    if not 2 <= count <= len(names):
        raise DataError(f"cannot divide {len(names)} into {count} folds: there must be 2 to {len(names)}")
    shuffled = sorted(names)
    random.Random(seed).shuffle(shuffled)
    return tuple(tuple(shuffled[start::count]) for start in range(count))


def deal_into_folds(
    folds: Sequence[Sequence[str]], names: Sequence[str], *, seed: int = 0
) -> tuple[tuple[str, ...], ...]:
    """Folds with the names that none of them has dealt out at random, one to each in turn.

    >>> [len(fold) for fold in deal_into_folds([["a"], []], list("abcd"))]
    [3, 1]
    """
    filled = [list(fold) for fold in folds]
    named = {name for fold in folds for name in fold}
    unplaced = [name for name in names if name not in named]
    for turn, index in enumerate(np.random.default_rng(seed).permutation(len(unplaced)).tolist()):
        filled[turn % len(filled)].append(unplaced[index])
    return tuple(map(tuple, filled))


def index_folds(folds: Sequence[Sequence[str]], names: Sequence[str]) -> list[list[int]]:
    """Folds as indices of names; what is not among the names is left out, but every name must be in a fold.

    >>> index_folds([["a", "x"], ["c", "b"]], ["a", "b", "c"])
    [[0], [2, 1]]
    """
    indices = {name: index for index, name in enumerate(names)}
    without_fold = set(names) - {name for fold in folds for name in fold}
    if without_fold:
        raise DataError(f"{len(without_fold)} of {len(names)} are in no fold, such as {min(without_fold)!r}")
    return [[indices[name] for name in fold if name in indices] for fold in folds]
