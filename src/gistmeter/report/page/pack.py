"""Texts and evidence packed small for the page: each text once, marks as flat lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError, GistmeterError
from gistmeter.evidence import Pane, Table
from gistmeter.scoring.failures import name_failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence import Block, Evidence, Mark
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.report.page.missing import MissingExplanations

_TABLE_ROWS = 100


@dataclass(slots=True)
class TextTable:
    """Texts by number; the same text twice has the same number.

    >>> texts = TextTable()
    >>> texts.number("a"), texts.number("b"), texts.number("a"), texts.texts
    (0, 1, 0, ['a', 'b'])
    """

    texts: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text, a new one if it is new."""
        number = self._numbers.setdefault(text, len(self.texts))
        if number == len(self.texts):
            self.texts.append(text)
        return number


def pack_example(
    example: Example, metrics: Mapping[str, Metric], texts: TextTable, missing: MissingExplanations
) -> dict[str, Any]:
    """What the page shows of one row: its references, its source, and the evidence of each metric.

    Evidence that cannot be had is null, and its reason is counted in `missing`.
    """
    evidence: list[dict[str, Any] | None] = []
    for label, metric in metrics.items():
        try:
            with name_failure(label, metric, lambda: "explaining"):
                evidence.append(pack_evidence(_explain(metric, example), texts))
        except GistmeterError as error:
            missing.add(label, str(error))
            evidence.append(None)
    return {
        "references": [texts.number(text) for text in example.references],
        "sources": [texts.number(text) for text in example.documents],
        "evidence": evidence,
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


def _explain(metric: Metric, example: Example) -> Evidence:
    """The evidence for one score; that there is none is an error which says why."""
    need = metric.lacking(example)
    if need:
        raise DataError(f"the run has no `{need}`")
    evidence = metric.explain(example)
    if evidence is None:
        raise DataError("the metric gives its number alone")
    return evidence


def pack_evidence(evidence: Evidence, texts: TextTable) -> dict[str, Any]:
    """The sentence and the blocks of evidence; a table without rows is left out."""
    blocks = [block for block in evidence.blocks if not (isinstance(block, Table) and not block.rows)]
    return {"headline": evidence.headline, "blocks": [pack_block(block, texts) for block in blocks]}


def pack_block(block: Block, texts: TextTable) -> list[Any]:
    """A block as its kind and its content; of a kind that is not packed small, the fields, and then its parts.

    >>> from gistmeter.evidence import Mark
    >>> texts = TextTable()
    >>> pack_block(Pane("summary", "a cat", (Mark(2, 5),)), texts), texts.texts
    (['pane', [0, 1, [2, 3, 0]]], ['summary', 'a cat'])
    """
    if isinstance(block, Pane):
        return [block.kind, _pack_pane(block, texts)]
    if isinstance(block, Table):
        return [block.kind, _pack_table(block)]
    return [block.kind, _pack_fields(block, texts), [pack_block(part, texts) for part in block.parts()]]


def _pack_fields(value: Any, texts: TextTable) -> Any:
    """Fields of any depth as plain values; blocks among them are packed as blocks, missing numbers are null."""
    if isinstance(value, Pane | Table):
        return pack_block(value, texts)
    if is_dataclass(value):
        return {each.name: _pack_fields(getattr(value, each.name), texts) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _pack_fields(part, texts) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_pack_fields(part, texts) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _pack_pane(pane: Pane, texts: TextTable) -> list[Any]:
    """Title, text, marks; then, if there are any, the notes and the further groups of each mark."""
    packed: list[Any] = [texts.number(pane.title), texts.number(pane.text), utf16_marks(pane.text, pane.marks)]
    if any(mark.note or mark.also for mark in pane.marks):
        packed += [[mark.note for mark in pane.marks], [mark.also for mark in pane.marks]]
    return packed


def _pack_table(table: Table) -> dict[str, Any]:
    """The header, the cells row after row, and how many rows were left out."""
    shown = table.rows[:_TABLE_ROWS]
    cells = [int(cell) if cell.isascii() and cell.isdigit() else cell for row in shown for cell in row[1:]]
    return {
        "title": table.title,
        "header": table.header,
        "numbers": table.numbers,
        "names": [row[0] for row in shown],
        "cells": cells,
        "more": len(table.rows) - len(shown),
    }
