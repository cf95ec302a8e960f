"""Alarms: tokens of a summary whose context, in the document, belongs rather to another token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Mark, Pane, Table
from gistmeter.models.runtime.states import unit

if TYPE_CHECKING:
    from gistmeter.arrays import BoolArray, IntArray
    from gistmeter.models.runtime.states import Encoded, StateArray


_NEARBY = 40
"""Characters of the document shown on either side of a match."""


@dataclass(frozen=True, slots=True, eq=False)
class Alarms:
    """What is known of each token of a summary; the numbers of a token that is not checked mean nothing."""

    kept: BoolArray
    """Tokens of no excluded part of speech."""
    checked: BoolArray
    """Of those, the ones that the document has too."""
    own: StateArray
    """The best product with an occurrence of the same token in the document: s(i) of equation 2."""
    best: StateArray
    """The best product with any other token of the document."""
    match: IntArray
    """Where in the document that other token stands."""
    winners: IntArray
    """How many tokens of the document, all other than this one, do better than its own occurrences."""
    pool: IntArray
    """The places in the document that were compared with."""

    @property
    def alarmed(self) -> BoolArray:
        """Checked tokens that another token of the document beats."""
        return self.checked & (self.best > self.own)


def find_alarms(
    summary: Encoded,
    document: Encoded,
    *,
    layer: int,
    normalise: bool = False,
    kept: BoolArray | None = None,
    pool: BoolArray | None = None,
) -> Alarms:
    """Compare the masked tokens of a summary with those of its document.

    `kept` are the tokens of the summary to check, `pool` those of the document to compare with; without them all.
    """
    kept = np.ones(len(summary), dtype=np.bool_) if kept is None else kept
    places = np.arange(len(document)) if pool is None else np.flatnonzero(pool)
    mine, theirs = summary.states[layer], document.states[layer][places]
    if normalise:
        mine, theirs = unit(mine), unit(theirs)
    same = summary.ids[:, None] == document.ids[places][None, :]
    checked = kept & same.any(axis=1)
    if not len(places):
        none, nowhere = np.zeros(len(summary), dtype=np.float32), np.zeros(len(summary), dtype=np.int64)
        return Alarms(kept, checked, none, none, nowhere, nowhere, places)
    products = mine @ theirs.T
    own = np.where(same, products, -np.inf).max(axis=1)
    others = np.where(same, -np.inf, products)
    return Alarms(
        kept=kept,
        checked=checked,
        own=own,
        best=others.max(axis=1),
        match=places[others.argmax(axis=1)],
        winners=(others > own[:, None]).sum(axis=1),
        pool=places,
    )


def alarm_panes(summary: Encoded, document: Encoded, alarms: Alarms, alarmed: BoolArray) -> tuple[Pane, Pane]:
    """The summary with its alarmed words, and the document with the words that fit better, paired by group."""
    marks: dict[tuple[int, int], _Noted] = {}
    matches: dict[tuple[int, int], _Noted] = {}
    for token in np.flatnonzero(alarmed).tolist():
        span = word_around(summary.text, summary.starts[token], summary.ends[token])
        mine = marks.setdefault(span, _Noted([len(marks)], []))
        if not alarms.checked[token]:
            mine.notes.append(f"the document has no “{_shown(summary, token)}”")
            continue
        place = int(alarms.match[token])
        theirs = matches.setdefault(
            word_around(document.text, document.starts[place], document.ends[place]), _Noted([], [])
        )
        theirs.groups.extend(mine.groups)
        fits = f"fit {alarms.best[token]:.3g}, own fit {alarms.own[token]:.3g}"
        mine.notes.append(f"“{_shown(document, place)}” fits better than “{_shown(summary, token)}” ({fits})")
        theirs.notes.append(f"fits better than “{_shown(summary, token)}” ({fits})")
    return (
        Pane("summary: alarmed words", summary.text, _marks(marks)),
        Pane("document: words that fit better", document.text, _marks(matches)),
    )


def alarm_table(summary: Encoded, document: Encoded, alarms: Alarms, alarmed: BoolArray) -> Table:
    """The alarms, the clearest first: the word, what fits better and where it stands, and how much better it fits."""
    places = np.flatnonzero(alarmed)
    gaps = np.where(alarms.checked, alarms.best - alarms.own, np.inf)
    rows = []
    for token in places[np.argsort(-gaps[places], kind="stable")]:
        shown = _shown(summary, token)
        if not alarms.checked[token]:
            rows.append((shown, "-", "not in the document", "-", "-"))
            continue
        match = int(alarms.match[token])
        where = f"{alarms.best[token]:.3g}", f"{alarms.own[token]:.3g}"
        rows.append((shown, _shown(document, match), _context(document, match), *where))
    return Table(("word", "fits better", "in the document", "its fit", "own fit"), tuple(rows), "alarms")


def word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole word that a piece of a text belongs to, as start and end; a Chinese piece is its own.

    >>> word_around("an unbeatable price", 5, 9), word_around("市议会批准", 1, 2)
    ((3, 13), (1, 2))
    """
    start, end = int(start), int(end)
    while start > 0 and _one_word(text[start - 1 : start + 1]):
        start -= 1
    while end < len(text) and _one_word(text[end - 1 : end + 1]):
        end += 1
    return start, end


def _one_word(letters: str) -> bool:
    """Whether letters that stand beside each other belong to one word; scripts without spaces do not say."""
    return letters.isalnum() and not any("\u3040" <= one <= "\u30ff" or "\u3400" <= one <= "\u9fff" for one in letters)


@dataclass(frozen=True, slots=True)
class _Noted:
    """The groups of a word, and what there is to say of it."""

    groups: list[int]
    notes: list[str]


def _marks(found: dict[tuple[int, int], _Noted]) -> tuple[Mark, ...]:
    """Marks in order; of two that overlap the first stays."""
    marks: list[Mark] = []
    for (start, end), noted in sorted(found.items(), key=lambda item: item[0]):
        if end > start and (not marks or start >= marks[-1].end):
            first, *others = dict.fromkeys(noted.groups)
            marks.append(Mark(start, end, first, tuple(others), "; ".join(noted.notes)))
    return tuple(marks)


def _shown(text: Encoded, token: int) -> str:
    """A token, with the word it is a piece of."""
    start, end = int(text.starts[token]), int(text.ends[token])
    first, last = word_around(text.text, start, end)
    word = text.text[first:last]
    return word if (first, last) == (start, end) else f"{word} ({text.text[start:end]})"


def _context(text: Encoded, token: int) -> str:
    """A token with the words around it."""
    start, end = word_around(text.text, text.starts[token], text.ends[token])
    before = text.text[max(0, start - _NEARBY) : start]
    after = text.text[end : end + _NEARBY]
    before = before.partition(" ")[2] if start > _NEARBY else before
    after = after.rpartition(" ")[0] if end + _NEARBY < len(text.text) else after
    return " ".join(f"{before}[{text.text[start:end]}]{after}".split())
