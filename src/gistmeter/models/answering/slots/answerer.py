"""An answerer without a trained network: the noun phrase that stands where the question has its gap.

The embedded asker keeps the sentence around the phrase it asks for. So the answer is the noun phrase of the text whose
surroundings are most like those of the wh-phrase (`slot_features`), if they are like enough. Weights and threshold are
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
from gistmeter.models.answering.slots.described import question_sides, text_sides
from gistmeter.models.answering.slots.features import NAMES, features
from gistmeter.models.answering.spans import LIKELIEST, NO_ANSWER, Answer, from_guesses, guess_of
from gistmeter.models.runtime.batch import Recent
from gistmeter.models.runtime.locate import locate
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.answering.slots.described import Side


NAME = "slots"
_TABLE = Path(__file__).parent / "weights.toml"
_MEMORY = 128 << 20
"""Bytes of parsed and encoded texts, and of questions, that are kept for the next call."""

_CHUNK = 256
"""Texts that are parsed and encoded at a time."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What each feature counts, and from where on a phrase is an answer."""

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def logits(self, table: FloatArray) -> FloatArray:
        """How much more likely each phrase (row) is the answer than that there is none, as a logarithm."""
        return np.asarray(table @ np.array([self.weights[name] for name in NAMES]) + self.bias)


class SlotAnswerer:
    """Finds the noun phrase in the place of a question's gap. Each distinct text is parsed and encoded once."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self._questions: Recent[Side] = Recent(_MEMORY)
        self._texts: Recent[Side] = Recent(_MEMORY)

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its answers, for a signature."""
        return slots_identity(self._scale.threshold)

    def answers(self, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
        """An answer for each (question, text).

        >>> told = "Anna Brown won the race in Oslo on Sunday. Her brother came third."
        >>> [one.text for one in slots().answers([("Who won the race in Oslo?", told)])]
        ['Anna Brown']
        """
        asked: dict[str, list[str]] = {}
        for question, text in dict.fromkeys(pairs):
            asked.setdefault(text, []).append(question)
        found: dict[tuple[str, str], Answer] = {}
        texts = list(asked)
        for at in range(0, len(texts), _CHUNK):
            chunk = texts[at : at + _CHUNK]
            sides = _kept(chunk, self._texts, text_sides)
            questions = list(dict.fromkeys(question for text in chunk for question in asked[text]))
            slots_of = _kept(questions, self._questions, question_sides)
            for text in chunk:
                tables = features(sides[text], [slots_of[question] for question in asked[text]])
                for question, table in zip(asked[text], tables, strict=True):
                    has_gap = bool(slots_of[question].slots)
                    found[question, text] = self._answer(text, sides[text], table if has_gap else table[:0])
        return [found[pair] for pair in pairs]

    def _answer(self, text: str, side: Side, table: FloatArray) -> Answer:
        if not len(table):
            return NO_ANSWER
        logits = self._scale.logits(table)
        whole = np.logaddexp.reduce(np.append(logits, 0.0))
        null = float(np.exp(-whole))
        likeliest = np.argsort(-logits, kind="stable")[:LIKELIEST].tolist()
        guesses = (
            guess_of(text, side.slots[place].start, side.slots[place].end, float(np.exp(logits[place] - whole)))
            for place in likeliest
        )
        return from_guesses(guesses, null, answered=null <= self._scale.threshold)


def slots(null_threshold: float | None = None) -> SlotAnswerer:
    """The answerer, one per threshold and process; without a threshold, with the one it was calibrated to."""
    return _slots(null_threshold)


def slots_identity(null_threshold: float | None = None) -> Mapping[str, str]:
    """The facts that decide its answers, found without loading a model.

    >>> slots_identity(0.5)["model"], slots_identity(0.5)["threshold"]
    ('slots-rules-1', '0.5')
    """
    threshold = _scale().threshold if null_threshold is None else null_threshold
    return {
        "model": f"{NAME}-{RULES_VERSION}",
        "weights": _weights_digest(),
        "encoder": locate(EMBEDDED).digest,
        "parser": parser_digest(),
        "threshold": f"{threshold:g}",
    }


def _weights_digest() -> str:
    """A digest of the numbers in the table of weights, whatever its comments and its layout."""
    scale = _scale()
    numbers = repr([(name, scale.weights[name]) for name in NAMES] + [("bias", scale.bias)])
    return hashlib.blake2b(numbers.encode(), digest_size=6).hexdigest()


def slots_threshold() -> float:
    """The threshold that it was calibrated to."""
    return _scale().threshold


@functools.lru_cache(maxsize=2)
def _slots(null_threshold: float | None) -> SlotAnswerer:
    scale = _scale()
    threshold = scale.threshold if null_threshold is None else null_threshold
    return SlotAnswerer(Scale(scale.weights, scale.bias, threshold))


@functools.cache
def _scale() -> Scale:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return Scale(table["weights"], table["bias"], table["threshold"])


def _kept(texts: Sequence[str], recent: Recent[Side], read: Callable[[Sequence[str]], list[Side]]) -> dict[str, Side]:
    """Texts as they are read, from memory where they were read before."""
    found = {text: side for text in texts if (side := recent.get(text)) is not None}
    missing = [text for text in texts if text not in found]
    for text, side in zip(missing, read(missing), strict=True):
        found[text] = side
        recent.keep(text, side)
    return found
