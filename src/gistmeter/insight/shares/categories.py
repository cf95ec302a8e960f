"""Category shares: how much of a score comes from matches between words of one kind (Deutsch, 2022, section 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.insight.shares.intervals import MeanShares, bootstrap_means
from gistmeter.insight.shares.matching import label_alignment
from gistmeter.insight.shares.measuring import align_run, measure_shares
from gistmeter.insight.shares.published import note_other_settings, read_published
from gistmeter.insight.shares.word_labels import WordLabels, list_groups, match_group
from gistmeter.linguistics.categories import load_categories, read_categories
from gistmeter.metrics.registry import parse_metrics
from gistmeter.result import Result, find_row
from gistmeter.scoring.inputs import as_run
from gistmeter.text.languages import language_code
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.linguistics.categories.labels import Auxiliaries
    from gistmeter.linguistics.categories.rules import Categories
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.inputs import RunLike

ReferenceChoice = Literal["first", "all"]
"""Whether a summary is compared with the first reference alone, or with all as the metric does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryShare:
    """What matches within a category, or within all categories of a type, add to a metric's score.

    `share` is the mean over summaries of the share of the alignment's weight, from 0 to 1; `low` and `high` are the
    ends of a bootstrap interval over documents. `system` is empty where all systems count together.
    """

    metric: str
    system: str
    category: str
    title: str
    is_type: bool
    share: float
    low: float
    high: float
    summaries: int
    published: float
    """What the thesis prints for its own data, NaN where it prints nothing or no data were named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryShares(Result):
    """The shares of all categories and types, metric after metric, and how they were made."""

    rows: tuple[CategoryShare, ...]
    reference: ReferenceChoice
    auxiliaries: Auxiliaries
    parser: str
    """Name and digest of the parser."""

    table: str
    """Digest of the table of categories."""

    unaligned: Mapping[str, int]
    """By metric, how many summaries have no match at all, and so no shares."""

    on_documents: tuple[str, ...] = ()
    """The metrics that compare summaries with documents, not with references."""

    def __getitem__(self, key: tuple[str, str]) -> CategoryShare:
        """The row of a metric and a category or type, over all systems."""
        return find_row((row for row in self.rows if not row.system), key, lambda row: (row.metric, row.category))

    @property
    def signature(self) -> str:
        """What the shares depend on, beside the metrics' own signatures."""
        settings = {
            "auxiliaries": self.auxiliaries,
            "categories": self.table,
            "parser": self.parser,
            "reference": self.reference,
        }
        return "|".join(("categories", *(f"{key}:{value}" for key, value in settings.items())))

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, system and category."""
        with_systems = any(row.system for row in self.rows)
        with_published = any(row.published == row.published for row in self.rows)
        return [
            {
                "metric": row.metric,
                **({"system": row.system or "all"} if with_systems else {}),
                "category": row.title,
                "share": row.share,
                "low": row.low,
                "high": row.high,
                **({"published": row.published} if with_published else {}),
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """How the shares were made."""
        return {"signature": self.signature}

    @property
    def notes(self) -> tuple[str, ...]:
        """Summaries without a match, and published figures of a metric with another setting."""
        unmatched = [
            f"{metric}: {format_count(count, 'summary')} with no match at all had no shares"
            for metric, count in self.unaligned.items()
            if count
        ]
        with_published = dict.fromkeys(row.metric for row in self.rows if row.published == row.published)
        return (*unmatched, *note_other_settings(with_published))


def categories(
    run: RunLike,
    metrics: str | Metric | Iterable[str | Metric] = "rouge1",
    *,
    table: str | Path | None = None,
    reference: ReferenceChoice = "first",
    auxiliaries: Auxiliaries = "own",
    by_system: bool = False,
    published: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> CategoryShares:
    """Say what kinds of words a metric's score is made of.

    Parameters
    ----------
    run
        A run in English: a file, examples, records or a frame.
    metrics
        Metrics that give an alignment, such as rouge1, content and bertscore.
    table
        A TOML file of categories in the form of gistmeter's own, which are those of the thesis and the default.
    reference
        Compare with the `first` reference alone, as the thesis does, or with `all` as the metric does.
    auxiliaries
        Whether "has" and "was" count as a `verb`, or are of their `own` kind.
    by_system
        Also give the shares of each system alone.
    published
        Put published figures beside: `cnndm` or `tac2008` (Tables 3 and 4 of the thesis).
    resamples, seed
        Of the bootstrap over documents.

    Returns
    -------
    CategoryShares
        A row for each metric and category, then one for each type of categories, whose share is that of their union.

    Raises
    ------
    DataError
        A metric gives no alignment, the run is empty or not in English, or no summary has a match.

    Examples
    --------
    >>> run = [{"summary": "The dog barked.", "reference": "The dog slept."}]
    >>> shares = categories(run, resamples=10)
    >>> shares["rouge1", "stopwords"].share, shares["rouge1", "nn"].share  # "the" and "dog" match
    (0.5, 0.5)
    """
    chosen = load_categories() if table is None else read_categories(table)
    examples = _check_run(as_run(run).examples(), reference)
    words = WordLabels(chosen, auxiliaries)
    rows: list[CategoryShare] = []
    unaligned: dict[str, int] = {}
    on_documents: list[str] = []
    for label, metric in parse_metrics(metrics).items():
        by_summary = align_run(label, metric, examples)
        words.prepare(
            side.text for alignments in by_summary for each in alignments for side in (each.summary, each.other)
        )
        shares = measure_shares(label, by_summary, lambda _, alignment: _weigh_categories(alignment, words))
        if "document" in metric.needs and not {"references", "units"} & metric.needs:
            on_documents.append(label)
        matched = np.isfinite(shares[:, 0])
        unaligned[label] = int((~matched).sum())
        systems = ["", *dict.fromkeys(example.system for example in examples)] if by_system else [""]
        for system in systems:
            chosen_rows = matched & np.array([system in ("", example.system) for example in examples])
            if chosen_rows.any():
                documents = [example.doc_id for example, keep in zip(examples, chosen_rows, strict=True) if keep]
                means = bootstrap_means(shares[chosen_rows], documents, resamples=resamples, seed=seed)
                rows += _make_rows(label, system, means, chosen, len(documents), published)
    return CategoryShares(
        rows=tuple(rows),
        reference=reference,
        auxiliaries=auxiliaries,
        parser=words.parser_name,
        table=chosen.digest,
        unaligned=unaligned,
        on_documents=tuple(on_documents),
    )


def _check_run(given: Iterable[Example], reference: ReferenceChoice) -> list[Example]:
    """The examples, cut to their first reference if that is wanted."""
    run = list(given)
    if not run:
        raise DataError("the run is empty: there are no summaries to look at")
    foreign = {language_code(example.language) for example in run} - {"en"}
    if foreign:
        raise DataError(
            f"categories need a parser, which there is for English: the run has {', '.join(sorted(foreign))}"
        )
    return [replace(example, references=example.references[:1]) for example in run] if reference == "first" else run


def _weigh_categories(alignment: Alignment, words: WordLabels) -> FloatArray:
    """The weight of each category, then of each type, in one alignment."""
    labelled = label_alignment(alignment, words[alignment.summary.text], words[alignment.other.text])
    return np.array(
        [sum(match.weight for match in match_group(labelled, group, words.table)) for group in list_groups(words.table)]
    )


def _make_rows(
    metric: str, system: str, means: MeanShares, table: Categories, summaries: int, published: str | None
) -> list[CategoryShare]:
    """The rows of one metric and system: categories from the largest share, then types."""
    groups = list_groups(table)
    printed = read_published(published, metric) if published else {}
    order = sorted(range(len(table.by_name)), key=lambda position: -means.value[position])
    order += range(len(table.by_name), len(groups))
    return [
        CategoryShare(
            metric=metric,
            system=system,
            category=groups[position].name,
            title=groups[position].title,
            is_type=groups[position].is_type,
            share=float(means.value[position]),
            low=float(means.low[position]),
            high=float(means.high[position]),
            summaries=summaries,
            published=printed.get(groups[position].title, float("nan")) / 100,
        )
        for position in order
    ]
