"""Learned scorers of answers: any sequence classification or regression checkpoint that reads an answer beside another.

A checkpoint without a trained head is refused: transformers would fill the head with random numbers.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, softmax

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import load_pretrained, move_to_device
from gistmeter.models.runtime.locate import Identity, identify, locate
from gistmeter.models.runtime.pair_classifier import NamedClassifier
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.models.verification.inputs import DEFAULT_INPUT, InputWriter, check_input

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.verification.inputs import GivenAnswer

_RANGE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:-|to)\s*(-?\d+(?:\.\d+)?)\s*")
_RIGHT_WORDS = ("correct", "equivalent", "right", "yes", "true", "same", "match")
_SIGMOID = "sigmoid"


@dataclass(frozen=True, slots=True)
class OutputReading:
    """How outputs become a score from 0 to 1: one number by its range, or the probability of a class."""

    name: str
    low: float = 0.0
    high: float = 1.0
    sigmoid: bool = False
    column: int | None = None

    def __call__(self, logits: StateArray) -> FloatArray:
        """A score for each row of outputs."""
        outputs = np.asarray(logits, dtype=np.float64)
        if self.column is not None:
            return np.asarray(softmax(outputs, axis=1)[:, self.column])
        numbers = outputs[:, 0]
        if self.sigmoid:
            return np.asarray(expit(numbers))
        width = self.high - self.low
        far = numbers[(numbers < self.low - width / 2) | (numbers > self.high + width / 2)]
        if len(far):
            raise MetricError(
                f"{self.name} gives {far[0]:.3g}, far from the range {self.low:g}-{self.high:g} that its scores should "
                "have: say what it gives with verifier_output, such as 1-5, or sigmoid for a logit"
            )
        return np.asarray(np.clip((numbers - self.low) / width, 0.0, 1.0))


def read_output(output: str | None, labels: Mapping[int, str], name: str) -> OutputReading:
    """What the outputs of a checkpoint mean: `output` is a range, `sigmoid`, or the name of a class.

    >>> read_output("1-5", {0: "LABEL_0"}, "lerc").high
    5.0
    >>> read_output(None, {0: "wrong", 1: "Correct"}, "m").column
    1
    """
    if len(labels) == 1:
        if output == _SIGMOID:
            return OutputReading(name, sigmoid=True)
        return OutputReading(name, *_read_range(output or "0-1", name))
    names = {str(label).lower(): number for number, label in labels.items()}
    if output is None:
        right = [number for label, number in names.items() if re.split(r"\W|_", label)[0] in _RIGHT_WORDS]
        if len(right) == 1:
            return OutputReading(name, column=right[0])
    elif output.lower() in names:
        return OutputReading(name, column=names[output.lower()])
    listed = ", ".join(str(labels[number]) for number in sorted(labels))
    raise MetricError(
        f"{name} has the classes {listed}, and which of them means a right answer is not known: name it with "
        f"verifier_output, such as verifier_output={labels[max(labels)]}"
    )


def check_output(output: str) -> None:
    """Refuse a range of scores without any width; whether a class is there shows when the model is loaded."""
    if _RANGE.fullmatch(output):
        _read_range(output, "a verifier")


def _read_range(output: str, name: str) -> tuple[float, float]:
    match = _RANGE.fullmatch(output)
    if match is None:
        raise MetricError(f"{name} gives one number, so verifier_output is its range, such as 1-5, not {output!r}")
    low, high = map(float, match.groups())
    if low >= high:
        raise MetricError(f"verifier_output={output} is no range: the first number is the lower one, as in 1-5")
    return low, high


def _locate(model: str) -> Checkpoint:
    return locate(model, otherwise="leave the verifier out, so that answers are compared by their words alone")


class AnswerScorer:
    """A learned scorer. What it says of one answer never depends on what else is asked."""

    def __init__(
        self,
        identity: Identity,
        writer: InputWriter,
        network: NamedClassifier,
        reading: OutputReading,
        settings: RuntimeSettings,
    ) -> None:
        self.name, self.digest = identity
        self._writer, self._network, self._reading, self._settings = writer, network, reading, settings

    def scores(self, answers: Sequence[GivenAnswer]) -> FloatArray:
        """A number from 0 to 1 for each answer; the same answer is scored once."""
        if not answers:
            return np.zeros(0)
        distinct = list(dict.fromkeys(answers))
        tokens = self._writer(distinct)
        scores = np.zeros(len(distinct))
        for batch in split_into_batches([len(pair.ids) for pair in tokens], self._settings.batch_tokens):
            scores[batch] = self._reading(self._network([tokens[i] for i in batch]))
        row_of_answer = {answer: row for row, answer in enumerate(distinct)}
        return np.asarray(scores[[row_of_answer[answer] for answer in answers]])


def load_answer_scorer(model: str, *, template: str = DEFAULT_INPUT, output: str | None = None) -> AnswerScorer:
    """The learned scorer of a Hugging Face name or a folder, loaded once per process.

    `template` says what it reads, in parts between bars; `output` what it gives: a range such as `1-5` or `sigmoid` for
    one number, the name of the class of right answers for several.
    """
    return _load_once(model, template, output, current_settings())


def scorer_identity(model: str) -> Identity:
    """What a scorer is called and a digest of its weights, found without loading it."""
    return identify(_locate(model), None)


@functools.lru_cache(maxsize=2)
def _load_once(name: str, template: str, output: str | None, settings: RuntimeSettings) -> AnswerScorer:
    parts = check_input(template)
    checkpoint = _locate(name)
    tokenizer = Tokenizer(checkpoint, prefix_space=False)  # classifiers were trained without a space at the start
    kind = "AutoModelForSequenceClassification"
    model, missing = load_pretrained(checkpoint, kind, dtype="fp32", purpose=" as a scorer of answers")
    random = [key for key in missing if not key.endswith("position_ids")]
    if random:
        raise MetricError(
            f"{checkpoint.name} has no head for scores ({random[0]} is missing, and would be random): name a "
            "checkpoint that was trained to score or to classify answers"
        )
    labels = {int(number): str(label) for number, label in model.config.id2label.items()}
    network = NamedClassifier(
        move_to_device(model, settings.device),
        columns=range(len(labels)),
        device=settings.device,
        pad_id=tokenizer.pad_id,
        name=checkpoint.name,
    )
    writer = InputWriter(tokenizer, parts, min(network.max_tokens, tokenizer.max_tokens), checkpoint.name)
    reading = read_output(output, labels, checkpoint.name)
    return AnswerScorer(identify(checkpoint, None), writer, network, reading, settings)
