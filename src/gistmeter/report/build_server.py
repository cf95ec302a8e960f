"""What a build server reads: annotations and a summary for GitHub, and a JUnit file for all others."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from gistmeter.report.sheets.gate import format_change, format_limits, gate_sheet
from gistmeter.report.tables.numbers import format_pvalue
from gistmeter.report.tables.sheet import markdown
from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from gistmeter.ranking.gate import GateResult, GateRow


def describe_row(row: GateRow) -> str:
    """A row in a sentence, with the documents that lost most."""
    direction = "" if row.column.better == "higher" else " (lower is better)"
    sentence = (
        f"{row.system} is {row.verdict} by {row.column.name}{direction}: {row.base:.4f} before, {row.new:.4f} now, "
        f"{format_change(row)} {format_limits(row)} over {row.documents} documents, p {format_pvalue(row.pvalue)}, "
        f"margin {row.margin:g}."
    )
    if row.worst:
        named = ", ".join(f"{document.doc_id} {document.difference:+.3f}" for document in row.worst)
        sentence += f" Lost most: {named}."
    return replace_controls(sentence)


def github_annotations(result: GateResult) -> str:
    r"""Workflow commands, a line for each row: errors where the gate stays shut, warnings where it is undecided.

    Names from a file are data here: line ends and per cent signs are escaped, so that none begins a command.
    """
    failed = {id(row) for row in result.failed}
    lines = []
    for row in result.rows:
        kind = "error" if id(row) in failed else "warning" if row.verdict == "undecided" else "notice"
        title = _escape_property(f"gistmeter gate: {row.column.name}")
        lines.append(f"::{kind} title={title}::{_escape_data(describe_row(row))}")
    return "\n".join(lines)


def github_summary(result: GateResult) -> str:
    """The gate for a job's summary page, as Markdown."""
    head = "## Summaries: not worse than before" if result.passed else "## Summaries: worse than before"
    if not result.passed and all(row.verdict == "undecided" for row in result.failed):
        head = "## Summaries: not shown to be as good as before"
    return f"{head}\n\n{markdown(gate_sheet(result))}\n"


def junit_xml(result: GateResult) -> str:
    """A test case for each row; the gate's failures are failures of the suite."""
    failed = {id(row) for row in result.failed}
    cases = []
    for row in result.rows:
        name = quoteattr(replace_controls(f"{row.system} {row.column.name}"))
        text = describe_row(row)
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
        + "\n</testsuite>\n"
    )


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
