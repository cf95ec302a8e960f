"""Agreement of the first k spans with those that people marked, for each k (Deutsch, 2022, Fig. 36)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats import bootstrap_interval, ratio
from gistmeter.summarize.agreement import score_documents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.summarize.agreement import SpanMatch
    from gistmeter.summarize.spans import DocumentSpans

MOST_SPANS = 30
"""The largest k of the curves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedAgreement:
    """Precision and recall of the first k spans of each document of a file: means with 95% intervals."""

    name: str
    k: int
    precision: float
    precision_low: float
    precision_high: float
    recall: float
    recall_low: float
    recall_high: float


def trace_agreement(
    files: Mapping[str, Sequence[DocumentSpans]],
    gold: Sequence[DocumentSpans],
    *,
    match: SpanMatch = "exact",
    resamples: int = 1000,
    seed: int = 0,
) -> list[TracedAgreement]:
    """Precision and recall by k, up to as many spans as a document of a file has, and at most 30.

    >>> from gistmeter.summarize import DocumentSpans, Span
    >>> text = "Ann Lee won in Rome."
    >>> both = DocumentSpans(doc_id="1", spans=(Span.of(text, 0, 7), Span.of(text, 15, 19)))
    >>> [(point.k, point.precision, point.recall) for point in trace_agreement({"all": [both]}, [both.take(1)])]
    [(1, 1.0, 1.0), (2, 0.5, 1.0)]
    """
    marked = [document for document in gold if document.spans]
    points = []
    for name, spans in files.items():
        most = min(MOST_SPANS, max((len(document.spans) for document in spans), default=0))
        for k in range(1, most + 1):
            table, _ = score_documents(name, [document.take(k) for document in spans], marked, match)
            parts = np.stack([table.T[:2], np.ones_like(table.T[:2])], axis=-1)
            interval = bootstrap_interval(parts, ratio, resamples=resamples, seed=seed)
            values, lows, highs = (list(map(float, part)) for part in (interval.value, interval.low, interval.high))
            points.append(
                TracedAgreement(
                    name=name,
                    k=k,
                    precision=values[0],
                    precision_low=lows[0],
                    precision_high=highs[0],
                    recall=values[1],
                    recall_low=lows[1],
                    recall_high=highs[1],
                )
            )
    return points
