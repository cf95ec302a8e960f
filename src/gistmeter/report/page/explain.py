"""The texts and the evidence of a report: which rows are explained, by which metrics, from what was scored."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from gistmeter.errors import GistmeterError, MissingExtraError
from gistmeter.insight.shares.view import show_categories
from gistmeter.metrics.outside import list_outside_names
from gistmeter.metrics.packages import UnimportedClassError
from gistmeter.metrics.registry import parse_metric
from gistmeter.metrics.scored import ScoredExamples, reuse_scores
from gistmeter.report.page.missing import MissingExplanations
from gistmeter.report.page.pack import TextTable, pack_block, pack_example
from gistmeter.scores import KEYS
from gistmeter.scoring.failures import name_failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.scores import ScoreColumn, Scores

_ALLOW = "`allow_models=True` allows it"


def explain_rows(
    scores: Scores,
    examples: Iterable[Example],
    *,
    metrics: Mapping[str, Metric] | None,
    evidence_rows: int,
    allow_models: bool = True,
    categories: bool = False,
) -> dict[str, Any]:
    """Summaries of all rows; references, source and evidence of the first documents, `evidence_rows` at most.

    `metrics` are those that scored, by label, as they were fitted to the run; by default they are made again from
    their labels, without what these name elsewhere unless `allow_models`. Under `notes` stands how many explanations
    are missing, and why. With `categories` metrics that match words say which kinds of words match.
    """
    missing = MissingExplanations()
    unavailable: dict[str, str] = {}
    if metrics is None:
        metrics, unavailable = make_metrics(scores.columns, allow_models=allow_models)
    metrics = {label: metric for label, metric in metrics.items() if metric.explains}
    if any(metric.fits for metric in metrics.values()):  # they explain as they scored: fitted to the run
        examples = list(examples)
        metrics = {label: metric.fit(examples) if metric.fits else metric for label, metric in metrics.items()}
    texts = TextTable()
    row_of = {key: row for row, key in enumerate(scores.table.select(KEYS).iter_rows())}
    explained_documents = _first_documents(scores, evidence_rows)
    summaries: list[int | None] = [None] * len(row_of)
    explained: dict[int, Example] = {}
    for example in examples:
        row = row_of.get((example.doc_id, example.system))
        if row is None or summaries[row] is not None:
            continue
        summaries[row] = texts.number(example.summary)
        if example.doc_id in explained_documents:
            explained[row] = example
    details: list[dict[str, Any] | None] = [None] * len(row_of)
    with reuse_scores(_gather_scores(scores, explained, metrics)):
        for label, metric in metrics.items():
            # What is wrong shows in each explanation, and is counted there.
            with contextlib.suppress(GistmeterError), name_failure(label, metric, lambda: "explaining"):
                metric.prepare_explanations([example for example in explained.values() if not metric.lacking(example)])
        for row, example in explained.items():
            details[row] = pack_example(example, metrics, texts, missing)
        if categories:
            for number, (label, metric) in enumerate(metrics.items()):
                try:
                    blocks = show_categories(metric, list(explained.values()))
                except GistmeterError as error:
                    missing.add(f"{label} (kinds of words)", str(error), len(explained))
                    continue
                for row, block in zip(explained, blocks, strict=True):
                    why = (details[row] or {})["evidence"][number]
                    if block is not None and why is not None:
                        why["blocks"].append(pack_block(block, texts))
    for label, reason in unavailable.items():
        missing.add(label, reason, len(explained))
    return {
        "texts": texts.texts,
        "summaries": summaries if any(number is not None for number in summaries) else None,
        "explaining": list(metrics),
        "details": details,
        "evidenceRows": evidence_rows,
        "notes": missing.notes(len(explained)) if explained else [],
    }


def list_labels(columns: Iterable[ScoreColumn]) -> list[str]:
    """The metrics of columns, as they were written."""
    return list(dict.fromkeys(column.metric for column in columns))


def describe_outside(labels: Iterable[str]) -> list[str]:
    """A sentence for each metric of a table that names models or files, which are not loaded unless that is allowed."""
    sentences = []
    for label in labels:
        try:
            names = list_outside_names(parse_metric(label))
            sentences += [f"no evidence by {label}: {_refuse_outside(names)}"] if names else []
        except UnimportedClassError as error:
            sentences.append(f"no evidence by {label}: {error}; {_ALLOW}")
        except GistmeterError:
            continue
    return sentences


def _refuse_outside(names: Iterable[str]) -> str:
    return f"{', '.join(names)} was not loaded: a file of scores may be anybody's; {_ALLOW}"


def make_metrics(columns: Iterable[ScoreColumn], *, allow_models: bool) -> tuple[dict[str, Metric], dict[str, str]]:
    """The metrics behind some columns, by label; and for those that cannot be asked here, the reason."""
    metrics: dict[str, Metric] = {}
    unavailable: dict[str, str] = {}
    for label in list_labels(columns):
        try:
            metric = parse_metric(label, imports=allow_models)
            outside = () if allow_models else list_outside_names(metric)
            if outside:
                unavailable[label] = _refuse_outside(outside)
            else:
                metrics[label] = metric
        except UnimportedClassError as error:
            unavailable[label] = f"{error}; {_ALLOW}"
        except MissingExtraError as error:
            unavailable[label] = str(error)
        except GistmeterError:
            continue  # a column of another tool: nobody expects evidence for it
    return metrics, unavailable


def _gather_scores(scores: Scores, explained: Mapping[int, Example], metrics: Mapping[str, Metric]) -> ScoredExamples:
    """What the table of scores has of the explained rows, so that no metric need score them again."""
    scored = ScoredExamples()
    for label, metric in metrics.items():
        names = [f"{label}.{name}" for name in (*(column.name for column in metric.summary_columns), *metric.parts)]
        if all(name in scores.table.columns for name in names):
            numbers = np.column_stack([scores.table[name].cast(pl.Float64).fill_null(np.nan) for name in names])
            for row, example in explained.items():
                scored.add(metric, example, numbers[row])
    return scored


def _first_documents(scores: Scores, evidence_rows: int) -> set[str]:
    """The first documents, in table order, whose rows are no more than `evidence_rows` together."""
    sizes = scores.table.group_by("doc_id", maintain_order=True).len()
    return set(sizes.filter(pl.col("len").cum_sum() <= evidence_rows)["doc_id"])
