"""Memory: what was asked and answered is found again by content, in this process and beyond it.

What is remembered of a text depends on the text and on who was asked, never on a metric's other settings, so metrics
share it. Where there is a shelf (see `keeping`) it also outlives the process.
"""

from __future__ import annotations

import hashlib
import json
import struct
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from gistmeter.models.answering.spans import NO_ANSWER, Answer, from_guesses, guess_of
from gistmeter.models.runtime.batch import Recent
from gistmeter.qa.answer_store import shelf_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.models.asking.asker import Question

Found = TypeVar("Found")
Content = TypeVar("Content", bound=tuple[str, ...])
Text = tuple[str]
Pair = tuple[str, str]
_ABOUT = 512
_ABOUT_GUESS = 128
"""Bytes of memory that a question or an answer takes, and each guess of an answer, roughly."""

_NULL, _GUESS = struct.Struct("<d"), struct.Struct("<qqd")


class Packing(NamedTuple, Generic[Content, Found]):
    """How a thing becomes bytes, and a thing again beside its content; None where the bytes are none of ours."""

    pack: Callable[[Found], bytes]
    unpack: Callable[[bytes, Content], Found | None]
    size: Callable[[Found], int]


class _Item(NamedTuple, Generic[Found]):
    thing: Found
    size: int


class Memory(Generic[Content, Found]):
    """Things found by who made them and from what: those used last, and all that are on the shelf."""

    def __init__(self, kind: str, packing: Packing[Content, Found], most_bytes: int) -> None:
        self._kind, self._packing, self._most = kind, packing, most_bytes
        self.forget()

    def forget(self) -> None:
        """Forget all but what is on the shelf."""
        self._recent: Recent[_Item[Found]] = Recent(self._most)

    def found(
        self,
        who: tuple[str, ...],
        contents: Iterable[Content],
        make: Callable[[list[Content]], Sequence[Found]],
    ) -> dict[Content, Found]:
        """The thing of each content: remembered, or from the shelf, or made now, each distinct one once."""
        found: dict[Content, Found] = {}
        unknown = []
        for content in dict.fromkeys(contents):
            if (item := self._recent.get((who, content))) is not None:
                found[content] = item.thing
            else:
                unknown.append(content)
        kept = self._from_shelf(who, unknown)
        missing = [content for content in unknown if content not in kept]
        made = dict(zip(missing, make(missing), strict=True)) if missing else {}
        for content, thing in (kept | made).items():
            self._recent.keep((who, content), _Item(thing, self._packing.size(thing)))
        self._to_shelf(who, made)
        return found | kept | made

    def _from_shelf(self, who: tuple[str, ...], contents: Sequence[Content]) -> dict[Content, Found]:
        shelf = shelf_here()
        if shelf is None or not contents:
            return {}
        keys = {content: self._key(who, content) for content in contents}
        there = shelf.look_up(list(keys.values()))
        found: dict[Content, Found] = {}
        for content, key in keys.items():
            if key in there and (thing := self._packing.unpack(there[key], content)) is not None:
                found[content] = thing
        return found

    def _to_shelf(self, who: tuple[str, ...], made: Mapping[Content, Found]) -> None:
        shelf = shelf_here()
        if shelf is not None and made:
            shelf.keep({self._key(who, content): self._packing.pack(thing) for content, thing in made.items()})

    def _key(self, who: tuple[str, ...], content: Content) -> bytes:
        parts = (self._kind, *who, *content)
        # The lengths keep ("ab", "c") apart from ("a", "bc").
        whole = repr([len(part) for part in parts]) + "".join(parts)
        return hashlib.blake2b(whole.encode(errors="surrogatepass"), digest_size=16).digest()


def _packed_questions(questions: tuple[Question, ...]) -> bytes:
    return json.dumps([(one.text, one.answer, one.start, one.end) for one in questions]).encode()


def _unpacked_questions(kept: bytes, content: Text) -> tuple[Question, ...] | None:
    from gistmeter.models.asking.asker import Question

    text = content[0]
    try:
        found = tuple(Question(asked, answer, start, end) for asked, answer, start, end in json.loads(kept))
        sound = all(isinstance(one.text, str) and one.answer == text[one.start : one.end] for one in found)
    except (ValueError, TypeError):
        return None
    return found if sound else None


def _packed_answer(answer: Answer) -> bytes:
    return _NULL.pack(answer.null) + b"".join(_GUESS.pack(*guess[1:]) for guess in answer.guesses)


def _unpacked_answer(kept: bytes, content: Pair) -> Answer | None:
    text = content[1]
    if len(kept) % _GUESS.size != _NULL.size:
        return None
    (null,) = _NULL.unpack_from(kept)
    guesses = [guess_of(text, *one) for one in _GUESS.iter_unpack(kept[_NULL.size :])]
    if not all(0 <= one.start <= one.end <= len(text) for one in guesses):
        return None
    return from_guesses(guesses, null, answered=False) if guesses else NO_ANSWER


QUESTIONS: Memory[Text, tuple[Question, ...]] = Memory(
    "questions", Packing(_packed_questions, _unpacked_questions, lambda some: _ABOUT * (1 + len(some))), 64 << 20
)
"""The questions of (text,), all of them, whatever number of them a metric counts."""

ANSWERS: Memory[Pair, Answer] = Memory(
    "answer",
    Packing(_packed_answer, _unpacked_answer, lambda one: _ABOUT + _ABOUT_GUESS * len(one.guesses)),
    96 << 20,
)
"""The likeliest spans for (question, text). Whether it counts as an answer is for who asks to say, by a threshold."""
