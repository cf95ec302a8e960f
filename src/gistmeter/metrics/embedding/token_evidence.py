"""Evidence for token matching: which word of the summary is closest to which of the reference, and how close."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.evidence import Table
from gistmeter.metrics.marks import group_links, mark_words_with_notes
from gistmeter.text.words import Word, find_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.evidence import Mark
    from gistmeter.evidence.alignment import TokenText
    from gistmeter.metrics.embedding.tokens import ClosestTokens

TokenScore = Literal["precision", "recall", "f1"]
_TABLE_ROWS = 8
"""Rows of the table for each of: the weakest of the summary, the weakest of the reference, the strongest."""
_MIN_WEIGHT_SHARE = 0.05
"""A word whose weight is a smaller share than this of the heaviest word's is not marked."""


@dataclass(frozen=True, slots=True)
class WordMatches:
    """Marks in both texts, linked where words are closest to each other, and the table of the matches that count."""

    marks: tuple[tuple[Mark, ...], tuple[Mark, ...]]
    table: Table


@dataclass(frozen=True, slots=True)
class _Match:
    """A word, the word on the other side that its heaviest token is closest to, and how close its tokens are.

    The cosine is missing (NaN) where the word weighs nothing.
    """

    word: int
    partner: int | None
    cosine: float
    weight: float


def match_words(
    closest: ClosestTokens, code: str, *, by: TokenScore = "recall", other: str = "reference"
) -> WordMatches:
    """The words of a summary and of another text, each with the closest of the other side.

    `by` is the score to explain: for precision the links are the edges from the summary, else those from the other
    text, which is called `other`.
    """
    texts = (closest.recall.summary, closest.recall.other)
    words = tuple(_join_words(find_words(text.text, language=code), text) for text in texts)
    owners = [_find_owning_words(text, own_words) for text, own_words in zip(texts, words, strict=True)]
    forth_edges = {edge.summary: (edge.other, edge.weight) for edge in closest.precision.edges}
    back_edges = {edge.other: (edge.summary, edge.weight) for edge in closest.recall.edges}
    forth = _match_side(texts[0], (owners[0], owners[1]), forth_edges)
    back = _match_side(texts[1], (owners[1], owners[0]), back_edges)
    if by == "precision":
        summary_groups, other_groups = group_links(_choose_links(forth))
    else:
        other_groups, summary_groups = group_links(_choose_links(back))
    marks = (
        mark_words_with_notes(words[0], summary_groups, _write_notes(forth, words[1])),
        mark_words_with_notes(words[1], other_groups, _write_notes(back, words[0])),
    )
    return WordMatches(marks, _build_table(forth, back, (words[0], words[1]), by=by, other=other))


def _join_words(words: Sequence[Word], text: TokenText) -> list[Word]:
    """The words of a text, those that one token covers joined: a Chinese token stands for several characters."""
    if not words:
        return []
    starts, ends = (np.array([getattr(token, name) for token in text.tokens], dtype=int) for name in ("start", "end"))
    first = np.searchsorted([word.end for word in words], starts, side="right")
    last = np.searchsorted([word.start for word in words], ends, side="left") - 1
    goes_on = np.zeros(len(words) - 1, dtype=np.bool_)
    for token in np.flatnonzero((last > first) & (ends > starts)):
        goes_on[first[token] : last[token]] = True
    joined = []
    for group in np.split(np.arange(len(words)), np.flatnonzero(~goes_on) + 1):
        start, end = words[group[0]].start, words[group[-1]].end
        joined.append(words[group[0]] if len(group) == 1 else Word(text.text[start:end].lower(), start, end))
    return joined


def _find_owning_words(text: TokenText, words: Sequence[Word]) -> list[int | None]:
    """For each token the position of the word it lies in, None for punctuation and special tokens."""
    starts = [word.start for word in words]
    owners: list[int | None] = []
    for token in text.tokens:
        position = bisect_right(starts, token.start) - 1
        inside = position >= 0 and token.start < words[position].end and token.end > token.start
        owners.append(position if inside else None)
    return owners


def _match_side(
    text: TokenText,
    owners: tuple[Sequence[int | None], Sequence[int | None]],
    edges: Mapping[int, tuple[int, float]],
) -> list[_Match]:
    """The words of one text with their partners in the other; `edges` has each token's partner and what it adds.

    `owners` are the words that the tokens of this text and of the other lie in.
    """
    tokens_of_words: dict[int, list[int]] = {}
    for position, word in enumerate(owners[0]):
        if word is not None and position in edges:
            tokens_of_words.setdefault(word, []).append(position)
    matches = []
    for word, positions in sorted(tokens_of_words.items()):
        weight = sum(text.tokens[position].weight for position in positions)
        gain = sum(edges[position][1] for position in positions)
        heaviest = max(positions, key=lambda position: text.tokens[position].weight)
        partner = owners[1][edges[heaviest][0]]
        matches.append(_Match(word=word, partner=partner, cosine=gain / weight if weight else np.nan, weight=weight))
    return matches


def _choose_links(matches: Sequence[_Match]) -> list[tuple[int, int]]:
    """The words that weigh enough to be marked, each with its partner."""
    least = _MIN_WEIGHT_SHARE * max((match.weight for match in matches), default=0.0)
    return [(match.word, match.partner) for match in matches if match.partner is not None and match.weight >= least]


def _write_notes(matches: Sequence[_Match], other_words: Sequence[Word]) -> dict[int, str]:
    """For each word its closest word on the other side, in words."""
    return {
        match.word: f"closest: “{other_words[match.partner].text}”, {_tell_cosine(match)}"
        for match in matches
        if match.partner is not None
    }


def _tell_cosine(match: _Match) -> str:
    return f"cosine {match.cosine:.3f}" if match.weight else "no weight"


def _build_table(
    forth: Sequence[_Match],
    back: Sequence[_Match],
    words: tuple[Sequence[Word], Sequence[Word]],
    *,
    by: TokenScore,
    other: str,
) -> Table:
    """What cost most precision, what cost most recall, and what brought most; for precision or recall its own rows."""

    def describe(
        matches: Sequence[_Match], kind: str, own_words: Sequence[Word], other_words: Sequence[Word]
    ) -> list[tuple[str, ...]]:
        return [
            (
                kind,
                own_words[match.word].text,
                other_words[match.partner].text if match.partner is not None else "-",
                f"{match.cosine:.3f}" if match.weight else "-",
                f"{match.weight:.2f}",
            )
            for match in matches[:_TABLE_ROWS]
        ]

    def by_loss(match: _Match) -> float:
        return -match.weight * (1 - match.cosine) if match.weight else 0.0

    def by_gain(match: _Match) -> float:
        return -match.weight * match.cosine if match.weight else 0.0

    summary_words, second_words = words
    rows: list[tuple[str, ...]] = []
    if by != "recall":
        rows += describe(sorted(forth, key=by_loss), "summary, far", summary_words, second_words)
    if by != "precision":
        rows += describe(sorted(back, key=by_loss), f"{other}, far", second_words, summary_words)
    if by == "recall":
        rows += describe(sorted(back, key=by_gain), f"{other}, close", second_words, summary_words)
    else:
        rows += describe(sorted(forth, key=by_gain), "summary, close", summary_words, second_words)
    return Table(("side", "word", "closest", "cosine", "weight"), tuple(rows), "matches that count most")
