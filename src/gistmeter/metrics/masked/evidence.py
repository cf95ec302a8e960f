"""Evidence for ESTIME: the alarmed words of a summary, and what the document has instead of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Mark, Pane, Table
from gistmeter.metrics.marks import expand_to_word

if TYPE_CHECKING:
    from gistmeter.arrays import BoolArray
    from gistmeter.metrics.marks import Span
    from gistmeter.metrics.masked.alarms import Alarms
    from gistmeter.models.runtime.states import Encoded

_CONTEXT_CHARACTERS = 40
"""Characters of the document shown on either side of a match."""


@dataclass(frozen=True, slots=True)
class _WordNotes:
    """The groups of a word, and what there is to say of it."""

    groups: list[int]
    notes: list[str]


def mark_alarms(summary: Encoded, document: Encoded, alarms: Alarms, alarmed: BoolArray) -> tuple[Pane, Pane]:
    """The summary with its alarmed words, and the document with the words that fit better, paired by group."""
    summary_words: dict[Span, _WordNotes] = {}
    document_words: dict[Span, _WordNotes] = {}
    for token in np.flatnonzero(alarmed).tolist():
        word = summary_words.setdefault(_find_word(summary, token), _WordNotes([len(summary_words)], []))
        if not alarms.checked[token]:
            word.notes.append(f"the document has no “{_name_token(summary, token)}”")
            continue
        match = int(alarms.match[token])
        better_word = document_words.setdefault(_find_word(document, match), _WordNotes([], []))
        better_word.groups.extend(word.groups)
        name = _name_token(summary, token)
        fits = f"fit {alarms.best[token]:.3g}, own fit {alarms.own[token]:.3g}"
        word.notes.append(f"“{_name_token(document, match)}” fits better than “{name}” ({fits})")
        better_word.notes.append(f"fits better than “{name}” ({fits})")
    return (
        Pane("summary: alarmed words", summary.text, _build_marks(summary_words)),
        Pane("document: words that fit better", document.text, _build_marks(document_words)),
    )


def tabulate_alarms(summary: Encoded, document: Encoded, alarms: Alarms, alarmed: BoolArray) -> Table:
    """The alarms, the clearest first: the word, what fits better and where it stands, and how much better it fits."""
    tokens = np.flatnonzero(alarmed)
    gaps = np.where(alarms.checked, alarms.best - alarms.own, np.inf)
    rows = []
    for token in tokens[np.argsort(-gaps[tokens], kind="stable")]:
        name = _name_token(summary, token)
        if not alarms.checked[token]:
            rows.append((name, "-", "not in the document", "-", "-"))
            continue
        match = int(alarms.match[token])
        fits = f"{alarms.best[token]:.3g}", f"{alarms.own[token]:.3g}"
        rows.append((name, _name_token(document, match), _quote_context(document, match), *fits))
    return Table(("word", "fits better", "in the document", "its fit", "own fit"), tuple(rows), "alarms")


def _build_marks(words: dict[Span, _WordNotes]) -> tuple[Mark, ...]:
    """Marks in order; of two that overlap the first stays."""
    marks: list[Mark] = []
    for (start, end), word in sorted(words.items(), key=lambda item: item[0]):
        if end > start and (not marks or start >= marks[-1].end):
            first, *others = dict.fromkeys(word.groups)
            marks.append(Mark(start=start, end=end, group=first, also=tuple(others), note="; ".join(word.notes)))
    return tuple(marks)


def _find_word(encoded: Encoded, token: int) -> Span:
    """Start and end of the word that a token is a piece of."""
    return expand_to_word(encoded.text, encoded.starts[token], encoded.ends[token])


def _name_token(encoded: Encoded, token: int) -> str:
    """A token by its word, and by its letters where it is only a piece of that."""
    start, end = _find_word(encoded, token)
    word = encoded.text[start:end]
    piece = (int(encoded.starts[token]), int(encoded.ends[token]))
    return word if piece == (start, end) else f"{word} ({encoded.text[slice(*piece)]})"


def _quote_context(encoded: Encoded, token: int) -> str:
    """The word of a token in brackets, with the words around it."""
    text = encoded.text
    start, end = _find_word(encoded, token)
    before = text[max(0, start - _CONTEXT_CHARACTERS) : start]
    after = text[end : end + _CONTEXT_CHARACTERS]
    before = before.partition(" ")[2] if start > _CONTEXT_CHARACTERS else before
    after = after.rpartition(" ")[0] if end + _CONTEXT_CHARACTERS < len(text) else after
    return " ".join(f"{before}[{text[start:end]}]{after}".split())
