"""`gistmeter check`: one summary, its scores, where they stand, and its weakest sentences."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.terminal import draw, tell_json
from gistmeter.errors import ArgumentError, DataError

_TEXT = "TEXT|FILE|-"
_RECORDS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
_FILE_NAME = re.compile(r"\S*[/\\]\S*\.\w{1,5}|\S+\.(?:txt|md|gz|text|json|jsonl)")


def check(
    summary: Annotated[
        str, typer.Option("--summary", metavar=_TEXT, help="The summary: a text, a file (or @file), - for stdin.")
    ],
    document: Annotated[
        list[str] | None,
        typer.Option("--document", metavar=_TEXT, help="What was summarised, in the same manner; repeat for more."),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option("--reference", metavar=_TEXT, help="A reference, in the same manner; repeat for more."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", metavar="M,...", help="Metrics; by default what the texts allow and is quick."),
    ] = None,
    models: Annotated[
        bool | None,
        typer.Option("--models/--no-models", help="Ask the embedded models, or not; default where installed."),
    ] = None,
    language: o.Language = None,
    json: o.AsJson = False,
) -> None:
    """Check one summary: scores, where they stand among judged systems, and the weakest sentences with why."""
    from gistmeter import api
    from gistmeter.report.sheets.check import check_view

    given = [summary, *(document or []), *(reference or [])]
    if given.count("-") > 1:
        raise ArgumentError("standard input (-) can be only one of the texts")
    documents = [read_text(text, "--document") for text in document or []]
    result = api.check(
        summary=read_text(summary, "--summary"),
        document=documents[0] if len(documents) == 1 else None,
        documents=documents if len(documents) > 1 else (),
        references=[read_text(text, "--reference") for text in reference or []],
        language=language or "en",
        metrics=metrics,
        models=models,
    )
    if json:
        tell_json(result.to_json())
    else:
        draw(check_view(result))
        for note in result.notes:
            o.say(f"note: {o.use_flags(note, {'document': '--document'})}")


def read_text(given: str, option: str) -> str:
    """The text that an option gives: of a file, of standard input, or itself.

    >>> read_text("It rained.", "--summary")
    'It rained.'
    """
    from gistmeter.io.files import describe_bad_bytes, read_file

    name = given.removeprefix("@") if given.startswith("@") else given
    if given != "-" and not given.startswith("@") and not _names_file(name):
        if not given.strip():
            raise DataError(f"{option} is empty")
        return given
    if name.removesuffix(".gz").endswith(_RECORDS) and Path(name).is_file():
        raise DataError(
            f"{name} is a file of records, and {option} is one text: give the text, or score all with "
            f"`gistmeter score {shlex.quote(name)}`"
        )
    content = read_file(name)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise DataError(f"{name} {describe_bad_bytes(content)}") from None
    if not text.strip():
        raise DataError(f"{option} is empty: there is nothing in {'standard input' if name == '-' else name}")
    return text


def _names_file(name: str) -> bool:
    """Whether a text is the name of a file: of one that is there, or a word that only a file is called.

    >>> _names_file("It rained."), _names_file("no/such/summary.txt")
    (False, True)
    """
    try:
        return bool(name) and (Path(name).exists() or _FILE_NAME.fullmatch(name) is not None)
    except (OSError, ValueError):  # too long for a name, or a null character: a text
        return False
