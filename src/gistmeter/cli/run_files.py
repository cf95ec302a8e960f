"""The options that name the files of a run, which a command takes as one value."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from gistmeter.cli import options as o

if TYPE_CHECKING:
    from collections.abc import Callable

    from gistmeter.io.runs import Run
    from gistmeter.io.score_files.origin import Origin

RunAgain = Annotated[
    list[str] | None,
    typer.Option("--run", metavar="FILE", help="The scored run; default: the files it was scored from."),
]


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What was said of the files beside, or in the place of, files of records; None where nothing was."""

    summaries: list[str] | None = None
    references: list[str] | None = None
    documents: list[str] | None = None
    units: list[str] | None = None
    weights: str | None = None
    labels: list[str] | None = None
    language: str | None = None
    fields: list[str] | None = None

    def open_run(self, records: list[str] | None) -> Run:
        """The run of these files and of files of records."""
        return o.open_run_files(
            records,
            self.summaries,
            self.references,
            self.documents,
            self.language,
            units=self.units,
            weights=self.weights,
            labels=self.labels,
            fields=self.fields,
        )

    def list_moved(self, records: list[str] | None) -> Origin | None:
        """The files to read in the place of those that scores name; None where the options name none."""
        from gistmeter.io.aligned_texts import parse_named_files
        from gistmeter.io.score_files.origin import Origin
        from gistmeter.text.languages import language_code

        if self.language is not None:
            language_code(self.language)  # refuses what is no language, before anything is read
        moved = Origin(
            files=tuple(records or ()),
            summaries=parse_named_files(self.summaries or []),
            references=tuple(self.references or ()),
            documents=tuple(self.documents or ()),
            units=tuple(self.units or ()),
            weights=(self.weights,) if self.weights else (),
            labels=parse_named_files(self.labels or [], "labels"),
            language=self.language,
            fields=o.parse_fields(self.fields),
        )
        return moved if moved.all_files or self.language else None

    def list_words(self) -> list[str]:
        """These options as they are written on a command line.

        >>> RunFiles(references=["refs.txt"], language="de").list_words()
        ['--references', 'refs.txt', '--language', 'de']
        """
        words = []
        for field in fields(self):
            given = getattr(self, field.name)
            for value in [given] if isinstance(given, str) else given or []:
                words += ["--map" if field.name == "fields" else f"--{field.name}", value]
        return words


NO_FILES = RunFiles()

_OPTIONS: dict[str, Any] = {
    "summaries": o.SummaryFiles,
    "references": o.ReferenceFiles,
    "documents": o.DocumentFiles,
    "units": o.UnitFiles,
    "weights": o.WeightFile,
    "labels": o.LabelFiles,
    "language": o.Language,
    "fields": o.FieldMap,
}


def take_run_files(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `files`, of the type `RunFiles`, stands for the options of all its fields."""
    signature = inspect.signature(command)
    hints = get_type_hints(command, include_extras=True)

    @functools.wraps(command)
    def run(**values: Any) -> None:
        files = RunFiles(**{field.name: values.pop(field.name, None) for field in fields(RunFiles)})
        command(**values, files=files)

    parameters = []
    for name, parameter in signature.parameters.items():
        if name == "files":
            parameters += [
                parameter.replace(name=option, annotation=hint, default=None) for option, hint in _OPTIONS.items()
            ]
        else:
            parameters.append(parameter.replace(annotation=hints[name]))
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {name: hint for name, hint in hints.items() if name != "files"} | _OPTIONS
    return run
