"""Spans as sheets: how many were labelled, and how well they agree with people's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.summarize.control.result import describe_control
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.summarize import Control, DocumentSpans, SpanAgreements


def labels_sheet(documents: Sequence[DocumentSpans]) -> Sheet:
    """A row for each document: how many phrases it has, how many of them are salient, and the first of these."""
    rows = [
        {
            "document": document.doc_id,
            "candidates": document.candidates,
            "salient": len(document.spans),
            "the first": ", ".join(span.text for span in document.spans[:3]),
        }
        for document in documents
    ]
    total = sum(len(document.spans) for document in documents)
    method = documents[0].method if documents else ""
    caption = f"{format_count(total, 'span')} of {format_count(len(documents), 'document')} ({method})."
    without = sum(not document.spans for document in documents)
    notes = [f"{format_count(without, 'document')} without any salient span"] if without else []
    return Sheet.of(rows, caption=caption, notes=notes)


def agreement_sheet(agreements: SpanAgreements) -> Sheet:
    """A row for each file of spans."""
    match = "both ends alike" if agreements.match == "exact" else "half of the characters in common"
    caption = (
        f"Means over {format_count(agreements.documents, 'document')} with {agreements.gold_spans:.1f} spans of people "
        f"each ({match}); 95% interval of F1; p of no difference in F1 to the first file (paired permutations)."
    )
    return Sheet.of(agreements.records(), caption=caption, notes=agreements.notes, **agreements.details())


def control_sheet(control: Control) -> Sheet:
    """A row for each writer and number of marked spans."""
    return Sheet.of(control.records(), caption=describe_control(control), notes=control.notes, **control.details())
