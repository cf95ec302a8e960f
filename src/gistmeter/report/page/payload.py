"""What the HTML page knows: scores, ranking, texts and evidence, as one tree of plain values."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.ranking.columns import main_columns
from gistmeter.report.page.explain import explain_rows
from gistmeter.report.page.probes.sections import describe_probes
from gistmeter.report.tables.board import list_best, ranking_caption
from gistmeter.report.tables.numbers import bound_decimals, decimals_for
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.probe import ScoreFindings
    from gistmeter.ranking.rank import ColumnRanking, Ranking
    from gistmeter.scores import ScoreColumn, Scores

_DIGITS = 6
_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def page_data(
    scores: Scores,
    ranking: Ranking,
    *,
    examples: Iterable[Example],
    metrics: Mapping[str, Metric] | None,
    title: str,
    evidence_rows: int,
    made_at: datetime,
    allow_models: bool = True,
    probes: Sequence[ScoreFindings] = (),
    marking_pages: Sequence[Mapping[str, str]] = (),
    categories: bool = False,
) -> dict[str, Any]:
    """All the data of a page. Column, system, document and text are numbers into the lists of that name."""
    systems = {name: number for number, name in enumerate(scores.systems)}
    documents = {name: number for number, name in enumerate(scores.documents)}
    columns = {column.name: number for number, column in enumerate(scores.columns)}
    ranked = {column_ranking.column.name: column_ranking for column_ranking in ranking.columns}
    texts = explain_rows(
        scores,
        examples,
        metrics=metrics,
        evidence_rows=evidence_rows,
        allow_models=allow_models,
        categories=categories,
    )
    main = {column.name for column in main_columns(scores.columns)}
    # A table that lost its metadata does not say which way is good: what the ranking took it for stands.
    columns_as_ranked = [ranked[column.name].column if column.name in ranked else column for column in scores.columns]
    return {
        **texts,
        "title": title,
        "made": made_at.isoformat(timespec="minutes"),
        "version": __version__,
        "sources": [
            Path(source).name for source in scores.origin.summary_files
        ],  # a report is passed on: no folders of ours
        "notes": list(dict.fromkeys((*scores.notes, *ranking.notes, *texts["notes"]))),
        "caption": ranking_caption(ranking),
        "confidence": ranking.confidence,
        "alpha": ranking.alpha,
        "systems": list(systems),
        "documents": list(documents),
        "columns": [_column_data(column, scores, main=column.name in main) for column in columns_as_ranked],
        "ranking": [_column_ranking_data(ranked[name], systems) if name in ranked else None for name in columns],
        "first": columns[ranking.leading.column.name],
        "rows": {
            "document": [documents[name] for name in scores.table["doc_id"]],
            "system": [systems[name] for name in scores.table["system"]],
            "values": [_values(scores, column) for column in scores.columns],
        },
        "probes": describe_probes(probes, columns_as_ranked),
        "marking": list(marking_pages),
    }


def script_json(data: Any) -> str:
    r"""JSON text that no HTML parser can read as anything but text, whatever the strings in it.

    >>> print(script_json({"a": "</script><!-- & "}))
    {"a":"\u003c/script\u003e\u003c!-- \u0026 "}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_UNSAFE)
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _column_data(column: ScoreColumn, scores: Scores, *, main: bool) -> dict[str, Any]:
    values = [] if column.parts else scores.table[column.name].cast(pl.Float64).drop_nulls().to_list()
    counts = bool(values) and all(value == int(value) for value in values if math.isfinite(value))
    return {
        "name": column.name,
        "metric": column.metric,
        "short": column.short,
        "better": column.better,
        "about": column.about,
        "signature": column.signature,
        "pooled": bool(column.parts),
        "diagnostic": column.is_diagnostic,
        "decimals": 0 if counts else decimals_for(values),
        "main": main,
    }


def _column_ranking_data(ranked: ColumnRanking, systems: dict[str, int]) -> dict[str, Any]:
    decimals = decimals_for(system.value for system in ranked.systems)
    tested = any(system.group for system in ranked.systems)
    best = list_best(ranked)
    return {
        "decimals": decimals,
        "bounds": bound_decimals(((system.low, system.high) for system in ranked.systems), decimals),
        "systems": [
            [
                systems[system.system],
                *map(_number, (system.value, system.low, system.high)),
                system.documents,
                system.group,
                system.system in best,
            ]
            for system in ranked.systems
        ],
        "pvalues": [[_number(p) for p in row] for row in ranked.pvalues.tolist()] if tested else None,
    }


def _values(scores: Scores, column: ScoreColumn) -> list[float | None] | None:
    if column.parts:
        return None
    return [_number(value) for value in scores.table[column.name].cast(pl.Float64).to_list()]


def _number(value: float | None) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}")
