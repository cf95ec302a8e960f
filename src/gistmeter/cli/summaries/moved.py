"""Where the files of a scored run are now: options of the commands that read it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gistmeter.io.score_files.origin import Origin

RunAgain = Annotated[
    list[str] | None,
    typer.Option("--run", metavar="FILE", help="The scored run; default: the files it was scored from."),
]


def list_moved(
    run: list[str] | None,
    summaries: list[str] | None = None,
    references: list[str] | None = None,
    documents: list[str] | None = None,
    *,
    units: list[str] | None = None,
    weights: str | None = None,
    labels: list[str] | None = None,
    language: str | None = None,
    fields: list[str] | None = None,
) -> Origin | None:
    """The files that options name in the place of those that the scores name; None where none does."""
    from gistmeter.cli.options import parse_fields
    from gistmeter.io.aligned_texts import parse_named_files
    from gistmeter.io.score_files.origin import Origin
    from gistmeter.text.languages import language_code

    if language is not None:
        language_code(language)  # refuses what is no language, before anything is read
    moved = Origin(
        files=tuple(run or ()),
        summaries=parse_named_files(summaries or []),
        references=tuple(references or ()),
        documents=tuple(documents or ()),
        units=tuple(units or ()),
        weights=(weights,) if weights else (),
        labels=parse_named_files(labels or [], "labels"),
        language=language,
        fields=parse_fields(fields),
    )
    return moved if moved.all_files or language else None
