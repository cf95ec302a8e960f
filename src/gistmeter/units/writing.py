"""A plan as a file, and the units that people wrote by it.

`plan.jsonl` has a record for each reference sentence: `doc_id`, `reference` and `sentence` (counted from 0, the
sentences through all references), `text`, `easiness`, `units_by` (people or machine) and `expected_units`. What people
wrote is a file of units, or the sheet that they filled in: a table with a row for each unit (`doc_id`, `sentence`,
`unit`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.example import DEFAULT_LANGUAGE, Unit
from gistmeter.io.files import check_readable, file_format
from gistmeter.io.joins import read_units_by_document
from gistmeter.io.json_lines import read_json_lines
from gistmeter.io.records import DELIMITERS, read_filled_records
from gistmeter.io.writing import check_records_path, write_records
from gistmeter.text.languages import language_code
from gistmeter.units.mix import assign_sentences
from gistmeter.units.plan import PlannedSentence
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from gistmeter.example import Example

_WRITERS = {"people": False, "machine": True}
"""Whether a machine writes the units, by `units_by`."""
SPARE_ROWS = 2
"""Rows of the sheet beyond the units that are expected of a sentence."""


def check_plan_file(file: Path) -> None:
    """Refuse a file that a plan cannot be written to, before any long work."""
    check_records_path(file, "a plan")


def write_plan(plan: Sequence[PlannedSentence], path: str | Path) -> int:
    """Write a plan as JSON lines, in the order of documents and sentences; returns how many sentences it has."""
    return write_records(map(_plan_record, _order_by_document(plan)), path, "a plan")


def read_plan(path: str | Path) -> list[PlannedSentence]:
    """The plan in a file that `write_plan` wrote, in the order of documents and sentences."""
    check_readable(str(path))
    plan: list[PlannedSentence] = []
    next_sentences: dict[str, int] = defaultdict(int)
    for number, record in read_json_lines(path):
        where = f"line {number} of {path}"
        planned = _read_planned(record, where)
        if planned.sentence != next_sentences[planned.document]:
            raise DataError(
                f"{where}: sentence {planned.sentence} of document {planned.document} does not follow sentence "
                f"{next_sentences[planned.document] - 1}; a plan has all sentences of a document in order"
            )
        next_sentences[planned.document] += 1
        plan.append(planned)
    if not plan:
        raise DataError(f"{path} is empty: `gistmeter units easiness -o` writes a plan")
    return plan


def make_sheet_records(
    plan: Sequence[PlannedSentence], people: Mapping[str, Sequence[Unit]]
) -> Iterator[dict[str, Any]]:
    """The rows of the sheet: for each sentence that people write for so many rows as units are expected, and two more.

    `people` are units that are there already. The first row of a sentence has its text and its reference.
    """
    references: dict[tuple[str, int], list[str]] = defaultdict(list)
    for planned in _order_by_document(plan):
        references[planned.document, planned.reference].append(planned.text)
    for planned in _order_by_document(plan):
        if planned.by_machine:
            continue
        texts = [unit.text for unit in people.get(planned.document, ()) if unit.sentence == planned.sentence]
        rows = max(math.ceil(planned.expected_units), len(texts)) + SPARE_ROWS
        for row in range(rows):
            yield {
                "doc_id": planned.document,
                "sentence": f"s{planned.sentence}",
                "text": "" if row else planned.text,
                "unit": texts[row] if row < len(texts) else "",
                "reference": "" if row else " ".join(references[planned.document, planned.reference]),
            }


def units_with_sentences(documents: Sequence[Example]) -> dict[str, tuple[Unit, ...]]:
    """The units of documents, each with its sentence, by document: what a sheet shows as written."""
    return {
        example.doc_id: assign_sentences(
            example.units,
            split_references(example.references, language_code(example.language)),
            document=example.doc_id,
        )
        for example in documents
    }


def read_written_units(files: Sequence[str | Path]) -> dict[str, tuple[Unit, ...]]:
    """The units that people wrote, by document: from files of units, or from sheets they filled in (.csv, .tsv)."""
    units: dict[str, tuple[Unit, ...]] = {}
    for file in map(str, files):
        check_readable(file)
        is_sheet = file_format(file) in DELIMITERS
        table = _read_sheet(file) if is_sheet else read_units_by_document([file]) or {}
        for doc_id, of_document in table.items():
            units[doc_id] = units.get(doc_id, ()) + of_document
    if not any(units.values()):
        raise DataError(f"{', '.join(map(str, files))}: nobody wrote a unit yet")
    return units


def _read_sheet(file: str) -> dict[str, tuple[Unit, ...]]:
    units: dict[str, list[Unit]] = defaultdict(list)
    for number, record in enumerate(read_filled_records(file), start=1):
        where = f"row {number} of {file}"
        text = str(record.get("unit") or "").strip()
        if text and ("doc_id" not in record or "sentence" not in record):
            raise DataError(f"{where} needs `doc_id` and `sentence` beside its `unit`, as the sheet was given out")
        if text:
            units[str(record["doc_id"])].append(Unit(text, sentence=_read_sentence(record["sentence"], where)))
    return {doc_id: tuple(of_document) for doc_id, of_document in units.items()}


def _read_sentence(value: Any, where: str) -> int:
    digits = str(value).strip().lower().removeprefix("s").removesuffix(".0")
    if not digits.isdecimal():
        raise DataError(f"{where}: `sentence` is s0, s1 and so on, as the sheet was given out, not {value!r}")
    return int(digits)


def _order_by_document(plan: Sequence[PlannedSentence]) -> list[PlannedSentence]:
    documents = {document: number for number, document in enumerate(sorted({p.document for p in plan}))}
    return sorted(plan, key=lambda planned: (documents[planned.document], planned.sentence))


def _plan_record(planned: PlannedSentence) -> dict[str, Any]:
    record: dict[str, Any] = {
        "doc_id": planned.document,
        "reference": planned.reference,
        "sentence": planned.sentence,
        "text": planned.text,
        "easiness": round(planned.easiness, 4),
        "units_by": "machine" if planned.by_machine else "people",
        "expected_units": planned.expected_units,
    }
    if planned.units is not None:
        record["units"] = planned.units
    return record if planned.language == DEFAULT_LANGUAGE else {**record, "language": planned.language}


def _read_planned(record: Mapping[str, Any], where: str) -> PlannedSentence:
    writer = record.get("units_by")
    if writer not in _WRITERS:
        raise DataError(f"{where}: `units_by` is people or machine, not {writer!r}")
    numbers = [record.get("reference", 0), record.get("sentence")]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise DataError(f"{where} needs `sentence`, and `reference` if there are several: numbers from 0")
    text, easiness = record.get("text"), record.get("easiness", math.nan)
    if not isinstance(text, str) or not text.strip() or not isinstance(easiness, int | float):
        raise DataError(f"{where} needs the `text` of the sentence and its `easiness`, a number")
    if "doc_id" not in record:
        raise DataError(f"{where} has no `doc_id`")
    units = record.get("units")
    return PlannedSentence(
        document=str(record["doc_id"]),
        sentence=numbers[1],
        text=text,
        easiness=float(easiness),
        by_machine=_WRITERS[writer],
        units=units if type(units) is int else None,
        reference=numbers[0],
        language=str(record.get("language", DEFAULT_LANGUAGE)),
    )
