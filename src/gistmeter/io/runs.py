"""Runs: files of summaries, read as a stream of batches whatever their format."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.io.batches import Batch, Places, Reading, ReadyBatch
from gistmeter.io.decoding import (
    BATCH_ROWS,
    DELIMITED,
    JSON_LINES,
    delimited,
    is_array,
    json_array,
    json_batches,
    parquet,
    read_records,
)
from gistmeter.io.files import STDIN, check_readable, kind_of, stem_of
from gistmeter.io.joins import joined_texts, joined_units
from gistmeter.io.lines import AlignedLines
from gistmeter.io.origin import Origin
from gistmeter.io.pyramids import read_peer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["BATCH_ROWS", "Run", "open_run", "read_records", "reopen_run"]

_MEMORY = "the examples given"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """Where summaries come from: files, aligned text files, or examples in memory."""

    reading: Reading = Reading()  # noqa: RUF009  (frozen)
    files: tuple[str, ...] = ()
    aligned: AlignedLines | None = None
    memory: Iterable[Example] | None = None
    origin: Origin = Origin()  # noqa: RUF009  (frozen)

    def total_bytes(self) -> int | None:
        """How many bytes there are to read, if that is known (it is not for gzipped files)."""
        if not self.files or STDIN in self.files or any(file.endswith(".gz") for file in self.files):
            return None
        return sum(Path(file).stat().st_size for file in self.files)

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        """The run as batches that other processes can decode."""
        if self.memory is not None:
            yield from _ready(_checked(self.memory), _MEMORY, "example", rows)
        elif self.aligned is not None:
            self.aligned.check()
            for file, examples in self.aligned.examples():
                yield from _ready(examples, file, "line", rows)
        for file in self.files:
            yield from self._file(file, rows)

    def rereadable(self) -> Run:
        """A run that can be read twice: standard input is taken into memory."""
        return Run(self.reading, memory=list(self.examples())) if STDIN in self.files else self

    def examples(self) -> Iterator[Example]:
        """All examples, one after the other."""
        for batch in self.batches():
            yield from batch.examples(self.reading)

    def _file(self, file: str, rows: int) -> Iterator[Batch]:
        kind = kind_of(file)
        if kind in DELIMITED:
            records = delimited(file, DELIMITED[kind])
        elif kind == ".parquet":
            records = parquet(file)
        elif kind == ".pan":
            yield from _ready([read_peer(file, language=self.reading.language)], file, "summary", rows)
            return
        elif kind in JSON_LINES:
            if kind == ".json" and is_array(file):
                records = json_array(file)
            else:
                yield from json_batches(file, rows)
                return
        else:
            raise DataError(
                f"cannot tell the format of {file}: runs are .jsonl, .csv, .tsv, .parquet or .pan (.gz too); "
                "for plain text files use `summaries=`, `references=` and `documents=`"
            )
        yield from _ready(self._decoded(file, records), file, "row", rows)

    def _decoded(self, file: str, records: Iterable[dict[str, Any]]) -> Iterator[Example]:
        system = stem_of(file)
        for position, record in enumerate(records):
            try:
                yield self.reading.example(record, position=position, system=system)
            except DataError as error:
                raise DataError(f"row {position + 1} of {file}: {error}") from None


def open_run(
    files: Sequence[str | Path] = (),
    *,
    summaries: dict[str, str] | None = None,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    units: Sequence[str | Path] = (),
    labels: dict[str, str] | None = None,
    language: str | None = None,
) -> Run:
    """A run over files of records, or over aligned text files when `summaries` is given.

    With files of records, `references`, `documents` and `units` are files of records too (`doc_id` and `reference`,
    `document` or `units`), joined by document id to the records that do not carry their own. With text files,
    `units` are tab-separated lines and `labels` (by system) say which of them each summary has.
    """
    origin = Origin(
        tuple(map(str, files)),
        summaries or {},
        tuple(map(str, references)),
        tuple(map(str, documents)),
        language,
        tuple(map(str, units)),
        labels or {},
    )
    for file in origin.named:
        check_readable(file)
    if summaries:
        if files:
            raise ArgumentError("give either files of records or `summaries` with text files, not both")
        aligned = AlignedLines(
            summaries, origin.references, origin.documents, language, units=origin.units, labels=origin.labels
        )
        return Run(aligned=aligned, origin=origin)
    if not files:
        raise ArgumentError("there is nothing to read: name a file of summaries, - for standard input, or `summaries`")
    if labels:
        raise ArgumentError("`labels` are text files, for `summaries`; a record says its own in labels or votes")
    reading = Reading(
        language=language,
        documents=joined_texts(origin.documents, "documents"),
        references=joined_texts(origin.references, "references"),
        units=joined_units(origin.units),
    )
    return Run(reading, files=origin.files, origin=Origin() if STDIN in origin.files else origin)


def reopen_run(origin: Origin) -> Run:
    """The run that scores came from, once more."""
    return open_run(
        origin.files,
        summaries=origin.summaries,
        references=origin.references,
        documents=origin.documents,
        units=origin.units,
        labels=origin.labels,
        language=origin.language,
    )


def _ready(examples: Iterable[Example], file: str, unit: str, rows: int) -> Iterator[ReadyBatch]:
    first = 1
    for group in _groups(examples, rows):
        yield ReadyBatch(Places(file, unit, range(first, first + len(group))), group)
        first += len(group)


def _checked(items: Iterable[Any]) -> Iterator[Example]:
    for item in items:
        if not isinstance(item, Example):
            raise DataError(f"a run in memory is made of Example objects, not {type(item).__name__}")
        yield item


def _groups(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while group := list(islice(iterator, size)):
        yield group
