"""Metrics that ask a model which content units a summary states: what lite2pyramid, lite3pyramid and mixes share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.metric import Column, Metric, check_choices
from gistmeter.metrics.sts import places
from gistmeter.models.encoder import check_language
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_rule, sentences
from gistmeter.units.judging import Judge, Value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.metrics.metric import FloatArray
    from gistmeter.records import Example, Unit

_FOUND = 0.5


@dataclass(frozen=True, slots=True)
class JudgedUnits(Metric):
    """The weighted mean over units of how far the summary states each (Zhang and Bansal, 2021, eq. 2)."""

    model: str = "embedded"
    value: Value | Literal["auto"] = "auto"
    labels: str = "auto"

    paper: ClassVar[str] = "Zhang and Bansal (2021), Finding a Balanced Degree of Automation for Summary Evaluation"
    slow: ClassVar[bool] = True
    columns: ClassVar[tuple[Column, ...]] = (
        Column("recall", "mean over the units of the references of how far the summary states each"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        self.judge  # noqa: B018  (refuses settings that do not go together)

    @property
    def judge(self) -> Judge:
        """Who judges."""
        return Judge(self.model, self.value, self.labels)

    @abstractmethod
    def units_of(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units that count for each example."""

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Recall of each example; missing (NaN) where no unit has a weight."""
        for example in examples:
            check_language(self.model.removesuffix("-nli"), example.language, self.name)
        units = [_weighing(some) for some in self.units_of(examples)]
        said = self.judge.judged(examples, units)
        return np.array([_mean(*each) for each in zip(units, said, strict=True)]).reshape(-1, 1)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}

    def facts(self) -> Mapping[str, str]:
        """Which model judged and what of its answer counts."""
        return self.judge.facts()

    def explain(self, example: Example) -> Evidence:
        """The units, whether each was found, and the sentence of the summary that states it most."""
        units = _weighing(self.units_of([example])[0])
        (whole,) = self.judge.judged([example], [units])
        mine = sentences(example.summary, resolve_rule("auto", example.summary), language_code(example.language))
        soft = replace(self, value=_soft(self.judge.counted)).judge
        alone = soft([(sentence, unit.text) for unit in units for sentence in mine])
        by_sentence = alone.reshape(len(units), len(mine))
        carrier = [
            int(row.argmax()) if len(mine) and said >= _FOUND else None
            for row, said in zip(by_sentence, whole, strict=True)
        ]
        groups = [next((u for u, place in enumerate(carrier) if place == s), None) for s in range(len(mine))]
        order = sorted(range(len(units)), key=lambda u: -whole[u])
        found = int((whole >= _FOUND).sum())
        return Evidence(
            metric=self.spelling,
            headline=f"{found} of {len(units)} units found; the mean is {_mean(units, whole):.3f}",
            panes=(Pane("summary", example.summary, places(example.summary, mine, groups)),),
            table=Table(
                ("unit", "weight", self.judge.counted, "stated by"),
                tuple(
                    (
                        units[u].text,
                        f"{units[u].weight:g}",
                        f"{whole[u]:.3f}",
                        "not found" if (place := carrier[u]) is None else mine[place],
                    )
                    for u in order
                ),
            ),
        )


def _weighing(units: Sequence[Unit]) -> tuple[Unit, ...]:
    return tuple(unit for unit in units if unit.weight)


def _mean(units: Sequence[Unit], said: FloatArray) -> float:
    """The mean by the weights of units; missing without units."""
    weights = np.array([unit.weight for unit in units])
    return float(said @ weights / weights.sum()) if len(units) else float("nan")


def _soft(value: Value) -> Value:
    """The probability behind a label."""
    soft: dict[Value, Value] = {"l2c": "p2c", "l3c": "p3c"}
    return soft.get(value, value)
