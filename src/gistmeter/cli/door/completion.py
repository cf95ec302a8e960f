"""What a shell offers when the tabulator key is pressed: metrics, and the scores and systems of files on the line.

`gistmeter --install-completion` sets a shell up. A file is looked into only as far as names need, whatever is wrong
with it leads to no offer and no word, and no model is loaded. Names go into the command line of a shell, which may read
them as commands: only names of letters, digits and harmless signs are offered.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
import warnings
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gistmeter.cli.door.words import WORDS_ON_THE_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HARMLESS = re.compile(r"[\w.+@%/][\w.+@%/-]*")
_MOST_RECORDS = 2000
"""Of a file of records that is looked through for names of systems and documents."""
_MOST_OFFERED = 200


def _offer_silently(
    names: Callable[[typer.Context], Iterable[str]], *, several: bool = False
) -> Callable[..., list[str]]:
    """What completes a word from these names; `several` words may stand with commas between them."""

    @functools.wraps(names)
    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        try:
            with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                offered = [name for name in dict.fromkeys(names(ctx)) if name.startswith(last)]
        except (Exception, SystemExit):  # a broken file must not disturb somebody who types
            return []
        return [f"{before}{comma}{name}" for name in offered if _HARMLESS.fullmatch(name)][:_MOST_OFFERED]

    complete.__annotations__ = {"ctx": typer.Context, "incomplete": str, "return": list[str]}
    del complete.__wrapped__  # typer asks for the parameters of the function itself
    return complete


def _list_metrics(ctx: typer.Context) -> list[str]:  # noqa: ARG001
    from gistmeter.metrics.registry import list_groups, list_names

    return [*list_groups(), *list_names()]


def _list_scores(ctx: typer.Context) -> list[str]:
    """The scores of the files on the line; where there is no file of scores, all metrics."""
    from gistmeter.io.score_files.names import with_short_names

    columns = [column for file in _list_files(ctx) for column in _read_columns(file)]
    return sorted(with_short_names(columns)) if columns else _list_metrics(ctx)


def _list_systems(ctx: typer.Context) -> list[str]:
    return [system for file in _list_files(ctx) for system in _read_names(file, "system")]


def _list_documents(ctx: typer.Context) -> list[str]:
    return [document for file in _list_files(ctx) for document in _read_names(file, "doc_id")]


complete_metrics = _offer_silently(_list_metrics, several=True)
complete_scores = _offer_silently(_list_scores, several=True)
complete_systems = _offer_silently(_list_systems)
complete_documents = _offer_silently(_list_documents)


def _list_files(ctx: typer.Context) -> Iterator[Path]:
    """The files that are on the line already."""
    # The parser gives up at an option whose value is just being typed: the words themselves say more.
    for word in ctx.meta.get(WORDS_ON_THE_LINE, ()):
        with contextlib.suppress(OSError, ValueError):
            if Path(word).is_file():
                yield Path(word)


def _read_columns(file: Path) -> list[str]:
    """The scores of a file, as it describes them, or else its columns of numbers."""
    import polars as pl

    from gistmeter.io.atomic import metadata_path
    from gistmeter.io.fields import FIELD_NAMES
    from gistmeter.io.score_tables import KEY_NAMES, scan_table

    metadata: Any = None
    if file.suffix == ".parquet":
        with file.open("rb") as stream:
            metadata = pl.read_parquet_metadata(stream).get("gistmeter")
    elif metadata_path(file).is_file():
        metadata = metadata_path(file).read_text("utf-8-sig")
    elif file.suffix not in (".csv", ".jsonl"):
        return []
    if metadata is not None:
        return [column["name"] for column in json.loads(metadata)["columns"]]
    schema = scan_table(file).collect_schema()
    if any(name in schema for name in FIELD_NAMES["summary"]):  # a run, which has no scores yet
        return []
    return [name for name, kind in schema.items() if kind.is_numeric() and name not in KEY_NAMES]


def _read_names(file: Path, field: str) -> list[str]:
    """The names in a field of the rows of a table, or of the first records of a run."""
    import polars as pl

    from gistmeter.io.fields import FIELD_NAMES
    from gistmeter.io.records import read_records
    from gistmeter.io.score_tables import scan_table

    if file.suffix == ".parquet":
        rows = scan_table(file)
        name = next(name for name in FIELD_NAMES[field] if name in rows.collect_schema())
        return rows.select(pl.col(name).cast(pl.String).unique(maintain_order=True)).collect()[name].to_list()
    names: dict[str, None] = {}
    for record in islice(read_records(str(file)), _MOST_RECORDS):
        value = next((record[name] for name in FIELD_NAMES[field] if name in record), None)
        if value is not None:
            names[str(value)] = None
    return list(names)
