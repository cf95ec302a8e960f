"""Tables as data: what is measured in each row, and what the papers print there (tables/*.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tables"
SECTIONS = ("ffci", "recall", "languages", "units", "estime")
"""In the order of the page, which is also that of cost: the cheap ones come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: a column of a metric, or only what was published.

    `less` says that less is better where the metric itself does not. `every` takes only every so many documents,
    `groups` only some groups. `released` names a model whose scores were published with the data, in the place of a
    metric. `model` is the one behind the published figures.
    """

    name: str
    metric: str = ""
    column: str = ""
    less: bool = False
    every: int = 1
    groups: tuple[str, ...] = ()
    released: str = ""
    published: tuple[float | None, ...] = ()
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What a figure should reach: `value`, found `where`; and why it does not, to be said when it does not."""

    row: str
    column: str
    value: float
    where: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table of the page; `measure` says which figures stand in its columns.

    Published figures have so many `places`. A `sparing` table takes long and can be measured on a part of the
    documents, which the page then says.
    """

    key: str
    title: str
    text: str
    measure: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    after: str = ""
    sparing: bool = False
    places: int = 3
    aims: tuple[Aim, ...] = ()

    def row(self, name: str) -> Row:
        """The row of a name."""
        return next(one for one in self.rows if one.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Some tables under one heading, with the paper whose figures are beside ours."""

    heading: str
    citation: str
    tables: tuple[Table, ...]


@cache
def sections() -> tuple[Section, ...]:
    """All sections, in the order of the page."""
    return tuple(_section(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))) for name in SECTIONS)


def table(key: str) -> Table:
    """The table of a key."""
    return next(one for section in sections() for one in section.tables if one.key == key)


def _section(read: dict[str, Any]) -> Section:
    return Section(
        heading=read["heading"], citation=read.get("citation", ""), tables=tuple(map(_table, read["tables"]))
    )


def _table(read: dict[str, Any]) -> Table:
    found = Table(
        **{key: value for key, value in read.items() if key not in ("columns", "rows", "aims")},
        columns=tuple(read["columns"]),
        rows=tuple(map(_row, read["rows"])),
        aims=tuple(Aim(**aim) for aim in read.get("aims", ())),
    )
    for row in found.rows:
        if row.published and len(row.published) != len(found.columns):
            raise ValueError(f"{found.key}, {row.name}: {len(row.published)} figures for {len(found.columns)} columns")
    return found


def _row(read: dict[str, Any]) -> Row:
    published = tuple(None if value == "" else float(value) for value in read.get("published", ()))
    return Row(**{**read, "published": published, "groups": tuple(read.get("groups", ()))})
