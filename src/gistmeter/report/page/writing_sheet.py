"""The sheet for people who write units: a table for spreadsheets, or a page that works without a server."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_writable
from gistmeter.io.writing import write_table
from gistmeter.report.page.html import render, write_page
from gistmeter.units.writing import make_sheet_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Unit
    from gistmeter.units.plan import PlannedSentence

TEMPLATE = "units.html.j2"
STYLES = ("report.css", "questions.css", "units.css")
SCRIPTS = ("dom.js", "units.js")


def write_writing_sheet(
    plan: Sequence[PlannedSentence], path: str | Path, *, people: Mapping[str, Sequence[Unit]] | None = None
) -> int:
    """Write the sheet for the sentences that a plan gives to people; returns how many sentences it has.

    The suffix says how: a table with a row for each unit (.csv, .tsv), or one page (.html) that keeps what people write
    in their browser and downloads it as a file of units. `people` are units that are there already, by document.
    """
    file = Path(path)
    check_sheet_file(file)
    sentences = [planned for planned in plan if not planned.by_machine]
    if not sentences:
        raise DataError("the plan gives no sentence to people: there is nothing to write")
    if file.suffix != ".html":
        write_table(make_sheet_records(plan, people or {}), file)
        return len(sentences)
    page = render(
        _page_data(plan, people or {}, stem=file.stem),
        title="Write content units",
        template=TEMPLATE,
        styles=STYLES,
        scripts=SCRIPTS,
    )
    write_page(page, file)
    return len(sentences)


def check_sheet_file(file: Path) -> None:
    """Refuse a file that a sheet cannot be written to, before any long work."""
    if file.suffix not in (".csv", ".tsv", ".html"):
        raise DataError(f"cannot write {file}: a sheet for writers is .csv, .tsv or .html")
    check_writable(file)


def _page_data(plan: Sequence[PlannedSentence], people: Mapping[str, Sequence[Unit]], *, stem: str) -> dict[str, Any]:
    """What the page knows: the documents with a sentence for people, their sentences, and what was written before."""
    documents: dict[str, list[dict[str, Any]]] = {}
    for planned in sorted(plan, key=lambda planned: (planned.document, planned.sentence)):
        units = [unit.text for unit in people.get(planned.document, ()) if unit.sentence == planned.sentence]
        documents.setdefault(planned.document, []).append(
            {
                "sentence": planned.sentence,
                "reference": planned.reference,
                "text": planned.text,
                "by": "machine" if planned.by_machine else "people",
                "units": units,
            }
        )
    texts = "\0".join(f"{planned.document} {planned.sentence} {planned.text}" for planned in plan)
    return {
        "key": hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "file": f"{stem}-filled.jsonl",
        "documents": [
            {"doc_id": doc_id, "sentences": sentences}
            for doc_id, sentences in documents.items()
            if any(sentence["by"] == "people" for sentence in sentences)
        ],
    }
