"""Correlations as the papers take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import stats

from bench.figures.page import Bounded
from gistmeter.stats import bootstrap

if TYPE_CHECKING:
    from bench.figures.runs import FloatArray, Judged
    from gistmeter.stats.tables import Level

RESAMPLES = 2000


class RankPair(NamedTuple):
    """Spearman's rho and Kendall's tau-c."""

    rho: float
    tau: float


class Levels(NamedTuple):
    """A correlation over system means, and the mean of those within documents (a constant document counts 0)."""

    system: float
    summary: float


def pearson(one: FloatArray, other: FloatArray) -> float:
    """Pearson's r over the pairs that have both."""
    both = ~(np.isnan(one) | np.isnan(other))
    return float(stats.pearsonr(one[both], other[both]).statistic)


def bounded_pearson(ours: FloatArray, people: FloatArray, level: Level) -> Bounded:
    """Pearson's r of two tables, systems x documents; 95% interval over documents, the systems being given."""
    interval = bootstrap(ours, people, level=level, method="documents", resamples=RESAMPLES)
    return Bounded(interval.value, interval.low, interval.high)


def ranks(one: FloatArray, other: FloatArray) -> RankPair:
    """Spearman's rho and Kendall's tau-c over the pairs that have both."""
    both = ~(np.isnan(one) | np.isnan(other))
    rho = stats.spearmanr(one[both], other[both]).statistic
    return RankPair(float(rho), float(stats.kendalltau(one[both], other[both], variant="c").statistic))


def system_means(values: FloatArray, judged: Judged) -> FloatArray:
    """The mean of each system, systems in alphabetical order."""
    return np.array([np.nanmean(values[judged.part(system)]) for system in sorted(set(judged.groups))])


def tabulate(judged: Judged, values: FloatArray) -> FloatArray:
    """One value of each summary as systems x documents, both in alphabetical order; missing where there is none."""
    systems, documents = (
        {name: row for row, name in enumerate(sorted(names))}
        for names in ({example.system for example in judged.examples}, {example.doc_id for example in judged.examples})
    )
    table = np.full((len(systems), len(documents)), np.nan)
    for example, value in zip(judged.examples, values, strict=True):
        table[systems[example.system], documents[example.doc_id]] = value
    return table


def levels(values: FloatArray, human: FloatArray, judged: Judged) -> Levels:
    """Pearson at system and at summary level."""
    by_document: dict[str, list[int]] = {}
    for row, example in enumerate(judged.examples):
        by_document.setdefault(example.doc_id, []).append(row)
    within = []
    for rows in by_document.values():
        mine, theirs = values[rows], human[rows]
        constant = np.ptp(mine) == 0 or np.ptp(theirs) == 0
        within.append(0.0 if constant else float(np.corrcoef(mine, theirs)[0, 1]))
    return Levels(pearson(system_means(values, judged), system_means(human, judged)), float(np.mean(within)))
