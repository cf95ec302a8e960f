"""A store of questions and answers beyond a process: `gistmeter report` need not ask what `gistmeter score` asked."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class AnswerStore(Protocol):
    """Questions and answers as bytes, by key, for this process and others."""

    def look_up(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that are in the store."""

    def save(self, values: Mapping[bytes, bytes], kind: str) -> None:
        """Put values into the store, each under its key; `kind` says what they are: "questions" or "answer"."""


_STORE: ContextVar[AnswerStore | None] = ContextVar("answer_store", default=None)


def current_answer_store() -> AnswerStore | None:
    """The store in use, if any."""
    return _STORE.get()


@contextlib.contextmanager
def use_answer_store(store: AnswerStore | None) -> Iterator[None]:
    """Within this context questions and answers are looked up in a store first, and new ones are saved there."""
    token = _STORE.set(store)
    try:
        yield
    finally:
        _STORE.reset(token)
