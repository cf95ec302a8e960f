"""What metrics on token states share: which model, layer and weights, and how the signature says so."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Metric, Need, check_choices
from gistmeter.metrics.settings import Layer  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.encoder.encoder import BY_LANGUAGE, Encoder, LongTexts, choose_encoder, load_encoder
from gistmeter.models.encoder.idf import (
    EvenWeights,
    Idf,
    ReferenceWeights,
    count_reference_weights,
    lacks_word_list,
    load_background_weights,
    load_vocabulary_weights,
)
from gistmeter.models.encoder.layers import Aspect, choose_layer
from gistmeter.models.encoder.own_layers import find_own_layer
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.runtime.locate import EMBEDDED_NAME, MULTILINGUAL_NAME, locate
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.example import Example
    from gistmeter.models.encoder.idf import TokenWeights


@dataclass(frozen=True, slots=True)
class TokenMetric(Metric):
    """A comparison of a summary with its references by the states of their tokens at one layer of a model."""

    model: str = "embedded"
    layer: Layer | None = None
    aspect: Aspect = "none"
    idf: Idf = "auto"
    long: LongTexts = "windows"
    dtype: Dtype = "fp32"
    fitted: tuple[tuple[str, ReferenceWeights], ...] | None = field(default=None, repr=False, metadata={"state": True})
    """Weights from the references of a run, by language."""

    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "encoder-multilingual", "idf"})
    needs = frozenset[Need]({"references"})

    def __post_init__(self) -> None:
        check_choices(self)

    @property
    def resolved_layer(self) -> int:
        """The layer that is read in English."""
        return self.choose_layer("en")

    def choose_layer(self, language: str) -> int:
        """The layer that is read in a language: the one given, or the one recommended."""
        return choose_layer(self._choose_model(language), self.layer, self.aspect, self.name)

    @property
    def fits(self) -> bool:
        """Whether weights are to come from all references of the run."""
        return self.idf == "references" and self.fitted is None

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric with weights from the references of these examples: of each language, each once a document."""
        references: dict[str, dict[tuple[str, str], None]] = {}
        for example in examples:
            of_language = references.setdefault(language_code(example.language), {})
            of_language.update(dict.fromkeys((example.doc_id, text) for text in example.references))
        fitted = tuple(
            (code, count_reference_weights(self._load_encoder(code), [text for _, text in of_language]))
            for code, of_language in sorted(references.items())
        )
        return dataclasses.replace(self, fitted=fitted)

    def facts(self) -> Mapping[str, str]:
        """The layer read, and digests of the model and of the weights of tokens if those come from the run.

        Model and layer are those of English; where others read another language, `traits` says so.
        """
        facts = {"layer": str(self.resolved_layer), "idf": self.choose_idf("en")}
        if self.model != BY_LANGUAGE:
            facts |= _describe_encoder(self.model)
        if self.fitted is not None:
            facts["idf"] = "-".join(["references", *(weights.digest for _, weights in self.fitted)])
        return facts

    def check_language(self, code: str) -> None:
        """Refuse a language that the encoder does not read."""
        self._choose_model(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the background weights, and for `embedded` and `auto` the model and its layer."""
        code = language_code(example.language)
        traits = {"language": code}
        if self.model in (EMBEDDED, BY_LANGUAGE):  # the language decides what reads it
            traits |= {**_describe_encoder(self._choose_model(code)), "layer": str(self.choose_layer(code))}
        if (idf := self.choose_idf(code)) not in ("references", "separate"):
            traits["idf"] = idf
        return traits

    def _choose_model(self, language: str) -> str:
        return choose_encoder(self.model, language, self.name)

    def _load_encoder(self, language: str) -> Encoder:
        return load_encoder(self._choose_model(language), dtype=self.dtype, long=self.long)

    def choose_idf(self, language: str) -> Idf:
        """The weights of tokens in a language.

        `auto` is that with which the layer was chosen: none for all models of the literature and, as in FFCI, for an
        aspect, but background with the multilingual encoder, whose frequent tokens say little. `background` goes by the
        vocabulary where there is no list of words.
        """
        model = self._choose_model(language)
        idf = self.idf
        if idf == "auto":
            idf = self._choose_tuned_idf(model)
        return "vocabulary" if idf == "background" and lacks_word_list(model, language) else idf

    def _choose_tuned_idf(self, model: str) -> Idf:
        own = None if self.layer is not None else find_own_layer(model, self.aspect)
        if own is not None:
            return own.idf
        if model == MULTILINGUAL_NAME:
            return "background"
        return "background" if model in (EMBEDDED, EMBEDDED_NAME) and self.aspect == "none" else "none"

    def _choose_weights(self, language: str) -> TokenWeights:
        idf = self.choose_idf(language)
        if idf == "none":
            return EvenWeights()
        if idf == "background":
            return load_background_weights(self._choose_model(language), language)
        if idf == "vocabulary":
            return load_vocabulary_weights(self._choose_model(language))
        if self.fitted is None:
            raise MetricError(f"{self.spelling} must read the references first: use its fit(examples)")
        return dict(self.fitted).get(language_code(language)) or ReferenceWeights({}, 0)


@functools.cache
def _describe_encoder(name: str) -> Mapping[str, str]:
    """The name and digest of an encoder, as they stand in signatures."""
    checkpoint = locate(name)
    return {"model": checkpoint.name, "weights": checkpoint.digest}
