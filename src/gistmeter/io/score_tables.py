"""Tables of scores as files: .parquet, .jsonl or .csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import polars as pl

from gistmeter.errors import ArgumentTypeError, DataError
from gistmeter.example import LARGEST_NUMBER, shorten_value
from gistmeter.io.atomic import check_output, metadata_path, write_atomically
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.files import check_readable, read_file
from gistmeter.io.json_lines import read_json_lines
from gistmeter.io.memory.given import read_frame_columns
from gistmeter.io.records import read_rows
from gistmeter.io.score_files.origin import StoredOrigin  # noqa: TC001  (a field of a struct)
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gistmeter.io.score_files.origin import Origin

ROW_KEYS = ("doc_id", "system")
"""The columns that name a row."""
TABLE_SUFFIXES = (".parquet", ".jsonl", ".csv")
KEY_NAMES = (*FIELD_NAMES["doc_id"], *FIELD_NAMES["system"])
"""The names that the columns of documents and systems may have."""
_FORMULA = r"^'*[=+\-@\t\r]"
_SIGNED_NUMBER = r"^'*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
FRAME_NAME = "the frame"
"""What messages call a table that is in no file."""
CONTENT_COLUMN = "_content"
"""The column with digests of what was scored: no score, and kept out of the table when it is read."""
_METADATA_KEY = "gistmeter"
"""Under which a Parquet file keeps the metadata of its table."""
_PANDAS_INDEX = r"^__index_level_\d+__$"
"""The columns in which pandas keeps the numbers of rows."""
_ROW = "\0row"
_SHOWN_CHARACTERS = 200
"""Of an error of polars."""


def check_table_path(path: Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse, before any work is done, an output that could not be written at the end, or that is an input."""
    if path.suffix not in TABLE_SUFFIXES:
        raise DataError(f"cannot write {path}: name it .parquet, .jsonl or .csv")
    for file in (path,) if path.suffix == ".parquet" else (path, metadata_path(path)):
        check_output(file, inputs)


def write_table(table: pl.DataFrame | pl.LazyFrame, path: Path, metadata: str) -> None:
    """Write a table and what is known of its columns; a lazy one is streamed."""
    check_table_path(path)
    lazy = table.lazy()
    with write_atomically(path) as part:
        if path.suffix == ".parquet":
            lazy.sink_parquet(part, metadata={_METADATA_KEY: metadata})
        elif path.suffix == ".jsonl":
            lazy.sink_ndjson(part)
        else:
            _guard_texts(lazy).sink_csv(part)
    if path.suffix != ".parquet":
        with write_atomically(metadata_path(path)) as part:
            part.write_text(metadata + "\n", encoding="utf-8")


def read_table(path: Path) -> tuple[pl.DataFrame, str | None]:
    """A table and the metadata it was written with, None if it has none."""
    check_readable(str(path))
    try:
        if path.suffix == ".parquet":
            with path.open("rb") as stream:
                metadata = pl.read_parquet_metadata(stream).get(_METADATA_KEY)
            return scan_table(path).collect().select(pl.exclude(_PANDAS_INDEX)), metadata
        if path.suffix == ".jsonl":
            table = _read_json_table(path)
        elif path.suffix == ".csv":
            # Names stay as written: 001 is not 1.
            names = dict.fromkeys((*KEY_NAMES, CONTENT_COLUMN), pl.String)
            header = _check_rows(str(path))
            overrides = {name: kind for name, kind in names.items() if name in header}
            table = pl.read_csv(path, infer_schema_length=None, schema_overrides=overrides, glob=False)
            table = _unguard_texts(table.lazy()).collect()
        else:
            raise DataError(f"cannot read {path} as scores: it is not .parquet, .jsonl or .csv")
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError, TypeError, OverflowError) as error:
        first = str(error).partition("\n")[0][:_SHOWN_CHARACTERS]
        raise DataError(f"cannot read {path} as a table of scores: {first}") from None
    beside = metadata_path(path)
    return table, read_file(str(beside)).decode(errors="surrogateescape") if beside.exists() else None


def read_frame_table(given: Any, argument: str) -> pl.DataFrame:
    """The table of scores that a frame of pandas, polars or another library holds; messages name the argument."""
    columns = read_frame_columns(given, argument)
    if columns is None:
        raise ArgumentTypeError(f"`{argument}` is Scores, their file or a frame, not {type(given).__name__}")
    table = rename_keys(pl.DataFrame(columns, strict=False)).drop(CONTENT_COLUMN, strict=False)
    for key in ROW_KEYS:
        if key not in table.columns:
            raise DataError(f"{FRAME_NAME} has no scores: there is no column `{key}`, which says whose row it is")
    if "summary" in table.columns:
        raise DataError(f"{FRAME_NAME} is a run, not scores: `gm.score(frame, metrics)` gives its scores")
    table = check_keys(table, FRAME_NAME, may_be_run=False)
    refuse_text(table, FRAME_NAME)
    return table


def scan_table(path: Path) -> pl.LazyFrame:
    """The rows of a table, to be streamed; its path is that of a file, whatever brackets and stars are in it."""
    file = path.absolute()  # polars would read ~ and schemes such as s3: otherwise
    if path.suffix == ".jsonl":
        return pl.scan_ndjson(file.open("rb"))
    if path.suffix == ".parquet":
        return pl.scan_parquet(file, glob=False)
    return _unguard_texts(pl.scan_csv(file, glob=False))


def read_origin(path: Path) -> Origin | None:
    """The files that the scores in a file were computed from; None if it is no such file, or does not say."""
    if not path.name:  # the root of all folders
        return None
    try:
        if path.suffix == ".parquet" and path.is_file():
            with path.open("rb") as stream:
                metadata = pl.read_parquet_metadata(stream).get(_METADATA_KEY)
        else:
            beside = metadata_path(path)
            metadata = beside.read_text("utf-8-sig") if beside.is_file() else None
        return None if metadata is None else msgspec.json.decode(metadata, type=_OriginAlone).origin.as_origin()
    except (pl.exceptions.PolarsError, OSError, UnicodeError, msgspec.DecodeError, RecursionError):
        return None


class _OriginAlone(msgspec.Struct):
    """Of the metadata of a table, where its scores came from."""

    origin: StoredOrigin


def _guard_texts(table: pl.LazyFrame) -> pl.LazyFrame:
    """The table with an apostrophe before each text, and each name of a column, that a spreadsheet would run.

    That is what begins with = + - @, a tab or a carriage return and is no number. Such texts that begin with
    apostrophes already get another, so that `_unguard_texts` gives all of them back.
    """
    text = pl.col(pl.String)
    guarded = table.with_columns(pl.when(_would_run(text)).then("'" + text).otherwise(text).name.keep())
    names = pl.Series(table.collect_schema().names())
    return guarded.rename(dict(zip(names, _guard_names(names), strict=True)))


def _guard_names(names: pl.Series) -> pl.Series:
    frame = names.to_frame("name").select(
        pl.when(_would_run(pl.col("name"))).then("'" + pl.col("name")).otherwise(pl.col("name"))
    )
    return frame.to_series()


def _unguard_texts(table: pl.LazyFrame) -> pl.LazyFrame:
    """The table as it was before `_guard_texts`."""
    text = pl.col(pl.String)
    marked = text.str.starts_with("'") & _would_run(text)
    table = table.with_columns(pl.when(marked).then(text.str.slice(1)).otherwise(text).name.keep())
    guarded = [name for name in table.collect_schema().names() if name.startswith("'")]
    bare = {name: name[1:] for name in guarded if _guard_names(pl.Series([name[1:]]))[0] == name}
    return table.rename(bare)


def _would_run(text: pl.Expr) -> pl.Expr:
    """Whether a spreadsheet would run a text, the apostrophes before it left aside."""
    return text.str.contains(_FORMULA) & ~text.str.contains(_SIGNED_NUMBER)


def rename_keys(table: pl.DataFrame) -> pl.DataFrame:
    """The table with `doc_id` and `system`, whichever of their names these columns have.

    >>> rename_keys(pl.DataFrame({"docid": ["1"], "model": ["a"], "own": [0.5]})).columns
    ['doc_id', 'system', 'own']
    """
    names = {
        key: next((name for name in FIELD_NAMES[key] if name in table.columns), key) for key in ("doc_id", "system")
    }
    return table.rename({name: key for key, name in names.items() if name in table.columns})


def check_keys(table: pl.DataFrame, name: str, *, may_be_run: bool) -> pl.DataFrame:
    """The table with names of documents and systems as texts; refused where a row has none, or two have the same."""
    for key in ROW_KEYS:
        if key not in table.columns:
            raise DataError(f"{name} is not a file of scores: it has no column `{key}`")
        if table.schema[key].is_nested():
            raise DataError(f"{name}: `{key}` is a name (a text or a number), not {table.schema[key]}")
    if may_be_run and "summary" in table.columns:
        raise DataError(f"{name} is a run, not scores: run `gistmeter score {name} -o scores.parquet` first")
    table = table.with_columns(pl.col(key).cast(pl.String) for key in ROW_KEYS)
    for key in ROW_KEYS:
        if table[key].null_count():
            raise DataError(f"{name} has rows without a `{key}`")
    repeated = table.filter(pl.struct(ROW_KEYS).is_duplicated())
    if len(repeated):
        row = repeated.row(0, named=True)
        raise DataError(f"{name} has document {row['doc_id']!r} by system {row['system']!r} twice")
    return table


def refuse_difference(first: pl.DataFrame, second: pl.DataFrame, column: str, home: str, name: str) -> None:
    """Refuse a column that two tables have, unless it says the same of the same summaries."""
    both = first.select(*ROW_KEYS, column).join(second.select(*ROW_KEYS, pl.col(column).alias("other")), on=ROW_KEYS)
    numbers = both[column].dtype.is_numeric() and both["other"].dtype.is_numeric()
    one_kind = both.select(pl.col(column, "other").cast(pl.Float64 if numbers else pl.String))
    if not one_kind[column].equals(one_kind["other"].alias(column), null_equal=True):
        raise DataError(f"{column} is in {home} and in {name}, with other values: rename it in one of them")


def refuse_text(table: pl.DataFrame, name: str) -> None:
    """Refuse a cell of text in a column of numbers, and a number that cannot be averaged.

    A column of which most values are text, such as a remark, is none of scores and may stay.
    """
    for column in table.select(pl.col(pl.String)).columns:
        if column in KEY_NAMES:
            continue
        present = table.with_row_index(_ROW, 1).filter(pl.col(column).is_not_null() & (pl.col(column) != ""))
        text = present.filter(pl.col(column).str.strip_chars().cast(pl.Float64, strict=False).is_null())
        if len(text) and 2 * len(text) < len(present):
            raise DataError(f"{_name_cell(text, column, name)}, which is not a number; leave it empty if there is none")
    for column in table.select(pl.selectors.float()).columns:
        huge = table.with_row_index(_ROW, 1).filter(
            (pl.col(column).abs() > LARGEST_NUMBER) & pl.col(column).is_finite()
        )
        if len(huge):
            raise DataError(f"{_name_cell(huge, column, name)}, beyond {LARGEST_NUMBER:g}: it cannot be averaged")


def note_columns(table: pl.DataFrame, used: Iterable[str]) -> tuple[str, ...]:
    """That columns are taken for no scores, as they are not described or hold no numbers, if there are any.

    >>> table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], "own": [0.5], "remark": ["fine"]})
    >>> note_columns(table, ["own"])
    ('left out 1 column that is no score: remark (text)',)
    """
    fields = {name for names in FIELD_NAMES.values() for name in names}
    others = [column for column in table.columns if column not in {*used, *fields, CONTENT_COLUMN}]
    named = [f"{column} ({'numbers' if table.schema[column].is_numeric() else 'text'})" for column in others]
    are = "that is no score" if len(others) == 1 else "that are no scores"
    return (f"left out {format_count(len(others), 'column')} {are}: {join_names(named)}",) if others else ()


def _name_cell(rows: pl.DataFrame, column: str, name: str) -> str:
    """What the first of these rows has in a column, and where, as the start of a sentence."""
    row = rows.row(0, named=True)
    where = f"{name}, row {row[_ROW]}" + (f" (line {row[_ROW] + 1})" if name.endswith(".csv") else "")
    return f"{where}: {column} of {row['system']}/{row['doc_id']} is {shorten_value(row[column])}"


def _check_rows(path: str) -> list[str]:
    """The header of a CSV file whose rows all have as many cells, which polars would fill up."""
    rows = read_rows(path, ",")
    _, header = next(rows, (0, []))
    for _ in rows:
        pass
    return header


def _read_json_table(path: Path) -> pl.DataFrame:
    """The table of a file of JSON lines; where polars cannot read it, an error names the line."""
    try:
        with path.open("rb") as stream:  # a path with brackets would be a pattern
            return pl.read_ndjson(stream, infer_schema_length=None)
    except pl.exceptions.PolarsError:
        records = [record for _, record in read_json_lines(path)]
    if not records:
        raise DataError(f"there is nothing in {path}")
    return pl.DataFrame(records, infer_schema_length=None)
