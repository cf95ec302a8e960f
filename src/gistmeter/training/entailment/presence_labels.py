"""Labels of which content units a summary carries, as pairs to learn from, and the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.folds import FoldUnit, read_folds
from gistmeter.io.runs import open_run
from gistmeter.models.presence.premises import choose_premise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import IntArray


@dataclass(frozen=True, slots=True)
class LabelledUnit:
    """A unit of a document, a summary by a system, and whether people found the unit in the summary."""

    doc_id: str
    system: str
    unit: int
    summary: str
    text: str
    present: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PresencePairs:
    """Labelled units as distinct pairs of premise and unit: identical ones are learned from and judged once."""

    rows: tuple[LabelledUnit, ...]
    pairs: tuple[tuple[str, str], ...]
    pair_of: IntArray
    """For each row the number of its pair."""

    def targets(self, rows: IntArray) -> dict[int, float]:
        """The pairs of some rows, and the share of these rows in which the unit is present."""
        labels: dict[int, list[bool]] = {}
        for row in rows.tolist():
            labels.setdefault(int(self.pair_of[row]), []).append(self.rows[row].present)
        return {pair: float(np.mean(of_pair)) for pair, of_pair in labels.items()}


def read_presence_labels(run: str, *units: str) -> tuple[LabelledUnit, ...]:
    """The labelled units of a run, its own or joined to it by document id; unlabelled ones are left out."""
    rows = [
        LabelledUnit(
            doc_id=example.doc_id,
            system=example.system,
            unit=number,
            summary=example.summary,
            text=unit.text,
            present=unit.present,
        )
        for example in open_run([run], units=units).examples()
        for number, unit in enumerate(example.units)
        if unit.present is not None
    ]
    if not rows:
        raise DataError(f"{PurePath(run).name} has no units with labels (unit_labels, scu_labels) to learn from")
    return tuple(rows)


def pair_labels(rows: Sequence[LabelledUnit], *, sentences: int = 2) -> PresencePairs:
    """The distinct pairs behind labelled units; the premise is the best `sentences` of the summary, 0 all of it."""
    number_of: dict[tuple[str, str], int] = {}
    pair_of = [
        number_of.setdefault(
            (choose_premise(row.summary, row.text, max_sentences=sentences) if sentences else row.summary, row.text),
            len(number_of),
        )
        for row in rows
    ]
    return PresencePairs(rows=tuple(rows), pairs=tuple(number_of), pair_of=np.array(pair_of, dtype=np.int64))


def fold_labels(
    rows: Sequence[LabelledUnit], by: FoldUnit, *, file: str | None = None, count: int = 5, seed: int = 0
) -> list[IntArray]:
    """The rows to test on in each fold: those released in a file, or drawn, so that no document or system is in two."""
    keys = [row.doc_id if by == "documents" else row.system for row in rows]
    names = sorted(set(keys))
    groups = read_folds(file, by) if file else _draw_folds(names, count, seed)
    fold_of = {key: fold for fold, group in enumerate(groups) for key in group}
    missing = next((name for name in names if name not in fold_of), None)
    if missing is not None:
        raise DataError(f"{missing} is in none of the folds of {PurePath(str(file)).name}")
    folds = np.array([fold_of[key] for key in keys])
    return [np.flatnonzero(folds == fold) for fold in range(len(groups)) if (folds == fold).any()]


def _draw_folds(names: Sequence[str], count: int, seed: int) -> list[list[str]]:
    if len(names) < count:
        raise DataError(f"{count} folds need as many different documents or systems, and there are {len(names)}")
    order = np.random.default_rng(seed).permutation(len(names))
    return [[names[i] for i in part] for part in np.array_split(order, count)]
