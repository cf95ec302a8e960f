"""What metrics on token states share: which model, layer and weights, and how the signature says so."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Metric, Need, check_choices
from gistmeter.models.encoder.encoder import Encoder, LongTexts, load_encoder
from gistmeter.models.encoder.idf import (
    EvenWeights,
    Idf,
    ReferenceWeights,
    count_reference_weights,
    load_background_weights,
)
from gistmeter.models.encoder.layers import Aspect, choose_layer
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.runtime.locate import locate
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example
    from gistmeter.models.encoder.idf import TokenWeights


@dataclass(frozen=True, slots=True)
class TokenMetric(Metric):
    """A comparison of a summary with its references by the states of their tokens at one layer of a model."""

    model: str = "embedded"
    layer: int | None = None
    aspect: Aspect = "none"
    idf: Idf = "background"
    long: LongTexts = "windows"
    dtype: Dtype = "fp32"
    fitted: ReferenceWeights | None = field(default=None, repr=False, metadata={"state": True})

    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "idf"})
    needs = frozenset[Need]({"references"})

    def __post_init__(self) -> None:
        check_choices(self)

    @property
    def resolved_layer(self) -> int:
        """The layer that is read: the one given, or the one recommended."""
        return choose_layer(self.model, self.layer, self.aspect, self.name)

    @property
    def fits(self) -> bool:
        """Whether weights are to come from all references of the run."""
        return self.idf == "references" and self.fitted is None

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric with weights from the references of these examples, each counted once a document."""
        references = dict.fromkeys((example.doc_id, text) for example in examples for text in example.references)
        fitted = count_reference_weights(self._load_encoder(), [text for _, text in references])
        return dataclasses.replace(self, fitted=fitted)

    def facts(self) -> Mapping[str, str]:
        """The layer read, and digests of the model and of the weights of tokens if those come from the run."""
        checkpoint = locate(self.model)
        facts = {"model": checkpoint.name, "weights": checkpoint.digest, "layer": str(self.resolved_layer)}
        if self.fitted is not None:
            facts["idf"] = f"references-{self.fitted.digest}"
        return facts

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the background weights."""
        return {"language": language_code(example.language)}

    def _load_encoder(self) -> Encoder:
        return load_encoder(self.model, dtype=self.dtype, long=self.long)

    def _choose_weights(self, language: str) -> TokenWeights:
        if self.idf == "none":
            return EvenWeights()
        if self.idf == "background":
            return load_background_weights(self.model, language)
        if self.fitted is None:
            raise MetricError(f"{self.spelling} must read the references first: use its fit(examples)")
        return self.fitted
