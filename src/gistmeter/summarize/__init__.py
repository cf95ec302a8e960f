"""Summarize: which phrases of a document matter, and summaries that say what is marked (Deutsch, 2022, chapter 6).

`label` finds the phrases that references state, `compare_with_gold` compares them with those that people marked.
"""

from gistmeter.arguments import check_calls
from gistmeter.summarize.agreement import SpanAgreement, SpanAgreements, compare_with_gold
from gistmeter.summarize.labelling.label import label
from gistmeter.summarize.span_files import read_spans, write_spans
from gistmeter.summarize.spans import DocumentSpans, Span, StatedPhrase

__all__ = [
    "DocumentSpans",
    "Span",
    "SpanAgreement",
    "SpanAgreements",
    "StatedPhrase",
    "compare_with_gold",
    "label",
    "read_spans",
    "write_spans",
]

check_calls(__name__)
