"""Labels of which content units a summary carries, as pairs to learn from, and the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.folds import By, read_folds
from gistmeter.io.runs import open_run
from gistmeter.models.presence.premises import choose_premise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Labelled:
    """A unit of a document, a summary by a system, and whether people found the unit in the summary."""

    doc_id: str
    system: str
    unit: int
    summary: str
    text: str
    present: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """Labelled units as distinct pairs of premise and unit: identical ones are learned from and judged once."""

    rows: tuple[Labelled, ...]
    pairs: tuple[tuple[str, str], ...]
    place: NDArray[np.int64]
    """For each row its pair."""

    def targets(self, rows: NDArray[np.int64]) -> dict[int, float]:
        """The pairs of some rows, and the share of these rows in which the unit is present."""
        found: dict[int, list[bool]] = {}
        for row in rows.tolist():
            found.setdefault(int(self.place[row]), []).append(self.rows[row].present)
        return {pair: float(np.mean(labels)) for pair, labels in found.items()}


def read_presence(run: str, *units: str) -> tuple[Labelled, ...]:
    """The labelled units of a run, its own or joined to it by document id; unlabelled ones are left out."""
    rows = [
        Labelled(example.doc_id, example.system, number, example.summary, unit.text, unit.present)
        for example in open_run([run], units=units).examples()
        for number, unit in enumerate(example.units)
        if unit.present is not None
    ]
    if not rows:
        raise DataError(f"{PurePath(run).name} has no units with labels (unit_labels, scu_labels) to learn from")
    return tuple(rows)


def asked(rows: Sequence[Labelled], *, sentences: int = 2) -> Asked:
    """The distinct pairs behind labelled units; the premise is the best `sentences` of the summary, 0 all of it."""
    places: dict[tuple[str, str], int] = {}
    found = [
        places.setdefault(
            (choose_premise(row.summary, row.text, max_sentences=sentences) if sentences else row.summary, row.text),
            len(places),
        )
        for row in rows
    ]
    return Asked(tuple(rows), tuple(places), np.array(found, dtype=np.int64))


def folds(
    rows: Sequence[Labelled], by: By, *, file: str | None = None, count: int = 5, seed: int = 0
) -> list[NDArray[np.int64]]:
    """The rows to test on in each fold: those released in a file, or drawn, so that no example or system is in two."""
    keys = [row.doc_id if by == "examples" else row.system for row in rows]
    known = sorted(set(keys))
    groups = read_folds(file, by) if file else _drawn(known, count, seed)
    number = {key: at for at, group in enumerate(groups) for key in group}
    missing = next((key for key in known if key not in number), None)
    if missing is not None:
        raise DataError(f"{missing} is in none of the folds of {PurePath(str(file)).name}")
    at = np.array([number[key] for key in keys])
    return [np.flatnonzero(at == fold) for fold in range(len(groups)) if (at == fold).any()]


def _drawn(known: Sequence[str], count: int, seed: int) -> list[list[str]]:
    if len(known) < count:
        raise DataError(f"{count} folds need as many different examples or systems, and there are {len(known)}")
    order = np.random.default_rng(seed).permutation(len(known))
    return [[known[i] for i in part] for part in np.array_split(order, count)]
