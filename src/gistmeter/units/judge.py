"""How far a summary states a content unit, judged by a presence judge or by an entailment model.

For an entailment model the summary is the premise and the unit the hypothesis (Zhang and Bansal, 2021, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.linguistics.contrasts.conflicts import find_conflicts
from gistmeter.models.entailment import model as entailment
from gistmeter.models.presence import RULES_VERSION as PREMISE_VERSION
from gistmeter.models.presence.combination import read_combination
from gistmeter.models.presence.judge import combination_file, is_presence_file, load_presence
from gistmeter.models.presence.premises import choose_premise
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit


Value = Literal["p2c", "l2c", "p3c", "l3c"]
EMBEDDED_NLI = "embedded-nli"
"""The embedded entailment model, which has seen no summaries."""

_VALUE_OF_LOGITS: dict[Value, Callable[[FloatArray], FloatArray]] = {
    "p2c": entailment.p2c,
    "l2c": entailment.l2c,
    "p3c": entailment.p3c,
    "l3c": entailment.l3c,
}
PRESENT_ABOVE = 0.5
"""A unit counts as present above this number."""


@dataclass(frozen=True, slots=True)
class UnitJudge:
    """Which model judges, and what of its answer counts: a probability (p) or a label (l), of two classes or three."""

    model: str = EMBEDDED
    value: Value | Literal["auto"] = "auto"
    labels: str = "auto"

    def __post_init__(self) -> None:
        if self.is_presence and self.value in ("p3c", "l3c"):
            who = "the embedded judge" if self.model == EMBEDDED else self.model
            raise MetricError(
                f"{who} knows present and absent, so there is no {self.value}: take p2c or l2c, or model={EMBEDDED_NLI}"
            )

    @property
    def is_presence(self) -> bool:
        """Whether a presence judge is meant, the embedded one or a file that `gistmeter train presence` wrote."""
        return self.model == EMBEDDED or is_presence_file(self.model)

    @property
    def reads_english_alone(self) -> bool:
        """Whether it reads with the embedded encoder alone, which knows English only."""
        return self.is_presence or self._is_small

    @property
    def value_used(self) -> Value:
        """The value that counts: p2c of a model that learned from labels of presence, else l3c, the paper's best."""
        if self.value != "auto":
            return self.value
        return "p2c" if self.is_presence or entailment.has_learned_presence(self._name) else "l3c"

    def judge_pairs(self, pairs: Sequence[tuple[str, str]], references: Sequence[str] | None = None) -> FloatArray:
        """A number from 0 to 1 for each (summary, unit); a summary without any word states nothing.

        A presence judge also reads the references that the units come from, one text for each pair.
        """
        judgments = np.zeros(len(pairs))
        worded = [row for row, (summary, _) in enumerate(pairs) if has_words(summary)]
        worded_pairs = [pairs[row] for row in worded]
        if not worded_pairs:
            return judgments
        if self.is_presence:
            worded_references = [references[row] for row in worded] if references is not None else None
            probabilities = load_presence(self.model).probabilities(worded_pairs, references=worded_references)
            judgments[worded] = probabilities > PRESENT_ABOVE if self.value_used == "l2c" else probabilities
        else:
            if self._is_small:
                worded_pairs = [(choose_premise(summary, unit), unit) for summary, unit in worded_pairs]
            logits = entailment.load_entailment(self._name, self._labels).logits(worded_pairs)
            judgments[worded] = _VALUE_OF_LOGITS[self.value_used](logits)
        return judgments

    def judge_units(
        self, examples: Sequence[Example], units: Sequence[Sequence[Unit]], *, see_references: bool = True
    ) -> list[FloatArray]:
        """For each example how far its summary states each of its units; what is asked twice is judged once.

        With `see_references` a presence judge sees how much of the whole reference a summary has, which makes means
        over units follow people's better; without, each unit is judged by itself.
        """
        rows = [
            (example.summary, unit.text, "\n".join(example.references) if see_references else "")
            for example, example_units in zip(examples, units, strict=True)
            for unit in example_units
        ]
        if not rows:
            return [np.zeros(0) for _ in units]
        distinct = {row: number for number, row in enumerate(dict.fromkeys(rows))}
        references = [row[2] for row in distinct] if see_references else None
        judgments = self.judge_pairs([row[:2] for row in distinct], references)
        by_row = judgments[[distinct[row] for row in rows]]
        return np.split(by_row, np.cumsum([len(example_units) for example_units in units])[:-1])

    def list_conflicts(self, example: Example, units: Sequence[Unit]) -> tuple[str, ...]:
        """For each unit what of it is at odds with the summary (`900 / 90`); empty where conflicts do not count."""
        if self.model != EMBEDDED:
            return ()
        counted = read_combination(combination_file()).weights.conflicts
        return tuple(
            "; ".join(
                f"{conflict.stated} / {conflict.text}"
                for conflict in find_conflicts(example.summary, unit.text)
                if conflict.kind in counted and conflict.text
            )
            for unit in units
        )

    def facts(self) -> Mapping[str, str]:
        """What joins a signature: the model, a digest of its weights, what of it counts and what it reads."""
        if self.is_presence:
            return {**load_presence(self.model).identity(), "value": self.value_used}
        name, digest = entailment.entailment_identity(self._name)
        premise_rule = f"two best sentences, {PREMISE_VERSION}" if self._is_small else "whole summary"
        return {"model": name, "weights": digest, "value": self.value_used, "premise": premise_rule}

    @property
    def _is_small(self) -> bool:
        """Whether the model is gistmeter's own, which learned from short premises: it reads two sentences best."""
        return self._name == EMBEDDED or self._name.endswith(".safetensors")

    @property
    def _name(self) -> str:
        return EMBEDDED if self.model == EMBEDDED_NLI else self.model

    @property
    def _labels(self) -> tuple[str, ...] | None:
        if self.labels == "auto":
            return None
        names = tuple(part.strip() for part in self.labels.split("/"))
        if sorted(names) != sorted(entailment.LABELS):
            example = "/".join(entailment.LABELS)
            raise MetricError(
                f"labels={self.labels} must name the outputs of the model in their order, as {example} does"
            )
        return names
