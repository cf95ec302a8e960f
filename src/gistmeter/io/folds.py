"""Folds: which documents, or which systems, are tested together in a cross-validation."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.files import open_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

By = Literal["examples", "systems"]


def read_folds(path: str | Path, by: By = "examples", *, open_: int | None = None) -> tuple[tuple[str, ...], ...]:
    """The folds of a JSON file: lists of names, or an object with such lists as by_examples and by_systems.

    `open_` asks for so many folds that are still to be filled (`dealt_folds`): lists may then be empty, and of an
    object one kind of folds may be missing.
    """
    with open_bytes(str(path)) as stream:
        try:
            found: Any = msgspec.json.decode(stream.read())
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError) as error:
            raise DataError(f"{path} is not a file of folds: {error}") from None
    if isinstance(found, dict):
        key = f"by_{by}"
        if open_ is not None and key not in found and {"by_examples", "by_systems"} & set(found):
            return ((),) * open_
        if key not in found:
            raise DataError(f"{path} has no folds {key} (it has {', '.join(found) or 'nothing'})")
        found = found[key]
    if not isinstance(found, list) or not all(isinstance(fold, list) for fold in found):
        raise DataError(f"{path} is not a file of folds: it must hold lists of names")
    if open_ is not None and len(found) != open_:
        raise DataError(f"{path} has {len(found)} folds by {by}, but {open_} are needed")
    if open_ is None and (len(found) < 2 or not all(found)):
        raise DataError(f"{path} is not a file of folds: it must hold at least two lists of names, none of them empty")
    folds = tuple(tuple(map(str, fold)) for fold in found)
    seen: set[str] = set()
    for name in (name for fold in folds for name in fold):
        if name in seen:
            raise DataError(f"{path} has {name!r} in two folds")
        seen.add(name)
    return folds


def drawn_folds(names: Sequence[str], count: int, *, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Names divided at random into folds of nearly equal size.

    >>> [len(fold) for fold in drawn_folds(list("abcdefg"), 3)]
    [3, 2, 2]
    """
    if not 2 <= count <= len(names):
        raise DataError(f"cannot divide {len(names)} into {count} folds: there must be 2 to {len(names)}")
    shuffled = sorted(names)
    random.Random(seed).shuffle(shuffled)
    return tuple(tuple(shuffled[start::count]) for start in range(count))


def dealt_folds(folds: Sequence[Sequence[str]], names: Sequence[str], *, seed: int = 0) -> tuple[tuple[str, ...], ...]:
    """Folds with the names that none of them has dealt out at random, one to each in turn.

    >>> [len(fold) for fold in dealt_folds([["a"], []], list("abcd"))]
    [3, 1]
    """
    filled = [list(fold) for fold in folds]
    named = {name for fold in folds for name in fold}
    left = [name for name in names if name not in named]
    for turn, place in enumerate(np.random.default_rng(seed).permutation(len(left)).tolist()):
        filled[turn % len(filled)].append(left[place])
    return tuple(map(tuple, filled))


def placed_folds(folds: Sequence[Sequence[str]], names: Sequence[str]) -> list[list[int]]:
    """Folds as places among names; what is not among them is left out, but every name must be in a fold.

    >>> placed_folds([["a", "x"], ["c", "b"]], ["a", "b", "c"])
    [[0], [2, 1]]
    """
    places = {name: place for place, name in enumerate(names)}
    lost = set(names) - {name for fold in folds for name in fold}
    if lost:
        raise DataError(f"{len(lost)} of {len(names)} are in no fold, such as {min(lost)!r}")
    return [[places[name] for name in fold if name in places] for fold in folds]
