"""Line-aligned text files: line i of each file belongs to document i."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.formats.files import byte_lines, stem_of, text_lines
from gistmeter.records import DEFAULT_LANGUAGE, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class AlignedLines:
    """Files of summaries by system, of references (several files are several references) and of documents."""

    summaries: dict[str, str]
    references: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    language: str | None = None

    def check(self) -> None:
        """Refuse files of unequal length."""
        first = next(iter(self.summaries.values()))
        expected = _count(first)
        if not expected:
            raise DataError(f"{first} is empty: there is nothing to score")
        for path in (*self.summaries.values(), *self.references, *self.documents):
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
        for number, texts in enumerate(zip(text_lines(path), *others, strict=True), start=1):
            summary, *rest = texts
            yield Example(
                doc_id=str(number),
                system=system,
                summary=summary,
                references=tuple(rest[: len(self.references)]),
                documents=tuple(rest[len(self.references) :]),
                language=self.language or DEFAULT_LANGUAGE,
            )


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """System names and files from texts such as `bart=bart.txt`; a lone path is named by its file.

    >>> named_files(["bart=out/bart.txt", "t5.txt"])
    {'bart': 'out/bart.txt', 't5': 't5.txt'}
    """
    named: dict[str, str] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        system, file = (name, path) if equals else (stem_of(argument), argument)
        if not system or not file:
            raise DataError(f"cannot read --summaries {argument!r}: write system=file")
        if system in named:
            raise DataError(f"--summaries names the system {system!r} twice")
        named[system] = file
    return named


def _count(path: str) -> int:
    return sum(1 for _ in byte_lines(path))
