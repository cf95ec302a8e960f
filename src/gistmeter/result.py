"""Result: what every answer of `gistmeter.meta` and `gistmeter.human` can become."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from gistmeter.errors import ArgumentError, suggestion
from gistmeter.io.json_lines import nan_to_null
from gistmeter.views import ChartView
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import polars as pl

SHORT_REPR = 300
"""Characters: a result that says no more than this is shown with all its fields, a longer one as a table."""

SHOWN_ROWS = 10
CELL_LETTERS = 40


Row = TypeVar("Row")


def find_row(rows: Iterable[Row], key: object, read_key: Callable[[Row], tuple[str, ...]]) -> Row:
    """The first row with a key: a name, or a tuple of names; one that no row has suggests.

    >>> find_row(["apple", "beech"], "apple", lambda row: (row,))
    'apple'
    >>> find_row(["apple", "beech"], "beach", lambda row: (row,))
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: there is no 'beach' in this result; did you mean beech? (it has apple, beech)
    """
    names = key if isinstance(key, tuple) else (key,)
    by_key: dict[tuple[object, ...], Row] = {}
    for row in rows:
        by_key.setdefault(read_key(row), row)
    if names in by_key:
        return by_key[names]
    parts = [tuple(dict.fromkeys(map(str, column))) for column in zip(*by_key, strict=True)]
    if len(parts) == len(names):
        for name, options in zip(names, parts, strict=True):
            if name not in options:
                hint = suggestion(str(name), options)
                raise ArgumentError(f"there is no {name!r} in this result{hint} (it has {join_names(options)})")
    rows_have = ", ".join(map(repr, list(by_key)[:2]))
    raise ArgumentError(f"there is no {key!r} in this result; its rows are called {rows_have} ...")


class Result(ChartView, ABC):
    """The answer to a question about scores or judgments: typed fields, which become rows, a frame, JSON, a picture.

    The picture is drawn by `plot` and `gistmeter.write_figure`, the table for a paper by `to_latex`.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in cls.__dict__:
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign] # there before @dataclass would write its own

    def __repr__(self) -> str:
        """All fields where they are few; of longer answers the first rows of the table, to be read at a prompt."""
        name = type(self).__name__
        whole = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)  # type: ignore[arg-type]
        return f"{name}({whole})" if len(whole) <= SHORT_REPR else f"{name}:\n{_write_rows(self.records())}"

    def __str__(self) -> str:
        return repr(self)

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """The rows of the answer's table, each with the same keys; NaN where a number is missing."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the table should know."""
        return ()

    def details(self) -> dict[str, Any]:
        """What JSON carries beside the rows."""
        return {}

    def to_frame(self) -> pl.DataFrame:
        """The rows as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.records(), infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON has it: `rows`, `notes` and details; None where a number is missing.

        The values of a single row stand at the top as well.
        """
        rows = self.records()
        top = rows[0] if len(rows) == 1 else {}
        data: dict[str, Any] = nan_to_null({**top, **self.details(), "rows": rows, "notes": list(self.notes)})
        return data

    def to_json(self) -> str:
        """The answer as JSON text, on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def _write_rows(rows: list[dict[str, Any]]) -> str:
    """The first rows of a table as plain text.

    >>> print(_write_rows([{"metric": "rouge1", "share": 0.25}, {"metric": "js", "share": 1.0}]))
    metric  share
    rouge1  0.250
    js      1.000
    """
    shown = rows[:SHOWN_ROWS]
    lines = [list(rows[0]), *([_write_cell(value) for value in row.values()] for row in shown)] if rows else []
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    more = len(rows) - len(shown)
    return "\n".join([*text, *([f"... and {more:,} more (to_frame() has all)"] if more else [])])


def _write_cell(value: Any) -> str:
    text = f"{value:.3f}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= CELL_LETTERS else f"{text[: CELL_LETTERS - 1]}…"
