"""An answerer without a trained network: the noun phrase that stands where the question has its gap.

The embedded asker keeps the sentence around the phrase it asks for. So the answer is the noun phrase of the text whose
surroundings are most like those of the wh-phrase (`features`), if they are like enough. Weights and threshold are
in weights.toml, with how they were found. Questions that are not built so (`What is the capital of France?`) it
answers badly.
"""

from __future__ import annotations

import functools
import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.parser import parser_digest
from gistmeter.models.answering.slots import RULES_VERSION
from gistmeter.models.answering.slots.features import FEATURE_NAMES, compute_features
from gistmeter.models.answering.slots.texts import describe_passages, describe_questions
from gistmeter.models.answering.spans import MAX_GUESSES, NO_ANSWER, Answer, answer_from_guesses, make_guess
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.locate import locate
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.answering.slots.texts import SlottedText


NAME = "slots"
_WEIGHTS_FILE = Path(__file__).parent / "weights.toml"
_CACHE_BYTES = 128 << 20
"""Bytes of parsed and encoded texts, and of questions, that are kept for the next call."""

_BATCH_TEXTS = 256
"""Texts that are parsed and encoded at a time."""


@dataclass(frozen=True, slots=True)
class SlotWeights:
    """What each feature counts, and from where on a phrase is an answer."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def logits(self, table: FloatArray) -> FloatArray:
        """How much more likely each phrase (row) is the answer than that there is none, as a logarithm."""
        return np.asarray(table @ np.array([self.weights[name] for name in FEATURE_NAMES]) + self.bias)


class SlotAnswerer:
    """Finds the noun phrase in the place of a question's gap. Each distinct text is parsed and encoded once."""

    def __init__(self, scale: SlotWeights) -> None:
        self._scale = scale
        self._questions: RecentCache[SlottedText] = RecentCache(_CACHE_BYTES)
        self._texts: RecentCache[SlottedText] = RecentCache(_CACHE_BYTES)

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its answers, for a signature."""
        return slots_identity(self._scale.threshold)

    def answers(self, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
        """An answer for each (question, text).

        >>> text = "Anna Brown won the race in Oslo on Sunday. Her brother came third."
        >>> [answer.text for answer in load_slot_answerer().answers([("Who won the race in Oslo?", text)])]
        ['Anna Brown']
        """
        questions_of_text: dict[str, list[str]] = {}
        for question, text in dict.fromkeys(pairs):
            questions_of_text.setdefault(text, []).append(question)
        answers: dict[tuple[str, str], Answer] = {}
        texts = list(questions_of_text)
        for at in range(0, len(texts), _BATCH_TEXTS):
            chunk = texts[at : at + _BATCH_TEXTS]
            passages = _describe_once(chunk, self._texts, describe_passages)
            questions = list(dict.fromkeys(question for text in chunk for question in questions_of_text[text]))
            described_questions = _describe_once(questions, self._questions, describe_questions)
            for text in chunk:
                asked = questions_of_text[text]
                tables = compute_features(passages[text], [described_questions[question] for question in asked])
                for question, table in zip(asked, tables, strict=True):
                    has_gap = bool(described_questions[question].slots)
                    answers[question, text] = self._answer(text, passages[text], table if has_gap else table[:0])
        return [answers[pair] for pair in pairs]

    def _answer(self, text: str, passage: SlottedText, table: FloatArray) -> Answer:
        if not len(table):
            return NO_ANSWER
        logits = self._scale.logits(table)
        whole = np.logaddexp.reduce(np.append(logits, 0.0))
        null = float(np.exp(-whole))
        likeliest = np.argsort(-logits, kind="stable")[:MAX_GUESSES].tolist()
        guesses = (
            make_guess(text, passage.slots[index].start, passage.slots[index].end, float(np.exp(logits[index] - whole)))
            for index in likeliest
        )
        return answer_from_guesses(guesses, null, answered=null <= self._scale.threshold)


def load_slot_answerer(null_threshold: float | None = None) -> SlotAnswerer:
    """The answerer, one per threshold and process; without a threshold, with the one it was calibrated to."""
    return _load_slot_answerer_once(null_threshold)


def slots_identity(null_threshold: float | None = None) -> Mapping[str, str]:
    """The facts that decide its answers, found without loading a model.

    >>> slots_identity(0.5)["model"], slots_identity(0.5)["threshold"]
    ('slots-rules-1', '0.5')
    """
    threshold = _read_weights().threshold if null_threshold is None else null_threshold
    return {
        "model": f"{NAME}-{RULES_VERSION}",
        "weights": _weights_digest(),
        "encoder": locate(EMBEDDED).digest,
        "parser": parser_digest(),
        "threshold": f"{threshold:g}",
    }


def _weights_digest() -> str:
    """A digest of the numbers in the table of weights, whatever its comments and its layout."""
    scale = _read_weights()
    numbers = repr([(name, scale.weights[name]) for name in FEATURE_NAMES] + [("bias", scale.bias)])
    return hashlib.blake2b(numbers.encode(), digest_size=6).hexdigest()


def slots_threshold() -> float:
    """The threshold that it was calibrated to."""
    return _read_weights().threshold


@functools.lru_cache(maxsize=2)
def _load_slot_answerer_once(null_threshold: float | None) -> SlotAnswerer:
    scale = _read_weights()
    threshold = scale.threshold if null_threshold is None else null_threshold
    return SlotAnswerer(SlotWeights(scale.weights, scale.bias, threshold))


@functools.cache
def _read_weights() -> SlotWeights:
    table = tomllib.loads(_WEIGHTS_FILE.read_text(encoding="utf-8"))
    return SlotWeights(table["weights"], table["bias"], table["threshold"])


def _describe_once(
    texts: Sequence[str],
    recent: RecentCache[SlottedText],
    describe: Callable[[Sequence[str]], list[SlottedText]],
) -> dict[str, SlottedText]:
    """Each text as `describe` reads it, from the cache where it was read before."""
    described = {text: cached for text in texts if (cached := recent.get(text)) is not None}
    missing = [text for text in texts if text not in described]
    for text, slotted in zip(missing, describe(missing), strict=True):
        described[text] = slotted
        recent.keep(text, slotted)
    return described
