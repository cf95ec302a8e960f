"""Unit shares: how much of a score comes from matches between phrases that state one content unit.

Deutsch (2022), sections 3.4 and 4.10: of the weight of an alignment, the part whose edges join tokens that carry a
common unit. ROUGE's alignment is free, and the one that gives the most counts.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.insight.shares.intervals import bootstrap_means
from gistmeter.insight.shares.measuring import align_run, measure_shares
from gistmeter.insight.shares.published import note_other_settings, read_published_units
from gistmeter.insight.shares.unit_labels import UnitLabels
from gistmeter.metrics.registry import parse_metrics
from gistmeter.result import Result, find_row
from gistmeter.scoring.inputs import as_run
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence.alignment import Alignment, Run, TokenText
    from gistmeter.example import Example
    from gistmeter.insight.shares.categories import ReferenceChoice
    from gistmeter.insight.shares.unit_labels import UnitSets, UnitSpanSource
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.inputs import RunLike

TokenChoice = Literal["any", "every"]
"""Whether two phrases state one unit when any of their tokens carry it, or only when every token does."""

BAR_COUNT = 20
"""Bars of the histogram: five percent each."""
BIN_BORDERS = (0.25, 0.5, 0.75)
"""Of Table 13's four bins."""
BIN_NAMES = ("0-25%", "25-50%", "50-75%", "75-100%")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitShare:
    """How much of a metric's score comes from matches between phrases of one content unit.

    `share` is the mean over summaries, from 0 to 1, `low` and `high` the ends of a bootstrap interval over documents.
    `bins` are the parts of the summaries whose share is below 25%, 50%, 75%, and up to 100%.
    """

    metric: str
    share: float
    low: float
    high: float
    bins: tuple[float, ...]
    bars: tuple[int, ...]
    """How many summaries have a share from 0 to 5%, 5 to 10%, and so on: the histogram."""
    summaries: int
    published: float
    """The mean that the thesis prints for its own data; NaN where it prints none or no data were named."""
    published_bins: tuple[float, ...]
    """The bins that the thesis prints; empty where it prints none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryShare:
    """The share of one summary by one metric; missing (NaN) where nothing matched."""

    metric: str
    system: str
    doc_id: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitShares(Result):
    """The shares of all metrics, and how they were made."""

    rows: tuple[UnitShare, ...]
    by_summary: tuple[SummaryShare, ...]
    spans: UnitSpanSource
    tokens: TokenChoice
    reference: ReferenceChoice
    unmarked: int
    """How many units of how many `units` have no span although someone said that a text states them."""
    units: int

    def __getitem__(self, metric: str) -> UnitShare:
        """The row of a metric."""
        return find_row(self.rows, metric, lambda row: (row.metric,))

    @property
    def signature(self) -> str:
        """What the shares depend on, beside the metrics' own signatures."""
        return f"units|reference:{self.reference}|spans:{self.spans}|tokens:{self.tokens}"

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric: the mean with its interval, and the four bins."""
        with_published = any(row.published == row.published for row in self.rows)
        return [
            {
                "metric": row.metric,
                "share": row.share,
                "low": row.low,
                "high": row.high,
                **dict(zip(BIN_NAMES, row.bins, strict=True)),
                **({"published": row.published} if with_published else {}),
                "summaries": row.summaries,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """How the shares were made, histograms, and the bins that the thesis prints."""
        return {
            "signature": self.signature,
            "histograms": {row.metric: list(row.bars) for row in self.rows},
            "published_bins": {row.metric: list(row.published_bins) for row in self.rows if row.published_bins},
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """Guessed spans, units without spans, summaries without a match, published figures of another setting."""
        notes = []
        if self.spans == "guessed":
            notes.append(
                "guessed spans are a proxy: a unit is put into the sentence that shares most content words with it, "
                "and there into the words that they share; nobody marked where it is stated"
            )
        if self.unmarked:
            notes.append(f"{self.unmarked} of {format_count(self.units, 'unit')} of summaries have no spans at all")
        unmatched = {
            row.metric: sum(each.share != each.share for each in self.by_summary if each.metric == row.metric)
            for row in self.rows
        }
        notes += [
            f"{metric}: {format_count(count, 'summary')} with no match at all had no share"
            for metric, count in unmatched.items()
            if count
        ]
        notes += note_other_settings(row.metric for row in self.rows if row.published == row.published)
        return tuple(notes)


def units(
    run: RunLike,
    metrics: str | Metric | Iterable[str | Metric] = "rouge1",
    *,
    spans: UnitSpanSource = "given",
    tokens: TokenChoice = "any",
    reference: ReferenceChoice = "all",
    published: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> UnitShares:
    """Say how much of a metric's score comes from phrases that state the same content unit.

    Parameters
    ----------
    run
        A run whose content units have spans (in its records, or as .pan files), or labels where spans are guessed.
    metrics
        Metrics that give an alignment, such as rouge1, bertscore, qaeval and lite2pyramid.
    spans
        Take the spans that are `given`, or a proxy `guessed` from the words of the units.
    tokens
        Where an edge joins phrases, count it when `any` of their tokens carry a common unit, or when `every` one does.
    reference
        Compare with the `first` reference alone, or with `all` as the metric does.
    published
        Put published figures beside: `tac2008` or `tac2009` (Figures 5 and 13, Table 13 of the thesis).
    resamples, seed
        Of the bootstrap over documents.

    Returns
    -------
    UnitShares
        A row for each metric: the mean over summaries, its interval, a histogram and the four bins of Table 13.

    Raises
    ------
    DataError
        The run has no units, spans or labels, a span lies outside its text, or a metric gives no alignment.

    Examples
    --------
    >>> spans = [{"start": 0, "end": 14}, {"start": 0, "end": 14, "reference": 0}]
    >>> run = [{"summary": "The dog barked in the rain.", "reference": "The dog barked at the cat.",
    ...         "units": [{"text": "A dog barked", "spans": spans}]}]
    >>> units(run, resamples=10)["rouge1"].share  # the, dog, barked; the
    0.75
    """
    examples = list(as_run(run).examples())
    labels = UnitLabels(spans)
    labels.check(examples)
    if reference == "first":
        examples = [replace(example, references=example.references[:1]) for example in examples]
    rows: list[UnitShare] = []
    by_summary: list[SummaryShare] = []
    for label, metric in parse_metrics(metrics).items():
        weigh = _make_weigher(examples, labels, tokens)
        shares = measure_shares(label, align_run(label, metric, examples), weigh)[:, 0]
        matched = np.isfinite(shares)
        documents = [example.doc_id for example, keep in zip(examples, matched, strict=True) if keep]
        rows.append(_make_row(label, shares[matched], documents, published, resamples=resamples, seed=seed))
        by_summary += [
            SummaryShare(metric=label, system=example.system, doc_id=example.doc_id, share=float(share))
            for example, share in zip(examples, shares, strict=True)
        ]
    all_units = [unit for example in examples for unit in example.units]
    return UnitShares(
        rows=tuple(rows),
        by_summary=tuple(by_summary),
        spans=spans,
        tokens=tokens,
        reference=reference,
        unmarked=sum(not unit.spans for unit in all_units) if spans == "given" else 0,
        units=len(all_units),
    )


def _make_row(
    metric: str, shares: FloatArray, documents: Sequence[str], published: str | None, *, resamples: int, seed: int
) -> UnitShare:
    means = bootstrap_means(shares[:, None], documents, resamples=resamples, seed=seed)
    printed = read_published_units(published, metric) if published else None
    bins = np.bincount(np.searchsorted(BIN_BORDERS, shares, side="right"), minlength=len(BIN_NAMES)) / len(shares)
    bars = np.bincount(np.minimum((shares * BAR_COUNT + 1e-9).astype(int), BAR_COUNT - 1), minlength=BAR_COUNT)
    return UnitShare(
        metric=metric,
        share=float(means.value[0]),
        low=float(means.low[0]),
        high=float(means.high[0]),
        bins=tuple(map(float, bins)),
        bars=tuple(map(int, bars)),
        summaries=len(shares),
        published=float("nan") if printed is None else printed.mean,
        published_bins=() if printed is None else printed.bins,
    )


def _make_weigher(
    examples: Sequence[Example], labels: UnitLabels, tokens: TokenChoice
) -> Callable[[int, Alignment], FloatArray]:
    """What gives the weight of matches that state one unit, in an alignment of the summary with a number."""

    def weigh(row: int, alignment: Alignment) -> FloatArray:
        summary = labels.label(examples[row], alignment.summary, is_summary=True)
        other = labels.label(examples[row], alignment.other)
        return np.array([weigh_units(alignment, summary, other, tokens=tokens)])

    return weigh


def weigh_units(alignment: Alignment, summary: UnitSets, other: UnitSets, *, tokens: TokenChoice = "any") -> float:
    """The weight of the edges between tokens that carry a common unit; of a free alignment, the most there can be."""
    if alignment.free:
        return _match_free_tokens(alignment, summary, other)
    total = 0.0
    for edge in alignment.edges:
        ends = (
            [summary[position] for position in _list_words(alignment.summary, edge.summary_run)],
            [other[position] for position in _list_words(alignment.other, edge.other_run)],
        )
        if tokens == "every":
            common = frozenset.intersection(*ends[0], *ends[1])
        else:
            common = frozenset().union(*ends[0]) & frozenset().union(*ends[1])
        total += edge.weight if common else 0.0
    return total


def _list_words(text: TokenText, run: Run) -> Sequence[int]:
    """The tokens of a run that are words; of a run without any, all."""
    words = [
        position
        for position in run.positions
        if any(letter.isalnum() for letter in text.text[text.tokens[position].start : text.tokens[position].end])
    ]
    return words or run.positions


def _match_free_tokens(alignment: Alignment, summary: UnitSets, other: UnitSets) -> float:
    """For each key a maximum matching of its tokens that carry a common unit, each at most once."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    weights: Mapping[str, float] = {alignment.summary.tokens[edge.summary].key: edge.weight for edge in alignment.edges}
    sides = []
    for text, sets in ((alignment.summary, summary), (alignment.other, other)):
        by_key: dict[str, list[frozenset[int]]] = defaultdict(list)
        for token, carried in zip(text.tokens, sets, strict=True):
            if carried:
                by_key[token.key].append(carried)
        sides.append(by_key)
    total = 0.0
    for key in sides[0].keys() & sides[1].keys():
        graph = csr_matrix([[bool(left & right) for right in sides[1][key]] for left in sides[0][key]])
        total += weights[key] * int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())
    return total
