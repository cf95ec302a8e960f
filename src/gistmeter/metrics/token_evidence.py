"""Evidence for token matching: which word of the summary is closest to which of the reference, and how close."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.matching import marks_of
from gistmeter.models.greedy import best_matches, weighted_mean
from gistmeter.text.languages import language_code
from gistmeter.text.words import normalize, word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.metrics.bertscore import BertScore, Side
    from gistmeter.models.greedy import FloatArray, IntArray, StateArray
    from gistmeter.records import Example
    from gistmeter.text.words import Word

_SHOWN = 8
"""Rows of the table for each of: the weakest of the summary, the weakest of the reference, the strongest."""
_COUNTS = 0.05
"""A word whose weight is a smaller share than this of the heaviest word's is not marked."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A word, the word on the other side that its heaviest token is closest to, and how close its tokens are."""

    word: int
    partner: int | None
    cosine: float
    weight: float


def explain_tokens(metric: BertScore, example: Example) -> Evidence:
    """What `metric` matched between the summary and the reference it likes best."""
    code = language_code(example.language)
    alone = [replace(example, references=(text,)) for text in example.references]
    scores = metric.score(alone)
    if np.isnan(scores[:, 2]).all():
        return Evidence(metric.spelling, "there is no reference with words", (Pane("summary", example.summary),))
    chosen = int(np.nanargmax(scores[:, 2]))
    texts = (normalize(example.summary), normalize(example.references[chosen]))
    mine, theirs = metric.sides(texts, code)
    number = f" {chosen + 1} of {len(alone)}, the best match" if len(alone) > 1 else ""
    if mine.empty:
        panes = (Pane("summary", texts[0]), Pane(f"reference{number}", texts[1]))
        return Evidence(metric.spelling, "the summary has no words", panes)
    found = best_matches(mine.states, theirs.states)
    words = (word_spans(texts[0], language=code), word_spans(texts[1], language=code))
    owners = (_owners(mine, words[0]), _owners(theirs, words[1]))
    forth = _matches(owners[0], owners[1], found.left, found.left_at, mine.weights)
    back = _matches(owners[1], owners[0], found.right, found.right_at, theirs.weights)
    left, right = _groups(forth)
    values = ", ".join(f"{c.name} {v:.3f}" for c, v in zip(metric.columns, scores[chosen], strict=True))
    return Evidence(
        metric=metric.spelling,
        headline=f"{values}: every word with the one closest to it at layer {metric.resolved_layer}",
        panes=(
            Pane("summary", texts[0], marks_of(words[0], left)),
            Pane(f"reference{number}", texts[1], marks_of(words[1], right)),
        ),
        table=_table(forth, back, words),
    )


def _owners(side: Side, words: Sequence[Word]) -> IntArray:
    """For each token the word it lies in, or -1 (punctuation, special tokens)."""
    if not words:
        return np.full(len(side.starts), -1, dtype=np.int64)
    starts = np.array([word.start for word in words])
    ends = np.array([word.end for word in words])
    at = np.searchsorted(starts, side.starts, side="right") - 1
    inside = (at >= 0) & (side.starts < ends[at]) & (side.ends > side.starts)
    return np.where(inside, at, -1).astype(np.int64)


def _matches(mine: IntArray, theirs: IntArray, cosines: StateArray, at: IntArray, weights: FloatArray) -> list[_Match]:
    matches: list[_Match] = []
    for word in np.unique(mine[mine >= 0]).tolist():
        tokens = np.flatnonzero(mine == word)
        heaviest = tokens[np.argmax(weights[tokens])]
        partner = int(theirs[at[heaviest]])
        cosine = weighted_mean(cosines[tokens], weights[tokens])
        matches.append(_Match(word, partner if partner >= 0 else None, cosine, float(weights[tokens].sum())))
    return matches


def _groups(matches: Sequence[_Match]) -> tuple[dict[int, int], dict[int, int]]:
    """Groups of words to mark: a word of the reference shares its group with all words closest to it, and runs join."""
    least = _COUNTS * max((match.weight for match in matches), default=0.0)
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    before: tuple[int, int] | None = None
    count = 0
    for match in matches:
        if match.partner is None or match.weight < least:
            before = None
            continue
        if match.partner not in right:
            if before == (match.word - 1, match.partner - 1):
                right[match.partner] = right[match.partner - 1]
            else:
                right[match.partner] = count
                count += 1
        left[match.word] = right[match.partner]
        before = (match.word, match.partner)
    return left, right


def _table(forth: Sequence[_Match], back: Sequence[_Match], words: tuple[Sequence[Word], Sequence[Word]]) -> Table:
    """What cost most precision, what cost most recall, and what brought most."""

    def rows(
        matches: Sequence[_Match], kind: str, here: Sequence[Word], there: Sequence[Word]
    ) -> list[tuple[str, ...]]:
        return [
            (
                kind,
                here[match.word].text,
                there[match.partner].text if match.partner is not None else "-",
                f"{match.cosine:.3f}",
                f"{match.weight:.2f}",
            )
            for match in matches
        ]

    def loss(match: _Match) -> float:
        return -match.weight * (1 - match.cosine)

    def gain(match: _Match) -> float:
        return -match.weight * match.cosine

    summary, reference = words
    found = rows(sorted(forth, key=loss)[:_SHOWN], "summary, far", summary, reference)
    found += rows(sorted(back, key=loss)[:_SHOWN], "reference, far", reference, summary)
    found += rows(sorted(forth, key=gain)[:_SHOWN], "summary, close", summary, reference)
    return Table(("side", "word", "closest", "cosine", "weight"), tuple(found))
