"""Spans: phrases of a document that are salient, by whoever says so, with where references state them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.example import shorten_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPhrase:
    """The phrase of a reference that states what a span of the document says, by characters of that reference."""

    reference: int
    """The position of the reference, from 0."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of a document, by its characters, of which the one at `end` is no part.

    >>> Span.of("It rained in Rome.", 13, 17)
    Span(start=13, end=17, text='Rome', score=None, question=None, stated=())
    """

    start: int
    end: int
    text: str
    score: float | None = None
    """How salient it is said to be, from 0 to 1, where that was predicted."""

    question: str | None = None
    """The question that its sentence asks and it answers."""

    stated: tuple[StatedPhrase, ...] = ()
    """Where references state it."""

    @classmethod
    def of(cls, document: str, start: int, end: int) -> Span:
        """The span between two places of a document."""
        return cls(start=start, end=end, text=document[start:end])


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSpans:
    """The salient spans of one document: in the order of the document, or where they have scores the best first."""

    doc_id: str
    spans: tuple[Span, ...]
    method: str = ""
    """Who found them: the name of a method of labelling, `predicted`, or nothing."""

    candidates: int | None = None
    """How many spans there were to choose among, where that is known."""

    @property
    def in_order(self) -> tuple[Span, ...]:
        """The spans in the order of the document."""
        return tuple(sorted(self.spans, key=lambda span: (span.start, span.end)))

    def take(self, count: int | None) -> DocumentSpans:
        """The first so many spans; all of them with None."""
        return self if count is None else replace(self, spans=self.spans[:count])


def check_spans(spans: Sequence[Span], document: str, name: str) -> None:
    """Refuse spans that do not lie in a document, are empty, say another text than stands there, or overlap.

    >>> check_spans([Span(start=0, end=40, text="It")], "It rained.", "document 1")
    Traceback (most recent call last):
    gistmeter.errors.DataError: a span of document 1 ends at character 40, but the document has 10: is it the same text?
    """
    for span in spans:
        if not 0 <= span.start < span.end:
            raise DataError(
                f"a span of {name} goes from character {span.start} to {span.end}: it must start before it ends"
            )
        if span.end > len(document):
            raise DataError(
                f"a span of {name} ends at character {span.end}, but the document has {len(document)}: "
                "is it the same text?"
            )
        if document[span.start : span.end] != span.text:
            stands = shorten_value(document[span.start : span.end])
            raise DataError(
                f"a span of {name} is said to be {shorten_value(span.text)}, but characters {span.start} to "
                f"{span.end} of the document are {stands}: is it the same text?"
            )
        if not any(map(str.isalnum, span.text)):
            raise DataError(f"the span {shorten_value(span.text)} of {name} has no words")
    _refuse_overlaps(spans, name)


def _refuse_overlaps(spans: Iterable[Span], name: str) -> None:
    ordered = sorted(spans, key=lambda span: (span.start, span.end))
    for span, following in pairwise(ordered):
        if following.start < span.end:
            raise DataError(
                f"two spans of {name} overlap: {shorten_value(span.text)} (characters {span.start} to {span.end}) and "
                f"{shorten_value(following.text)} ({following.start} to {following.end}); keep one of them"
            )
