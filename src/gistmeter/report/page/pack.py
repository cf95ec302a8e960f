"""Texts and evidence packed small for the page: each text once, marks as flat lists of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gistmeter.errors import GistmeterError
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.registry import parse_metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.evidence import Evidence, Mark, Pane, Table
    from gistmeter.example import Example
    from gistmeter.scores import ScoreColumn

_TABLE_ROWS = 100


@dataclass(slots=True)
class TextTable:
    """Texts by number; the same text twice has the same number.

    >>> texts = TextTable()
    >>> texts.place("a"), texts.place("b"), texts.place("a"), texts.texts
    (0, 1, 0, ['a', 'b'])
    """

    texts: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str) -> int:
        """The number of a text, a new one if it was not seen before."""
        place = self._places.setdefault(text, len(self.texts))
        if place == len(self.texts):
            self.texts.append(text)
        return place


def explaining_metrics(columns: Iterable[ScoreColumn]) -> dict[str, Metric]:
    """The metrics behind some columns, by label, as far as they can be made again and can explain."""
    found: dict[str, Metric] = {}
    for label in dict.fromkeys(column.metric for column in columns):
        try:
            metric = parse_metric(label)
        except GistmeterError:
            continue  # a column of another tool, or of an extra that is not installed here
        if type(metric).explain is not Metric.explain:
            found[label] = metric
    return found


def packed_example(example: Example, metrics: Mapping[str, Metric], texts: TextTable) -> dict[str, Any]:
    """What the page shows of one row: its references, its source, and the evidence of each metric (or null)."""
    evidence = [_explained(metric, example) for metric in metrics.values()]
    return {
        "references": [texts.place(text) for text in example.references],
        "sources": [texts.place(text) for text in example.documents],
        "evidence": [None if one is None else _packed(one, texts) for one in evidence],
    }


def utf16_marks(text: str, marks: Sequence[Mark]) -> list[int]:
    """Marks as start, length, group, start, length, group ..., each start counted from the end before it.

    Python counts code points and JavaScript UTF-16 units; the numbers are JavaScript's.

    >>> from gistmeter.evidence import Mark
    >>> utf16_marks("the black cat", [Mark(0, 3, 0), Mark(10, 13, 1)])
    [0, 3, 0, 7, 3, 1]
    >>> utf16_marks("🎈 cat", [Mark(2, 5, 0)])
    [3, 3, 0]
    """
    units: Sequence[int] = range(len(text) + 1)
    if any(letter > "\uffff" for letter in text):
        units = list(accumulate((1 + (letter > "\uffff") for letter in text), initial=0))
    packed: list[int] = []
    last = 0
    for mark in marks:
        start, end = units[mark.start], units[mark.end]
        packed += (start - last, end - start, mark.group)
        last = end
    return packed


def _explained(metric: Metric, example: Example) -> Evidence | None:
    if metric.lacking(example):
        return None
    try:
        return metric.explain(example)
    except GistmeterError:
        return None  # scored elsewhere, with a part of gistmeter that is not installed here


def _packed(evidence: Evidence, texts: TextTable) -> dict[str, Any]:
    packed: dict[str, Any] = {
        "headline": evidence.headline,
        "panes": [_packed_pane(pane, texts) for pane in evidence.panes],
    }
    if evidence.table is not None and evidence.table.rows:
        packed["table"] = _packed_table(evidence.table)
    return packed


def _packed_pane(pane: Pane, texts: TextTable) -> list[Any]:
    """Title, text, marks; then, if there are any, the notes and the further groups of each mark."""
    packed: list[Any] = [texts.place(pane.title), texts.place(pane.text), utf16_marks(pane.text, pane.marks)]
    if any(mark.note or mark.also for mark in pane.marks):
        packed += [[mark.note for mark in pane.marks], [mark.also for mark in pane.marks]]
    return packed


def _packed_table(table: Table) -> dict[str, Any]:
    """The header, the cells row after row, and how many rows were left out."""
    kept = table.rows[:_TABLE_ROWS]
    cells = [int(cell) if cell.isascii() and cell.isdigit() else cell for row in kept for cell in row[1:]]
    return {
        "title": table.title,
        "header": table.header,
        "numbers": table.numbers,
        "names": [row[0] for row in kept],
        "cells": cells,
        "more": len(table.rows) - len(kept),
    }
