"""Questions for people to fill in: as JSON lines, as a table, or as a page that works from a file, without a server."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.json_lines import write_json_lines
from gistmeter.io.writing import write_table
from gistmeter.qa.export import make_question_records, make_table_records
from gistmeter.report.page.html import render, write_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.qa.export import PosedQuestion

TEMPLATE = "questions.html.j2"
STYLES = ("report.css", "questions.css")
SCRIPTS = ("dom.js", "questions.js")
_TITLES = {False: "Answer questions", True: "Verify answers"}


def write_questions(
    questions: Sequence[PosedQuestion], path: str | Path, *, verify: bool = False, title: str | None = None
) -> int:
    """Write questions for people to answer, or with `verify` answers for people to judge; returns how many there are.

    The suffix says how: JSON lines (.jsonl), a table (.csv, .tsv), or one page (.html) that keeps what people fill in
    in their browser and downloads it as a file that `gistmeter qa import` reads.
    """
    file = Path(path)
    check_question_file(file)
    records = list(make_question_records(questions, verify=verify))
    if file.suffix in (".csv", ".tsv"):
        return write_table(make_table_records(records, verify=verify), file)
    if file.suffix != ".html":
        return write_json_lines(records, file)
    data = _page_data(records, verify=verify, stem=file.stem)
    page = render(data, title=title or _TITLES[verify], template=TEMPLATE, styles=STYLES, scripts=SCRIPTS)
    write_page(page, file)
    return len(records)


def check_question_file(file: Path, inputs: Iterable[str] = ()) -> None:
    """Refuse a file that questions cannot be written to, or that is an input, before any long work."""
    if file.suffix not in (".jsonl", ".ndjson", ".csv", ".tsv", ".html"):
        raise DataError(f"cannot write {file}: questions are written as .jsonl, .csv, .tsv or .html")
    check_output(file, inputs)


def _page_data(records: Sequence[Mapping[str, Any]], *, verify: bool, stem: str) -> dict[str, Any]:
    """What the page knows: the texts, numbered, and the questions, each with the number of its text."""
    texts = {text: number for number, text in enumerate(dict.fromkeys(record["text"] for record in records))}
    ids = "".join(f"{record['id']}{record.get('predicted', record.get('answer'))}" for record in records)
    return {
        "task": "verify" if verify else "answer",
        "key": hashlib.sha256(ids.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        "file": f"{stem}-filled.jsonl",
        "texts": list(texts),
        "questions": [{**record, "text": texts[record["text"]]} for record in records],
    }
