"""Writing runs: examples as JSON lines that any command reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.tables import check_writable, written_whole
from gistmeter.io.units import unit_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example, Unit


def record_of(example: Example) -> dict[str, Any]:
    """An example as a record, without what it does not have.

    >>> from gistmeter.example import Example
    >>> record_of(Example(doc_id="1", system="a", summary="It rained.", units=("It rained.",)))["units"]
    [{'text': 'It rained.'}]
    """
    record: dict[str, Any] = {"doc_id": example.doc_id, "system": example.system, "summary": example.summary}
    record |= {"references": example.references, "language": example.language}
    if len(example.documents) > 1:
        record["documents"] = example.documents
    elif example.document is not None:
        record["document"] = example.document
    if example.units:
        record["units"] = [unit_record(unit) for unit in example.units]
    return record


def write_run(examples: Iterable[Example], path: str | Path) -> int:
    """Write examples as a run in JSON lines, whole or not at all; says how many there are."""
    return write_records(map(record_of, examples), path, "a run")


def write_units(units: Mapping[str, Iterable[Unit]], path: str | Path) -> int:
    """Write the units of documents in JSON lines, as runs read them; says how many documents there are."""
    rows = ({"doc_id": key, "units": [unit_record(unit) for unit in some]} for key, some in units.items())
    return write_records(rows, path, "a file of units")


def write_records(records: Iterable[Mapping[str, Any]], path: str | Path, what: str) -> int:
    """Write records as JSON lines, whole or not at all; says how many there are."""
    place = Path(path)
    if place.suffix not in (".jsonl", ".ndjson"):
        raise DataError(f"cannot write {place}: {what} is written as JSON lines, name it .jsonl")
    check_writable(place)
    count = 0
    with written_whole(place) as part, part.open("wb") as stream:
        for record in records:
            stream.write(msgspec.json.encode(record) + b"\n")
            count += 1
    return count
