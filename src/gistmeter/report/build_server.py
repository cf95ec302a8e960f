"""What a build server reads: annotations and a summary for GitHub, and a JUnit file for all others."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape, quoteattr

from gistmeter.report.page.markup import markdown_text
from gistmeter.report.sheets.gate import format_change, format_limits, gate_sheet
from gistmeter.report.tables.numbers import format_number, format_pvalue
from gistmeter.report.tables.sheet import markdown
from gistmeter.wording import format_count, make_xml_text, replace_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gistmeter.ranking.gate import GateResult, GateRow


def describe_row(row: GateRow) -> str:
    """A row in a sentence, with the documents that lost most."""
    direction = "" if row.column.better == "higher" else " (lower is better)"
    sentence = (
        f"{row.system} is {row.verdict} by {row.column.name}{direction}: {row.base:.4f} before, {row.new:.4f} now, "
        f"{format_change(row)} {format_limits(row)} over {format_count(row.documents, 'document')}, "
        f"p {format_pvalue(row.pvalue)}, "
        f"margin {row.margin:g}."
    )
    if row.worst:
        sentence += f" Lost most: {_list_worst(row)}."
    return replace_controls(sentence)


def _list_worst(row: GateRow, escape: Callable[[str], str] = str) -> str:
    return ", ".join(
        f"{escape(document.doc_id)} {format_number(document.difference, 3, sign=True)}" for document in row.worst
    )


def github_annotations(result: GateResult) -> str:
    r"""Workflow commands, one in a line: errors for what keeps the gate shut, warnings for the undecided and for notes.

    GitHub shows ten of a kind, so what passed is one notice. Names from a file are data here: line ends and per cent
    signs are escaped, so that none begins a command.
    """
    failed = {id(row) for row in result.failed}
    lines = [
        write_annotation("error", describe_row(row), title=row.column.name) for row in result.rows if id(row) in failed
    ]
    lines += [
        write_annotation("warning", describe_row(row), title=row.column.name)
        for row in result.rows
        if id(row) not in failed and row.verdict == "undecided"
    ]
    lines += [write_annotation("warning", note) for note in result.notes]
    fine = sum(row.verdict == "not worse" for row in result.rows)
    if result.passed:
        lines.append(write_annotation("notice", f"open: {fine} of {format_count(len(result.rows), 'score')} not worse"))
    return "\n".join(lines)


def write_annotation(kind: Literal["error", "warning", "notice"], text: str, *, title: str = "") -> str:
    r"""A workflow command of GitHub; its text is data, whatever stands in it.

    >>> write_annotation("error", "100%\n::stop-commands::", title="a,b")
    '::error title=gistmeter gate%3A a%2Cb::100%25%0A::stop-commands::'
    """
    heading = f"gistmeter gate: {title}" if title else "gistmeter gate"
    return f"::{kind} title={_escape_property(heading)}::{_escape_data(replace_controls(text))}"


@contextmanager
def ignore_commands(write: Callable[[str], None]) -> Iterator[None]:
    """While this lasts GitHub takes no line of the log for a command: names in a table may look like one."""
    token = secrets.token_hex(16)
    write(f"::stop-commands::{token}")
    try:
        yield
    finally:
        write(f"::{token}::")


def github_summary(result: GateResult) -> str:
    """The gate for a job's summary page, as Markdown."""
    head = "## Summaries: not worse than before" if result.passed else "## Summaries: worse than before"
    if not result.passed and all(row.verdict == "undecided" for row in result.failed):
        head = "## Summaries: not shown to be as good as before"
    lost = [
        f"- {markdown_text(f'{row.system}, {row.column.name}')}: {_list_worst(row, markdown_text)}"
        for row in result.failed
        if row.worst
    ]
    documents = "".join(f"\n{line}" for line in ["", "Documents that lost most:", "", *lost]) if lost else ""
    return f"{head}\n\n{markdown(gate_sheet(result))}\n{documents}\n"


def junit_xml(result: GateResult) -> str:
    """A test case for each row; the gate's failures are failures of the suite."""
    failed = {id(row) for row in result.failed}
    notes = ["; ".join(result.notes)] if result.notes else []
    cases = []
    for row in result.rows:
        name = quoteattr(make_xml_text(f"{row.system} {row.column.name}"))
        text = make_xml_text(describe_row(row))
        inner = (
            f"<failure message={quoteattr(text)}>{escape(text)}</failure>"
            if id(row) in failed
            else f"<system-out>{escape(text)}</system-out>"
        )
        cases.append(f'  <testcase classname="gistmeter.gate" name={name}>{inner}</testcase>')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuite name="gistmeter gate" tests="{len(result.rows)}" failures="{len(failed)}" errors="0">\n'
        + "\n".join(cases)
        + "".join(f"\n  <system-out>{escape(make_xml_text(f'note: {note}'))}</system-out>" for note in notes)
        + "\n</testsuite>\n"
    )


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
