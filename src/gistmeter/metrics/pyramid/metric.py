"""Metrics that ask a model which content units a summary states: what lite2pyramid, lite3pyramid and mixes share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.pyramid.evidence import UnitJudgments, align_units, explain_judgments
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.units.judge import UnitJudge, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example, Unit

_MULTILINGUAL_MODEL = "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"

_PROBABILITY_OF_LABEL: dict[Value, Value] = {"l2c": "p2c", "l3c": "p3c"}
"""The probability behind each kind of label."""


@dataclass(frozen=True, slots=True)
class JudgedUnitsMetric(Metric):
    """The weighted mean over units of how far the summary states each (Zhang and Bansal, 2021, eq. 2)."""

    model: str = "embedded"
    value: Value | Literal["auto"] = "auto"
    labels: str = "auto"

    paper: ClassVar[str] = "Zhang and Bansal (2021), Finding a Balanced Degree of Automation for Summary Evaluation"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"entailment", "presence", "presence-entailment"})
    missing: ClassVar[str] = "none of their units has a weight"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("recall", "mean over the units of the references of how far the summary states each"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        self.judge  # noqa: B018  (refuses settings that do not go together)

    @property
    def reads(self) -> frozenset[Need]:
        """A presence judge also looks at the references that units come from, where there are any."""
        return self.needs | {"references"}

    @property
    def judge(self) -> UnitJudge:
        """What judges whether a summary states a unit."""
        return UnitJudge(self.model, self.value, self.labels)

    @abstractmethod
    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units that count for each example."""

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Recall of each example; missing (NaN) where no unit has a weight."""
        for code in group_by_language(examples):
            self.check_language(code)
        units = [_drop_weightless(example_units) for example_units in self.collect_units(examples)]
        judgments = self.judge.judge_units(examples, units)
        return np.array([_average(*pair) for pair in zip(units, judgments, strict=True)]).reshape(-1, 1)

    @property
    def cuts_english_units(self) -> bool:
        """Whether the embedded parser cuts units, which reads English alone."""
        return False

    def check_language(self, code: str) -> None:
        """Refuse a language that the judge of units, or what cuts them, does not read."""
        if self.cuts_english_units and code != "en":
            raise MetricError(
                f"{self.spelling} cuts units from English, not {code!r}: give roles by another program (roles=FILE), "
                f"or score units that people wrote with lite2pyramid(model={_MULTILINGUAL_MODEL})"
            )
        if self.judge.reads_english_alone and code != "en":
            raise MetricError(
                f"{self.spelling} reads English, not {code!r}: name an entailment model that reads it, such as "
                f"model={_MULTILINGUAL_MODEL}"
            )

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}

    def facts(self) -> Mapping[str, str]:
        """Which model judged and what of its answer counts."""
        return self.judge.facts()

    def explain(self, example: Example) -> Evidence:
        """The units, how far each is stated, and the sentence of the summary that states it most."""
        (judgments,) = self._judge_sentences([example])
        return explain_judgments(
            self.spelling,
            replace(judgments, conflicts=self.judge.list_conflicts(example, judgments.units)),
            mean=_average(judgments.units, judgments.by_summary),
            value=self.judge.value_used,
        )

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Every unit with the sentence of the summary that states it most: edges add up to the score by weight."""
        return [(align_units(judgments),) for judgments in self._judge_sentences(examples)]

    def _judge_sentences(self, examples: Sequence[Example]) -> list[UnitJudgments]:
        """For each example how far its summary, and each sentence of it, states each unit; all are judged together."""
        units = [_drop_weightless(example_units) for example_units in self.collect_units(examples)]
        sentences = [
            split_sentences(
                example.summary, resolve_sentence_rule("auto", example.summary), language_code(example.language)
            )
            for example in examples
        ]
        soft_judge = replace(self, value=_PROBABILITY_OF_LABEL.get(self.judge.value_used, self.judge.value_used)).judge
        grids = [
            [(sentence, unit.text) for unit in example_units for sentence in own_sentences]
            for example_units, own_sentences in zip(units, sentences, strict=True)
        ]
        distinct = {pair: number for number, pair in enumerate(dict.fromkeys(pair for grid in grids for pair in grid))}
        by_pair = soft_judge.judge_pairs(list(distinct))
        return [
            UnitJudgments(
                summary=example.summary,
                sentences=tuple(own_sentences),
                units=example_units,
                by_summary=by_summary,
                by_sentence=by_pair[[distinct[pair] for pair in grid]].reshape(len(example_units), len(own_sentences)),
            )
            for example, own_sentences, example_units, by_summary, grid in zip(
                examples, sentences, units, self.judge.judge_units(examples, units), grids, strict=True
            )
        ]


def _drop_weightless(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(unit for unit in units if unit.weight)


def _average(units: Sequence[Unit], judgments: FloatArray) -> float:
    """The mean of the judgments by the weights of their units; missing (NaN) without units."""
    weights = np.array([unit.weight for unit in units])
    return float(judgments @ weights / weights.sum()) if len(units) else float("nan")
