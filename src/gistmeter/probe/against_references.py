"""What a metric's favourite summaries say about it, with references at hand (Deutsch, 2022, section 5.5).

Three questions: how many systems the metric puts above what people wrote, where a metric with references puts its
favourites among the systems, and how far the metric does what comparing with its favourites would do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError, MetricError
from gistmeter.io.runs import Run
from gistmeter.missing import average_present
from gistmeter.probe.results import OPTIMISED
from gistmeter.probe.sources import group_documents
from gistmeter.probe.target import Target
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.probe.results import Probe
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.scoring.inputs import RunLike


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsAboveReference:
    """Which systems a metric puts above the references (section 5.5.2), by mean score."""

    above: tuple[str, ...]
    systems: int
    reference: float
    """What the metric gives to the first references; NaN where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRank:
    """Where a metric with references puts the summaries that another one likes best (section 5.5.1)."""

    metric: str
    """The score that ranks, such as rouge2.f1."""
    rank: int
    """From 1; systems with the same score share the better place."""
    ranked: int
    """How many are ranked: the systems and the optimised summaries."""
    score: float
    system_scores: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudoReference:
    """How far scoring by a metric is comparing with the summaries that it likes best (section 5.5.3).

    Both numbers are Pearson correlations of the means of systems, positive where both call the same systems good.
    """

    metric: str
    """The score that compares summaries with the optimised ones."""
    pseudo_r: float
    """Of the probed metric and that score with the optimised summaries for references."""
    gold_r: float
    """Of the probed metric and that score with the first references of people; NaN where there are none."""
    systems: int
    pseudo_scores: Mapping[str, float]
    gold_scores: Mapping[str, float]


def find_systems_above_reference(probe: Probe) -> SystemsAboveReference:
    """The systems that the probed metric puts above the references, the best first.

    Parameters
    ----------
    probe
        What `optimise`, `rerank` or `direct` gave.

    Examples
    --------
    >>> from gistmeter.probe import optimise
    >>> texts = {"document": "It rained in Rome. It was cold in Bonn.", "references": ["Bad weather."]}
    >>> probe = optimise([{"system": "lead", "summary": "It rained in Rome.", **texts}], "js", sentences=1)
    >>> find_systems_above_reference(probe).above
    ('lead',)
    """
    names = [standing.name for standing in probe.standings if standing.name in probe.systems]
    reference = probe.reference.score
    above = tuple(name for name in names if probe.is_better(probe.average_system(name).score, reference))
    return SystemsAboveReference(above=above, systems=len(probe.systems), reference=reference)


def rank_by_references(
    probe: Probe, run: RunLike, metric: str | Metric = "rouge2", *, cache: bool = True
) -> ReferenceRank:
    """Where a metric with references puts the optimised summaries among the systems.

    Parameters
    ----------
    probe
        What `optimise`, `rerank` or `direct` gave.
    run
        The run that was probed; of its references the first counts.
    metric
        The metric with references, or one of its scores, such as `rouge2.recall`.
    cache
        Whether scores are kept and looked up.

    Raises
    ------
    MetricError
        The metric needs no references.
    DataError
        The run has not the documents of the probe, or no references.

    Examples
    --------
    >>> from gistmeter.probe import optimise
    >>> texts = {"document": "It rained in Rome. It was cold in Bonn.", "references": ["Rain fell in Rome."]}
    >>> run = [{"system": "a", "summary": "Rain fell.", **texts}, {"system": "b", "summary": "Sun.", **texts}]
    >>> ranked = rank_by_references(optimise(run, "js", sentences=1), run, "rouge1")
    >>> ranked.rank, ranked.ranked, round(ranked.score, 2)
    (1, 3, 0.75)
    """
    return ReferenceComparison.of(probe, run, metric, cache=cache).rank()


def correlate_pseudo_references(
    probe: Probe, run: RunLike, metric: str | Metric = "rouge2", *, cache: bool = True
) -> PseudoReference:
    """How far the probed metric is a comparison with the optimised summaries, beside one with people's references.

    Parameters
    ----------
    probe
        What `optimise`, `rerank` or `direct` gave.
    run
        The run that was probed; of its references the first counts.
    metric
        The metric with references that compares, or one of its scores, such as `rouge2.recall`.
    cache
        Whether scores are kept and looked up.

    Raises
    ------
    MetricError
        The metric needs no references.
    DataError
        The run has not the documents of the probe.

    Examples
    --------
    >>> from gistmeter.probe import optimise
    >>> summaries = {"a": "Rain fell in Rome.", "b": "Sun shone.", "c": "It rained."}
    >>> document = "It rained in Rome all day. Nobody was there."
    >>> run = [{"system": name, "summary": text, "document": document} for name, text in summaries.items()]
    >>> pseudo = correlate_pseudo_references(optimise(run, "js", sentences=1), run, "rouge1")
    >>> pseudo.pseudo_r > 0.5, pseudo.gold_r
    (True, nan)
    """
    return ReferenceComparison.of(probe, run, metric, cache=cache).correlate()


@dataclass(frozen=True)
class ReferenceComparison:
    """A probe, the documents of its run, and the metric with references that looks at both; each is scored once."""

    probe: Probe
    documents: Sequence[SourceDocument]
    target: Target
    cache: bool

    @classmethod
    def of(cls, probe: Probe, run: RunLike, metric: str | Metric, *, cache: bool = True) -> ReferenceComparison:
        """The comparison of a probe by a metric with references, on the run that was probed."""
        target = Target.of(metric)
        if "references" not in target.metric.needs:
            raise MetricError(f"{target.label} needs no references: take a metric that does, such as rouge2")
        by_name = {source.doc_id: source for source in group_documents(as_run(run).examples())}
        missing = [document.doc_id for document in probe.documents if document.doc_id not in by_name]
        if missing:
            raise DataError(f"the run has no document {missing[0]}, which was probed: give the run that was probed")
        documents = [by_name[document.doc_id] for document in probe.documents]
        return cls(probe=probe, documents=documents, target=target, cache=cache)

    def rank(self) -> ReferenceRank:
        """Where the metric puts the optimised summaries among the systems."""
        if not self.gold_scores:
            raise DataError("the run has no references to rank the optimised summaries by")
        scores = dict(self.gold_scores)
        own_score = scores.pop(OPTIMISED)
        sign = self.target.sign
        return ReferenceRank(
            metric=self.target.name,
            rank=1 + sum(sign * score > sign * own_score for score in scores.values()),
            ranked=len(scores) + 1,
            score=own_score,
            system_scores=scores,
        )

    def correlate(self) -> PseudoReference:
        """How far the probed metric goes with comparing with its favourites, and with people's references."""
        favourites = {document.doc_id: document.summary for document in self.probe.documents}
        pseudo_scores = self._average_systems(favourites, self._list_systems())
        gold_scores = {name: score for name, score in self.gold_scores.items() if name != OPTIMISED}
        return PseudoReference(
            metric=self.target.name,
            pseudo_r=self._correlate_means(pseudo_scores),
            gold_r=self._correlate_means(gold_scores),
            systems=len(self.probe.systems),
            pseudo_scores=pseudo_scores,
            gold_scores=gold_scores,
        )

    @cached_property
    def gold_scores(self) -> dict[str, float]:
        """The mean of each system, and of the optimised summaries, against the first references; empty without any."""
        golds = {source.doc_id: source.reference for source in self.documents if source.reference is not None}
        favourites = [
            source.write_example(OPTIMISED, document.summary)
            for source, document in zip(self.documents, self.probe.documents, strict=True)
        ]
        return self._average_systems(golds, [*self._list_systems(), *favourites]) if golds else {}

    def _list_systems(self) -> list[Example]:
        return [example for source in self.documents for example in source.examples]

    def _average_systems(self, references: Mapping[str, str], examples: Sequence[Example]) -> dict[str, float]:
        """The mean score of each system against one reference for each document; other documents do not count."""
        compared = [
            replace(example, references=(references[example.doc_id],), units=())
            for example in examples
            if example.doc_id in references
        ]
        scores = score_in_memory(Run(memory=compared), {self.target.label: self.target.metric}, cache=self.cache)
        matrix = np.asarray(scores.matrix(self.target.name))
        return {system: average_present(row) for system, row in zip(scores.systems, matrix, strict=True)}

    def _correlate_means(self, scores: Mapping[str, float]) -> float:
        """Pearson's r of the probed metric's means of systems with others, both turned so that higher is better."""
        sign = 1.0 if self.probe.better == "higher" else -1.0
        pairs = [
            (sign * self.probe.average_system(name).score, self.target.sign * score) for name, score in scores.items()
        ]
        table = np.array([pair for pair in pairs if not any(map(math.isnan, pair))]).reshape(-1, 2)
        if len(table) < 2 or np.ptp(table, axis=0).min() == 0:
            return math.nan
        return stats.correlate(table[:, :1], table[:, 1:], level="system").value
