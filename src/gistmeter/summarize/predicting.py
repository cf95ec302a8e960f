"""Predict: the noun phrases of documents that a reference would most likely state, the likeliest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.models.runtime.settings import use_settings
from gistmeter.models.salience.candidates import find_candidates
from gistmeter.models.salience.predictor import load_predictor
from gistmeter.scoring.inputs import as_run
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.span_files import check_spans_path, write_spans
from gistmeter.summarize.spans import DocumentSpans, Span
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.models.salience.predictor import SaliencePredictor
    from gistmeter.scoring.inputs import RunLike

PREDICTED = "predicted"
DEFAULT_SPANS = 20
"""How many spans are predicted: the thesis' number for questions on CNN/DailyMail."""


def predict(
    run: RunLike,
    *,
    k: int = DEFAULT_SPANS,
    model: str = EMBEDDED,
    output: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> list[DocumentSpans]:
    """The k noun phrases of each document that are likeliest salient, without references (Deutsch, 2022, 6.3.1).

    Parameters
    ----------
    run
        Documents: a file, records, examples or a frame. Summaries and references may be missing.
    k
        How many spans of a document; a document with fewer noun phrases has fewer.
    model
        `embedded`, or a file that `gistmeter train salience` wrote.
    output
        A file (.jsonl) to write the spans to.
    progress
        Called with how many documents are done, and how many there are.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    list of DocumentSpans
        For each document its spans, the likeliest first, with scores and questions.

    Raises
    ------
    ArgumentError
        `k` is less than 1.
    DataError
        The run is empty, or a document has no text.
    MetricError
        There is no such model.

    Examples
    --------
    >>> document = "Ann Lee won the race in Rome. It rained. The crowd was glad."
    >>> [span.text for span in predict([{"document": document}], k=2)[0].spans]
    ['Ann Lee', 'Rome']
    """
    if k < 1:
        raise ArgumentError(f"`k` is at least 1, not {k}")
    opened = as_run(run)
    if output is not None:
        check_spans_path(output, opened.input_files)
    sources = collect_sources(opened)
    predicted = []
    with use_settings(runtime):
        predictor = load_predictor(model)
        for number, source in enumerate(sources, start=1):
            predicted.append(predict_document(source.doc_id, source.document, predictor, k=k))
            if progress is not None:
                progress(number, len(sources))
    if output is not None:
        write_spans(predicted, output)
    return predicted


def predict_document(doc_id: str, document: str, predictor: SaliencePredictor, *, k: int) -> DocumentSpans:
    """The k likeliest spans of one document."""
    phrases = find_candidates(document)
    scores = predictor.predict(phrases)
    spans = []
    for position in np.argsort(-scores, kind="stable")[:k]:
        candidate = phrases.candidates[position]
        spans.append(
            Span(
                start=candidate.start,
                end=candidate.end,
                text=document[candidate.start : candidate.end],
                score=float(scores[position]),
                question=candidate.question,
            )
        )
    return DocumentSpans(doc_id=doc_id, spans=tuple(spans), method=PREDICTED, candidates=len(phrases.candidates))
