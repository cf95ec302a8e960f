"""Scores: one row per (document, system), one column per score, one signature per column."""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec
import polars as pl

from gistmeter.arguments import check_methods
from gistmeter.errors import DataError, suggestion
from gistmeter.example import shorten_value
from gistmeter.io.json_lines import decode_json
from gistmeter.io.score_files.names import find_name, with_short_names
from gistmeter.io.score_files.origin import Origin, StoredOrigin
from gistmeter.io.score_tables import (
    CONTENT_COLUMN,
    FRAME_NAME,
    KEY_NAMES,
    ROW_KEYS,
    check_keys,
    note_columns,
    read_frame_table,
    read_table,
    refuse_difference,
    refuse_text,
    rename_keys,
    write_table,
)
from gistmeter.scores.column import UNKNOWN_SIGNATURE, ScoreColumn
from gistmeter.views import ChartView
from gistmeter.wording import format_count, join_names, note_left_out

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.io.memory.given import Frame

ScoresLike: TypeAlias = "Scores | str | Path | Frame"
"""Scores, the file that they are in, or a frame (pandas, polars ...) with `doc_id`, `system` and columns of numbers."""
KEYS = ROW_KEYS
"""The columns that name a row."""
_MAX_NAMED_SYSTEMS = 20
"""How many systems a message names."""


@dataclass(frozen=True, slots=True)
class SystemMatrix:
    """Scores as systems x documents, NaN where a system did not summarise a document or the score is missing."""

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    values: FloatArray

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        array: FloatArray = self.values if dtype is None else self.values.astype(dtype)
        return array.copy() if copy else array


class _Metadata(msgspec.Struct):
    """What a file of scores says of its table, as `Scores.metadata` writes it."""

    columns: tuple[ScoreColumn, ...]
    origin: StoredOrigin
    notes: tuple[str, ...]


class LongParts(NamedTuple):
    """Parts of scores, a row for each summary: the number of its system, of its document, and the parts."""

    systems: IntArray
    documents: IntArray
    numbers: FloatArray


@check_methods
@dataclass(frozen=True, repr=False)
class Scores(ChartView):
    """The scores of a run.

    `table` is a polars frame with `doc_id`, `system` and the columns named `<metric>.<column>`; `columns` says
    what each is; `origin` names the files they were computed from.
    """

    table: pl.DataFrame
    columns: tuple[ScoreColumn, ...]
    origin: Origin = field(default_factory=Origin)
    notes: tuple[str, ...] = ()
    contents: pl.DataFrame | None = field(default=None, repr=False, compare=False)
    """Digests of the texts that were scored, with `doc_id` and `system`: see `gistmeter.scoring.contents`."""
    file: Path | None = field(default=None, compare=False)
    """The file that it was read from, which may be anybody's; None for what was computed here."""

    _by_name: Mapping[str, ScoreColumn] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {column.name: column for column in self.columns})

    @property
    def systems(self) -> list[str]:
        """The systems, in the order they first appear."""
        return self.table["system"].unique(maintain_order=True).to_list()

    @property
    def documents(self) -> list[str]:
        """The documents, in the order they first appear."""
        return self.table["doc_id"].unique(maintain_order=True).to_list()

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of every column."""
        return {column.name: column.signature for column in self.columns}

    @property
    def column_notes(self) -> tuple[str, ...]:
        """Which columns of a table of another program were taken for no scores."""
        return () if any(column.stated for column in self.columns) else self.notes

    def __len__(self) -> int:
        return len(self.table)

    def column(self, name: str) -> ScoreColumn:
        """The column of that name, or that a short name stands for: `rouge1` is rouge1.f1; an unknown name suggests."""
        whole_name = find_name(name, self._by_name)
        if whole_name is None:
            hint = suggestion(name, with_short_names(self._by_name))
            raise DataError(f"there is no score {name!r}{hint} (there is {', '.join(self._by_name) or 'none'})")
        return self._by_name[whole_name]

    def matrix(self, name: str) -> SystemMatrix:
        """One score as systems x documents."""
        column = self.column(name)
        if column.parts:
            raise DataError(f"{column.name} is computed for a whole system, not for single summaries: it has no matrix")
        return self._matrix(column.name)

    def parts(self, name: str) -> FloatArray:
        """The additive parts of a column as systems x documents x parts; pooled and plain columns alike.

        A plain score has two parts, the score and the count 1 (both 0 where it is missing), whose ratio is the mean.
        """
        import numpy as np

        column = self.column(name)
        if column.parts:
            stacked = np.stack([self._matrix(part).values for part in column.parts], axis=-1)
            return np.nan_to_num(stacked, nan=0.0)
        values = self._matrix(column.name).values
        present = ~np.isnan(values)
        return np.stack([np.where(present, values, 0.0), present.astype(float)], axis=-1)

    def long_parts(self, name: str) -> LongParts:
        """The additive parts of a column as `parts` has them, a row for each summary instead of each cell."""
        import numpy as np

        column = self.column(name)
        numbers = self.table.select(
            pl.col(column.parts or (column.name,)).cast(pl.Float64).fill_null(float("nan"))
        ).to_numpy()
        if not column.parts:
            numbers = np.concatenate([numbers, ~np.isnan(numbers)], axis=1)
        return LongParts(*self._cells, np.nan_to_num(numbers, nan=0.0, posinf=np.inf, neginf=-np.inf))

    def row(self, doc_id: str, system: str) -> dict[str, float]:
        """The scores of one summary."""
        rows = self.table.filter((pl.col("doc_id") == doc_id) & (pl.col("system") == system))
        if rows.is_empty():
            self.check_system(system)
            raise DataError(f"there is no document {doc_id!r} by {system}{suggestion(doc_id, self.documents)}")
        return {name: rows[name][0] for name in self.table.columns if name not in KEYS}

    def check_system(self, name: str) -> None:
        """Refuse a system that is not in the table, suggesting a close one."""
        if name not in self.systems:
            present = ", ".join(self.systems[:_MAX_NAMED_SYSTEMS])
            raise DataError(f"there is no system {name!r}{suggestion(name, self.systems)} (there is {present})")

    def note_unmatched(self, judged_systems: Collection[str], judged_documents: Collection[str]) -> tuple[str, ...]:
        """What joining with judgments leaves out: what has no judgments, and what has no scores."""
        return (
            *note_left_out("system", self.systems, judged_systems, "without judgments"),
            *note_left_out("document", self.documents, judged_documents, "without judgments"),
            *note_left_out("judged system", sorted(judged_systems), self.systems, "without scores"),
            *note_left_out("judged document", sorted(judged_documents), self.documents, "without scores"),
        )

    def metadata(self) -> str:
        """What a file keeps beside the table, as JSON: columns, origin and notes."""
        described = {
            "columns": [asdict(column) for column in self.columns],
            "origin": self.origin.as_data(),
            "notes": list(self.notes),
        }
        return json.dumps(described, ensure_ascii=False)

    def write(self, path: str | Path) -> None:
        """Write to .parquet, .jsonl or .csv; the last two keep the signatures in a file beside them."""
        table = self.table
        if self.contents is not None:
            table = table.join(self.contents, on=KEYS, how="left", maintain_order="left")
        write_table(table, Path(path), self.metadata())

    @classmethod
    def of(cls, source: ScoresLike, argument: str = "scores") -> Scores:
        """Scores as they are, read from the file that they are in, or from a frame with `doc_id`, `system` and numbers.

        >>> frame = pl.DataFrame({"doc_id": ["1"], "system": ["lead"], "js.divergence": [0.2]})
        >>> Scores.of(frame).systems
        ['lead']
        """
        if isinstance(source, Scores):
            return source
        if isinstance(source, str | Path):
            return cls.read(source)
        return cls.from_metadata(read_frame_table(source, argument), None, name=FRAME_NAME)

    @classmethod
    def read(cls, path: str | Path) -> Scores:
        """Read what `write` wrote, or any such table with `doc_id`, `system` (or `docid`, `model` ...) and numbers."""
        table, metadata = read_table(Path(path))
        table = rename_keys(table)
        table = check_keys(table, str(path), may_be_run=metadata is None)
        contents = table.select(*KEYS, CONTENT_COLUMN).drop_nulls() if CONTENT_COLUMN in table.columns else None
        table = table.drop(CONTENT_COLUMN, strict=False)
        refuse_text(table, str(path))
        scores = cls.from_metadata(table, metadata, name=str(path))
        return replace(scores, file=Path(path), contents=contents)

    @classmethod
    def join(cls, parts: Mapping[str, Scores]) -> Scores:
        """The scores of several files (or of whatever the names stand for), joined by document and system.

        A summary that one of them lacks is missing there, which a note says. A column of two of them is refused, unless
        it says the same in both.
        """
        if not parts:
            raise DataError("there are no scores to join")
        names = iter(parts)
        first = next(names)
        joined, columns, notes = parts[first].table, list(parts[first].columns), list(parts[first].notes)
        homes = dict.fromkeys(joined.columns, first)
        for name in names:
            part = parts[name]
            if joined.join(part.table, on=KEYS, how="semi").is_empty():
                raise DataError(f"{first} and {name} have no summary in common: do their `doc_id` and `system` match?")
            for column in set(part.table.columns) & set(homes) - set(KEYS):
                refuse_difference(joined, part.table, column, homes[column], name)
            new = [column for column in part.table.columns if column not in homes]
            lacking = len(joined.join(part.table, on=KEYS, how="anti"))
            more = len(part.table.join(joined, on=KEYS, how="anti"))
            if lacking or more:
                lacked = format_count(lacking, "summary")
                notes.append(f"{name} lacks {lacked} that {first} has, and has {more} that {first} lacks")
            own = part.table.select(*KEYS, *new)
            joined = joined.join(own, on=KEYS, how="full", coalesce=True, maintain_order="left_right")
            columns = [column.take_direction(part._by_name.get(column.name)) for column in columns]
            columns += [column for column in part.columns if column.name in new or set(column.parts) & set(new)]
            notes += [note for note in part.notes if note not in notes]
            homes |= dict.fromkeys(new, name)
            notes += _note_other_contents(first, parts[first], name, part)
        return replace(parts[first], table=joined, columns=tuple(columns), notes=tuple(notes))

    @classmethod
    def from_metadata(cls, table: pl.DataFrame, metadata: str | None, *, name: str = "the table") -> Scores:
        """Scores from a table and the text `metadata()` gave; without it every float column is taken as is."""
        if metadata is None:
            plain = [column for column, kind in table.schema.items() if column not in KEY_NAMES and kind.is_numeric()]
            notes = note_columns(table, [*KEY_NAMES, *plain])
            if not plain and notes and len(table):
                other = next(column for column in table.columns if column not in KEY_NAMES)
                shown = shorten_value(table[other].to_list()[0])
                raise DataError(f"{name} has no column of numbers: {other} is {shown} in its first row")
            columns = tuple(ScoreColumn(column, UNKNOWN_SIGNATURE) for column in plain)
            return cls(table, columns, notes=notes)
        beside = Path(name).suffix in (".csv", ".jsonl")
        home = f"{name}.meta.json" if beside else f"the metadata of {name}"
        expected = f"what gistmeter wrote (score again{', or remove that file' if beside else ''})"
        content = decode_json(metadata.encode(errors="surrogateescape"), home, expected, kind=_Metadata)
        table = _make_numbers(table, content.columns, home)
        return cls(table=table, columns=content.columns, origin=content.origin.as_origin(), notes=content.notes)

    def _matrix(self, column: str) -> SystemMatrix:
        import numpy as np

        systems, documents = self._axes
        values = np.full((len(systems), len(documents)), np.nan)
        rows, columns = self._cells
        values[rows, columns] = self.table[column].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return SystemMatrix(systems, documents, values)

    @functools.cached_property
    def _axes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The systems and the documents of a matrix."""
        return tuple(self.systems), tuple(self.documents)

    @functools.cached_property
    def _cells(self) -> tuple[IntArray, IntArray]:
        """The row (system) and the column (document) of each score in a matrix."""
        systems, documents = self._axes
        rows = self.table["system"].replace_strict(dict(zip(systems, range(len(systems)), strict=True)))
        columns = self.table["doc_id"].replace_strict(dict(zip(documents, range(len(documents)), strict=True)))
        return rows.to_numpy(), columns.to_numpy()


def _make_numbers(table: pl.DataFrame, columns: Sequence[ScoreColumn], home: str) -> pl.DataFrame:
    """The table with the columns that metadata describe as numbers; refused where they do not fit it."""
    names = [column.name for column in columns]
    numbers = dict.fromkeys(part for column in columns for part in column.parts or (column.name,))
    repeated = [name for name in names if names.count(name) > 1]
    missing = [number for number in numbers if number not in table.columns or number in KEYS]
    if repeated or missing:
        fault = f"{repeated[0]} twice" if repeated else f"{missing[0]}, which is no column of scores"
        raise DataError(f"{home} describes {fault}: score again")
    try:
        # JSON knows no NaN: a missing score comes back as null.
        return table.with_columns(pl.col(number).cast(pl.Float64).fill_null(float("nan")) for number in numbers)
    except pl.exceptions.PolarsError:
        kinds = table.schema
        text = next(number for number in numbers if not kinds[number].is_numeric())
        raise DataError(f"{home} describes {text} as a score, but it does not hold numbers: score again") from None


def _note_other_contents(first: str, scores: Scores, second: str, others: Scores) -> list[str]:
    """That two files of scores are of different texts of the same summaries, if they are and say so."""
    if scores.contents is None or others.contents is None:
        return []
    both = scores.contents.join(others.contents, on=KEYS)
    different = both.filter(pl.col(CONTENT_COLUMN) != pl.col(f"{CONTENT_COLUMN}_right"))["doc_id"]
    if different.is_empty():
        return []
    documents = join_names(different.unique(maintain_order=True).to_list())
    return [f"{first} and {second} are scores of different texts of the same summaries ({documents}): score again"]
