"""The answering role: where in a text the answer to a question stands, or that it stands nowhere.

Embedded, it is the encoder with small parts that gistmeter trained itself (`gistmeter train answering`; card.md says
how), or, as `slots`, no trained model at all (`models/answering/slots`). By name, any question-answering model of
transformers.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.answering.reader import load_adapted_reader, load_named_reader
from gistmeter.models.answering.spans import Answer, WindowSpans, choose_answer, find_best_spans
from gistmeter.models.asking.writer import MarkedPhrase, halve_longer_side
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.locate import Identity, identify, locate_adapted
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.models.runtime.windows import split_into_windows
from gistmeter.weights import EMBEDDED, read_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.answering.reader import SpanReader
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.tokenizer import QuestionTokens

WEIGHTS = Path(__file__).parent / "weights.safetensors"
SLOTS = "slots"
_WH = re.compile(r"\b(?:who|whom|whose|what|when|where|which|how)\b", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_BATCH_QUESTIONS = 8192
"""Questions that are tokenised at a time."""

_DEFAULT_THRESHOLD = 0.5
_MIN_TEXT_TOKENS = 16
"""Tokens of a text that must fit beside a question."""

_OVERLAP_TOKENS = 64
"""Tokens of a long text that a window lends to its neighbours on either side."""


class Answerer(Protocol):
    """What answers questions. What it says of one question never depends on what else is asked."""

    def answers(self, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
        """An answer for each (question, text)."""
        ...

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its answers, for a signature."""
        ...


class SpanAnswerer:
    """A network that reads question and text together and says where an answer starts and ends."""

    def __init__(
        self,
        identity: Identity,
        tokenizer: Tokenizer,
        reader: SpanReader,
        *,
        settings: RuntimeSettings,
        threshold: float,
    ) -> None:
        self.name, self.digest = identity
        self.threshold = threshold
        self.max_tokens = min(reader.max_tokens, tokenizer.max_tokens)
        self._tokenizer, self._reader, self._settings = tokenizer, reader, settings

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its answers, for a signature."""
        return {"model": self.name, "weights": self.digest, "threshold": f"{self.threshold:g}"}

    def answers(self, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
        """An answer for each (question, text); the same pair is read once, a long text in windows.

        Of a question that leaves no room for a text, only the words nearest to its wh-word are read.

        >>> text = "Anna Brown won the race in Oslo on Sunday. Her brother came third."
        >>> [answer.text for answer in load_answerer().answers([("Who won the race in Oslo?", text)])]
        ['Anna Brown']
        """
        distinct = list(dict.fromkeys(pairs))
        answers: dict[tuple[str, str], Answer] = {}
        for at in range(0, len(distinct), _BATCH_QUESTIONS):
            chunk = distinct[at : at + _BATCH_QUESTIONS]
            answers |= zip(chunk, self._read(chunk), strict=True)
        return [answers[pair] for pair in pairs]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
        tokens = [
            question_tokens if self._fits(question_tokens) else self._shorten_question(*pair)
            for question_tokens, pair in zip(self._tokenizer.questions(pairs), pairs, strict=True)
        ]
        parts = [(i, part) for i, question_tokens in enumerate(tokens) for part in self._windows(question_tokens)]
        spans: dict[int, list[tuple[WindowSpans, IntArray]]] = {i: [] for i in range(len(pairs))}
        for batch in split_into_batches([len(part.ids) for _, part in parts], self._settings.batch_tokens):
            read = self._reader([parts[i][1] for i in batch])
            for i, (starts, ends) in zip(batch, read, strict=True):
                owner, part = parts[i]
                spans[owner].append((find_best_spans(starts, ends), part.offsets))
        return [choose_answer(text, spans[i], self.threshold) for i, (_, text) in enumerate(pairs)]

    def _fits(self, tokens: QuestionTokens) -> bool:
        return len(tokens.ids) <= self.max_tokens or self._room(tokens) >= _MIN_TEXT_TOKENS

    def _room(self, tokens: QuestionTokens) -> int:
        """Tokens that are left for a text beside its question."""
        return self.max_tokens - (len(tokens.ids) - len(tokens.hypothesis))

    def _shorten_question(self, question: str, text: str) -> QuestionTokens:
        """A text with that of a long question which leaves room for it: the words nearest to its wh-word."""
        asked = split_at_wh(question)
        while True:
            shorter = halve_longer_side(asked)
            if shorter == asked:
                raise MetricError(
                    f"{self.name} reads {self.max_tokens} tokens at once, too few for this question beside a text: "
                    f"{question[:60]!r}"
                )
            asked = shorter
            (tokens,) = self._tokenizer.questions([("".join(asked), text)])
            if self._fits(tokens):
                return tokens

    def _windows(self, tokens: QuestionTokens) -> list[QuestionTokens]:
        """A question with a text as one sequence, or as several when they are too long for one."""
        if len(tokens.ids) <= self.max_tokens:
            return [tokens]
        parts = split_into_windows(len(tokens.hypothesis), self._room(tokens), _OVERLAP_TOKENS)
        return [cut_window(tokens, part.start, part.end) for part in parts]


def load_answerer(model: str = EMBEDDED, *, null_threshold: float | None = None, dtype: Dtype = "fp32") -> Answerer:
    """The answerer of a name, loaded once per process.

    `model` is `embedded`, `slots`, weights that `gistmeter train answering` wrote (a .safetensors file), a folder with
    a checkpoint, or a Hugging Face name. A question counts as answered when the probability of "not answerable" is at
    most `null_threshold`.
    """
    if null_threshold is not None:
        _check_threshold(null_threshold)
    if model == SLOTS:
        from gistmeter.models.answering.slots.answerer import load_slot_answerer

        return load_slot_answerer(null_threshold)
    return _load_answerer_once(model, null_threshold, dtype, current_settings())


def answering_identity(model: str = EMBEDDED, *, null_threshold: float | None = None) -> Mapping[str, str]:
    """The facts that decide the answers of a model, found without loading it."""
    if model == SLOTS:
        from gistmeter.models.answering.slots.answerer import slots_identity

        return slots_identity(null_threshold)
    checkpoint, adapter = locate_adapted(model, WEIGHTS)
    name, digest = identify(checkpoint, adapter)
    return {"model": name, "weights": digest, "threshold": f"{_threshold(adapter, null_threshold):g}"}


def answering_threshold(model: str = EMBEDDED, *, null_threshold: float | None = None) -> float:
    """The probability of "not answerable" up to which a model's answer counts, found without loading it.

    >>> answering_threshold(null_threshold=0.25)
    0.25
    """
    if null_threshold is not None:
        return _check_threshold(null_threshold)
    if model == SLOTS:
        from gistmeter.models.answering.slots.answerer import slots_threshold

        return slots_threshold()
    return _threshold(locate_adapted(model, WEIGHTS).adapter, None)


@functools.lru_cache(maxsize=2)
def _load_answerer_once(name: str, threshold: float | None, dtype: Dtype, settings: RuntimeSettings) -> SpanAnswerer:
    checkpoint, adapter = locate_adapted(name, WEIGHTS)
    tokenizer = Tokenizer(checkpoint, prefix_space=False)  # such models were trained without a space at the start
    if adapter is not None:
        reader = load_adapted_reader(checkpoint, adapter, dtype=dtype, device=settings.device)
    else:
        reader = load_named_reader(checkpoint, dtype=dtype, device=settings.device, pad_id=tokenizer.pad_id)
    identity = identify(checkpoint, adapter)
    return SpanAnswerer(identity, tokenizer, reader, settings=settings, threshold=_threshold(adapter, threshold))


def split_at_wh(question: str) -> MarkedPhrase:
    """A question around its first wh-word; without one, around its first word.

    >>> split_at_wh("On Monday, who left?")
    MarkedPhrase(before='On Monday, ', answer='who', after=' left?')
    """
    match = _WH.search(question) or _WORD.search(question)
    start, end = match.span() if match else (0, 0)
    return MarkedPhrase(question[:start], question[start:end], question[end:])


def _check_threshold(threshold: float) -> float:
    if not 0 <= threshold <= 1:
        raise MetricError(f"null_threshold is a probability from 0 to 1, not {threshold}")
    return threshold


def _threshold(adapter: Path | None, asked: float | None) -> float:
    """The threshold asked for, else the one that weights were calibrated to, else one half."""
    if asked is not None:
        return asked
    calibrated = read_metadata(adapter).get("threshold") if adapter is not None else None
    return float(str(calibrated)) if calibrated is not None else _DEFAULT_THRESHOLD


def cut_window(tokens: QuestionTokens, start: int, end: int) -> QuestionTokens:
    """A question with the tokens `start` to `end` of its text."""
    inside = tokens.hypothesis[start:end]
    before, after = int(tokens.hypothesis[0]), int(tokens.hypothesis[-1]) + 1
    positions = np.concatenate([np.arange(before), inside, np.arange(after, len(tokens.ids))])
    return type(tokens)(
        ids=tokens.ids[positions],
        types=tokens.types[positions],
        hypothesis=np.arange(before, before + len(inside)),
        offsets=tokens.offsets[start:end],
        null=tokens.null if tokens.null < before else tokens.null - (len(tokens.ids) - len(positions)),
    )
