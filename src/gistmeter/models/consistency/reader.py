"""The network of the consistency role: how surely a text supports a claim, read together.

The embedded one is the embedded encoder with parts that `gistmeter train consistency` wrote. By name or path it is any
classifier of pairs: with three classes (entailment, neutral, contradiction), with two (supported or not, under whatever
name) or with one output (a logit of support).
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.entailment.model import LABELS, Entailment, load_entailment, p2c, p3c
from gistmeter.models.runtime.load import load_pretrained, move_to_device
from gistmeter.models.runtime.locate import Identity, identify, locate, locate_adapted
from gistmeter.models.runtime.pair_classifier import NamedClassifier, refuse_random
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.stored_json import read_config
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.runtime.tokenizer import PairTokens

WEIGHTS = Path(__file__).parent / "weights.safetensors"

_SUPPORT_NAMES = ("entail", "support", "consistent", "faithful", "factual", "true", "correct", "aligned", "1")
"""How the names of a class begin that says a claim is supported."""

_NEVER = -1e4
"""The logit of a class that a model does not have."""


class SupportReader:
    """What gives the probability that a text supports a claim. It never depends on what else is asked."""

    def __init__(self, model: Entailment, *, two_way: bool) -> None:
        self._model, self._two_way = model, two_way
        self.max_tokens = model.max_tokens

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """For each (text, claim) the probability of support; the same pair is judged once."""
        return self._find_lowest(pairs, p2c if self._two_way else p3c)

    def margins(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The logits of these probabilities."""
        return self._find_lowest(pairs, _subtract_others if self._two_way else _compare_others)

    def _find_lowest(self, pairs: Sequence[tuple[str, str]], measure: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """What is measured of each pair; of a claim longer than the network reads, that of its least supported part."""
        divided = [self._model.divide_hypothesis(claim) for _, claim in pairs]
        measured = measure(
            self._model.logits(
                [(text, part) for (text, _), parts in zip(pairs, divided, strict=True) for part in parts]
            )
        )
        if not pairs:
            return measured
        starts = np.cumsum([0, *(len(parts) for parts in divided[:-1])])
        return np.asarray(np.minimum.reduceat(measured, starts))


def load_support_reader(
    model: str = EMBEDDED, labels: Sequence[str] | None = None, *, dtype: Dtype = "fp32"
) -> SupportReader:
    """The network of a name, loaded once a process.

    `model` is `embedded`, weights that `gistmeter train consistency` wrote (a .safetensors file), a folder with a
    checkpoint, or a Hugging Face name. `labels` says what the outputs of a model mean where its configuration does not.
    """
    if is_own(model):
        return SupportReader(load_entailment(_name_weights(model), dtype=dtype), two_way=True)
    if count_classes(model) == len(LABELS):
        return SupportReader(load_entailment(model, labels, dtype=dtype), two_way=False)
    own_labels = tuple(labels) if labels is not None else None
    return SupportReader(_load_two_classes(model, own_labels, dtype, current_settings()), two_way=False)


def reader_identity(model: str = EMBEDDED) -> Identity:
    """What a network is called and a digest of its weights, found without loading it."""
    return identify(*locate_adapted(model, WEIGHTS))


def is_own(model: str) -> bool:
    """Whether a name is that of gistmeter's own network or of a file of its parts.

    >>> is_own("embedded"), is_own("mine.safetensors"), is_own("roberta-large-mnli")
    (True, True, False)
    """
    return model == EMBEDDED or model.endswith(".safetensors")


def count_classes(model: str) -> int:
    """How many outputs the classifier of a checkpoint has, by its configuration."""
    config = read_config(locate(model).folder / "config.json", model)
    names = config.get("id2label")
    return len(names) if names else int(config.get("num_labels", 2))


def find_support(own_labels: Sequence[str], labels: Sequence[str] | None, *, name: str) -> tuple[int, int | None]:
    """Which output of a model of two classes says "supported", and which not; of one output, it and none.

    Classes without names (LABEL_0, LABEL_1) are as most fact checkers have them: 1 is supported.

    >>> find_support(["LABEL_0"], None, name="m"), find_support(["NOT_ENTAILMENT", "ENTAILMENT"], None, name="m")
    ((0, None), (1, 0))
    """
    if len(own_labels) == 1:
        if labels is not None and len(labels) != 1:
            raise MetricError(f"{name} has one output, but labels name {len(labels)}: leave labels out")
        return 0, None
    if len(own_labels) != 2:
        raise MetricError(f"{name} has {len(own_labels)} classes; a judge of consistency has one, two or three")
    given = labels if labels is not None else own_labels
    supporting = [index for index, label in enumerate(given) if _says_supported(label)]
    if len(given) != 2 or len(supporting) != 1:
        raise MetricError(
            f"the classes of {name} are called {', '.join(given)}, and which of them means supported is not known: "
            "give labels in the order of the outputs, such as labels=unsupported/supported"
        )
    return supporting[0], 1 - supporting[0]


class _TwoClasses:
    """A classifier of two classes, or with one output, as one of three: the third is never likely."""

    def __init__(self, classifier: NamedClassifier, *, one_output: bool) -> None:
        self._classifier, self._one_output = classifier, one_output
        self.max_tokens = classifier.max_tokens

    def __call__(self, pairs: Sequence[PairTokens]) -> StateArray:
        """Three logits for each pair of tokens."""
        outputs = self._classifier(pairs)
        other = np.zeros_like(outputs[:, 0]) if self._one_output else outputs[:, 1]
        never = np.full_like(outputs[:, 0], _NEVER)
        logits: StateArray = np.stack([outputs[:, 0], other, never], axis=1)
        return logits


def _subtract_others(logits: FloatArray) -> FloatArray:
    return np.asarray(logits[:, 0] - logits[:, 1] - logits[:, 2])


def _compare_others(logits: FloatArray) -> FloatArray:
    return np.asarray(logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2]))


@functools.lru_cache(maxsize=2)
def _load_two_classes(name: str, labels: tuple[str, ...] | None, dtype: Dtype, settings: RuntimeSettings) -> Entailment:
    checkpoint = locate(name)
    tokenizer = Tokenizer(checkpoint, prefix_space=False)
    kind = "AutoModelForSequenceClassification"
    model, missing = load_pretrained(checkpoint, kind, dtype=dtype, purpose=" as a judge of consistency")
    refuse_random(checkpoint.name, missing)
    own_labels = _list_labels(model.config)
    support, other = find_support(own_labels, labels, name=checkpoint.name)
    classifier = NamedClassifier(
        move_to_device(model, settings.device),
        columns=[support] if other is None else [support, other],
        device=settings.device,
        pad_id=tokenizer.pad_id,
        name=checkpoint.name,
    )
    return Entailment(
        identify(checkpoint, None), tokenizer, _TwoClasses(classifier, one_output=other is None), settings
    )


def _list_labels(config: Any) -> list[str]:
    return [str(config.id2label[index]) for index in range(len(config.id2label))]


def _says_supported(label: str) -> bool:
    plain = label.lower().removeprefix("label_").strip()
    return plain.startswith(_SUPPORT_NAMES)


def _name_weights(model: str) -> str:
    return str(WEIGHTS) if model == EMBEDDED else model
