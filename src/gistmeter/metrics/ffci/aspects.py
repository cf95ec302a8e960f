"""Focus and coverage: precision and recall against the reference, by any metric that has both (FFCI, section 3.2)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.metric import Column, Metric, Need, collect_inner_facts
from gistmeter.metrics.scored import score_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example

# `auto` weighs no tokens in English, as in FFCI, on whose data weights do not help; in other languages they do
_FOCUS = BertScore(aspect="focus", idf="auto")
_COVERAGE = BertScore(aspect="coverage", idf="auto")


_STAND_INS = {"precision": "bleu", "recall": "meteor"}
"""Metrics of one score that FFCI's Table 4 takes as a precision (BLEU) and as a recall (METEOR)."""


def adapt_to_aspect(metric: Metric, aspect: Literal["faithfulness", "focus", "coverage"]) -> Metric:
    """A metric as it serves an aspect: bertscore with the layer recommended for it, unless it names a layer.

    >>> adapt_to_aspect(BertScore(model="gpt2-xl"), "focus")
    BertScore(model='gpt2-xl', layer=None, aspect='focus', ...)
    """
    if isinstance(metric, BertScore) and metric.layer is None and metric.aspect == "none":
        return replace(metric, aspect=aspect)
    return metric


@dataclass(frozen=True, slots=True)
class Aspect(Metric):
    """One column, precision or recall, of another metric."""

    metric: Metric

    paper: ClassVar[str] = "Koto, Baldwin and Lau (2022), FFCI, section 3.2"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "encoder-multilingual", "idf"})

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "metric", adapt_to_aspect(self.metric, "focus" if self._side == "precision" else "coverage")
        )
        self._find_column()

    @property
    @abstractmethod
    def _side(self) -> Literal["precision", "recall"]:
        """Which column of the inner metric this aspect takes."""

    @property
    def needs(self) -> frozenset[Need]:
        """What the inner metric needs."""
        return self.metric.needs

    @property
    def fits(self) -> bool:
        """Whether the inner metric must read the run first."""
        return self.metric.fits

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metric fitted to the run."""
        return replace(self, metric=self.metric.fit(examples))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision or recall of each example."""
        position = self._find_column()
        return self.metric.score(examples)[:, position : position + 1]

    def check_language(self, code: str) -> None:
        """Refuse what the inner metric does not read."""
        self.metric.check_language(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """What the data decided about the inner metric."""
        traits = self.metric.traits(example)
        return {key if key == "language" else f"metric.{key}": value for key, value in traits.items()}

    def facts(self) -> Mapping[str, str]:
        """The inner metric, its settings and its facts."""
        return collect_inner_facts(self.metric)

    def prepare_explanations(self, examples: Sequence[Example]) -> None:
        """What the inner metric prepares."""
        self.metric.prepare_explanations(examples)

    def explain(self, example: Example) -> Evidence | None:
        """The evidence of the inner metric; of bertscore, that for the column taken."""
        if isinstance(self.metric, BertScore):
            evidence: Evidence | None = self.metric.explain_score(example, self._side)
        else:
            evidence = self.metric.explain(example)
        if evidence is None:
            return None
        value = score_once(self, [example])[0, 0]
        if np.isnan(value):
            return replace(evidence, metric=self.spelling)
        headline = f"{self.name} {value:.3f}. {evidence.headline[:1].upper()}{evidence.headline[1:]}"
        return replace(evidence, metric=self.spelling, headline=headline)

    def _find_column(self) -> int:
        """The position of the column taken, which the inner metric must have."""
        names = [column.name for column in self.metric.summary_columns]
        stand_in = _STAND_INS[self._side]
        if self.metric.name == stand_in and stand_in in names:
            return names.index(stand_in)
        if self._side not in names:
            ways = ", ".join(names) or "nothing for one summary"
            raise MetricError(f"{self.name} needs a metric with the column {self._side}; {self.metric} has {ways}")
        return names.index(self._side)


@dataclass(frozen=True, slots=True)
class Focus(Aspect):
    """How much of the summary is what the reference says: the precision of `metric`.

    Any metric with a precision will do, such as rouge1, sts and bertscore (which reads the layer recommended for focus
    unless it names a layer), and bleu, which FFCI takes for one. Several references,
    languages and empty texts are treated as that metric treats them.

    >>> from gistmeter.metrics.registry import parse_metric
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="the cat sat", references="the cat sat on the mat")
    >>> Focus(parse_metric("rouge1")).score([example])
    array([[1.]])
    """

    metric: Metric = _FOCUS

    name = "focus"
    columns = (Column("focus", "how much of the summary the reference has (precision)"),)
    _side = "precision"


@dataclass(frozen=True, slots=True)
class Coverage(Aspect):
    """How much of the reference the summary says: the recall of `metric`.

    Any metric with a recall will do, such as rouge1, sts and bertscore (which reads the layer recommended for coverage
    unless it names a layer), and meteor, which FFCI takes for one. Several
    references, languages and empty texts are treated as that metric treats them.

    >>> from gistmeter.metrics.registry import parse_metric
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="the cat sat", references="the cat sat on the mat")
    >>> Coverage(parse_metric("rouge1")).score([example])
    array([[0.5]])
    """

    metric: Metric = _COVERAGE

    name = "coverage"
    columns = (Column("coverage", "how much of the reference the summary has (recall)"),)
    _side = "recall"
