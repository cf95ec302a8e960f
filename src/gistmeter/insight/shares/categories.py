"""Category shares: how much of a score comes from matches between words of one kind (Deutsch, 2022, section 3.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.insight.shares.matching import label_alignment
from gistmeter.insight.shares.published import read_published
from gistmeter.linguistics.categories import label_words, load_categories, read_categories
from gistmeter.linguistics.parser import load_parser
from gistmeter.metrics.registry import parse_metrics
from gistmeter.result import Result
from gistmeter.scoring.inputs import as_run
from gistmeter.stats import bootstrap_interval, ratio
from gistmeter.text.languages import language_code
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.linguistics.categories.labels import Auxiliaries, LabelledWord
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
    """By metric, how many summaries share nothing with their references, which have no shares."""

    def __getitem__(self, key: tuple[str, str]) -> CategoryShare:
        """The row of a metric and a category or type, over all systems."""
        return next(row for row in self.rows if (row.metric, row.category) == key and not row.system)

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
        """Summaries without a match."""
        return tuple(
            f"{metric}: {format_count(count, 'summary')} with no match at all had no shares"
            for metric, count in self.unaligned.items()
            if count
        )


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
    words = _WordLabels(chosen, auxiliaries)
    rows: list[CategoryShare] = []
    unaligned: dict[str, int] = {}
    for label, metric in parse_metrics(metrics).items():
        fitted = metric.fit(examples) if metric.fits else metric
        shares = _measure_metric(fitted, examples, words)
        matched = np.isfinite(shares[:, 0])
        unaligned[label] = int((~matched).sum())
        if not matched.any():
            raise DataError(f"no summary has a match by {label}: there are no shares")
        systems = ["", *dict.fromkeys(example.system for example in examples)] if by_system else [""]
        for system in systems:
            chosen_rows = matched & np.array([system in ("", example.system) for example in examples])
            if chosen_rows.any():
                documents = [example.doc_id for example, keep in zip(examples, chosen_rows, strict=True) if keep]
                means = _bootstrap_means(shares[chosen_rows], documents, resamples=resamples, seed=seed)
                rows += _make_rows(label, system, means, chosen, len(documents), published)
    return CategoryShares(
        rows=tuple(rows),
        reference=reference,
        auxiliaries=auxiliaries,
        parser=words.parser_name,
        table=chosen.digest,
        unaligned=unaligned,
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


class _WordLabels:
    """The labelled words of texts, each parsed once."""

    def __init__(self, table: Categories, auxiliaries: Auxiliaries) -> None:
        self.table = table
        self._auxiliaries = auxiliaries
        self._parser = load_parser()
        self._words: dict[str, tuple[LabelledWord, ...]] = {}

    @property
    def parser_name(self) -> str:
        return f"{self._parser.name}-{self._parser.digest}"

    def prepare(self, texts: Iterable[str]) -> None:
        """Parse the texts that are new, together."""
        new = [text for text in dict.fromkeys(texts) if text not in self._words]
        for text, doc in zip(new, self._parser.parse(new, entities=True), strict=True):
            self._words[text] = label_words(doc, self.table, auxiliaries=self._auxiliaries)

    def __getitem__(self, text: str) -> tuple[LabelledWord, ...]:
        return self._words[text]


def _measure_metric(metric: Metric, run: Sequence[Example], words: _WordLabels) -> FloatArray:
    """The share of each category and of each type (columns) in each summary (rows); NaN where nothing matched."""
    by_summary = [metric.align(example) for example in run]
    if not any(by_summary):
        raise DataError(
            f"{metric.spelling} gives no alignment of words: take rouge1, content or bertscore, for example"
        )
    words.prepare(side.text for alignments in by_summary for each in alignments for side in (each.summary, each.other))
    names, types = list(words.table.by_name), list(words.table.types)
    shares = np.full((len(run), len(names) + len(types)), np.nan)
    for row, alignments in enumerate(by_summary):
        total = sum(alignment.total for alignment in alignments)
        if total > 0:
            shares[row] = sum(_weigh_categories(alignment, words) for alignment in alignments) / total
    return shares


def _weigh_categories(alignment: Alignment, words: _WordLabels) -> FloatArray:
    """The weight of each category, then of each type, in one alignment."""
    labelled = label_alignment(alignment, words[alignment.summary.text], words[alignment.other.text])
    by_name, types = words.table.by_name, words.table.types
    groups = [(name,) for name in by_name] + list(types.values())
    return np.array(
        [
            labelled.measure_tuples([by_name[name] for name in group])
            if by_name[group[0]].has_tuples
            else labelled.measure_words(group)
            for group in groups
        ]
    )


@dataclass(frozen=True, slots=True)
class _Means:
    """For each category and type the mean share and the ends of its interval."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def _bootstrap_means(shares: FloatArray, documents: Sequence[str], *, resamples: int, seed: int) -> _Means:
    """Means over summaries, resampled by document."""
    number = {name: position for position, name in enumerate(dict.fromkeys(documents))}
    owners = np.array([number[name] for name in documents])
    parts = np.zeros((shares.shape[1], len(number), 2))
    for column in range(shares.shape[1]):
        np.add.at(parts[column, :, 0], owners, shares[:, column])
        np.add.at(parts[column, :, 1], owners, 1.0)
    intervals = bootstrap_interval(parts, ratio, resamples=resamples, seed=seed)
    return _Means(np.asarray(intervals.value), np.asarray(intervals.low), np.asarray(intervals.high))


def _make_rows(
    metric: str, system: str, means: _Means, table: Categories, summaries: int, published: str | None
) -> list[CategoryShare]:
    """The rows of one metric and system: categories from the largest share, then types."""
    names = [*table.by_name, *table.types]
    printed = read_published(published, metric) if published else {}
    order = sorted(range(len(table.by_name)), key=lambda position: -means.value[position])
    order += range(len(table.by_name), len(names))
    rows = []
    for position in order:
        is_type = position >= len(table.by_name)
        name = names[position]
        title = name.capitalize() if is_type else table[name].title
        rows.append(
            CategoryShare(
                metric=metric,
                system=system,
                category=name,
                title=title,
                is_type=is_type,
                share=float(means.value[position]),
                low=float(means.low[position]),
                high=float(means.high[position]),
                summaries=summaries,
                published=printed.get(title, float("nan")) / 100,
            )
        )
    return rows
