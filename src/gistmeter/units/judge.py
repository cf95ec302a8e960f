"""Judging: how far a summary states a content unit, by a presence judge or by an entailment model.

For an entailment model the summary is the premise and the unit the hypothesis (Zhang and Bansal, 2021, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.entailment import model as roles
from gistmeter.models.presence.judge import is_presence_file, presence
from gistmeter.models.presence.premises import premise
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit


Value = Literal["p2c", "l2c", "p3c", "l3c"]
EMBEDDED_NLI = "embedded-nli"
"""The embedded entailment model, which has seen no summaries."""

_OF_LOGITS: dict[Value, Callable[[FloatArray], FloatArray]] = {
    "p2c": roles.p2c,
    "l2c": roles.l2c,
    "p3c": roles.p3c,
    "l3c": roles.l3c,
}
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judges, and what of the answer counts: a probability (p) or a label (l), of two classes or three."""

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
        """Whether all that it reads with is the embedded encoder."""
        return self.is_presence or self._is_small

    @property
    def counted(self) -> Value:
        """What counts: of a model that learned from labels of presence p2c, of others l3c, as the paper found best."""
        if self.value != "auto":
            return self.value
        return "p2c" if self.is_presence or roles.learned_presence(self._name) else "l3c"

    def __call__(self, pairs: Sequence[tuple[str, str]], references: Sequence[str] | None = None) -> FloatArray:
        """A number from 0 to 1 for each (summary, unit); a summary without any word states nothing.

        A presence judge also looks at the references that the units come from, one text for each pair.
        """
        said = np.zeros(len(pairs))
        asked = [place for place, (summary, _) in enumerate(pairs) if has_words(summary)]
        some = [pairs[place] for place in asked]
        if not some:
            return said
        if self.is_presence:
            around = [references[place] for place in asked] if references is not None else None
            found = presence(self.model).probabilities(some, references=around)
            said[asked] = found > _HALF if self.counted == "l2c" else found
        else:
            if self._is_small:
                some = [(premise(summary, unit), unit) for summary, unit in some]
            said[asked] = _OF_LOGITS[self.counted](roles.entailment(self._name, self._labels).logits(some))
        return said

    def judged(self, examples: Sequence[Example], units: Sequence[Sequence[Unit]]) -> list[FloatArray]:
        """For each example how far its summary states each of its units; what is asked twice is judged once."""
        rows = [
            (example.summary, unit.text, "\n".join(example.references))
            for example, some in zip(examples, units, strict=True)
            for unit in some
        ]
        if not rows:
            return [np.zeros(0) for _ in units]
        distinct = {row: place for place, row in enumerate(dict.fromkeys(rows))}
        said = self([row[:2] for row in distinct], [row[2] for row in distinct])
        answers = said[[distinct[row] for row in rows]]
        return np.split(answers, np.cumsum([len(some) for some in units])[:-1])

    def facts(self) -> Mapping[str, str]:
        """What joins a signature."""
        if self.is_presence:
            return {**presence(self.model).identity(), "value": self.counted}
        name, digest = roles.entailment_identity(self._name)
        read = "two best sentences" if self._is_small else "whole summary"
        return {"model": name, "weights": digest, "value": self.counted, "premise": read}

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
        named = tuple(part.strip() for part in self.labels.split("/"))
        if sorted(named) != sorted(roles.LABELS):
            ways = "/".join(roles.LABELS)
            raise MetricError(f"labels={self.labels} must name the outputs of the model in their order, as {ways} does")
        return named
