"""Line-aligned text files: line i of each file belongs to document i."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.files import byte_lines, stem_of, text_lines
from gistmeter.io.units import labelled, units_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.example import Unit


@dataclass(frozen=True, slots=True)
class AlignedLines:
    """Files of summaries by system, of references (several files are several references) and of documents.

    Lines of `units` (one file) hold the units of a document with tabs between; lines of `labels`, by system, a 0 or 1
    for each of them. These are the files of Lite2-3Pyramid.
    """

    summaries: dict[str, str]
    references: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    language: str | None = None
    units: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse files of unequal length, and labels of what is not there."""
        if len(self.units) > 1:
            raise ArgumentError("`units` takes one text file: a line holds all units of a document, with tabs between")
        if self.labels and not self.units:
            raise ArgumentError("`labels` say which units a summary has: name the file of units with `units`")
        for system in self.labels:
            if system not in self.summaries:
                hint = suggestion(system, self.summaries)
                raise ArgumentError(f"`labels` names the system {system!r}, which `summaries` does not{hint}")
        first = next(iter(self.summaries.values()))
        expected = _count(first)
        if not expected:
            raise DataError(f"{first} is empty: there is nothing to score")
        every = (*self.summaries.values(), *self.references, *self.documents, *self.units, *self.labels.values())
        for path in every:
            found = _count(path)
            if found != expected:
                raise DataError(
                    f"the files do not line up: {first} has {expected} lines and {path} has {found}; "
                    "line i of each file must belong to document i"
                )

    def examples(self) -> Iterator[tuple[str, Iterator[Example]]]:
        """For each system its file and its examples in order."""
        for system, path in self.summaries.items():
            yield path, self._system(system, path)

    def _system(self, system: str, path: str) -> Iterator[Example]:
        others = [text_lines(other) for other in (*self.references, *self.documents)]
        units = self._units(self.labels.get(system)) if self.units else None
        for number, texts in enumerate(zip(text_lines(path), *others, strict=True), start=1):
            summary, *rest = texts
            yield Example(
                doc_id=str(number),
                system=system,
                summary=summary,
                references=tuple(rest[: len(self.references)]),
                documents=tuple(rest[len(self.references) :]),
                language=self.language or DEFAULT_LANGUAGE,
                units=next(units) if units is not None else (),
            )

    def _units(self, labels: str | None) -> Iterator[tuple[Unit, ...]]:
        """The units of each line, with the labels that a system's file has for them."""
        (path,) = self.units
        judged = text_lines(labels) if labels else None
        for number, line in enumerate(text_lines(path), start=1):
            try:
                units = units_of(line.rstrip().split("\t") if line.strip() else [])
            except DataError as error:
                raise DataError(f"line {number} of {path}: {error}") from None
            if judged is not None:
                try:
                    units = labelled(units, next(judged).split())
                except DataError as error:
                    raise DataError(f"line {number} of {labels}: {error}") from None
            yield units


def named_files(arguments: Sequence[str], option: str = "summaries") -> dict[str, str]:
    """System names and files from texts such as `bart=bart.txt`; a lone path is named by its file.

    >>> named_files(["bart=out/bart.txt", "t5.txt"])
    {'bart': 'out/bart.txt', 't5': 't5.txt'}
    """
    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        system, file = (name, path) if equals else (stem_of(argument), argument)
        if not system or not file:
            raise ArgumentError(f"cannot read `{option}` {argument!r}: write system=file")
        if system in named:
            raise ArgumentError(f"`{option}` names the system {system!r} twice")
        named[system] = file
    return named


def _count(path: str) -> int:
    return sum(1 for _ in byte_lines(path))
