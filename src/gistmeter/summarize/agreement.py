"""Agreement of spans with those that people marked: precision, recall and F1 by document (Deutsch, 2022, Table 15)."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.result import Result
from gistmeter.stats import bootstrap_interval, permutation_pvalue, ratio
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.summarize.spans import DocumentSpans, Span

SpanMatch = Literal["exact", "overlap"]
MEASURES = ("precision", "recall", "f1")
MIN_SHARED = 0.5
"""The share of the characters of two spans together that they must have in common to be the same by `overlap`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanAgreement:
    """How well the spans of one file agree with people's: means over documents with 95% intervals."""

    name: str
    spans: float
    """Spans of a document."""

    precision: float
    recall: float
    f1: float
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    pvalues: tuple[float, float, float]
    """Of no difference to the first file, in each measure; NaN for the first file itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanAgreements(Result):
    """Agreement of several files with the same gold spans."""

    rows: tuple[SpanAgreement, ...]
    documents: int
    gold_spans: float
    match: str
    skipped: int
    """Documents in which people marked nothing."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each file."""
        return [
            {
                "spans": row.name,
                "a document": row.spans,
                "precision": row.precision,
                "recall": row.recall,
                "f1": row.f1,
                "low": row.low[2],
                "high": row.high[2],
                "p": row.pvalues[2],
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """The intervals and tests of all three measures."""
        measures = {
            row.name: {
                name: {"low": row.low[column], "high": row.high[column], "p": row.pvalues[column]}
                for column, name in enumerate(MEASURES)
            }
            for row in self.rows
        }
        return {"documents": self.documents, "gold spans": self.gold_spans, "match": self.match, "measures": measures}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        if not self.skipped:
            return ()
        return (f"left out {format_count(self.skipped, 'document')} in which people marked nothing",)


class _Counts(NamedTuple):
    precision: float
    recall: float
    f1: float


def compare_with_gold(
    files: Mapping[str, Sequence[DocumentSpans]],
    gold: Sequence[DocumentSpans],
    *,
    match: SpanMatch = "exact",
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> SpanAgreements:
    """Precision, recall and F1 of spans against those that people marked, averaged over documents.

    Parameters
    ----------
    files
        Spans by name; each is compared with the first by a paired permutation test over documents.
    gold
        The spans of people. Documents in which they marked nothing are left out.
    match
        When a span counts as marked: with the same ends (`exact`), or when at least half of the characters of both
        together are common (`overlap`). Each span of people counts once.
    resamples, permutations, seed
        Of the intervals and the tests.

    Returns
    -------
    SpanAgreements
        A row for each file. A document without spans in a file scores 0.

    Raises
    ------
    DataError
        A file lacks documents that people marked, or has none of them.

    Examples
    --------
    >>> from gistmeter.summarize import DocumentSpans, Span
    >>> text = "Ann Lee won in Rome."
    >>> both = DocumentSpans(doc_id="1", spans=(Span.of(text, 0, 7), Span.of(text, 15, 19)))
    >>> compare_with_gold({"all": [both]}, [both.take(1)]).rows[0].precision
    0.5
    """
    marked = [document for document in gold if document.spans]
    if not marked:
        raise DataError("people marked no span in any document: there is nothing to compare with")
    tables = {name: score_documents(name, spans, marked, match) for name, spans in files.items()}
    first = next(iter(tables.values()))
    rows = []
    for name, (table, count) in tables.items():
        parts = np.stack([table.T, np.ones_like(table.T)], axis=-1)
        interval = bootstrap_interval(parts, ratio, resamples=resamples, seed=seed)
        pvalues = (nan, nan, nan)
        if table is not first[0]:
            pvalues = _test_measures(table, first[0], permutations=permutations, seed=seed)
        precision, recall, f1 = map(float, interval.value)
        rows.append(
            SpanAgreement(
                name=name,
                spans=count,
                precision=precision,
                recall=recall,
                f1=f1,
                low=_triple(interval.low),
                high=_triple(interval.high),
                pvalues=pvalues,
            )
        )
    return SpanAgreements(
        rows=tuple(rows),
        documents=len(marked),
        gold_spans=float(np.mean([len(document.spans) for document in marked])),
        match=match,
        skipped=len(gold) - len(marked),
    )


def score_documents(
    name: str, spans: Sequence[DocumentSpans], marked: Sequence[DocumentSpans], match: SpanMatch
) -> tuple[FloatArray, float]:
    """The measures of each marked document, and how many spans there are in a document."""
    by_document = {document.doc_id: document for document in spans}
    missing = [document.doc_id for document in marked if document.doc_id not in by_document]
    if missing:
        raise DataError(f"{name} has no spans of {join_names(missing)}, which people marked: label the same documents")
    pairs = [(by_document[document.doc_id].spans, document.spans) for document in marked]
    table = np.array([_score_spans(labelled, gold, match) for labelled, gold in pairs])
    return table, float(np.mean([len(labelled) for labelled, _ in pairs]))


def _score_spans(labelled: Sequence[Span], gold: Sequence[Span], match: SpanMatch) -> _Counts:
    hits = _count_matches(labelled, gold, match)
    if not hits:
        return _Counts(0.0, 0.0, 0.0)
    precision, recall = hits / len(labelled), hits / len(gold)
    return _Counts(precision, recall, 2 * precision * recall / (precision + recall))


def _count_matches(labelled: Sequence[Span], gold: Sequence[Span], match: SpanMatch) -> int:
    """How many spans of people are found; each found span counts for one of them."""
    if match == "exact":
        return len({(span.start, span.end) for span in labelled} & {(span.start, span.end) for span in gold})
    pairs = sorted(
        (
            (-_share_in_common(span, other), number, other_number)
            for number, span in enumerate(labelled)
            for other_number, other in enumerate(gold)
            if _share_in_common(span, other) >= MIN_SHARED
        ),
    )
    used: set[int] = set()
    matched: set[int] = set()
    for _, number, other_number in pairs:
        if number not in used and other_number not in matched:
            used.add(number)
            matched.add(other_number)
    return len(matched)


def _share_in_common(span: Span, other: Span) -> float:
    common = min(span.end, other.end) - max(span.start, other.start)
    return max(0, common) / (max(span.end, other.end) - min(span.start, other.start))


def _test_measures(table: FloatArray, first: FloatArray, *, permutations: int, seed: int) -> tuple[float, float, float]:
    def test(column: int) -> float:
        a, b = (np.stack([values[:, column], np.ones(len(values))], axis=-1) for values in (table, first))
        return permutation_pvalue(a, b, ratio, permutations=permutations, seed=seed)

    return test(0), test(1), test(2)


def _triple(values: FloatArray) -> tuple[float, float, float]:
    first, second, third = map(float, values)
    return first, second, third
