"""Evidence for ESTIME: the alarmed words of a summary, and what the document has instead of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Mark, Pane, Table
from gistmeter.evidence.alignment import Alignment, Edge, locate_tokens
from gistmeter.metrics.marks import expand_to_word

if TYPE_CHECKING:
    from gistmeter.evidence.alignment import TokenText
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


@dataclass(frozen=True, slots=True, eq=False)
class RaisedAlarms:
    """The alarmed tokens of a summary with those of the document that fit better, and those the document lacks."""

    alignment: Alignment
    alarms: Alarms
    unmatched: tuple[int, ...] = ()
    """Positions of alarmed tokens that the document does not have."""

    def describe_fit(self, token: int) -> tuple[str, str]:
        """How well the better token of the document fits, and how well the token itself does."""
        return f"{self.alarms.best[token]:.3g}", f"{self.alarms.own[token]:.3g}"


def align_alarms(summary: Encoded, document: Encoded, alarms: Alarms) -> Alignment:
    """Every alarmed token of a summary that its document has, with the token of the document that fits better."""
    tokens = np.flatnonzero(alarms.alarmed).tolist()
    return Alignment(
        locate_tokens("summary", summary.text, summary.starts.tolist(), summary.ends.tolist()),
        locate_tokens("document", document.text, document.starts.tolist(), document.ends.tolist()),
        tuple(Edge(token, int(alarms.match[token])) for token in tokens),
    )


def mark_alarms(raised: RaisedAlarms) -> tuple[Pane, Pane]:
    """The summary with its alarmed words, and the document with the words that fit better, paired by group."""
    summary, document = raised.alignment.summary, raised.alignment.other
    matches = {edge.summary: edge.other for edge in raised.alignment.edges}
    summary_words: dict[Span, _WordNotes] = {}
    document_words: dict[Span, _WordNotes] = {}
    for token in sorted([*matches, *raised.unmatched]):
        word = summary_words.setdefault(_find_word(summary, token), _WordNotes([len(summary_words)], []))
        name = _name_token(summary, token)
        if token not in matches:
            word.notes.append(f"the document has no “{name}”")
            continue
        better_word = document_words.setdefault(_find_word(document, matches[token]), _WordNotes([], []))
        better_word.groups.extend(word.groups)
        better_fit, own_fit = raised.describe_fit(token)
        fits = f"fit {better_fit}, own fit {own_fit}"
        word.notes.append(f"“{_name_token(document, matches[token])}” fits better than “{name}” ({fits})")
        better_word.notes.append(f"fits better than “{name}” ({fits})")
    return (
        Pane("summary: alarmed words", summary.text, _build_marks(summary_words)),
        Pane("document: words that fit better", document.text, _build_marks(document_words)),
    )


def tabulate_alarms(raised: RaisedAlarms) -> Table:
    """The alarms, the clearest first: the word, what fits better and where it stands, and how much better it fits."""
    summary, document = raised.alignment.summary, raised.alignment.other
    gaps = raised.alarms.best - raised.alarms.own
    rows = [(_name_token(summary, token), "-", "not in the document", "-", "-") for token in raised.unmatched]
    for edge in sorted(raised.alignment.edges, key=lambda edge: -gaps[edge.summary]):
        better = _name_token(document, edge.other), _quote_context(document, edge.other)
        rows.append((_name_token(summary, edge.summary), *better, *raised.describe_fit(edge.summary)))
    return Table(("word", "fits better", "in the document", "its fit", "own fit"), tuple(rows), "alarms")


def _build_marks(words: dict[Span, _WordNotes]) -> tuple[Mark, ...]:
    """Marks in order; of two that overlap the first stays."""
    marks: list[Mark] = []
    for (start, end), word in sorted(words.items(), key=lambda item: item[0]):
        if end > start and (not marks or start >= marks[-1].end):
            first, *others = dict.fromkeys(word.groups)
            marks.append(Mark(start=start, end=end, group=first, also=tuple(others), note="; ".join(word.notes)))
    return tuple(marks)


def _find_word(text: TokenText, token: int) -> Span:
    """Start and end of the word that a token is a piece of."""
    return expand_to_word(text.text, text.tokens[token].start, text.tokens[token].end)


def _name_token(text: TokenText, token: int) -> str:
    """A token by its word, and by its letters where it is only a piece of that."""
    start, end = _find_word(text, token)
    word = text.text[start:end]
    piece = (text.tokens[token].start, text.tokens[token].end)
    return word if piece == (start, end) else f"{word} ({text.text[slice(*piece)]})"


def _quote_context(text: TokenText, token: int) -> str:
    """The word of a token in brackets, with the words around it."""
    start, end = _find_word(text, token)
    before = text.text[max(0, start - _CONTEXT_CHARACTERS) : start]
    after = text.text[end : end + _CONTEXT_CHARACTERS]
    before = before.partition(" ")[2] if start > _CONTEXT_CHARACTERS else before
    after = after.rpartition(" ")[0] if end + _CONTEXT_CHARACTERS < len(text.text) else after
    return " ".join(f"{before}[{text.text[start:end]}]{after}".split())
