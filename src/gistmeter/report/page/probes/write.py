"""The findings of probes and attacks as one HTML file that opens offline; nothing is fetched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.io.atomic import check_writable
from gistmeter.report.page.html import render, write_page
from gistmeter.report.page.probes.sections import ATTACK_TITLES, describe_score, tell_apart
from gistmeter.scores import DIAGNOSTIC_MARK

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gistmeter.probe import ProbeReport

TEMPLATE = "probes.html.j2"
STYLES = ("report.css", "probes.css")
SCRIPTS = ("dom.js", "theme.js", "probes.js")


def write_probe_page(
    report: ProbeReport, path: Path, *, title: str = "gistmeter probe", word_note: Callable[[str], str] = str
) -> None:
    """Write the page of a report of probes: for each score its verdict, chart, numbers and attacks.

    `word_note` words notes for those who read them, such as with options in the place of arguments.
    """
    check_writable(path)
    sections = [
        replace(section, title=f"{section.title}{addition}")
        for section, addition in zip(
            (describe_score(findings, word_note) for findings in report.scores), tell_apart(report.scores), strict=True
        )
    ]
    content = {
        "sections": sections,
        "scores": len({findings.name for findings in report.scores}),
        "attack_titles": ATTACK_TITLES,
        "against": report.against,
        "mark": DIAGNOSTIC_MARK,
        "marked": any(findings.reference_free for findings in report.scores),
    }
    write_page(render(None, title=title, template=TEMPLATE, styles=STYLES, scripts=SCRIPTS, content=content), path)
