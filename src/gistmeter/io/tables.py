"""Tables of scores as files: .parquet, .jsonl or .csv, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE_SUFFIXES = (".parquet", ".jsonl", ".csv")
_METADATA_KEY = "gistmeter"


def check_table_path(path: Path) -> None:
    """Refuse, before any work is done, an output that could not be written at the end."""
    if path.suffix not in TABLE_SUFFIXES:
        raise DataError(f"cannot write {path}: name it .parquet, .jsonl or .csv")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Refuse an output whose folder is missing or closed, or that is a folder itself."""
    if path.is_dir():
        raise DataError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise DataError(f"cannot write {path}: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise DataError(f"cannot write {path}: permission denied")


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` at once when all went well."""
    check_writable(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}") from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)  # mkstemp makes files that only their owner can read
        part.replace(path)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def write_table(table: pl.DataFrame | pl.LazyFrame, path: Path, metadata: str) -> None:
    """Write a table and what is known of its columns; a lazy one is streamed."""
    check_table_path(path)
    lazy = table.lazy()
    with written_whole(path) as part:
        if path.suffix == ".parquet":
            lazy.sink_parquet(part, metadata={_METADATA_KEY: metadata})
        elif path.suffix == ".jsonl":
            lazy.sink_ndjson(part)
        else:
            lazy.sink_csv(part)
    if path.suffix != ".parquet":
        with written_whole(_beside(path)) as part:
            part.write_text(metadata + "\n", encoding="utf-8")


def read_table(path: Path) -> tuple[pl.DataFrame, str | None]:
    """A table and the metadata it was written with, None if it has none."""
    if path.is_dir():
        raise DataError(f"cannot read {path}: it is a folder, not a file of scores")
    if not path.exists():
        raise DataError(f"cannot read {path}: there is no such file")
    try:
        if path.suffix == ".parquet":
            return pl.read_parquet(path), pl.read_parquet_metadata(path).get(_METADATA_KEY)
        if path.suffix == ".jsonl":
            table = pl.read_ndjson(path, infer_schema_length=None)
        elif path.suffix == ".csv":
            # Names stay as written: 001 is not 1.
            names = dict.fromkeys(("doc_id", "system"), pl.String)
            header = pl.read_csv(path, n_rows=0).columns
            overrides = {name: kind for name, kind in names.items() if name in header}
            table = pl.read_csv(path, infer_schema_length=None, schema_overrides=overrides)
        else:
            raise DataError(f"cannot read {path} as scores: it is not .parquet, .jsonl or .csv")
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        first = str(error).partition("\n")[0]
        raise DataError(f"cannot read {path} as a table of scores: {first}") from None
    beside = _beside(path)
    return table, beside.read_text("utf-8") if beside.exists() else None


def _beside(path: Path) -> Path:
    """Where the signatures of a .jsonl or .csv table are kept."""
    return path.with_name(path.name + ".meta.json")
