"""Marking: which spans of each document a summary is to say: from a file, predicted, silver, or a user's own words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.summarize.labelling.label import label
from gistmeter.summarize.predicting import DEFAULT_SPANS, PREDICTED, predict
from gistmeter.summarize.span_files import read_spans
from gistmeter.summarize.spans import DocumentSpans, Span, check_spans
from gistmeter.weights import EMBEDDED
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.summarize.documents import Source

SILVER = "silver"
NO_SPANS = "none"
MARKED = "marked"

SpanSource = str | Path | list[DocumentSpans] | None
"""A file of spans, spans, `predicted`, `silver`, or nothing."""


def choose_spans(
    sources: Sequence[Source],
    spans: SpanSource,
    *,
    k: int | None,
    marks: Sequence[str] = (),
    predictor: str = EMBEDDED,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> list[DocumentSpans]:
    """The spans that the summary of each document is to say; a user's own marks come first.

    `k` is how many of a document at most; None for all of those that were given or labelled, and 20 predicted ones.
    """
    chosen = _find_spans(sources, spans, k=k, predictor=predictor, cache=cache, progress=progress)
    if not marks:
        return chosen
    marked = [
        _add_marks(document, find_marks(source.document, marks))
        for source, document in zip(sources, chosen, strict=True)
    ]
    matched = [mark for mark in marks if any(find_marks(source.document, [mark]) for source in sources)]
    missing = [repr(mark) for mark in marks if mark not in matched]
    if missing:
        where = f"document {sources[0].doc_id!r}" if len(sources) == 1 else "any document"
        raise DataError(f"{join_names(missing)} does not stand in {where}: mark words as the document has them")
    return marked


def _find_spans(
    sources: Sequence[Source],
    spans: SpanSource,
    *,
    k: int | None,
    predictor: str,
    cache: bool,
    progress: Callable[[int, int], None] | None,
) -> list[DocumentSpans]:
    records = [
        {"doc_id": source.doc_id, "document": source.document, "references": list(source.references)}
        for source in sources
    ]
    if spans is None or spans == NO_SPANS:
        return [DocumentSpans(doc_id=source.doc_id, spans=(), method=MARKED) for source in sources]
    if spans == PREDICTED:
        return predict(records, k=k or DEFAULT_SPANS, model=predictor, progress=progress)
    if spans == SILVER:
        return [document.take(k) for document in label(records, cache=cache, progress=progress)]
    if isinstance(spans, str | Path):
        return _read_given(sources, spans, k)
    return _check_given(sources, list(spans), "`spans`", k)


def _read_given(sources: Sequence[Source], path: str | Path, k: int | None) -> list[DocumentSpans]:
    if not Path(path).exists():
        close = suggestion(str(path), (PREDICTED, SILVER))
        raise ArgumentError(f"`spans` is {PREDICTED}, {SILVER} or a file of spans, but there is no file {path}{close}")
    return _check_given(sources, read_spans(path), str(path), k)


def _check_given(
    sources: Sequence[Source], given: Sequence[DocumentSpans], name: str, k: int | None
) -> list[DocumentSpans]:
    by_document = {document.doc_id: document for document in given}
    missing = [source.doc_id for source in sources if source.doc_id not in by_document]
    if missing:
        raise DataError(f"{name} has no spans of {join_names(missing)}: find them with `gistmeter spans predict`")
    for source in sources:
        check_spans(by_document[source.doc_id].spans, source.document, f"document {source.doc_id!r} in {name}")
    return [by_document[source.doc_id].take(k) for source in sources]


def find_marks(document: str, marks: Sequence[str]) -> list[Span]:
    """Where a document first has each of some texts as whole words, whatever their case.

    >>> [(span.start, span.text) for span in find_marks("Anne met Ann.", ["ann"])]
    [(9, 'Ann')]
    """
    spans: list[Span] = []
    for mark in marks:
        words = mark.split()
        if not any(map(str.isalnum, mark)):
            raise DataError(f"the mark {mark!r} has no words")
        pattern = r"\s+".join(map(re.escape, words))
        matched = re.search(rf"(?<!\w){pattern}(?!\w)", document, re.IGNORECASE)
        if matched is not None:
            spans.append(Span.of(document, matched.start(), matched.end()))
    return spans


def _add_marks(document: DocumentSpans, marks: Sequence[Span]) -> DocumentSpans:
    """The marks, the first of two that overlap, and then the spans that overlap none of them."""
    spans: list[Span] = []
    for span in (*(replace(mark, score=1.0) for mark in marks), *document.spans):
        if not any(span.start < other.end and other.start < span.end for other in spans):
            spans.append(span)
    return replace(document, spans=tuple(spans))
