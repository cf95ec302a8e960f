"""Evidence for MoverScore: from which words of the summary the mass of each n-gram of the reference comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.marks import all_groups, noted_marks
from gistmeter.metrics.masked.alarms import word_around
from gistmeter.models.encoder.encoder import check_language
from gistmeter.text.languages import language_code
from gistmeter.text.words import Word, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.embedding.moverscore import Grams, MoverScore, Transport

_COUNTS = 0.1
"""A flow that is a smaller share than this of the mass at both its ends is not linked or named."""


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """The words that n-grams are made of, and how much of the mass of each n-gram each brings (n-gram x word)."""

    words: list[Word]
    shares: FloatArray


def explain_transport(metric: MoverScore, example: Example) -> Evidence:
    """The cheapest transport from the summary to the reference that is nearest to it."""
    code = language_code(example.language)
    check_language(metric.model, code, metric.name)
    summary, *references = (normalize(text) for text in (example.summary, *example.references))
    mine, *others = metric.grams([summary, *references], code)
    usable = [place for place, one in enumerate(others) if len(one.masses)]
    if not usable:
        return Evidence(metric.spelling, "there is no reference with words", (Pane("summary", summary),))
    if not len(mine.masses):
        panes = (Pane("summary", summary), Pane("reference", references[usable[0]]))
        return Evidence(metric.spelling, "the summary has no words", panes)
    moves = [metric.transport(mine, others[place], example.name) for place in usable]
    scores = [1 - float((move.flows * move.distances).sum()) for move in moves]
    best = int(np.argmax(scores))
    chosen, move = usable[best], moves[best]
    several = len(references) > 1
    number = f" {chosen + 1} of {len(references)}, the best match" if several else ""
    mean = f" with this reference, {np.mean(scores):.3f} on average" if several else ""
    here, there = _words(summary, mine), _words(references[chosen], others[chosen])
    flows = here.shares.T @ move.flows @ there.shares
    left, right = all_groups(_links(flows))
    unit = "word" if metric.n == 1 else f"{metric.n}-gram"
    return Evidence(
        metric=metric.spelling,
        headline=(
            f"score {scores[best]:.3f}{mean}: every {unit} of the reference with those of the summary that its mass "
            f"comes from, at layer {metric.resolved_layer}"
        ),
        panes=(
            Pane("summary", summary, noted_marks(here.words, left, _notes("moves to", flows, there.words))),
            Pane(
                f"reference{number}",
                references[chosen],
                noted_marks(there.words, right, _notes("comes from", flows.T, here.words)),
            ),
        ),
        table=_table((summary, references[chosen]), mine, others[chosen], move, unit),
    )


def _words(text: str, grams: Grams) -> _Words:
    """The words that some n-grams stand in, in order."""
    around = [[word_around(text, *span) for span in spans] for spans in grams.spans.tolist()]
    places = sorted({span for spans in around for span in spans})
    number = {span: place for place, span in enumerate(places)}
    shares = np.zeros((len(around), len(places)))
    for row, spans in enumerate(around):
        for span, share in zip(spans, grams.shares[row], strict=True):
            shares[row, number[span]] += share
    return _Words([Word(text[start:end], start, end) for start, end in places], shares)


def _links(flows: FloatArray) -> list[tuple[int, int]]:
    """The flows between words that count, by word of the summary, the largest first."""
    shares = np.maximum(_by_row(flows), _by_row(flows.T).T)
    rows, columns = np.nonzero(shares >= _COUNTS)
    order = np.lexsort((-flows[rows, columns], rows))
    return list(zip(rows[order].tolist(), columns[order].tolist(), strict=True))


def _by_row(flows: FloatArray) -> FloatArray:
    """Each row as shares of its sum."""
    sums = flows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(flows, sums, out=np.zeros_like(flows), where=sums > 0))


def _notes(how: str, flows: FloatArray, there: Sequence[Word]) -> dict[int, str]:
    """What to say of each word: its share of the mass of its text, and where that goes or comes from."""
    masses = flows.sum(axis=1)
    return {
        row: f"{masses[row]:.1%} of the mass {how} {_shared(shares, [word.text for word in there])}"
        for row, shares in enumerate(_by_row(flows))
        if masses[row] > 0
    }


def _shared(shares: FloatArray, names: Sequence[str]) -> str:
    """The largest shares with their names."""
    order = [place for place in np.argsort(-shares, kind="stable").tolist() if shares[place] >= _COUNTS]
    return ", ".join(f"“{names[place]}” {shares[place]:.0%}" for place in order) or "many, little from each"


def _table(texts: tuple[str, str], mine: Grams, theirs: Grams, move: Transport, unit: str) -> Table:
    """The n-grams of the reference, those that cost most first."""
    here, there = (_names(text, grams) for text, grams in zip(texts, (mine, theirs), strict=True))
    costs = (move.flows * move.distances).sum(axis=0)
    shares = _by_row(move.flows.T)
    distances = np.divide(costs, theirs.masses, out=np.zeros_like(costs), where=theirs.masses > 0)
    rows = tuple(
        (there[at], f"{theirs.masses[at]:.3f}", f"{distances[at]:.3f}", f"{costs[at]:.3f}", _shared(shares[at], here))
        for at in np.argsort(-costs, kind="stable").tolist()
    )
    return Table(
        (f"{unit} of the reference", "mass", "distance", "cost", "comes from"), rows, "transport, the dearest first"
    )


def _names(text: str, grams: Grams) -> list[str]:
    """Each n-gram by its words."""
    around = ([word_around(text, *span) for span in spans] for spans in grams.spans.tolist())
    return [" ".join(text[start:end] for start, end in dict.fromkeys(spans)) for spans in around]
