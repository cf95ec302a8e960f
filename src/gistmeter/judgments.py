"""Judgments of people: one row for each document, system, aspect and rater."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from gistmeter.arguments import check_methods
from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.example import name_text
from gistmeter.io.fields import (
    FIELD_NAMES,
    JUDGMENT_FIELDS,
    check_field_names,
    check_mapped_columns,
    describe_fields,
    drop_missing,
    list_columns,
)
from gistmeter.io.human.assignments import (
    RELEASED_SCALE,
    TaskNames,
    is_judgment,
    is_released_assignment,
    parse_assignment_names,
    parse_name,
    released_values,
)
from gistmeter.io.human.numbers import find_value, parse_rater_values, parse_rating, parse_ratings, undo_rounding
from gistmeter.io.human.wide_tables import find_aspects, may_be_wide
from gistmeter.io.json_lines import check_record
from gistmeter.io.records import describe_record, read_columns, read_records
from gistmeter.io.units import parse_votes
from gistmeter.io.writing import write_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


MEAN_RATER = "mean"
"""The rater of a value that was released as an average only."""

_NAMED_DUPLICATES = 3
"""How many judgments that stand in a file more than once a message names."""

_SCHEMA = {
    "doc_id": pl.String,
    "system": pl.String,
    "aspect": pl.String,
    "rater": pl.String,
    "value": pl.Float64,
    "scale": pl.String,
    "task": pl.String,
}


@check_methods
@dataclass(frozen=True)
class Judgments:
    """A long table: doc_id, system, aspect, rater, value, the scale it was asked on, and the task it was given in.

    The rater `mean` carries the released average over raters, which is what correlations use. `task` names the
    assignment in which the rater gave the value. `scale` and `task` are empty where they are unknown; a table without
    the column `task`, as was written before there was one, gets it.
    """

    table: pl.DataFrame

    def __post_init__(self) -> None:
        if "task" not in self.table.columns:
            object.__setattr__(self, "table", self.table.with_columns(task=pl.lit("")))

    @property
    def aspects(self) -> list[str]:
        """The aspects that were judged, in the order they first appear."""
        return self.table["aspect"].unique(maintain_order=True).to_list()

    def means(self, aspect: str) -> pl.DataFrame:
        """doc_id, system and value of one aspect: the released average, else the mean over raters.

        An average that is the mean over raters but for rounding (4.6667 of 5, 4 and 5) is given as that mean, so that
        systems with the same ratings tie.
        """
        choose_aspect(self.aspects, aspect)
        rows = self.table.filter(pl.col("aspect") == aspect)
        key = ["doc_id", "system"]
        released = rows.filter(pl.col("rater") == MEAN_RATER).select(*key, "value")
        single = rows.filter(pl.col("rater") != MEAN_RATER)
        own = single.group_by(key, maintain_order=True).agg(pl.col("value").mean())
        both = released.join(own.rename({"value": "own"}), on=key, how="left", maintain_order="left")
        averages = undo_rounding(both["value"].to_numpy(), both["own"].fill_null(np.nan).to_numpy())
        return pl.concat([released.with_columns(value=averages), own.join(released, on=key, how="anti")])

    @classmethod
    def read(cls, path: str | Path, *, fields: Mapping[str, str] | None = None) -> Judgments:
        """Judgments from a run whose records carry `human` (and `annotators`), from a long table, or from a wide one.

        A long table has a row for each judgment (`aspect`, `value`), a wide one a column of numbers for each aspect;
        either may name the `rater`.

        `human` maps aspects to averages, `annotators` aspects to lists of single values. Assignments as Koto, Lau and
        Baldwin (2021) released them (`worker`, `task`, and z-scores by item) are read as they are. Answers to traps
        (records with a `trap`) are no judgments and are left out; `gistmeter.human.read_assignments` counts them.

        `fields` says in which columns fields are, where they have other names than gistmeter knows:
        `{"rater": "worker_id", "value": "stars"}`.
        """
        if fields:
            check_field_names(fields, JUDGMENT_FIELDS, "a judgment")
            check_mapped_columns(fields, {str(path): read_columns(str(path))})
        return cls.from_records(read_records(str(path), fields=fields), name=str(path))

    @classmethod
    def from_files(cls, paths: Sequence[str | Path]) -> Judgments:
        """The judgments of several files, as `read` reads each."""
        if not paths:
            raise DataError("there are no judgments: no file was named")
        table = pl.concat([cls.read(path).table for path in paths])
        _refuse_duplicates(table, " and ".join(map(str, paths)))
        return cls(table)

    @classmethod
    def from_records(cls, records: Iterable[Mapping[str, Any]], *, name: str = "the records") -> Judgments:
        """Judgments from decoded records, in the layouts that `read` takes."""
        # Records are checked by hand, not decoded into structs: they come from JSON, CSV, parquet and frames in five
        # layouts under many names of fields, and a text that reads "3.5" is a number where a table knows only texts.
        tasks = TaskNames()
        rows: list[tuple[Any, ...]] = []
        wide: dict[str, Mapping[str, Any]] = {}
        first_fields: list[str] = []
        for number, record in enumerate(records, start=1):
            where = describe_record(record, number, name)
            given = drop_missing(check_record(record, where))
            first_fields = first_fields or list(record)
            if is_released_assignment(given):
                rows += _assignment_rows(given, where, tasks)
            elif is_judgment(given) and may_be_wide(given):
                wide[where] = given
            elif is_judgment(given):
                rows += _judgment_rows(given, where)
        if not rows:
            rows += _wide_rows(wide)
        elif without_aspect := next((where for where, given in wide.items() if find_value(given) is not None), None):
            raise DataError(f"{without_aspect} has a value but no `aspect`, which other records have")
        if not rows:
            first = (
                f": the first has {list_columns(first_fields)}; `fields=` says which is `doc_id`, `system` or `value`"
            )
            raise DataError(
                f"there are no judgments in {name}: no record has `human`, `annotators` or `aspect`, or numbers in "
                f"columns named after aspects{first if first_fields else ''}"
            )
        table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
        _refuse_duplicates(table, name)
        return cls(table)

    def write(self, path: str | Path) -> int:
        """Write the table as JSON lines, a record for each judgment, as `read` takes it; returns how many there are."""
        return write_records(self.table.to_dicts(), path, "a file of judgments")

    @classmethod
    def from_votes(cls, records: Iterable[Mapping[str, Any]], *, name: str = "the records") -> Judgments:
        """Votes on content units from decoded records; the aspects are `unit 1`, `unit 2`, ...

        >>> record = {"doc_id": "d", "system": "s", "votes": [[1, 0, 1], [0, 0]]}
        >>> Judgments.from_votes([record]).table.select("aspect", "rater", "value").row(2)
        ('unit 1', 'rater3', 1.0)
        """
        rows = [
            row
            for number, record in enumerate(records, start=1)
            for row in _vote_rows(drop_missing(record), describe_record(record, number, name))
        ]
        if not rows:
            raise DataError(f"there are no votes on content units in {name}: no record has `votes`")
        table = pl.DataFrame(rows, schema=_SCHEMA, orient="row")
        _refuse_duplicates(table, name)
        return cls(table)


def choose_aspect(aspects: Sequence[str], name: str | None = None) -> str:
    """The judgment asked for, or without a name the only one there is.

    Raises
    ------
    ArgumentError
        There are several, and no name was given.
    DataError
        There is no judgment, or none of that name.

    Examples
    --------
    >>> choose_aspect(["focus"])
    'focus'
    >>> choose_aspect(["focus", "coverage"], "focsu")
    Traceback (most recent call last):
    gistmeter.errors.DataError: there is no judgment 'focsu'; did you mean focus? (there is focus, coverage)
    """
    if name is None and len(aspects) > 1:
        raise ArgumentError(f"there are several judgments: say which to compare with, `aspect` ({', '.join(aspects)})")
    if not aspects:
        raise DataError("there are no judgments to compare with")
    if name is not None and name not in aspects:
        hint = suggestion(name, aspects)
        raise DataError(f"there is no judgment {name!r}{hint} (there is {', '.join(aspects)})")
    return name or aspects[0]


def _refuse_duplicates(table: pl.DataFrame, name: str) -> None:
    """Refuse two judgments of one summary on one aspect by one rater in one task: which of them counts is not known."""
    repeated = table.filter(pl.struct("doc_id", "system", "aspect", "rater", "task").is_duplicated())
    if repeated.is_empty():
        return
    distinct = repeated.unique(["doc_id", "system", "aspect", "rater", "task"], maintain_order=True)
    sentences = [
        (
            "the average of {2} of {1}/{0} is given" if key[3] == MEAN_RATER else "rater {3} judged {2} of {1}/{0}"
        ).format(*key)
        for key in distinct.select("doc_id", "system", "aspect", "rater").head(_NAMED_DUPLICATES).iter_rows()
    ]
    rest = len(distinct) - len(sentences)
    repeated_keys = " more than once, ".join(sentences) + " more than once" + (f", and {rest} more" if rest else "")
    raise DataError(f"{name}: {repeated_keys}; keep one of each, or tell them apart by `rater` or `task`")


def _vote_rows(record: Mapping[str, Any], where: str) -> Iterator[tuple[Any, ...]]:
    votes = next((record[key] for key in FIELD_NAMES["votes"] if record.get(key) is not None), None)
    if votes is None:
        return
    doc_id, system = _summary_key(record, where)
    try:
        by_unit = parse_votes(votes)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    for unit, unit_votes in enumerate(by_unit, start=1):
        for rater, vote in enumerate(unit_votes, start=1):
            if vote is not None:
                yield doc_id, system, f"unit {unit}", f"rater{rater}", float(vote), "0-1", ""


def _assignment_rows(record: Mapping[str, Any], where: str, tasks: TaskNames) -> list[tuple[Any, ...]]:
    """The judgments of a released assignment."""
    try:
        rater, task = parse_assignment_names(record)
        values = list(released_values(record))
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    assignment = tasks.next(rater, task)
    return [(item.doc_id, item.system, item.aspect, rater, item.value, RELEASED_SCALE, assignment) for item in values]


def _judgment_rows(record: Mapping[str, Any], where: str) -> Iterator[tuple[Any, ...]]:
    doc_id, system = _summary_key(record, where)
    rater, task, scale = _work_names(record, where)
    if record.get("aspect") is not None:
        aspect = _text(record["aspect"], "aspect", where)
        value = parse_rating(find_value(record), aspect, where)
        if value is not None:
            yield doc_id, system, aspect, rater, value, scale, task
        return
    for aspect, given in parse_ratings(record, "human", where).items():
        value = parse_rating(given, aspect, where)
        if value is not None:
            yield doc_id, system, aspect, MEAN_RATER, value, "", ""
    for aspect, values in parse_ratings(record, "annotators", where).items():
        for position, given in enumerate(parse_rater_values(values, aspect, where), start=1):
            value = parse_rating(given, aspect, where)
            if value is not None:
                yield doc_id, system, aspect, f"rater{position}", value, "", task


def _wide_rows(records: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """The judgments of a wide table, whose records come with where they stand in the file."""
    aspects = find_aspects(list(records.values()))
    for where, record in records.items():
        doc_id, system = _summary_key(record, where)
        rater, task, scale = _work_names(record, where)
        for aspect in aspects:
            value = parse_rating(record.get(aspect), aspect, where)
            if value is not None:
                yield doc_id, system, aspect, rater, value, scale, task


def _summary_key(record: Mapping[str, Any], where: str) -> tuple[str, str]:
    """The document and the system of a record."""
    doc_id, system = _field(record, "doc_id", where), _field(record, "system", where)
    if doc_id is None and may_be_wide(record, judgments=False) and record.get("document") is not None:
        doc_id = _text(record["document"], "document", where)
    if doc_id is None or system is None:
        missing = [name for name, value in (("doc_id", doc_id), ("system", system)) if value is None]
        named = " and ".join(f"`{name}`" for name in missing)
        raise DataError(f"{where} has judgments but no {named} ({describe_fields(record, *missing)})")
    return doc_id, system


def _work_names(record: Mapping[str, Any], where: str) -> tuple[str, str, str]:
    """The rater, the task and the scale of a record; the rater of averages, and nothing, where it names none."""
    try:
        rater, task = parse_name(record, "rater") or MEAN_RATER, parse_name(record, "task") or ""
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    return rater, task, _text(record.get("scale") or "", "scale", where)


def _field(record: Mapping[str, Any], field: str, where: str) -> str | None:
    """The value of a field under any of its names."""
    return next((_text(record[name], name, where) for name in FIELD_NAMES[field] if record.get(name) is not None), None)


def _text(value: Any, what: str, where: str) -> str:
    try:
        return name_text(value, what)
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
