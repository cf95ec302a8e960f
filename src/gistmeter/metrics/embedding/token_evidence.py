"""Evidence for token matching: which word of the summary is closest to which of the reference, and how close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.evidence import Table
from gistmeter.metrics.marks import group_links, mark_words_with_notes
from gistmeter.models.encoder.matching import find_best_matches, weighted_mean
from gistmeter.text.words import Word, find_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.evidence import Mark
    from gistmeter.metrics.embedding.tokens import WeightedTokens
    from gistmeter.models.encoder.matching import StateArray

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
    """A word, the word on the other side that its heaviest token is closest to, and how close its tokens are."""

    word: int
    partner: int | None
    cosine: float
    weight: float


def match_words(
    texts: tuple[str, str],
    tokens: tuple[WeightedTokens, WeightedTokens],
    code: str,
    *,
    by: TokenScore = "f1",
    other: str = "reference",
) -> WordMatches:
    """The words of a summary and of another text, each with the closest of the other side.

    `by` is the score to explain: for recall the links go from the second text to the summary, else the other way.
    `other` is what the second text is called.
    """
    summary_tokens, other_tokens = tokens
    words = (
        _join_words(find_words(texts[0], language=code), texts[0], summary_tokens),
        _join_words(find_words(texts[1], language=code), texts[1], other_tokens),
    )
    owners = (_find_owning_words(summary_tokens, words[0]), _find_owning_words(other_tokens, words[1]))
    best = find_best_matches(summary_tokens.states, other_tokens.states)
    forth = _match_side(
        owners[0], owners[1], cosines=best.left, nearest=best.nearest_right, weights=summary_tokens.weights
    )
    back = _match_side(
        owners[1], owners[0], cosines=best.right, nearest=best.nearest_left, weights=other_tokens.weights
    )
    if by == "recall":
        other_groups, summary_groups = group_links(_choose_links(back))
    else:
        summary_groups, other_groups = group_links(_choose_links(forth))
    marks = (
        mark_words_with_notes(words[0], summary_groups, _write_notes(forth, words[1])),
        mark_words_with_notes(words[1], other_groups, _write_notes(back, words[0])),
    )
    return WordMatches(marks, _build_table(forth, back, words, by=by, other=other))


def _join_words(words: Sequence[Word], text: str, tokens: WeightedTokens) -> list[Word]:
    """The words of a text, those that one token covers joined: a Chinese token stands for several characters."""
    if not words:
        return []
    first = np.searchsorted([word.end for word in words], tokens.starts, side="right")
    last = np.searchsorted([word.start for word in words], tokens.ends, side="left") - 1
    goes_on = np.zeros(len(words) - 1, dtype=np.bool_)
    for token in np.flatnonzero((last > first) & (tokens.ends > tokens.starts)):
        goes_on[first[token] : last[token]] = True
    joined = []
    for group in np.split(np.arange(len(words)), np.flatnonzero(~goes_on) + 1):
        start, end = words[group[0]].start, words[group[-1]].end
        joined.append(words[group[0]] if len(group) == 1 else Word(text[start:end].lower(), start, end))
    return joined


def _find_owning_words(tokens: WeightedTokens, words: Sequence[Word]) -> IntArray:
    """For each token the position of the word it lies in, or -1 (punctuation, special tokens)."""
    if not words:
        return np.full(len(tokens.starts), -1, dtype=np.int64)
    starts = np.array([word.start for word in words])
    ends = np.array([word.end for word in words])
    positions = np.searchsorted(starts, tokens.starts, side="right") - 1
    inside = (positions >= 0) & (tokens.starts < ends[positions]) & (tokens.ends > tokens.starts)
    return np.where(inside, positions, -1).astype(np.int64)


def _match_side(
    owners: IntArray, other_owners: IntArray, *, cosines: StateArray, nearest: IntArray, weights: FloatArray
) -> list[_Match]:
    """The words of one text with their partners in the other; `nearest` is the other text's token for each token."""
    matches: list[_Match] = []
    order = np.argsort(owners, kind="stable")
    order = order[owners[order] >= 0]
    for tokens in np.split(order, np.flatnonzero(np.diff(owners[order])) + 1) if len(order) else ():
        heaviest = tokens[np.argmax(weights[tokens])]
        partner = int(other_owners[nearest[heaviest]])
        matches.append(
            _Match(
                word=int(owners[tokens[0]]),
                partner=partner if partner >= 0 else None,
                cosine=weighted_mean(cosines[tokens], weights[tokens]),
                weight=float(weights[tokens].sum()),
            )
        )
    return matches


def _choose_links(matches: Sequence[_Match]) -> list[tuple[int, int]]:
    """The words that weigh enough to be marked, each with its partner."""
    least = _MIN_WEIGHT_SHARE * max((match.weight for match in matches), default=0.0)
    return [(match.word, match.partner) for match in matches if match.partner is not None and match.weight >= least]


def _write_notes(matches: Sequence[_Match], other_words: Sequence[Word]) -> dict[int, str]:
    """For each word its closest word on the other side, in words."""
    return {
        match.word: f"closest: “{other_words[match.partner].text}”, cosine {match.cosine:.3f}"
        for match in matches
        if match.partner is not None
    }


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
                f"{match.cosine:.3f}",
                f"{match.weight:.2f}",
            )
            for match in matches[:_TABLE_ROWS]
        ]

    def by_loss(match: _Match) -> float:
        return -match.weight * (1 - match.cosine)

    def by_gain(match: _Match) -> float:
        return -match.weight * match.cosine

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
