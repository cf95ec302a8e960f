"""Runs: files of summaries, read as a stream of batches whatever their format."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.io.aligned_texts import AlignedTexts
from gistmeter.io.batches import Batch, Markers, ReadyBatch, RecordDefaults, RecordLocations, list_fields
from gistmeter.io.fields import RUN_FIELDS, check_field_names, check_mapped_columns
from gistmeter.io.files import STDIN, check_readable, file_format, file_stem
from gistmeter.io.joins import read_texts_by_document, read_units_by_document
from gistmeter.io.memory.given import GivenRecords
from gistmeter.io.memory.lists import DEFAULT_SYSTEM
from gistmeter.io.pyramids import read_peer
from gistmeter.io.records import (
    BATCH_ROWS,
    DELIMITERS,
    JSON_SUFFIXES,
    is_json_array,
    read_columns,
    read_delimited,
    read_json_array,
    read_json_batches,
    read_parquet,
    read_records,
)
from gistmeter.io.score_files.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["BATCH_ROWS", "Run", "open_run", "read_records", "reopen_run"]

HUMAN_SYSTEM = "human"
"""The system of a human row."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Run:
    """Where summaries come from: files, aligned text files, or examples in memory."""

    defaults: RecordDefaults = RecordDefaults()  # noqa: RUF009  (frozen)
    files: tuple[str, ...] = ()
    aligned: AlignedTexts | None = None
    memory: Iterable[Any] | None = None
    """Examples, or records as files have them."""
    origin: Origin = Origin()  # noqa: RUF009  (frozen)
    human_row: bool = False
    """Whether the system `human` is added: a reference of each document that has several, as its summary."""

    @property
    def input_files(self) -> tuple[str, ...]:
        """The files that it is read from, which no output of it may be."""
        return tuple(dict.fromkeys((*self.files, *self.origin.all_files)))

    def total_bytes(self) -> int | None:
        """How many bytes there are to read; None if that is not known, as for gzipped files."""
        if not self.files or STDIN in self.files or any(file.endswith(".gz") for file in self.files):
            return None
        return sum(Path(file).stat().st_size for file in self.files)

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        """The run as batches that other processes can decode."""
        yield from self._batch_summaries(rows)
        if self.human_row:
            summaries = (example for batch in self._batch_summaries(rows) for example in batch.examples(self.defaults))
            yield from _batch_examples(choose_human_summaries(summaries), "the references", "document", rows)

    def _batch_summaries(self, rows: int) -> Iterator[Batch]:
        """The summaries of systems."""
        if self.memory is not None:
            given = self.memory if isinstance(self.memory, GivenRecords) else GivenRecords(self.memory)
            examples = self._make_examples(given.items, given.name, given.unit, DEFAULT_SYSTEM)
            yield from _batch_examples(examples, given.name, given.unit, rows)
        elif self.aligned is not None:
            self.aligned.check()
            for file, examples in self.aligned.examples():
                yield from _batch_examples(examples, file, "line", rows)
        for file in self.files:
            yield from self._read_file(file, rows)

    def rereadable(self) -> Run:
        """A run that can be read twice: standard input, and examples that come once, are taken into memory.

        >>> once = iter([Example(doc_id="1", system="a", summary="Rain.")])
        >>> run = Run(memory=once).rereadable()
        >>> len(list(run.examples())), len(list(run.examples()))
        (1, 1)
        """
        given = self.memory if isinstance(self.memory, GivenRecords) else GivenRecords(self.memory or ())
        if isinstance(given.items, Iterator):
            return replace(self, memory=replace(given, items=list(given.items)))
        if STDIN not in self.files:
            return self
        summaries = [
            example for batch in self._batch_summaries(BATCH_ROWS) for example in batch.examples(self.defaults)
        ]
        return Run(self.defaults, memory=summaries, human_row=self.human_row)

    def with_human_row(self) -> Run:
        """This run with the system `human`: a reference of each document that has several, as its summary.

        Which one is drawn by the name of the document, so that each person is there as often as any other. It is one
        summary a document, as systems have, so that means, intervals and tests compare. Metrics must leave that
        reference out: `jackknife`, or those with `references=jackknife`.

        >>> references = ("It rained.", "Rain fell.")
        >>> run = Run(memory=[Example(doc_id="1", system="a", summary="Rain.", references=references)])
        >>> [(example.system, example.summary) for example in run.with_human_row().examples()]
        [('a', 'Rain.'), ('human', 'It rained.')]
        """
        run = self.rereadable()
        return replace(run, human_row=True, origin=replace(run.origin, human_row=True))

    def examples(self) -> Iterator[Example]:
        """All examples, one after the other."""
        for batch in self.batches():
            yield from self.defaults.read_markers(batch.examples(self.defaults))

    def with_markers(self, markers: Markers) -> Run:
        """This run with markers of tokenizers and models (`<q>`, `-lrb-`) read as what they stand for, or kept.

        >>> run = Run(memory=[Example(doc_id="1", system="a", summary="It rained<q>a lot")])
        >>> [next(run.with_markers(markers).examples()).summary for markers in ("read", "keep")]
        ['It rained\\na lot', 'It rained<q>a lot']
        """
        return replace(
            self, defaults=replace(self.defaults, markers=markers), origin=replace(self.origin, markers=markers)
        )

    def with_fields(self, fields: Mapping[str, str]) -> Run:
        """This run with the columns that fields are in, where these have other names than gistmeter knows.

        >>> run = Run(memory=[{"output": "It rained."}]).with_fields({"summary": "output"})
        >>> next(run.examples()).summary
        'It rained.'
        """
        check_field_names(fields, RUN_FIELDS, "a run")
        if self.files and STDIN not in self.files:
            check_mapped_columns(fields, {file: read_columns(file) for file in self.files})
        return replace(
            self, defaults=replace(self.defaults, fields=fields), origin=replace(self.origin, fields=dict(fields))
        )

    def with_language(self, language: str) -> Run:
        """This run with the language of the records that do not name theirs.

        >>> run = Run(memory=[{"summary": "Es regnete."}]).with_language("de")
        >>> next(run.examples()).language
        'de'
        """
        return replace(
            self,
            defaults=replace(self.defaults, language=language),
            aligned=None if self.aligned is None else replace(self.aligned, language=language),
            origin=replace(self.origin, language=language),
        )

    def without_summaries(self) -> Run:
        """This run for those who read its documents alone: a record without a summary has an empty one.

        >>> next(Run(memory=[{"document": "It rained."}]).without_summaries().examples()).document
        'It rained.'
        """
        return replace(self, defaults=replace(self.defaults, need_summaries=False))

    def _read_file(self, file: str, rows: int) -> Iterator[Batch]:
        suffix = file_format(file)
        if suffix in DELIMITERS:
            records = read_delimited(file, DELIMITERS[suffix], self.defaults.fields)
        elif suffix == ".parquet":
            records = read_parquet(file)
        elif suffix == ".pan":
            yield from _batch_examples([read_peer(file, language=self.defaults.language)], file, "summary", rows)
            return
        elif suffix in JSON_SUFFIXES:
            if suffix == ".json" and is_json_array(file):
                records = read_json_array(file)
            else:
                for number, batch in enumerate(read_json_batches(file, rows)):
                    if number == 0 and file == STDIN and self.defaults.fields:
                        check_mapped_columns(self.defaults.fields, {"standard input": list_fields(batch)})
                    yield batch
                return
        else:
            raise DataError(
                f"cannot tell the format of {file}: runs are .jsonl, .json, .csv, .tsv, .parquet or .pan (.gz too); "
                "for plain text files use `summaries=`, `references=` and `documents=`"
            )
        yield from _batch_examples(self._make_examples(records, file, "row", file_stem(file)), file, "row", rows)

    def _make_examples(self, records: Iterable[Any], source: str, unit: str, system: str) -> Iterator[Example]:
        """The examples of records, which may be examples already; an error names the record."""
        for position, record in enumerate(records):
            if isinstance(record, Example):
                yield record
                continue
            if position == 0 and self.defaults.fields and isinstance(record, Mapping) and not self.files:
                check_mapped_columns(self.defaults.fields, {source: list(record)})
            try:
                yield self.defaults.make_example(record, position=position, system=system)
            except DataError as error:
                raise DataError(f"{unit} {position + 1} of {source}: {error}") from None


def open_run(
    files: Sequence[str | Path] = (),
    *,
    summaries: dict[str, str] | None = None,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    units: Sequence[str | Path] = (),
    weights: Sequence[str | Path] = (),
    labels: dict[str, str] | None = None,
    language: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> Run:
    """A run over files of records, or over aligned text files when `summaries` is given.

    With files of records, `references`, `documents` and `units` are files of records too (`doc_id` and `reference`,
    `document` or `units`), joined by document id to the records that do not carry their own. With text files,
    `units` are tab-separated lines, `weights` lines of their weights, and `labels` (by system) say which of the units
    each summary has. `fields` maps fields to columns of the files of records (`{"summary": "output"}`), for those
    that have other names than gistmeter knows; a file without such a column is read as it is.
    """
    check_field_names(fields or {}, RUN_FIELDS, "a run")
    origin = Origin(
        files=tuple(map(str, files)),
        summaries=summaries or {},
        references=tuple(map(str, references)),
        documents=tuple(map(str, documents)),
        language=language,
        units=tuple(map(str, units)),
        labels=labels or {},
        weights=tuple(map(str, weights)),
        fields=dict(fields or {}),
    )
    for file in origin.all_files:
        check_readable(file)
    if origin.all_files.count(STDIN) > 1:
        raise ArgumentError("- is standard input, which can be read once: name a file for all but one")
    if summaries:
        if fields:
            raise ArgumentError("`fields` are for files of records: text files have lines, and no columns")
        if files:
            raise ArgumentError(
                "give either files of records or `summaries` with text files, not both: each text file of summaries "
                "has its own `summaries`"
            )
        if STDIN in origin.all_files:
            raise ArgumentError("with `summaries` lines of all files are counted first: name files, not - for stdin")
        aligned = AlignedTexts(
            summaries=summaries,
            references=origin.references,
            documents=origin.documents,
            language=language,
            units=origin.units,
            labels=origin.labels,
            weights=origin.weights,
        )
        return Run(aligned=aligned, origin=origin)
    if not files:
        raise ArgumentError("there is nothing to read: name a file of summaries, - for standard input, or `summaries`")
    if weights:
        raise ArgumentError("`weights` is a text file, for `summaries`; in records each unit has its `weight`")
    if labels:
        raise ArgumentError("`labels` are text files, for `summaries`; a record says its own in labels or votes")
    if fields and STDIN not in origin.all_files:  # which is read once: its records are asked as they come
        check_mapped_columns(fields, {file: read_columns(file) for file in origin.all_files})
    defaults = RecordDefaults(
        language=language,
        documents=read_texts_by_document(origin.documents, "documents", fields),
        references=read_texts_by_document(origin.references, "references", fields),
        units=read_units_by_document(origin.units, fields),
        fields=fields,
    )
    return Run(defaults, files=origin.files, origin=Origin() if STDIN in origin.files else origin)


def reopen_run(origin: Origin) -> Run:
    """The run that scores came from, once more."""
    run = open_run(
        origin.files,
        summaries=origin.summaries,
        references=origin.references,
        documents=origin.documents,
        units=origin.units,
        weights=origin.weights,
        labels=origin.labels,
        language=origin.language,
        fields=origin.fields,
    )
    run = run.with_markers(origin.markers)
    return run.with_human_row() if origin.human_row else run


def choose_human_summaries(examples: Iterable[Example]) -> Iterator[Example]:
    """For each document with several references, one of them as a summary by the system `human`."""
    documents: set[str] = set()
    for example in examples:
        if example.system == HUMAN_SYSTEM:
            raise DataError(
                f"there is a system {HUMAN_SYSTEM!r} already ({example.name}): rename it, or add no human row"
            )
        if example.doc_id in documents or len(example.references) < 2:
            continue
        documents.add(example.doc_id)
        drawn = int.from_bytes(hashlib.blake2b(example.doc_id.encode("utf-8", "replace"), digest_size=8).digest())
        text = example.references[drawn % len(example.references)]
        yield replace(example, system=HUMAN_SYSTEM, summary=text)
    if not documents:
        raise DataError("a human row needs documents with two or more references, but there is none")


def _batch_examples(examples: Iterable[Example], file: str, unit: str, rows: int) -> Iterator[ReadyBatch]:
    """Examples in batches of so many rows, which are counted in units from 1."""
    first = 1
    for group in _split(examples, rows):
        yield ReadyBatch(RecordLocations(file, unit, range(first, first + len(group))), group)
        first += len(group)


def _split(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    iterator = iter(items)
    while group := list(islice(iterator, size)):
        yield group
