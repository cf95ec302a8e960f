"""Evidence for consistency: each sentence of the summary with what supports it, and the words that nothing supports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.linguistics.contrasts.conflicts import find_conflicts
from gistmeter.metrics.marks import mark_segments
from gistmeter.models.consistency.features import find_unsupported
from gistmeter.models.consistency.measuring import read_document
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Sequence

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
                for conflict in find_conflicts(best, sentence)
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


def list_unsupported_words(document: str, sentence: str) -> tuple[str, ...]:
    """The content words, numbers and dates of a sentence that the document does not have, in their order.

    >>> list_unsupported_words("Ann Lee opened 3 bridges in May.", "Ann Lee happily opened four bridges in June.")
    ('happily', 'four', 'June')
    """
    if not has_words(document):
        return ()
    missing = find_unsupported(read_document(document).words, sentence)
    wanted = {word.lower() for text in (*missing.numbers, *missing.dates) for word in text.split()} | missing.words
    words = [match.group() for match in re.finditer(r"\d+(?:[.,]\d+)*|\w+(?:['’-]\w+)*", sentence)]
    return tuple(dict.fromkeys(word for word in words if word.lower() in wanted))


def explain_support(
    spelling: str,
    example: Example,
    sentences: Sequence[JudgedSentence],
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
            Pane("summary", example.summary, _mark_summary(example.summary, sentences, threshold)),
            Pane("document", example.document or "", _mark_document(example.document or "", sentences)),
            Table(header, rows, "sentences of the summary, the least supported first"),
        ),
    )


def _mark_summary(text: str, sentences: Sequence[JudgedSentence], threshold: float) -> tuple[Mark, ...]:
    """The words that nothing supports; in a sentence that lacks none, but is not supported, all of it."""
    marks: list[Mark] = []
    end = 0
    for number, judged in enumerate(sentences):
        start = text.find(judged.sentence, end)
        if start < 0:  # the splitter changed it
            continue
        end = start + len(judged.sentence)
        note = f"{judged.support:.3f}"
        if judged.support > threshold or not judged.unsupported:
            marks.append(Mark(start, end, group=number, note=note))
            continue
        marks += [
            Mark(start + match.start(), start + match.end(), group=number, note=f"{note}: not in the document")
            for match in _find_words(judged.sentence, judged.unsupported)
        ]
    return tuple(marks)


def _find_words(sentence: str, words: Sequence[str]) -> list[re.Match[str]]:
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return list(re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", sentence))


def _mark_document(text: str, sentences: Sequence[JudgedSentence]) -> tuple[Mark, ...]:
    """The best passage of each sentence, in its colour."""
    groups: dict[str, list[int]] = {}
    for number, judged in enumerate(sentences):
        if judged.best:
            groups.setdefault(judged.best, []).append(number)
    ordered = sorted(groups, key=lambda part: (text.find(part), part))
    notes = [
        "best passage for "
        + ", ".join(f"sentence {number + 1} ({sentences[number].support:.3f})" for number in groups[part])
        for part in ordered
    ]
    return mark_segments(text, ordered, [groups[part] for part in ordered], notes)
