"""Summarize: which phrases of a document matter, and summaries that say what is marked (Deutsch, 2022, chapter 6).

`label` finds the phrases that references state, `predict` those that they would likely state, `compare_with_gold`
compares either with what people marked. `summarize` writes summaries that say them, `measure_control` asks
whether summaries do.
"""

from gistmeter.arguments import check_calls
from gistmeter.summarize.agreement import SpanAgreement, SpanAgreements, compare_with_gold
from gistmeter.summarize.control.measuring import DEFAULT_K, measure_control
from gistmeter.summarize.control.result import Control, ControlRow
from gistmeter.summarize.control.texts import WRITERS
from gistmeter.summarize.labelling.label import label
from gistmeter.summarize.predicting import predict
from gistmeter.summarize.span_files import read_spans, write_spans
from gistmeter.summarize.spans import DocumentSpans, Span, StatedPhrase
from gistmeter.summarize.writers import Summary
from gistmeter.summarize.writing import Summaries, make_markable_documents, summarize

__all__ = [
    "DEFAULT_K",
    "WRITERS",
    "Control",
    "ControlRow",
    "DocumentSpans",
    "Span",
    "SpanAgreement",
    "SpanAgreements",
    "StatedPhrase",
    "Summaries",
    "Summary",
    "compare_with_gold",
    "label",
    "make_markable_documents",
    "measure_control",
    "predict",
    "read_spans",
    "summarize",
    "write_spans",
]

check_calls(__name__)
