"""Some summaries with their evidence as one HTML file, drawn as the report draws them; nothing is fetched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gistmeter.io.atomic import check_writable
from gistmeter.ranking.columns import main_columns
from gistmeter.report.page.html import render, write_page
from gistmeter.report.page.pack import TextTable, pack_evidence
from gistmeter.report.tables.numbers import decimals_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.scores import ScoreColumn
    from gistmeter.scoring.explain import ExplainedSummary

STYLES = ("report.css", "evidence.css", "kinds.css", "explained.css")
TEMPLATE = "explained.html.j2"
SCRIPTS = ("dom.js", "theme.js", "marks.js", "kinds.js", "evidence.js", "explained.js")


def write_explanations(
    summaries: Sequence[ExplainedSummary],
    columns: Sequence[ScoreColumn],
    path: Path,
    *,
    notes: Sequence[str] = (),
    title: str = "gistmeter explain",
) -> None:
    """Write the page: each summary with its scores, what matched by each metric, its references and its source."""
    check_writable(path)
    data = _describe_page(summaries, columns, notes)
    write_page(render(data, title=title, template=TEMPLATE, styles=STYLES, scripts=SCRIPTS), path)


def _describe_page(
    summaries: Sequence[ExplainedSummary], columns: Sequence[ScoreColumn], notes: Sequence[str]
) -> dict[str, Any]:
    texts = TextTable()
    main = {column.name for column in main_columns(columns)}
    values = {column.name: [explained.scores[column.name] for explained in summaries] for column in columns}
    return {
        "notes": list(notes),
        "columns": [
            {
                "metric": column.metric,
                "short": column.short,
                "about": column.about,
                "pooled": False,
                "main": column.name in main,
                "decimals": decimals_for(values[column.name]),
            }
            for column in columns
        ],
        "rows": {"values": [[_number(value) for value in values[column.name]] for column in columns]},
        "explained": [
            {
                "document": explained.example.doc_id,
                "system": explained.example.system,
                "summary": texts.number(explained.example.summary),
                "references": [texts.number(text) for text in explained.example.references],
                "sources": [texts.number(text) for text in explained.example.documents],
                "evidence": [
                    {"metric": label, **pack_evidence(why, texts)} for label, why in explained.evidence.items()
                ],
            }
            for explained in summaries
        ],
        "texts": texts.texts,
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
