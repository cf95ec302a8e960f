"""Evidence for MoverScore: from which words of the summary the mass of each n-gram of the reference comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.marks import expand_to_word, group_links, mark_words_with_notes
from gistmeter.text.words import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.embedding.transport import Grams, Transport

_MIN_FLOW_SHARE = 0.1
"""A flow that is a smaller share than this of the mass at both its ends is not linked or named."""


@dataclass(frozen=True, slots=True, eq=False)
class GramText:
    """A text under its title, and its n-grams."""

    title: str
    text: str
    grams: Grams


@dataclass(frozen=True, slots=True, eq=False)
class _GramWords:
    """The words that n-grams are made of, and how much of the mass of each n-gram each brings (n-gram x word)."""

    words: list[Word]
    shares: FloatArray


def explain_transport(
    spelling: str, headline: str, summary: GramText, reference: GramText, transport: Transport, *, unit: str
) -> Evidence:
    """Both texts, words linked where mass moves between them, and the n-grams of the reference by what they cost."""
    summary_words, reference_words = _collect_words(summary), _collect_words(reference)
    flows = summary_words.shares.T @ transport.flows @ reference_words.shares
    summary_groups, reference_groups = group_links(_choose_links(flows))
    summary_notes = _write_notes("moves to", flows, reference_words.words)
    reference_notes = _write_notes("comes from", flows.T, summary_words.words)
    return Evidence(
        metric=spelling,
        headline=headline,
        blocks=(
            Pane(
                summary.title,
                summary.text,
                mark_words_with_notes(summary_words.words, summary_groups, summary_notes),
            ),
            Pane(
                reference.title,
                reference.text,
                mark_words_with_notes(reference_words.words, reference_groups, reference_notes),
            ),
            _build_table(summary, reference, transport, unit),
        ),
    )


def _collect_words(side: GramText) -> _GramWords:
    """The words that the n-grams of a text consist of, in order."""
    spans_of_grams = _find_words(side)
    spans = sorted({span for gram_spans in spans_of_grams for span in gram_spans})
    column_of = {span: column for column, span in enumerate(spans)}
    shares = np.zeros((len(spans_of_grams), len(spans)))
    for row, gram_spans in enumerate(spans_of_grams):
        for span, share in zip(gram_spans, side.grams.shares[row], strict=True):
            shares[row, column_of[span]] += share
    return _GramWords([Word(side.text[start:end], start, end) for start, end in spans], shares)


def _find_words(side: GramText) -> list[list[tuple[int, int]]]:
    """For each n-gram of a text the words its tokens belong to, as starts and ends."""
    return [[expand_to_word(side.text, *span) for span in spans] for spans in side.grams.spans.tolist()]


def _choose_links(flows: FloatArray) -> list[tuple[int, int]]:
    """The flows between words that count, by word of the summary, the largest first."""
    shares = np.maximum(_share_by_row(flows), _share_by_row(flows.T).T)
    rows, columns = np.nonzero(shares >= _MIN_FLOW_SHARE)
    order = np.lexsort((-flows[rows, columns], rows))
    return list(zip(rows[order].tolist(), columns[order].tolist(), strict=True))


def _share_by_row(flows: FloatArray) -> FloatArray:
    """Each row as shares of its sum."""
    sums = flows.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(flows, sums, out=np.zeros_like(flows), where=sums > 0))


def _write_notes(direction: str, flows: FloatArray, partners: Sequence[Word]) -> dict[int, str]:
    """For each word its share of the mass of its text, and where that goes or comes from."""
    masses = flows.sum(axis=1)
    return {
        row: f"{masses[row]:.1%} of the mass {direction} {_list_shares(shares, [word.text for word in partners])}"
        for row, shares in enumerate(_share_by_row(flows))
        if masses[row] > 0
    }


def _list_shares(shares: FloatArray, names: Sequence[str]) -> str:
    """The largest shares with their names."""
    order = [index for index in np.argsort(-shares, kind="stable").tolist() if shares[index] >= _MIN_FLOW_SHARE]
    return ", ".join(f"“{names[index]}” {shares[index]:.0%}" for index in order) or "many, little from each"


def _build_table(summary: GramText, reference: GramText, transport: Transport, unit: str) -> Table:
    """The n-grams of the reference, those that cost most first."""
    summary_names, reference_names = _name_grams(summary), _name_grams(reference)
    masses = reference.grams.masses
    costs = (transport.flows * transport.distances).sum(axis=0)
    shares = _share_by_row(transport.flows.T)
    distances = np.divide(costs, masses, out=np.zeros_like(costs), where=masses > 0)
    rows = tuple(
        (
            reference_names[index],
            f"{masses[index]:.3f}",
            f"{distances[index]:.3f}",
            f"{costs[index]:.3f}",
            _list_shares(shares[index], summary_names),
        )
        for index in np.argsort(-costs, kind="stable").tolist()
    )
    return Table(
        (f"{unit} of the reference", "mass", "distance", "cost", "comes from"), rows, "transport, the dearest first"
    )


def _name_grams(side: GramText) -> list[str]:
    """Each n-gram of a text by its words."""
    return [" ".join(side.text[start:end] for start, end in dict.fromkeys(spans)) for spans in _find_words(side)]
