"""Aligned text files: line i of each file belongs to document i."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.files import file_stem, read_byte_lines, read_text_lines
from gistmeter.io.units import label_units, parse_units, weigh_units
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.example import Unit


@dataclass(frozen=True, slots=True)
class AlignedTexts:
    """Files of summaries by system, of references (several files are several references) and of documents.

    Lines of `units` (one file) hold the units of a document with tabs between, lines of `weights` (one file) the weight
    of each, and lines of `labels`, by system, a 0 or 1 for each. These are the files of Lite2-3Pyramid.
    """

    summaries: dict[str, str]
    references: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    language: str | None = None
    units: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    weights: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse files of unequal length, and labels of what is not there."""
        if len(self.units) > 1:
            raise ArgumentError("`units` takes one text file: a line holds all units of a document, with tabs between")
        if len(self.weights) > 1:
            raise ArgumentError("`weights` takes one text file: a line holds the weights of all units of a document")
        if self.weights and not self.units:
            raise ArgumentError("`weights` say how much units weigh: name the file of units with `units`")
        if self.labels and not self.units:
            raise ArgumentError("`labels` say which units a summary has: name the file of units with `units`")
        for system in self.labels:
            if system not in self.summaries:
                hint = suggestion(system, self.summaries)
                raise ArgumentError(f"`labels` names the system {system!r}, which `summaries` does not{hint}")
        first = next(iter(self.summaries.values()))
        expected = _count_lines(first)
        if not expected:
            raise DataError(f"{first} is empty: there is nothing to score")
        texts = (*self.summaries.values(), *self.references, *self.documents)
        for path in (*texts, *self.units, *self.weights, *self.labels.values()):
            lines = _count_lines(path)
            if lines != expected:
                raise DataError(
                    f"the files do not line up: {first} has {format_count(expected, 'line')} and {path} has {lines:,}; "
                    "line i of each file must belong to document i"
                )

    def examples(self) -> Iterator[tuple[str, Iterator[Example]]]:
        """For each system its file and its examples in order."""
        for system, path in self.summaries.items():
            yield path, self._read_system(system, path)

    def _read_system(self, system: str, path: str) -> Iterator[Example]:
        """The examples of a system, line by line."""
        others = [read_text_lines(other) for other in (*self.references, *self.documents)]
        units = self._read_units(self.labels.get(system)) if self.units else None
        for number, texts in enumerate(zip(read_text_lines(path), *others, strict=True), start=1):
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

    def _read_units(self, labels: str | None) -> Iterator[tuple[Unit, ...]]:
        """The units of each line, with the labels that a system's file has for them."""
        (path,) = self.units
        weight_lines = read_text_lines(self.weights[0]) if self.weights else None
        label_lines = read_text_lines(labels) if labels else None
        for number, line in enumerate(read_text_lines(path), start=1):
            try:
                units = parse_units(line.rstrip().split("\t") if line.strip() else [])
            except DataError as error:
                raise DataError(f"line {number} of {path}: {error}") from None
            if weight_lines is not None:
                try:
                    units = weigh_units(units, next(weight_lines).split())
                except DataError as error:
                    raise DataError(f"line {number} of {self.weights[0]}: {error}") from None
            if label_lines is not None:
                try:
                    units = label_units(units, next(label_lines).split())
                except DataError as error:
                    raise DataError(f"line {number} of {labels}: {error}") from None
            yield units


def parse_named_files(specifications: Sequence[str], argument: str = "summaries") -> dict[str, str]:
    """System names and files from texts such as `bart=bart.txt`; a lone path is named by its file.

    >>> parse_named_files(["bart=out/bart.txt", "t5.txt"])
    {'bart': 'out/bart.txt', 't5': 't5.txt'}
    """
    named: dict[str, str] = {}
    for specification in specifications:
        name, equals, path = specification.partition("=")
        system, file = (name, path) if equals else (file_stem(specification), specification)
        if not system or not file:
            raise ArgumentError(f"cannot read `{argument}` {specification!r}: write system=file")
        if system in named:
            raise ArgumentError(f"`{argument}` names the system {system!r} twice")
        named[system] = file
    return named


def _count_lines(path: str) -> int:
    return sum(1 for _ in read_byte_lines(path))
