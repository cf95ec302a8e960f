"""Batches of a run: pieces of a file that any process can turn into examples, and that know where they stand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.fields import FIELD_NAMES, map_record, parse_example
from gistmeter.io.json_lines import decode_json_line
from gistmeter.markers import read_markers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.example import Example, Unit


Markers = Literal["read", "keep"]
"""What becomes of markers in texts: read as what they stand for, or kept as they are."""


@dataclass(frozen=True, slots=True)
class RecordDefaults:
    """What records lack when they become examples: their language, and texts and units by document id."""

    language: str | None = None
    documents: Mapping[str, tuple[str, ...]] | None = None
    references: Mapping[str, tuple[str, ...]] | None = None
    units: Mapping[str, tuple[Unit, ...]] | None = None
    markers: Markers = "read"
    """Whether markers of tokenizers and models (`<q>`, `-lrb-`) are read as what they stand for."""
    fields: Mapping[str, str] | None = None
    """In which columns fields are, where these have other names than gistmeter knows."""
    need_summaries: bool = True
    """Whether a record must have a summary; else a missing one is empty, for those who read documents alone."""

    def read_markers(self, examples: Sequence[Example]) -> list[Example]:
        """The examples as metrics see them; one without markers is the same object."""
        return list(examples) if self.markers == "keep" else [_read_example(example) for example in examples]

    def make_example(self, record: Any, *, position: int, system: str) -> Example:
        """The example of a record; `position` (from 0) and `system` name it if the record does not."""
        if not isinstance(record, Mapping):
            raise DataError(f"a record is an object with named fields, not {type(record).__name__}")
        named = map_record(dict(record), self.fields) if self.fields else record
        if not self.need_summaries and not any(name in named for name in FIELD_NAMES["summary"]):
            named = {**named, "summary": ""}
        return parse_example(
            named,
            position=position,
            system=system,
            language=self.language,
            documents=self.documents,
            references=self.references,
            units=self.units,
        )

    def fingerprint(self) -> bytes:
        """A digest of what these defaults contribute to scores: whether an interrupted run may be resumed."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(repr((self.language, self.markers, *([dict(self.fields)] if self.fields else []))).encode())
        for table in (self.documents, self.references, self.units):
            for doc_id, values in sorted((table or {}).items()):
                digest.update(msgspec.json.encode((doc_id, values)))
            digest.update(b"\0")
        return digest.digest()


@dataclass(frozen=True, slots=True)
class RecordLocations:
    """Where the records of a batch stand in their file, for messages."""

    file: str
    unit: str
    """What is counted: lines, rows, records."""
    numbers: Sequence[int]

    def describe(self, index: int) -> str:
        """Where a record of the batch stands: "line 42 of runs.jsonl"."""
        return f"{self.unit} {self.numbers[index]} of {self.file}"


@dataclass(frozen=True, slots=True)
class JsonBatch:
    """Undecoded JSON lines; the first is the file's record number `first_position`, counted from 0."""

    locations: RecordLocations
    system: str
    first_position: int
    lines: Sequence[bytes]
    read_bytes: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    def content(self) -> bytes:
        """All that decides the examples of this batch."""
        # The length keeps a system whose name holds a line end apart from a system and a line.
        start = f"{len(self.system)} {self.system} {self.first_position}".encode(errors="surrogatepass")
        return b"\n".join([start, *self.lines])

    def is_followed_by(self, other: Batch) -> bool:
        """Whether another batch has the lines of the same file that come next."""
        return (
            isinstance(other, JsonBatch)
            and (other.system, other.locations.file) == (self.system, self.locations.file)
            and other.first_position == self.first_position + len(self)
        )

    def examples(self, defaults: RecordDefaults) -> list[Example]:
        """The examples of the lines; an error names the line."""
        examples: list[Example] = []
        for index, line in enumerate(self.lines):
            where = self.locations.describe(index)
            record = decode_json_line(line, where)
            try:
                examples.append(defaults.make_example(record, position=self.first_position + index, system=self.system))
            except (DataError, TypeError) as error:
                raise DataError(f"{where}: {error}") from None
        return examples


@dataclass(frozen=True, slots=True)
class ReadyBatch:
    """Examples that are decoded already (from CSV, Parquet, aligned lines, or memory)."""

    locations: RecordLocations
    ready: Sequence[Example]
    read_bytes: int = 0

    def __len__(self) -> int:
        return len(self.ready)

    def content(self) -> bytes:
        """All that decides the examples of this batch."""
        try:
            return msgspec.json.encode(self.ready)
        except UnicodeEncodeError:  # half a character in a text, which Python spells out
            return json.dumps(msgspec.to_builtins(self.ready)).encode()

    def is_followed_by(self, other: Batch) -> bool:
        """Whether another batch has examples of the same source."""
        return isinstance(other, ReadyBatch) and other.locations.file == self.locations.file

    def examples(self, defaults: RecordDefaults) -> list[Example]:  # noqa: ARG002
        """The examples."""
        return list(self.ready)


Batch = JsonBatch | ReadyBatch


def join_batches(batches: Sequence[Batch]) -> Batch:
    """Batches that follow each other as one."""
    first, *others = batches
    if not others:
        return first
    numbers = [number for batch in batches for number in batch.locations.numbers]
    locations = replace(first.locations, numbers=numbers)
    read_bytes = sum(batch.read_bytes for batch in batches)
    if isinstance(first, JsonBatch):
        lines = [line for batch in batches if isinstance(batch, JsonBatch) for line in batch.lines]
        return replace(first, locations=locations, lines=lines, read_bytes=read_bytes)
    ready = [example for batch in batches if isinstance(batch, ReadyBatch) for example in batch.ready]
    return replace(first, locations=locations, ready=ready, read_bytes=read_bytes)


def list_fields(batch: JsonBatch) -> list[str]:
    """The names of the fields of the records of a batch."""
    records = [decode_json_line(line, batch.locations.describe(index)) for index, line in enumerate(batch.lines)]
    return list(dict.fromkeys(name for record in records if isinstance(record, dict) for name in record))


def _read_example(example: Example) -> Example:
    summary = read_markers(example.summary)
    references = tuple(map(read_markers, example.references))
    documents = tuple(map(read_markers, example.documents))
    if (summary, references, documents) == (example.summary, example.references, example.documents):
        return example
    return replace(example, summary=summary, references=references, document=None, documents=documents)
