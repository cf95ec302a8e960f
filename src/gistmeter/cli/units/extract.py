"""`gistmeter units extract`: content units cut from the references by machine."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.units.options import (
    Coreference,
    ReferenceRecords,
    Roles,
    UnitsOutput,
    read_reference_documents,
)


def extract(
    output: UnitsOutput,
    files: ReferenceRecords = None,
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
) -> None:
    """Cut references into semantic triplet units: who did what to whom.

    Give the file that it writes to `gistmeter score --units`, or change it by hand first. A file of --roles has one
    JSON record a line: {"words": [...], "verbs": [{"verb": ..., "tags": ["B-ARG0", "B-V", ...]}]} for a sentence, and
    {"document": ["Bo", "ran", ...], "clusters": [[[0, 0], [7, 8]], ...]} for the coreference of a reference: first and
    last words.
    """
    from gistmeter.io.writing import UNITS_FILE, check_records_path, write_units
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.references import extract_units_by_document

    check_records_path(output, UNITS_FILE)
    documents = read_reference_documents(files, references, language, fields=fields)
    units = extract_units_by_document(documents, source=roles, coreference=coreference)
    write_units(units, output)
    count = sum(map(len, units.values()))
    o.say(f"{format_count(count, 'unit')} of {format_count(len(units), 'document')} written: {output}")
