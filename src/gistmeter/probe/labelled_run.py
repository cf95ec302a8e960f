"""Labelled runs: a run in JSON lines whose records also say which errors are in the summary, and where."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.fields import parse_example
from gistmeter.io.json_lines import describe_type_fault, write_json_lines
from gistmeter.io.records import describe_record, read_records
from gistmeter.io.writing import example_to_record
from gistmeter.probe.corruption import Error, LabelledSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def check_labelled_path(path: str | Path, inputs: Iterable[str] = ()) -> None:
    """Refuse a file that no labelled run can be written to, or that is an input, before any long work."""
    if Path(path).suffix not in (".jsonl", ".ndjson"):
        raise DataError(f"cannot write {path}: a labelled run is JSON lines, name it .jsonl")
    check_output(path, inputs)


def write_labelled_run(summaries: Iterable[LabelledSummary], path: Path) -> int:
    """Write a labelled run, which any command reads as a run; says how many summaries it has."""
    return write_json_lines(map(_to_record, summaries), path)


def read_labelled_run(files: Sequence[str | Path]) -> list[LabelledSummary] | None:
    """The summaries of labelled runs with their errors; None when no record says anything of errors."""
    summaries: list[LabelledSummary] = []
    labelled = False
    for file in map(str, files):
        for position, record in enumerate(read_records(file)):
            labelled = labelled or "errors" in record
            if not labelled:
                return None
            try:
                summaries.append(_from_record(record, position))
            except (DataError, TypeError) as error:
                where = describe_record(record, position + 1, file)
                raise DataError(f"{where} is no labelled summary: {error}") from None
    return summaries if labelled else None


def _to_record(summary: LabelledSummary) -> dict[str, Any]:
    # People's labels of the units of a summary do not hold once errors are in it.
    record = example_to_record(replace(summary.example, units=())) | {
        "errors": [asdict(error) for error in summary.errors]
    }
    origin = {"corrupted_from": summary.source, "corrupted_words": summary.words}
    return record | {name: text for name, text in origin.items() if text}


def _from_record(record: dict[str, Any], position: int) -> LabelledSummary:
    try:
        errors = msgspec.convert(record.get("errors") or (), tuple[Error, ...])
    except msgspec.ValidationError as error:
        raise DataError(f"`errors`: {describe_type_fault(error)}") from None
    source, words = (str(record.get(name) or "") for name in ("corrupted_from", "corrupted_words"))
    return LabelledSummary(parse_example(record, position=position), errors, source=source, words=words)
