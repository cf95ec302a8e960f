"""Salience by sentences: those that greedily make ROUGE-2 with the reference as high as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
from gistmeter.summarize.spans import DocumentSpans, Span
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.summarize.documents import Source

METHOD = "sentences"
F1_COLUMN = 2


def label_by_sentences(source: Source) -> DocumentSpans:
    """The sentences of a document that together have the best ROUGE-2 F1, added one by one while one helps."""
    sentences = find_sentences(source.document)
    texts = [source.document[start:end] for start, end in sentences]
    chosen: list[int] = []
    best = 0.0
    while len(chosen) < len(texts):
        others = [number for number in range(len(texts)) if number not in chosen]
        scores = _score(source, [sorted([*chosen, number]) for number in others], texts)
        if max(scores) <= best:
            break
        best = max(scores)
        chosen.append(others[scores.index(best)])
    spans = tuple(Span.of(source.document, *sentences[number]) for number in sorted(chosen))
    return DocumentSpans(doc_id=source.doc_id, spans=spans, method=METHOD, candidates=len(texts))


def _score(source: Source, choices: Sequence[Sequence[int]], texts: Sequence[str]) -> list[float]:
    """ROUGE-2 F1 of each choice of sentences, averaged over the references."""
    examples = [
        Example(
            doc_id=source.doc_id,
            system=str(number),
            summary="\n".join(texts[sentence] for sentence in choice),
            references=source.references,
        )
        for number, choice in enumerate(choices)
    ]
    return [float(row[F1_COLUMN]) for row in parse_metric("rouge2").score(examples)]
