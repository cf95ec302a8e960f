"""What each summary's alignments add up to, and which part of that counts: the way of all shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.evidence.alignment import Alignment
from gistmeter.scoring.failures import name_failure
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric

    SummaryAlignments = tuple[Alignment, ...]
    """What a metric matches in one summary: an alignment with each text that it is compared with."""


def align_run(label: str, metric: Metric, examples: Sequence[Example]) -> list[SummaryAlignments]:
    """What a metric matches in each summary; `label` names it in messages.

    Raises
    ------
    DataError
        A summary lacks what the metric reads, or the metric gives no alignment.
    """
    for example in examples:
        if need := metric.lacking(example):
            raise DataError(f"{label} needs `{need}`, but {example.name} has none")
    with name_failure(label, metric, lambda: "reading the run"):
        fitted = metric.fit(examples) if metric.fits else metric
    by_summary = align_examples(label, fitted, examples)
    if not any(by_summary):
        raise DataError(f"{label} gives no alignment of words: take rouge1, content or bertscore, for example")
    return by_summary


def align_examples(label: str, metric: Metric, examples: Sequence[Example]) -> list[SummaryAlignments]:
    """What a metric's own code matches in each of these summaries, checked.

    Raises
    ------
    MetricError
        The code of the metric fails, or does not give a tuple of alignments for each summary.
    """
    with name_failure(label, metric, lambda: f"aligning {format_count(len(examples), 'summary')}"):
        by_summary = list(metric.align(examples))
    form = "`align` gives for each summary a tuple of Alignment, one for each text that it is compared with"
    if len(by_summary) != len(examples):
        raise MetricError(f"{label} aligned {len(by_summary)} of {format_count(len(examples), 'summary')}: {form}")
    for example, alignments in zip(examples, by_summary, strict=True):
        if not isinstance(alignments, tuple) or not all(isinstance(each, Alignment) for each in alignments):
            given = type(alignments).__name__
            raise MetricError(f"{label} gave {given} as the alignments of {example.name}: {form}")
    return by_summary


def measure_shares(
    label: str, by_summary: Sequence[SummaryAlignments], weigh: Callable[[int, Alignment], FloatArray]
) -> FloatArray:
    """The part of each summary's weight (rows) that each kind of match has (columns); NaN where nothing matched.

    `weigh` gives the weight of each kind in an alignment of the summary with that number.
    """
    totals = [sum(alignment.total for alignment in alignments) for alignments in by_summary]
    shares = {
        row: np.sum([weigh(row, alignment) for alignment in alignments], axis=0) / total
        for row, (alignments, total) in enumerate(zip(by_summary, totals, strict=True))
        if total > 0
    }
    if not shares:
        raise DataError(f"no summary has a match by {label}: there are no shares")
    missing = np.full_like(next(iter(shares.values())), np.nan)
    return np.array([shares.get(row, missing) for row in range(len(by_summary))])
