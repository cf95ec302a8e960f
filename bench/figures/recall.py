"""Recall of content: REALSumm and PyrXSum, where people marked which facts of the reference a summary states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.correlations import Levels, levels
from bench.figures.page import Table
from bench.figures.runs import pyrxsum, realsumm

if TYPE_CHECKING:
    from collections.abc import Iterator

METRICS = (
    ("ROUGE-1", "rouge1", "recall"),
    ("ROUGE-2", "rouge2", "recall"),
    ("content words", "content", "recall"),
    ("MoverScore", "moverscore", "score"),
    ("STS (sentence)", "sts(segment=sentence)", "recall"),
    ("BERTScore F1, no idf", "bertscore(idf=none)", "f1"),
    ("BERTScore, no idf", "bertscore(idf=none)", "recall"),
    ("BERTScore, idf over references", "bertscore(idf=references)", "recall"),
    ("BERTScore", "bertscore", "recall"),
    ("BERTScore, layer 5", "bertscore(layer=5)", "recall"),
)


def realsumm_levels(metric: str, column: str) -> Levels:
    """Pearson with human recall on REALSumm."""
    judged = realsumm()
    return levels(judged.column(metric, column), judged.human["litepyramid_recall"], judged)


def pyrxsum_levels(metric: str, column: str) -> Levels:
    """Pearson with human recall on PyrXSum."""
    judged = pyrxsum()
    return levels(judged.column(metric, column), judged.human["litepyramid_recall"], judged)


def tables() -> Iterator[Table]:
    """The table, measured."""
    rows = [
        (what, f"`{metric}`", column, *realsumm_levels(metric, column), *pyrxsum_levels(metric, column))
        for what, metric, column in METRICS
    ]
    yield Table(
        "Recall of content units",
        "Pearson with LitePyramid recall: over systems, and within documents (mean; a document in which all are alike "
        "counts 0).",
        ("", "spelling", "column", "REALSumm system", "REALSumm summary", "PyrXSum system", "PyrXSum summary"),
        rows,
    )
