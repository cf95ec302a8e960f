"""Examples to learn from: a document with marks and the summary to write, with the augmentation of section 6.4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.models.generation.marked import mark_document
from gistmeter.summarize.spans import check_spans
from gistmeter.text.sentences import find_sentences
from gistmeter.training.summarizer.ways import Augmentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.spans import DocumentSpans, Span


@dataclass(frozen=True, slots=True)
class MarkedExample:
    """A document with marks, and the summary that says them."""

    doc_id: str
    text: str
    summary: str


def parse_augmentation(text: str) -> frozenset[Augmentation]:
    """The ways to augment that a text names, with commas between.

    >>> sorted(parse_augmentation("sentences,prefixes"))
    ['prefixes', 'sentences']
    """
    ways: tuple[Augmentation, ...] = get_args(Augmentation)
    chosen = []
    for name in filter(None, (part.strip() for part in text.split(","))):
        way_name = next((way for way in ways if way == name), None)
        if way_name is None:
            raise ArgumentError(f"`augment` is sentences, prefixes or both, not {name!r}{suggestion(name, ways)}")
        chosen.append(way_name)
    return frozenset(chosen)


def make_examples(
    sources: Iterable[Source],
    spans: Sequence[DocumentSpans],
    *,
    augment: frozenset[Augmentation] = frozenset(),
    noise: float = 0.0,
    seed: int = 0,
) -> list[MarkedExample]:
    """The examples of all documents that have spans and a reference; `noise` leaves out that share of the spans."""
    silver = {document.doc_id: document for document in spans}
    rng = np.random.default_rng(seed)
    examples: list[MarkedExample] = []
    for source in sources:
        if source.doc_id not in silver or not source.references:
            continue
        ordered = silver[source.doc_id].in_order
        check_spans(ordered, source.document, f"document {source.doc_id!r}")
        marked_spans = [span for span in ordered if rng.random() >= noise] if noise else list(ordered)
        examples += augment_document(source, marked_spans, augment)
    return examples


def augment_document(source: Source, spans: Sequence[Span], augment: frozenset[Augmentation]) -> list[MarkedExample]:
    """The examples of one document: as it is, or without sentences that no span maps to, and all its beginnings."""
    reference = source.references[0]
    sentences = find_sentences(reference)
    owners = {span: _find_sentences_of(span, sentences) for span in spans}
    if augment and spans and not any(span.stated for span in spans):
        raise DataError(
            f"the spans of document {source.doc_id!r} do not say where the reference states them: augment with spans "
            "of `gistmeter spans label --method qa`, lexical or entities"
        )
    numbers = list(range(len(sentences)))
    if "sentences" in augment:
        numbers = [number for number in numbers if any(number in owner for owner in owners.values())]
    if not numbers:
        return []
    counts = range(1, len(numbers) + 1) if "prefixes" in augment else [len(numbers)]
    examples = []
    for count in counts:
        chosen_sentences = set(numbers[:count])
        marked = [span for span in spans if not augment or owners[span] & chosen_sentences]
        if not marked and count < len(numbers):
            continue  # it would teach to write what nothing marks
        ends = [sentences[number] for number in numbers[:count]]
        summary = " ".join(reference[start:end] for start, end in ends)
        text = mark_document(source.document, [(span.start, span.end) for span in marked])
        examples.append(MarkedExample(source.doc_id, text, summary))
    return examples


def _find_sentences_of(span: Span, sentences: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The sentences of the first reference that state a span."""
    return frozenset(
        number
        for number, (start, end) in enumerate(sentences)
        for phrase in span.stated
        if phrase.reference == 0 and start <= phrase.start < end
    )
