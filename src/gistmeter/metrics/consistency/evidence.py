"""Evidence for consistency: each sentence of the summary with what supports it, and the words that nothing supports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.evidence.alignment import Alignment, Edge, cut_tokens, locate_parts
from gistmeter.linguistics.contrasts.conflicts import find_conflicts
from gistmeter.models.consistency.features import find_unsupported
from gistmeter.models.consistency.measuring import read_document, spell_claim
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence.alignment import Span
    from gistmeter.example import Example
    from gistmeter.metrics.consistency.aggregates import SentenceSupport


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of a summary, its support, the part of the document that supports it most, and what of it nothing has.

    `conflicts` are what of the sentence is at odds with what of that part.
    """

    sentence: str
    support: float
    best: str
    unsupported: tuple[str, ...]
    conflicts: tuple[str, ...]


def describe_sentences(
    document: str, sentences: Sequence[str], support: SentenceSupport, language: str
) -> list[JudgedSentence]:
    """What evidence says of each sentence; words are looked for in English alone."""
    described = []
    for number, sentence in enumerate(sentences[: len(support.support)]):
        best = support.parts[support.best[number]] if support.best else ""
        unsupported: tuple[str, ...] = ()
        conflicts: tuple[str, ...] = ()
        if language == "en":
            unsupported = list_unsupported_words(document, sentence)
            conflicts = tuple(
                f"{conflict.stated} / {conflict.text}" if conflict.text else conflict.stated
                for conflict in find_conflicts(best, spell_claim(read_document(document), sentence))
            )
        described.append(
            JudgedSentence(
                sentence=sentence,
                support=float(support.support[number]),
                best=best,
                unsupported=unsupported,
                conflicts=conflicts,
            )
        )
    return described


def align_support(example: Example, support: SentenceSupport, sentences: Sequence[str]) -> Alignment:
    """Every sentence of the summary with the part of the document that supports it most: edges add up to the mean.

    The judge may have read other sentences of the document beside that part. A sentence that the splitter changed has
    no place in its text, and no edge.
    """
    document = example.document or ""
    claims, parts = locate_parts(example.summary, sentences), locate_parts(document, support.parts)
    summary = cut_tokens("summary", example.summary, [span for span in claims if span])
    other = cut_tokens("document", document, [span for span in parts if span])
    edges = []
    for claim, probability, best in zip(claims, support.support, support.best, strict=False):
        run = None if claim is None else summary.find_run(claim)
        part = parts[best]
        part_run = None if part is None else other.find_run(part)
        if run is not None and part_run is not None:
            edges.append(
                Edge(
                    summary=run.first,
                    other=part_run.first,
                    weight=float(probability) / len(support.support),
                    summary_size=run.size,
                    other_size=part_run.size,
                )
            )
    return Alignment(summary, other, tuple(edges))


def list_unsupported_words(document: str, sentence: str) -> tuple[str, ...]:
    """The content words, numbers and dates of a sentence that the document does not have, in their order.

    >>> list_unsupported_words("Ann Lee opened 3 bridges in May.", "Ann Lee happily opened four bridges in June.")
    ('happily', 'four', 'June')
    """
    if not has_words(document):
        return ()
    read = read_document(document)
    missing = find_unsupported(read.words, spell_claim(read, sentence))
    wanted = {word.lower() for text in (*missing.numbers, *missing.dates) for word in text.split()} | missing.words
    words = [match.group() for match in re.finditer(r"\d+(?:[.,]\d+)*|\w+(?:['’-]\w+)*", sentence)]
    return tuple(dict.fromkeys(word for word in words if word.lower() in wanted))


def explain_support(
    spelling: str,
    example: Example,
    sentences: Sequence[JudgedSentence],
    alignment: Alignment,
    *,
    scores: tuple[float, float, float],
    threshold: float,
) -> Evidence:
    """Each sentence with its support, the least supported first, and the words that nothing supports marked."""
    if not sentences:
        reason = "the summary has no sentence with words" if has_words(example.document or "") else "no document"
        return Evidence(spelling, f"nothing to judge: {reason}", (Pane("summary", example.summary),))
    mean, lowest, share = scores
    order = sorted(range(len(sentences)), key=lambda number: (sentences[number].support, number))
    rows = tuple(
        (
            sentences[number].sentence,
            f"{sentences[number].support:.3f}",
            " ".join(sentences[number].best.split()),
            ", ".join(sentences[number].unsupported) or "-",
            "; ".join(sentences[number].conflicts) or "-",
        )
        for number in order
    )
    count = f"{len(sentences)} {'sentence' if len(sentences) == 1 else 'sentences'}"
    header = (
        "sentence of the summary",
        "support",
        "best passage",
        "words not in the document",
        "at odds (stated / document)",
    )
    return Evidence(
        metric=spelling,
        headline=(
            f"{mean:.3f}: mean probability that the document supports {count} of the summary; the lowest has "
            f"{lowest:.3f}, and {share:.0%} are above {threshold:g}"
        ),
        blocks=(
            *_mark_aligned(sentences, alignment, threshold),
            Table(header, rows, "sentences of the summary, the least supported first"),
        ),
    )


def _mark_aligned(sentences: Sequence[JudgedSentence], alignment: Alignment, threshold: float) -> tuple[Pane, Pane]:
    """Each sentence and its best passage in one colour.

    Of a sentence that is not supported only the words are marked that the document does not have, if there are any.
    """
    spans = locate_parts(alignment.summary.text, [judged.sentence for judged in sentences])
    numbers = {span.start: number for number, span in enumerate(spans) if span is not None}
    summary_marks: list[Mark] = []
    sentences_of_parts: dict[Span, list[int]] = {}
    for edge in alignment.edges:
        span = alignment.summary.cover(edge.summary_run)
        number = numbers[span.start]
        summary_marks += _mark_sentence(sentences[number], number, span, alignment.summary.text, threshold)
        sentences_of_parts.setdefault(alignment.other.cover(edge.other_run), []).append(number)
    part_marks = []
    for part, own in sorted(sentences_of_parts.items(), key=lambda item: item[0].start):
        supported = ", ".join(f"sentence {number + 1} ({sentences[number].support:.3f})" for number in own)
        note = f"best passage for {supported}"
        part_marks.append(Mark(part.start, part.end, own[0], also=tuple(own[1:]), note=note))
    return (
        Pane("summary", alignment.summary.text, tuple(summary_marks)),
        Pane("document", alignment.other.text, tuple(part_marks)),
    )


def _mark_sentence(judged: JudgedSentence, number: int, span: Span, text: str, threshold: float) -> list[Mark]:
    """A sentence, or what of it nothing supports."""
    note = f"{judged.support:.3f}"
    if judged.support > threshold or not judged.unsupported:
        return [Mark(span.start, span.end, group=number, note=note)]
    return [
        Mark(span.start + match.start(), span.start + match.end(), group=number, note=f"{note}: not in the document")
        for match in _find_words(text[span.start : span.end], judged.unsupported)
    ]


def _find_words(sentence: str, words: Sequence[str]) -> list[re.Match[str]]:
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return list(re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", sentence))
