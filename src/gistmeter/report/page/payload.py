"""What the HTML page knows: scores, ranking, texts and evidence, as one tree of plain values."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.ranking.columns import main_columns
from gistmeter.report.page.pack import TextTable, explaining_metrics, packed_example
from gistmeter.report.tables.board import ranking_caption
from gistmeter.report.tables.numbers import bound_decimals, decimals_for
from gistmeter.scores import KEYS
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from gistmeter.example import Example
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
    title: str,
    evidence_rows: int,
    made: datetime,
) -> dict[str, Any]:
    """All the data of a page. Column, system, document and text are numbers into the lists of that name."""
    systems = {name: place for place, name in enumerate(scores.systems)}
    documents = {name: place for place, name in enumerate(scores.documents)}
    columns = {column.name: place for place, column in enumerate(scores.columns)}
    ranked = {one.column.name: one for one in ranking.columns}
    main = {column.name for column in main_columns(scores.columns)}
    return {
        "title": title,
        "made": made.isoformat(timespec="minutes"),
        "version": __version__,
        "sources": [Path(source).name for source in scores.origin.sources],  # a report is passed on: no folders of ours
        "notes": list(dict.fromkeys((*scores.notes, *ranking.notes))),
        "caption": ranking_caption(ranking),
        "confidence": ranking.confidence,
        "alpha": ranking.alpha,
        "systems": list(systems),
        "documents": list(documents),
        "columns": [_column_data(column, scores, main=column.name in main) for column in scores.columns],
        "ranking": [_ranked_data(ranked[name], systems) if name in ranked else None for name in columns],
        "first": columns[ranking.leading.column.name],
        "rows": {
            "document": [documents[name] for name in scores.table["doc_id"]],
            "system": [systems[name] for name in scores.table["system"]],
            "values": [_values(scores, column) for column in scores.columns],
        },
        **_text_data(scores, examples, evidence_rows),
    }


def script_json(data: Any) -> str:
    r"""JSON text that no HTML parser can read as anything but text, whatever the strings in it.

    >>> print(script_json({"a": "</script><!-- & "}))
    {"a":"\u003c/script\u003e\u003c!-- \u0026 "}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_UNSAFE)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
        "decimals": 0 if counts else decimals_for(values),
        "main": main,
    }


def _ranked_data(ranked: ColumnRanking, systems: dict[str, int]) -> dict[str, Any]:
    decimals = decimals_for(one.value for one in ranked.systems)
    tested = any(one.group for one in ranked.systems)
    return {
        "decimals": decimals,
        "bounds": bound_decimals(((one.low, one.high) for one in ranked.systems), decimals),
        "systems": [
            [systems[one.system], *map(_number, (one.value, one.low, one.high)), one.documents, one.group]
            for one in ranked.systems
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


def _text_data(scores: Scores, examples: Iterable[Example], evidence_rows: int) -> dict[str, Any]:
    """Summaries of all rows; references, source and evidence of the first documents, `evidence_rows` at most."""
    texts = TextTable()
    rows = {key: place for place, key in enumerate(scores.table.select(KEYS).iter_rows())}
    explained = _explained_documents(scores, evidence_rows)
    metrics = explaining_metrics(scores.columns)
    if any(metric.fits for metric in metrics.values()):  # they explain as they scored: knowing the run
        examples = list(examples)
        metrics = {label: metric.fit(examples) if metric.fits else metric for label, metric in metrics.items()}
    summaries: list[int | None] = [None] * len(rows)
    details: list[dict[str, Any] | None] = [None] * len(rows)
    for example in examples:
        row = rows.get((example.doc_id, example.system))
        if row is None or summaries[row] is not None:
            continue
        summaries[row] = texts.place(example.summary)
        if example.doc_id in explained:
            details[row] = packed_example(example, metrics, texts)
    return {
        "texts": texts.texts,
        "summaries": summaries if any(place is not None for place in summaries) else None,
        "explaining": list(metrics),
        "details": details,
        "evidenceRows": evidence_rows,
    }


def _explained_documents(scores: Scores, evidence_rows: int) -> set[str]:
    """The first documents, in table order, whose rows are no more than `evidence_rows` together."""
    sizes = scores.table.group_by("doc_id", maintain_order=True).len()
    return set(sizes.filter(pl.col("len").cum_sum() <= evidence_rows)["doc_id"])
