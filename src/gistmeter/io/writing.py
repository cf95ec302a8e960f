"""Writing runs: examples as JSON lines that any command reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.json_lines import write_json_lines
from gistmeter.io.units import unit_to_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example, Unit


def example_to_record(example: Example) -> dict[str, Any]:
    """An example as a record, without the fields that it does not have.

    >>> from gistmeter.example import Example
    >>> example_to_record(Example(doc_id="1", system="a", summary="It rained.", units=("It rained.",)))["units"]
    [{'text': 'It rained.'}]
    """
    record: dict[str, Any] = {"doc_id": example.doc_id, "system": example.system, "summary": example.summary}
    record |= {"references": example.references, "language": example.language}
    if len(example.documents) > 1:
        record["documents"] = example.documents
    elif example.document is not None:
        record["document"] = example.document
    if example.units:
        record["units"] = [unit_to_record(unit) for unit in example.units]
    return record


def write_run(examples: Iterable[Example], path: str | Path) -> int:
    """Write examples as a run in JSON lines, whole or not at all; returns how many there are."""
    return write_records(map(example_to_record, examples), path, "a run")


def write_units(units: Mapping[str, Iterable[Unit]], path: str | Path) -> int:
    """Write the units of documents in JSON lines, as `open_run` reads them; returns how many documents there are."""
    records = (
        {"doc_id": doc_id, "units": [unit_to_record(unit) for unit in document_units]}
        for doc_id, document_units in units.items()
    )
    return write_records(records, path, "a file of units")


def write_records(records: Iterable[Mapping[str, Any]], path: str | Path, content: str) -> int:
    """Write records as JSON lines, whole or not at all; returns how many there are.

    `content` says what the file is ("a run"), for the refusal of another suffix than .jsonl and .ndjson.
    """
    file = Path(path)
    if file.suffix not in (".jsonl", ".ndjson"):
        raise DataError(f"cannot write {file}: {content} is written as JSON lines, name it .jsonl")
    return write_json_lines(records, file)
