"""FFCI: faithfulness, focus, coverage and coherence of a summary, side by side (Koto, Baldwin and Lau, 2022)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from gistmeter.metrics.embedding.sts import Sts
from gistmeter.metrics.ffci.aspects import Coverage, Focus
from gistmeter.metrics.ffci.coherence import Coherence
from gistmeter.metrics.ffci.faithfulness import Faithfulness, Match
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column, Metric, Need, check_choices, collect_inner_facts
from gistmeter.metrics.scored import score_once
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example

Parts = tuple[Faithfulness, Focus, Coverage]


@dataclass(frozen=True, slots=True)
class Ffci(Metric):
    """The four columns of FFCI's leaderboard.

    Faithfulness compares the summary with the document, focus and coverage compare it with the references, and
    coherence (the weakest joint between two sentences) reads the summary alone. `metric` does the comparing: by default
    bertscore for English, with the layer recommended for each column and without idf, as in the paper, and sts for
    other languages, because the embedded token encoder reads English only. `match` is as for faithfulness; sts has no
    tokens and always compares sentences.

    Do not compare scores of different languages. A summary of one sentence has no coherence (NaN); the pages of the
    four metrics say what empty texts score.
    """

    metric: Metric | None = None
    match: Match = "sentences"
    fitted: tuple[Parts, Parts] | None = field(default=None, repr=False, metadata={"state": True})

    name = "ffci"
    paper = "Koto, Baldwin and Lau (2022), FFCI: A Framework for Interpretable Automatic Evaluation of Summarization"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset(
        {"encoder", "next-sentence", "next-sentence-multilingual", "sentences-multilingual"}
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
        self._choose_parts("en")

    @property
    def fits(self) -> bool:
        """Whether one of the inner metrics must read the run first."""
        return self.fitted is None and any(part.fits for code in ("en", "other") for part in self._choose_parts(code))

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metrics fitted to the run."""
        sources = [replace(example, summary="") for example in examples]
        english = [example for example in sources if language_code(example.language) == "en"]
        others = [example for example in sources if language_code(example.language) != "en"]
        return replace(
            self,
            fitted=(_fit_parts(self._choose_parts("en"), english), _fit_parts(self._choose_parts("other"), others)),
        )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Faithfulness, focus, coverage and coherence of each example."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for code, rows in group_by_language(examples).items():
            in_language = [examples[row] for row in rows]
            scores[rows, :3] = np.concatenate([part.score(in_language) for part in self._choose_parts(code)], axis=1)
            scores[rows, 3] = Coherence().score(in_language)[:, 0]
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, the metric that compares, and what the data decided about it."""
        code = language_code(example.language)
        faithfulness, focus, _ = self._choose_parts(code)
        return {
            **focus.traits(example),
            "language": code,
            "metric": focus.metric.name,
            "sentences": faithfulness.traits(example).get("sentences", "none"),
        }

    def facts(self) -> Mapping[str, str]:
        """The facts of the inner metrics: once where they agree, by column where they do not."""
        english = self._choose_parts("en")
        facts_of_parts = [part.facts() for part in english]
        facts = {
            key if all(facts.get(key) == value for facts in facts_of_parts) else f"{part.name}.{key}": value
            for part, part_facts in zip(english, facts_of_parts, strict=True)
            for key, value in part_facts.items()
        }
        if self.metric is None:
            facts |= collect_inner_facts(self._choose_parts("other")[0].within, "other_languages")
        return {**facts, **{f"coherence.{key}": value for key, value in Coherence().facts().items()}}

    def explain(self, example: Example) -> Evidence | None:
        """The four scores, and what supports each sentence of the summary."""
        evidence = self._choose_parts(language_code(example.language))[0].explain(example)
        if evidence is None:
            return None
        scores = zip(self.columns, score_once(self, [example])[0], strict=True)
        values = ", ".join(f"{column.name} {'-' if np.isnan(value) else f'{value:.3f}'}" for column, value in scores)
        return replace(evidence, metric=self.spelling, headline=f"{values}. Faithfulness: {evidence.headline}")

    def _choose_parts(self, code: str) -> Parts:
        """Faithfulness, focus and coverage for a language."""
        if self.fitted is not None:
            return self.fitted[0] if code == "en" else self.fitted[1]
        if self.metric is not None:
            return Faithfulness(self.metric, match=self.match), Focus(self.metric), Coverage(self.metric)
        if code == "en":
            return Faithfulness(match=self.match), Focus(), Coverage()
        return Faithfulness(Sts()), Focus(Sts()), Coverage(Sts())


def _fit_parts(parts: Parts, examples: Sequence[Example]) -> Parts:
    faithfulness, focus, coverage = (part.fit(examples) if part.fits and examples else part for part in parts)
    return faithfulness, focus, coverage  # type: ignore[return-value]
