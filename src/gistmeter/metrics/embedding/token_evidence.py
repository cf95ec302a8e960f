"""Evidence for token matching: which word of the summary is closest to which of the reference, and how close."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.marks import all_groups, noted_marks
from gistmeter.models.encoder.greedy import best_matches, weighted_mean
from gistmeter.text.languages import language_code
from gistmeter.text.words import normalize, word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.evidence import Mark
    from gistmeter.example import Example
    from gistmeter.metrics.embedding.bertscore import BertScore, Side
    from gistmeter.models.encoder.greedy import StateArray
    from gistmeter.text.words import Word

Score = Literal["precision", "recall", "f1"]
_SHOWN = 8
"""Rows of the table for each of: the weakest of the summary, the weakest of the reference, the strongest."""
_COUNTS = 0.05
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


def explain_tokens(metric: BertScore, example: Example, by: Score = "f1") -> Evidence:
    """What `metric` matched between the summary and the reference with the highest `by`.

    For recall the links go from each word of the reference to the closest of the summary, else the other way.
    """
    code = language_code(example.language)
    alone = [replace(example, references=(text,)) for text in example.references]
    scores = metric.score(alone)
    wanted = scores[:, [column.name for column in metric.columns].index(by)]
    if np.isnan(wanted).all():
        return Evidence(metric.spelling, "there is no reference with words", (Pane("summary", example.summary),))
    chosen = int(np.nanargmax(wanted))
    texts = (normalize(example.summary), normalize(example.references[chosen]))
    mine, theirs = metric.sides(texts, code)
    number = f" {chosen + 1} of {len(alone)}, the best match" if len(alone) > 1 else ""
    if mine.empty:
        panes = (Pane("summary", texts[0]), Pane(f"reference{number}", texts[1]))
        return Evidence(metric.spelling, "the summary has no words", panes)
    found = match_words(texts, (mine, theirs), code, by=by)
    values = ", ".join(f"{c.name} {v:.3f}" for c, v in zip(metric.columns, scores[chosen], strict=True))
    here, there = ("reference", "summary") if by == "recall" else ("summary", "reference")
    return Evidence(
        metric=metric.spelling,
        headline=(
            f"{values}{' with this reference' if number else ''}: every word of the {here} with the one of the "
            f"{there} that is closest to it at layer {metric.resolved_layer}"
        ),
        panes=(
            Pane("summary", texts[0], found.marks[0]),
            Pane(f"reference{number}", texts[1], found.marks[1]),
        ),
        table=found.table,
    )


def match_words(
    texts: tuple[str, str], sides: tuple[Side, Side], code: str, *, by: Score = "f1", other: str = "reference"
) -> WordMatches:
    """The words of two texts, each with the closest of the other text; `other` is what the second one is called."""
    mine, theirs = sides
    words = (word_spans(texts[0], language=code), word_spans(texts[1], language=code))
    owners = (_owners(mine, words[0]), _owners(theirs, words[1]))
    found = best_matches(mine.states, theirs.states)
    forth = _matches(owners[0], owners[1], found.left, found.left_at, mine.weights)
    back = _matches(owners[1], owners[0], found.right, found.right_at, theirs.weights)
    if by == "recall":
        right, left = all_groups(_links(back))
    else:
        left, right = all_groups(_links(forth))
    marks = (
        noted_marks(words[0], left, _notes(forth, words[1])),
        noted_marks(words[1], right, _notes(back, words[0])),
    )
    return WordMatches(marks, _table(forth, back, words, by=by, other=other))


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
    order = np.argsort(mine, kind="stable")
    order = order[mine[order] >= 0]
    for tokens in np.split(order, np.flatnonzero(np.diff(mine[order])) + 1) if len(order) else ():
        heaviest = tokens[np.argmax(weights[tokens])]
        partner = int(theirs[at[heaviest]])
        cosine = weighted_mean(cosines[tokens], weights[tokens])
        weight = float(weights[tokens].sum())
        matches.append(_Match(int(mine[tokens[0]]), partner if partner >= 0 else None, cosine, weight))
    return matches


def _links(matches: Sequence[_Match]) -> list[tuple[int, int]]:
    """The words that count, each with its partner."""
    least = _COUNTS * max((match.weight for match in matches), default=0.0)
    return [(match.word, match.partner) for match in matches if match.partner is not None and match.weight >= least]


def _notes(matches: Sequence[_Match], there: Sequence[Word]) -> dict[int, str]:
    """What to say of each word."""
    return {
        match.word: f"closest: “{there[match.partner].text}”, cosine {match.cosine:.3f}"
        for match in matches
        if match.partner is not None
    }


def _table(
    forth: Sequence[_Match],
    back: Sequence[_Match],
    words: tuple[Sequence[Word], Sequence[Word]],
    *,
    by: Score,
    other: str,
) -> Table:
    """What cost most precision, what cost most recall, and what brought most; of one score alone what matters to it."""

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

    summary, second = words
    found: list[tuple[str, ...]] = []
    if by != "recall":
        found += rows(sorted(forth, key=loss)[:_SHOWN], "summary, far", summary, second)
    if by != "precision":
        found += rows(sorted(back, key=loss)[:_SHOWN], f"{other}, far", second, summary)
    if by == "recall":
        found += rows(sorted(back, key=gain)[:_SHOWN], f"{other}, close", second, summary)
    else:
        found += rows(sorted(forth, key=gain)[:_SHOWN], "summary, close", summary, second)
    return Table(("side", "word", "closest", "cosine", "weight"), tuple(found), "matches that count most")
