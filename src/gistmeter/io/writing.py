"""Writing runs: examples as JSON lines that any command reads."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output, write_atomically
from gistmeter.io.json_lines import write_json_lines
from gistmeter.io.units import unit_to_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example, Unit

UNITS_FILE = "a file of units"
"""What messages call what `write_units` writes."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet take a cell for a formula."""

_LONGEST_NUMBER = 40
_NUMBER_OR_DATE = re.compile(
    r"(?i)[\W_]*\d|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W*\d|(true|false)\Z"
)
"""How a cell begins that a spreadsheet may rewrite, up to so many characters."""


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
    return write_records(records, path, UNITS_FILE)


def write_records(records: Iterable[Mapping[str, Any]], path: str | Path, content: str) -> int:
    """Write records as JSON lines, whole or not at all; returns how many there are.

    `content` says what the file is ("a run"), for the refusal of another suffix than .jsonl and .ndjson.
    """
    check_records_path(path, content)
    return write_json_lines(records, Path(path))


def check_records_path(path: str | Path, content: str, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse, before any work, a file that records cannot be written to, or that is one of the inputs."""
    if Path(path).suffix not in (".jsonl", ".ndjson"):
        raise DataError(f"cannot write {path}: {content} is written as JSON lines, name it .jsonl")
    check_output(path, inputs)


def write_table(records: Iterable[Mapping[str, Any]], path: str | Path) -> int:
    """Write records that all have the same keys as a table (.csv, .tsv) for spreadsheets; returns how many there are.

    Truth is yes or no, nothing is an empty cell, and a text that a spreadsheet would change (a formula, a number, a
    date) gets an apostrophe before it, which `unguard_cell` takes away. The byte-order mark makes it read UTF-8.
    """
    count = 0
    with (
        write_atomically(Path(path)) as part,
        part.open("w", encoding="utf-8-sig", errors="replace", newline="") as out,
    ):
        table = csv.writer(out, delimiter="\t" if Path(path).suffix == ".tsv" else ",")
        for record in records:
            if not count:
                table.writerow(record)
            table.writerow([guard_cell(value) for value in record.values()])
            count += 1
    return count


def guard_cell(value: Any) -> str:
    """A value as the cell of a table that no spreadsheet computes or rewrites.

    >>> guard_cell("=1+1"), guard_cell("5,200"), guard_cell("Ann Lee"), guard_cell(True), guard_cell(None)
    ("'=1+1", "'5,200", 'Ann Lee', 'yes', '')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value)
    return f"'{text}" if _would_change(text) else text


def unguard_cell(value: Any) -> Any:
    """A cell as it was before `guard_cell`.

    >>> unguard_cell("'-5 degrees"), unguard_cell("'tis so")
    ('-5 degrees', "'tis so")
    """
    guarded = isinstance(value, str) and value.startswith("'") and _would_change(value)
    return value[1:] if guarded else value


def _would_change(text: str) -> bool:
    """Whether a spreadsheet might compute a cell or write it otherwise, the apostrophes before it left aside."""
    bare = text.lstrip("'")
    rewritten = len(bare) <= _LONGEST_NUMBER and _NUMBER_OR_DATE.match(bare) is not None
    return rewritten or bare.startswith(_FORMULA_STARTS)
