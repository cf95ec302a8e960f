"""FFCI: faithfulness, focus, coverage and coherence of a summary, side by side (Koto, Baldwin and Lau, 2022)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.ffci.aspects import Coverage, Focus
from gistmeter.metrics.ffci.coherence import Coherence
from gistmeter.metrics.ffci.faithfulness import Faithfulness, Match
from gistmeter.metrics.metric import Column, Metric, Need, check_choices, collect_inner_facts
from gistmeter.metrics.scored import score_once
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example

Parts = tuple[Metric, Metric, Metric, Metric]


@dataclass(frozen=True, slots=True)
class Ffci(Metric):
    """The four columns of FFCI's leaderboard.

    Faithfulness compares the summary with the document, focus and coverage compare it with the references, and
    coherence (the weakest joint between two sentences) reads the summary alone. `metric` does the comparing: by default
    bertscore with the layer recommended for each column: in English without idf, as in the paper, and in other
    languages with idf, which agrees better with people there. `match` is as for faithfulness. `coherence` is the
    next-sentence model, as `model` of coherence: `embedded`, a head that `gistmeter train next-sentence` wrote, or a
    checkpoint by folder or name.

    Each column can have a metric of its own: `faithfulness`, `focus` and `coverage` take the metrics of these names
    with settings, or one that compares with references and is then used as they would use it (`focus=rouge1` is
    ROUGE-1's precision), or one that returns such a score itself.

    Do not compare scores of different languages. A summary of one sentence has no coherence (NaN); the pages of the
    four metrics say what empty texts score.
    """

    metric: Metric | None = None
    match: Match = "sentences"
    faithfulness: Metric | None = None
    focus: Metric | None = None
    coverage: Metric | None = None
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
        run = list(examples)
        faithfulness, focus, coverage, coherence = (
            part.fit(run) if part.fits else part for part in self._choose_parts()
        )
        return replace(self, fitted=(faithfulness, focus, coverage, coherence))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Faithfulness, focus, coverage and coherence of each example."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        if examples:
            for column, part in enumerate(self._choose_parts()):
                scores[:, column] = part.score(examples)[:, 0]
        return scores

    def is_reference_free(self, column: str) -> bool:
        """Whether the metric of that column looks at no reference."""
        position = [each.name for each in self.columns].index(column)
        part = self._choose_parts()[position]
        return part.is_reference_free(part.summary_columns[0].name)

    def check_language(self, code: str) -> None:
        """Refuse what one of the inner metrics does not read."""
        for part in self._choose_parts():
            part.check_language(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, the metric that compares, and what the data decided about it."""
        faithfulness, focus, _, _ = self._choose_parts()
        return {
            **focus.traits(example),
            "language": language_code(example.language),
            "metric": focus.metric.name if isinstance(focus, Focus) else focus.name,
            "sentences": faithfulness.traits(example).get("sentences", "none"),
        }

    def facts(self) -> Mapping[str, str]:
        """The facts of the inner metrics: once where they agree, by column where they do not."""
        *parts, coherence = self._choose_parts()
        names = ("faithfulness", "focus", "coverage")
        facts_of_parts = [
            part.facts() if part.name == name else collect_inner_facts(part)
            for name, part in zip(names, parts, strict=True)
        ]
        facts = {
            key if all(facts.get(key) == value for facts in facts_of_parts) else f"{name}.{key}": value
            for name, part_facts in zip(names, facts_of_parts, strict=True)
            for key, value in part_facts.items()
        }
        return {**facts, **{f"coherence.{key}": value for key, value in coherence.facts().items()}}

    def explain(self, example: Example) -> Evidence | None:
        """The four scores, and what supports each sentence of the summary."""
        evidence = self._choose_parts()[0].explain(example)
        if evidence is None:
            return None
        scores = zip(self.columns, score_once(self, [example])[0], strict=True)
        values = ", ".join(f"{column.name} {'-' if np.isnan(value) else f'{value:.3f}'}" for column, value in scores)
        return replace(evidence, metric=self.spelling, headline=f"{values}. Faithfulness: {evidence.headline}")

    def _choose_parts(self) -> Parts:
        """Faithfulness, focus, coverage and coherence."""
        if self.fitted is not None:
            return self.fitted
        faithfulness, focus, coverage = self.faithfulness, self.focus, self.coverage
        if faithfulness is None:
            faithfulness = Faithfulness(self.metric, match=self.match)
        elif _compares(faithfulness):
            faithfulness = Faithfulness(faithfulness, match=self.match)
        if focus is None or _compares(focus):
            focus = _make_aspect(Focus, focus or self.metric)
        if coverage is None or _compares(coverage):
            coverage = _make_aspect(Coverage, coverage or self.metric)
        parts = (faithfulness, focus, coverage, Coherence(model=self.coherence))
        for column, part in zip(self.columns, parts, strict=True):
            first = part.summary_columns[0] if part.summary_columns else None
            if first is None or first.better != "higher":
                raise MetricError(f"ffci cannot have {column.name}={part}: its first score is not one to be high")
            if not part.needs <= self.needs:
                needs = ", ".join(sorted(part.needs - self.needs))
                raise MetricError(f"ffci cannot have {column.name}={part}: it needs {needs}")
        return parts


def _make_aspect(kind: type[Focus] | type[Coverage], metric: Metric | None) -> Metric:
    return kind() if metric is None else kind(metric)


def _compares(metric: Metric) -> bool:
    """Whether a metric compares with references and is to be read as faithfulness, focus or coverage read one."""
    return metric.needs == {"references"} and not isinstance(metric, Focus | Coverage)
