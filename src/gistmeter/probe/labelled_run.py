"""Labelled runs: a run in JSON lines whose records also say which errors are in the summary, and where."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.aliases import example_from
from gistmeter.io.runs import read_records
from gistmeter.io.tables import written_whole
from gistmeter.io.writing import record_of
from gistmeter.probe.corruption import Error, LabelledSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def write_labelled_run(summaries: Iterable[LabelledSummary], path: Path) -> int:
    """Write a labelled run, which any command reads as a run; says how many summaries it has."""
    count = 0
    with written_whole(path) as part, part.open("wb") as stream:
        for summary in summaries:
            stream.write(msgspec.json.encode(_to_record(summary)) + b"\n")
            count += 1
    return count


def read_labelled_run(files: Sequence[str | Path]) -> list[LabelledSummary] | None:
    """The summaries of labelled runs with their errors; None when no record says anything of errors."""
    summaries: list[LabelledSummary] = []
    labelled = False
    for file in map(str, files):
        for position, record in enumerate(read_records(file)):
            if not isinstance(record, dict):
                raise DataError(f"record {position + 1} of {file} is not an object with named fields")
            labelled = labelled or "errors" in record
            if not labelled:
                return None
            try:
                summaries.append(_from_record(record, position))
            except (DataError, TypeError) as error:
                raise DataError(f"record {position + 1} of {file} is no labelled summary: {error}") from None
    return summaries if labelled else None


def _to_record(summary: LabelledSummary) -> dict[str, Any]:
    # People's labels of the units of a summary do not hold once errors are in it.
    record = record_of(replace(summary.example, units=())) | {"errors": [asdict(error) for error in summary.errors]}
    return record | ({"corrupted_from": summary.source} if summary.source else {})


def _from_record(record: dict[str, Any], position: int) -> LabelledSummary:
    errors = tuple(Error(**error) for error in record.get("errors") or ())
    return LabelledSummary(example_from(record, position=position), errors, str(record.get("corrupted_from") or ""))
