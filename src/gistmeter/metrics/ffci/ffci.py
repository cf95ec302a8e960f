"""FFCI: faithfulness, focus, coverage and coherence of a summary, side by side (Koto, Baldwin and Lau, 2022)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar

import numpy as np

from gistmeter.metrics.ffci.aspects import Coverage, Focus
from gistmeter.metrics.ffci.coherence import Coherence
from gistmeter.metrics.ffci.faithfulness import Faithfulness, Match
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.scored import score_once
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example

Parts = tuple[Faithfulness, Focus, Coverage]
Part = TypeVar("Part", Faithfulness, Focus, Coverage)


@dataclass(frozen=True, slots=True)
class Ffci(Metric):
    """The four columns of FFCI's leaderboard.

    Faithfulness compares the summary with the document, focus and coverage compare it with the references, and
    coherence (the weakest joint between two sentences) reads the summary alone. `metric` does the comparing: by default
    bertscore with the layer recommended for each column: in English without idf, as in the paper, and in other
    languages with idf, which agrees better with people there. `match` is as for faithfulness. `coherence` is the
    next-sentence model, as `model` of coherence: `embedded`, a head that `gistmeter train next-sentence` wrote, or a
    checkpoint by folder or name.

    Do not compare scores of different languages. A summary of one sentence has no coherence (NaN); the pages of the
    four metrics say what empty texts score.
    """

    metric: Metric | None = None
    match: Match = "sentences"
    coherence: str = "embedded"
    fitted: Parts | None = field(default=None, repr=False, metadata={"state": True})

    name = "ffci"
    paper = "Koto, Baldwin and Lau (2022), FFCI: A Framework for Interpretable Automatic Evaluation of Summarization"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset(
        {
            "encoder",
            "encoder-multilingual",
            "idf",
            "next-sentence",
            "next-sentence-multilingual",
            "sentences-multilingual",
        }
    )
    needs = frozenset[Need]({"document", "references"})
    columns = (
        Column("faithfulness", "how well the document supports the summary"),
        Column("focus", "how much of the summary the reference has"),
        Column("coverage", "how much of the reference the summary has"),
        Column("coherence", "probability of the weakest joint between two sentences"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        self._choose_parts()

    @property
    def fits(self) -> bool:
        """Whether one of the inner metrics must read the run first."""
        return self.fitted is None and any(part.fits for part in self._choose_parts())

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metrics fitted to the run."""
        sources = [replace(example, summary="") for example in examples]
        faithfulness, focus, coverage = self._choose_parts()
        return replace(self, fitted=(_fit(faithfulness, sources), _fit(focus, sources), _fit(coverage, sources)))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Faithfulness, focus, coverage and coherence of each example."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        if examples:
            scores[:, :3] = np.concatenate([part.score(examples) for part in self._choose_parts()], axis=1)
            scores[:, 3] = self._joint_metric.score(examples)[:, 0]
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, the metric that compares, and what the data decided about it."""
        faithfulness, focus, _ = self._choose_parts()
        return {
            **focus.traits(example),
            "language": language_code(example.language),
            "metric": focus.metric.name,
            "sentences": faithfulness.traits(example).get("sentences", "none"),
        }

    def facts(self) -> Mapping[str, str]:
        """The facts of the inner metrics: once where they agree, by column where they do not."""
        parts = self._choose_parts()
        facts_of_parts = [part.facts() for part in parts]
        facts = {
            key if all(facts.get(key) == value for facts in facts_of_parts) else f"{part.name}.{key}": value
            for part, part_facts in zip(parts, facts_of_parts, strict=True)
            for key, value in part_facts.items()
        }
        return {**facts, **{f"coherence.{key}": value for key, value in self._joint_metric.facts().items()}}

    def explain(self, example: Example) -> Evidence | None:
        """The four scores, and what supports each sentence of the summary."""
        evidence = self._choose_parts()[0].explain(example)
        if evidence is None:
            return None
        scores = zip(self.columns, score_once(self, [example])[0], strict=True)
        values = ", ".join(f"{column.name} {'-' if np.isnan(value) else f'{value:.3f}'}" for column, value in scores)
        return replace(evidence, metric=self.spelling, headline=f"{values}. Faithfulness: {evidence.headline}")

    @property
    def _joint_metric(self) -> Coherence:
        """The metric of the last column, with the model asked for."""
        return Coherence(model=self.coherence)

    def _choose_parts(self) -> Parts:
        """Faithfulness, focus and coverage."""
        if self.fitted is not None:
            return self.fitted
        if self.metric is not None:
            return Faithfulness(self.metric, match=self.match), Focus(self.metric), Coverage(self.metric)
        return Faithfulness(match=self.match), Focus(), Coverage()


def _fit(part: Part, examples: Sequence[Example]) -> Part:
    return part.fit(examples) if part.fits else part
