"""The report of a study as one HTML file that opens offline: no script, nothing fetched."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from math import isnan
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from gistmeter.annotate.blocks.marking import Marks
from gistmeter.annotate.forms import Passage
from gistmeter.annotate.results.findings import MOST_LONE, find_results
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.words import open_words
from gistmeter.io.atomic import check_writable, write_bytes
from gistmeter.report.tables.numbers import decimals_for, format_count, format_number
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.annotate.results.findings import Disagreement, SystemMean
    from gistmeter.annotate.store import Store

WIDTH = 400
"""Of an interval that is drawn, in the units of its picture."""


@dataclass(frozen=True, slots=True)
class DrawnMean:
    """A mean as the page draws it: positions from 0 to `WIDTH`."""

    mean: SystemMean
    dot: float
    low: float | None
    high: float | None


def write_report(store: Store, path: Path) -> None:
    """Write the report of a study.

    Raises
    ------
    DataError
        No assignment can be used yet, or the file cannot be written.
    """
    check_writable(path)
    write_bytes(path, render_report(store).encode("utf-8", "replace"))


def render_report(store: Store) -> str:
    """The report of a study as the text of a page."""
    findings = find_results(store)
    settings = store.study.settings
    words = open_words("en", settings.task, settings.words)
    style = "".join(
        (files(package) / folder / name).read_text("utf-8")
        for package, folder, name in (
            ("gistmeter.report.page", "templates", "report.css"),
            ("gistmeter.annotate.web", "static", "annotate.css"),
            ("gistmeter.annotate.web", "static", "report.css"),
        )
    )
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment = Environment(
        loader=PackageLoader("gistmeter.annotate.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("report.html.j2").render(
        title=settings.title or words["title"],
        task=settings.task,
        settings=settings,
        rule=settings.rule,
        words=words,
        findings=findings,
        charts=[(means.aspect, draw_means(means.rows)) for means in findings.means],
        strengths=draw_means(findings.strengths),
        passages=lambda row: _list_passages(store, row),
        lone=findings.lone[:MOST_LONE],
        width=WIDTH,
        count=format_count,
        number=format_number,
        decimals=decimals_for,
        isnan=isnan,
        style=Markup(style),  # noqa: S704 - files of this package
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:",
        version=__version__,
    )


def draw_means(rows: Sequence[SystemMean]) -> list[DrawnMean]:
    """Means and intervals on one scale, which spans all of them."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if not isnan(end)]
    if not ends:
        return []
    least, most = min(ends), max(ends)
    span = (most - least) or 1.0

    def scale_to_width(value: float) -> float | None:
        return None if isnan(value) else round(8 + (WIDTH - 16) * (value - least) / span, 1)

    return [
        DrawnMean(
            mean=row, dot=scale_to_width(row.value) or 0.0, low=scale_to_width(row.low), high=scale_to_width(row.high)
        )
        for row in rows
    ]


def _list_passages(store: Store, row: Disagreement) -> list[Passage]:
    """The texts of an item that raters disagree about; documents, which are long, are left out."""
    blocks = find_task(store.study.settings.task).make_blocks(row.item)
    marked = [
        Passage(label=block.label, text=block.text, language=block.language)
        for block in blocks
        if isinstance(block, Marks)
    ]
    return [*(block for block in blocks if isinstance(block, Passage) and not block.long), *marked]
