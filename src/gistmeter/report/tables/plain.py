"""Rankings and comparisons as Markdown, HTML and JSON text, to paste or to parse."""

from __future__ import annotations

import json as _json
from typing import TYPE_CHECKING, Any

from gistmeter.io.json_lines import nan_to_null
from gistmeter.ranking.rank import Ranking
from gistmeter.report.page.markup import html_table, html_text, markdown_row, markdown_text
from gistmeter.report.tables.board import heading, ranking_board
from gistmeter.report.tables.differences import comparison_caption, comparison_rows, document_rows, most_differing
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.ranking.compare import Comparison
    from gistmeter.ranking.rank import ColumnRanking
    from gistmeter.report.tables.board import BoardStyle, Cell
    from gistmeter.scores import ScoreColumn


def markdown(result: Ranking | Comparison, style: BoardStyle | None = None) -> str:
    """A ranking or a comparison as Markdown tables; `every` shows precision and recall too.

    >>> import polars as pl
    >>> from gistmeter.ranking.rank import rank
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"12"], "system": ["lead"] * 2, "rouge2.f1": [0.2, 0.4]})
    >>> print(markdown(rank(Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),)))))
    | system | rouge2.f1 ↑ |
    | --- | ---: |
    | lead | 0.300 [0.20, 0.40] |
    <BLANKLINE>
    95% intervals: bootstrap over 2 documents, 1,000 resamples, seed 0.
    """
    if isinstance(result, Ranking):
        board = ranking_board(result, style)
        lines = _markdown_table(
            [*board.labels, *board.headings],
            [[*board.name_row(row), *row.cells] for row in board.rows],
            names=len(board.labels),
        )
        return "\n".join([*lines, "", markdown_text(board.caption), *_markdown_notes(board.notes)])
    a, b = result.system_a, result.system_b
    rows = comparison_rows(result, style)
    lines = _markdown_table(
        ["score", a, b, "difference", "interval", "p"],
        [[heading(row.column), row.a, row.b, row.difference, row.interval, row.pvalue] for row in rows],
    )
    lines += ["", markdown_text(comparison_caption(result, rows)), *_markdown_notes(result.notes)]
    most = most_differing(result, every=_shows_every(style))
    if most is not None:
        lines += ["", f"Documents that differ most by {markdown_text(most.column.name)}:", ""]
        lines += _markdown_table(["document", a, b, "difference"], document_rows(most, style))
    return "\n".join(lines)


def html(result: Ranking | Comparison, style: BoardStyle | None = None) -> str:
    """A ranking or a comparison as an HTML table for any page; signatures show where names are pointed at."""
    if isinstance(result, Ranking):
        board = ranking_board(result, style)
        return _html_table(
            [*map(html_text, board.labels), *map(_html_heading, board.columns, board.headings)],
            [[*map(html_text, board.name_row(row)), *map(_html_cell, row.cells)] for row in board.rows],
            caption=board.caption,
            notes=board.notes,
            names=len(board.labels),
        )
    rows = comparison_rows(result, style)
    written = [
        [
            _html_heading(row.column, heading(row.column)),
            *map(html_text, (row.a, row.b, row.difference, row.interval, row.pvalue)),
        ]
        for row in rows
    ]
    return _html_table(
        ["score", html_text(result.system_a), html_text(result.system_b), "difference", "interval", "p"],
        written,
        caption=comparison_caption(result, rows),
        notes=result.notes,
    )


def json(result: Ranking | Comparison) -> str:
    """A ranking or a comparison as JSON: all scores, signatures, seeds and p-values; missing is null."""
    described = _ranking_data(result) if isinstance(result, Ranking) else _comparison_data(result)
    described = {"gistmeter": __version__, **described}
    return _json.dumps(nan_to_null(described), ensure_ascii=False, indent=2, allow_nan=False)


def _ranking_data(ranking: Ranking) -> dict[str, Any]:
    return {
        "kind": "ranking",
        "documents": ranking.documents,
        "confidence": ranking.confidence,
        "alpha": ranking.alpha,
        "resamples": ranking.resamples,
        "permutations": ranking.permutations,
        "seed": ranking.seed,
        "correction": "holm",
        "tests": ranking.tests,
        "letters": ranking.letters,
        "notes": list(ranking.notes),
        **({"by": ranking.by, "sections": dict(ranking.sections)} if ranking.by else {}),
        "columns": [_column_ranking_data(ranked) for ranked in ranking.columns],
    }


def _column_ranking_data(ranked: ColumnRanking) -> dict[str, Any]:
    return {
        **_column_data(ranked.column),
        "systems": [
            {
                "system": ranked_system.system,
                "value": ranked_system.value,
                "low": ranked_system.low,
                "high": ranked_system.high,
                "documents": ranked_system.documents,
                "group": ranked_system.group,
            }
            for ranked_system in ranked.systems
        ],
        "pvalues": [list(map(float, row)) for row in ranked.pvalues],
    }


def _comparison_data(comparison: Comparison) -> dict[str, Any]:
    return {
        "kind": "comparison",
        "system_a": comparison.system_a,
        "system_b": comparison.system_b,
        "confidence": comparison.confidence,
        "resamples": comparison.resamples,
        "permutations": comparison.permutations,
        "seed": comparison.seed,
        "notes": list(comparison.notes),
        "differences": [
            {
                **_column_data(difference.column),
                "a": difference.a,
                "b": difference.b,
                "difference": difference.difference,
                "low": difference.low,
                "high": difference.high,
                "pvalue": difference.pvalue,
                "documents": difference.documents,
                "largest": [
                    {"doc_id": doc.doc_id, "a": doc.a, "b": doc.b, "difference": doc.difference}
                    for doc in difference.largest
                ],
            }
            for difference in comparison.differences
        ],
    }


def _column_data(column: ScoreColumn) -> dict[str, Any]:
    return {
        "name": column.name,
        "signature": column.signature,
        "better": column.better,
        "about": column.about,
        "pooled": bool(column.parts),
        "reference_free": column.reference_free,
    }


def _shows_every(style: BoardStyle | None) -> bool:
    return style is not None and style.every


def _markdown_table(header: Sequence[str], rows: Iterable[Sequence[str | Cell]], *, names: int = 1) -> list[str]:
    rule = [*["---"] * names, *["---:"] * (len(header) - names)]
    lines = [[markdown_text(title) for title in header], rule]
    lines += [[markdown_text(c) if isinstance(c, str) else _markdown_cell(c) for c in row] for row in rows]
    return [markdown_row(line) for line in lines]


def _markdown_cell(cell: Cell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return " ".join(part for part in (value, cell.interval, cell.letters) if part)


def _markdown_notes(notes: Iterable[str]) -> list[str]:
    return [line for note in notes for line in ("", f"Note: {markdown_text(note)}.")]


def _html_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str, notes: Iterable[str], names: int = 1
) -> str:
    numeric = [*[False] * names, *[True] * (len(header) - names)]
    return html_table(header=header, rows=rows, caption=caption, notes=notes, numeric=numeric)


def _html_heading(column: ScoreColumn, title: str) -> str:
    return f'<span title="{html_text(column.signature)}">{html_text(title)}</span>'


def _html_cell(cell: Cell) -> str:
    value = f"<strong>{html_text(cell.value)}</strong>" if cell.best else html_text(cell.value)
    letters = f"<sup>{html_text(cell.letters)}</sup>" if cell.letters else ""
    bounds = f" <small>{html_text(cell.interval)}</small>" if cell.interval else ""
    return f"{value}{letters}{bounds}"
