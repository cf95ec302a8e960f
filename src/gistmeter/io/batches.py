"""Batches of a run: raw pieces of a file that any process can turn into examples, and name by place."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.aliases import example_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class Reading:
    """How records become examples: what stands in where a record is silent."""

    language: str | None = None
    documents: Mapping[str, tuple[str, ...]] | None = None
    references: Mapping[str, tuple[str, ...]] | None = None
    units: Mapping[str, tuple[Unit, ...]] | None = None

    def example(self, record: Any, *, position: int, system: str) -> Example:
        """One record as an Example."""
        if not isinstance(record, dict):
            raise DataError(f"a record is an object with named fields, not {type(record).__name__}")
        return example_from(
            record,
            position=position,
            system=system,
            language=self.language,
            documents=self.documents,
            references=self.references,
            units=self.units,
        )

    def fingerprint(self) -> bytes:
        """What this reading contributes to scores, for telling whether an interrupted run may be resumed."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(repr(self.language).encode())
        for table in (self.documents, self.references, self.units):
            for doc_id, found in sorted((table or {}).items()):
                digest.update(msgspec.json.encode((doc_id, found)))
            digest.update(b"\0")
        return digest.digest()


@dataclass(frozen=True, slots=True)
class Places:
    """Where the records of a batch stand, for messages."""

    file: str
    unit: str
    numbers: Sequence[int]

    def at(self, i: int) -> str:
        """Where record i stands: "line 42 of runs.jsonl"."""
        return f"{self.unit} {self.numbers[i]} of {self.file}"


@dataclass(frozen=True, slots=True)
class JsonBatch:
    """Undecoded JSON lines; the first is the file's record number `first_position`, counted from 0."""

    places: Places
    system: str
    first_position: int
    lines: Sequence[bytes]
    read_bytes: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    def content(self) -> bytes:
        """All that decides the examples of this batch."""
        return b"\n".join([self.system.encode(), str(self.first_position).encode(), *self.lines])

    def examples(self, reading: Reading) -> list[Example]:
        """Decode; a fault names its line."""
        found: list[Example] = []
        for i, line in enumerate(self.lines):
            try:
                record = msgspec.json.decode(line)
                found.append(reading.example(record, position=self.first_position + i, system=self.system))
            except RecursionError:
                raise DataError(f"{self.places.at(i)} is nested too deeply") from None
            except (DataError, TypeError) as error:
                raise DataError(f"{self.places.at(i)}: {error}") from None
            except UnicodeDecodeError as error:
                byte, column = error.object[error.start], error.start + 1
                raise DataError(f"{self.places.at(i)} is not UTF-8 (byte 0x{byte:02x} at column {column})") from None
            except msgspec.DecodeError as error:
                raise DataError(f"{self.places.at(i)} is not valid JSON: {_plain(error)}") from None
        return found


@dataclass(frozen=True, slots=True)
class ReadyBatch:
    """Examples that are decoded already (from CSV, Parquet, aligned lines, or memory)."""

    places: Places
    ready: Sequence[Example]
    read_bytes: int = 0

    def __len__(self) -> int:
        return len(self.ready)

    def content(self) -> bytes:
        """All that decides the examples of this batch."""
        return msgspec.json.encode(self.ready)

    def examples(self, reading: Reading) -> list[Example]:  # noqa: ARG002
        """The examples."""
        return list(self.ready)


Batch = JsonBatch | ReadyBatch


def _plain(error: msgspec.DecodeError) -> str:
    text = str(error)
    return text.removeprefix("JSON is malformed: ") or "it cannot be read"
