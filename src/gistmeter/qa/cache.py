"""Questions and answers by content: what was asked once is not asked again, in this process and beyond it.

What is asked of a text depends on the text and on who asks, never on a metric's other settings, so metrics share it.
Where an answer store is in use (see `answer_store`) it also outlives the process.
"""

from __future__ import annotations

import hashlib
import json
import struct
import time
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from gistmeter.models.answering.spans import NO_ANSWER, Answer, answer_from_guesses, make_guess
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.qa.answer_store import current_answer_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from gistmeter.models.asking.asker import Question

Result = TypeVar("Result")
Content = TypeVar("Content", bound=tuple[str, ...])
Text = tuple[str]
QuestionAndText = tuple[str, str]

RESULT_BYTES = 512
"""Memory that a question or an answer takes, roughly."""

GUESS_BYTES = 128
"""Memory that each guess of an answer takes, roughly."""

ANSWER_KIND = "answer"
"""What the answer store is told of answers."""

SAVE_SECONDS = 2.0
"""How long results are made, roughly, before they are saved: what is saved is there after Ctrl-C."""

FIRST_CHUNK = 8
MOST_CHUNK_GROWTH = 4

QUESTION_CACHE_BYTES = 64 << 20
ANSWER_CACHE_BYTES = 96 << 20

_NULL, _GUESS = struct.Struct("<d"), struct.Struct("<qqd")


class ResultFormat(NamedTuple, Generic[Content, Result]):
    """How a result becomes bytes and is read back beside its content; None where the bytes cannot be its own."""

    pack: Callable[[Result], bytes]
    unpack: Callable[[bytes, Content], Result | None]
    size: Callable[[Result], int]
    """Bytes of memory that a result takes, roughly."""


class _SizedResult(NamedTuple, Generic[Result]):
    result: Result
    size: int


class ResultCache(Generic[Content, Result]):
    """Results by who made them and from which content: the recently used ones, and all in the answer store."""

    def __init__(self, kind: str, result_format: ResultFormat[Content, Result], max_bytes: int) -> None:
        self._kind, self._format, self._max_bytes = kind, result_format, max_bytes
        self.clear()

    def clear(self) -> None:
        """Empty the cache of this process; the answer store stays as it is."""
        self._recent: RecentCache[_SizedResult[Result]] = RecentCache(self._max_bytes)

    def get_or_make(
        self,
        maker: tuple[str, ...],
        contents: Iterable[Content],
        make: Callable[[list[Content]], Sequence[Result]],
    ) -> dict[Content, Result]:
        """The result of each content: from this process, from the store, or made now, each distinct one once.

        `maker` says who makes the results; results of other makers are others.
        """
        distinct = list(dict.fromkeys(contents))
        results = self.recall(maker, distinct)
        for new in _make_in_chunks([content for content in distinct if content not in results], make):
            self._keep(maker, new)
            self._save(maker, new)
            results |= new
        return results

    def recall(self, maker: tuple[str, ...], contents: Iterable[Content]) -> dict[Content, Result]:
        """The results that were made before, in this process or in the store."""
        cached: dict[Content, Result] = {}
        uncached = []
        for content in dict.fromkeys(contents):
            if (entry := self._recent.get((maker, content))) is not None:
                cached[content] = entry.result
            else:
                uncached.append(content)
        stored = self._load(maker, uncached)
        self._keep(maker, stored)
        return cached | stored

    def _keep(self, maker: tuple[str, ...], results: Mapping[Content, Result]) -> None:
        """Keep results for later calls in this process."""
        for content, result in results.items():
            self._recent.keep((maker, content), _SizedResult(result, self._format.size(result)))

    def _load(self, maker: tuple[str, ...], contents: Sequence[Content]) -> dict[Content, Result]:
        store = current_answer_store()
        if store is None or not contents:
            return {}
        keys = {content: self._key(maker, content) for content in contents}
        packed = store.look_up(list(keys.values()))
        results: dict[Content, Result] = {}
        for content, key in keys.items():
            if key in packed and (result := self._format.unpack(packed[key], content)) is not None:
                results[content] = result
        return results

    def _save(self, maker: tuple[str, ...], results: Mapping[Content, Result]) -> None:
        store = current_answer_store()
        if store is not None and results:
            packed = {self._key(maker, content): self._format.pack(result) for content, result in results.items()}
            store.save(packed, self._kind)

    def _key(self, maker: tuple[str, ...], content: Content) -> bytes:
        parts = (self._kind, *maker, *content)
        # The lengths keep ("ab", "c") apart from ("a", "bc").
        joined = repr([len(part) for part in parts]) + "".join(parts)
        return hashlib.blake2b(joined.encode(errors="surrogatepass"), digest_size=16).digest()


def _make_in_chunks(
    contents: Sequence[Content], make: Callable[[list[Content]], Sequence[Result]]
) -> Iterator[dict[Content, Result]]:
    """Results in chunks that take a few seconds each, if somebody stores them; else all at once."""
    size = len(contents) if current_answer_store() is None else FIRST_CHUNK
    start = 0
    while start < len(contents):
        chunk = list(contents[start : start + size])
        started = time.monotonic()
        yield dict(zip(chunk, make(chunk), strict=True))
        start += len(chunk)
        fitting = int(len(chunk) * SAVE_SECONDS / max(time.monotonic() - started, 1e-9))
        size = max(1, min(fitting, len(chunk) * MOST_CHUNK_GROWTH))


def _pack_questions(questions: tuple[Question, ...]) -> bytes:
    rows = [(question.text, question.answer, question.start, question.end) for question in questions]
    return json.dumps(rows).encode()


def _unpack_questions(packed: bytes, content: Text) -> tuple[Question, ...] | None:
    from gistmeter.models.asking.asker import Question

    (text,) = content
    try:
        questions = tuple(
            Question(text=asked, answer=answer, start=start, end=end)
            for asked, answer, start, end in json.loads(packed)
        )
        fits = all(
            isinstance(question.text, str) and question.answer == text[question.start : question.end]
            for question in questions
        )
    except (ValueError, TypeError):
        return None
    return questions if fits else None


def _pack_answer(answer: Answer) -> bytes:
    return _NULL.pack(answer.null) + b"".join(_GUESS.pack(*guess[1:]) for guess in answer.guesses)


def _unpack_answer(packed: bytes, content: QuestionAndText) -> Answer | None:
    _, text = content
    if len(packed) % _GUESS.size != _NULL.size:
        return None
    (null,) = _NULL.unpack_from(packed)
    guesses = [make_guess(text, *fields) for fields in _GUESS.iter_unpack(packed[_NULL.size :])]
    if not all(0 <= guess.start <= guess.end <= len(text) for guess in guesses):
        return None
    return answer_from_guesses(guesses, null, answered=False) if guesses else NO_ANSWER


def _size_of_questions(questions: tuple[Question, ...]) -> int:
    return RESULT_BYTES * (1 + len(questions))


def _size_of_answer(answer: Answer) -> int:
    return RESULT_BYTES + GUESS_BYTES * len(answer.guesses)


QUESTIONS: ResultCache[Text, tuple[Question, ...]] = ResultCache(
    "questions", ResultFormat(_pack_questions, _unpack_questions, _size_of_questions), QUESTION_CACHE_BYTES
)
"""The questions of (text,), all of them, whatever number of them a metric counts."""

ANSWERS: ResultCache[QuestionAndText, Answer] = ResultCache(
    ANSWER_KIND, ResultFormat(_pack_answer, _unpack_answer, _size_of_answer), ANSWER_CACHE_BYTES
)
"""The likeliest spans for (question, text). Whether it counts as an answer is for who asks to say, by a threshold."""
