"""Tables of scores as files: .parquet, .jsonl or .csv."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import polars as pl

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output, write_atomically
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.files import check_readable, read_file
from gistmeter.io.origin import StoredOrigin  # noqa: TC001  (a field of a struct)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gistmeter.io.origin import Origin

TABLE_SUFFIXES = (".parquet", ".jsonl", ".csv")
KEY_NAMES = (*FIELD_NAMES["doc_id"], *FIELD_NAMES["system"])
"""The names that the columns of documents and systems may have."""
_FORMULA = r"^'*[=+\-@\t\r]"
_SIGNED_NUMBER = r"^'*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
CONTENT_COLUMN = "_content"
"""The column with digests of what was scored: no score, and kept out of the table when it is read."""
_METADATA_KEY = "gistmeter"
"""Under which a Parquet file keeps the metadata of its table."""


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
            return scan_table(path).collect(), metadata
        if path.suffix == ".jsonl":
            with path.open("rb") as stream:  # a path with brackets would be a pattern
                table = pl.read_ndjson(stream, infer_schema_length=None)
        elif path.suffix == ".csv":
            # Names stay as written: 001 is not 1.
            names = dict.fromkeys((*KEY_NAMES, CONTENT_COLUMN), pl.String)
            header = pl.read_csv(path, n_rows=0, glob=False).columns
            overrides = {name: kind for name, kind in names.items() if name in header}
            table = pl.read_csv(path, infer_schema_length=None, schema_overrides=overrides, glob=False)
            table = _unguard_texts(table.lazy()).collect()
        else:
            raise DataError(f"cannot read {path} as scores: it is not .parquet, .jsonl or .csv")
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        first = str(error).partition("\n")[0]
        raise DataError(f"cannot read {path} as a table of scores: {first}") from None
    beside = metadata_path(path)
    return table, read_file(str(beside)).decode(errors="surrogateescape") if beside.exists() else None


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


def refuse_text(table: pl.DataFrame, name: str) -> None:
    """Refuse a cell of text in a column of numbers, which would not be a column of scores any more.

    A column of which most values are text, such as a remark, is none of scores and may stay.
    """
    for column in table.select(pl.col(pl.String)).columns:
        if column in KEY_NAMES:
            continue
        present = table.filter(pl.col(column).is_not_null() & (pl.col(column) != ""))
        text = present.filter(pl.col(column).str.strip_chars().cast(pl.Float64, strict=False).is_null())
        if len(text) and 2 * len(text) < len(present):
            row = text.row(0, named=True)
            raise DataError(
                f"{name}: {column} of {row['system']}/{row['doc_id']} is {row[column]!r}, which is not a number; leave "
                "it empty if there is none"
            )


def metadata_path(path: Path) -> Path:
    """The file beside a .jsonl or .csv table that keeps its metadata, such as signatures."""
    return path.with_name(path.name + ".meta.json")
