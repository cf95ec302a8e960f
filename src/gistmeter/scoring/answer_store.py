"""Questions and answers in the score cache, so that evidence need not ask again what scoring asked."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from gistmeter.qa.answer_store import use_answer_store
from gistmeter.qa.cache import ANSWER_KIND
from gistmeter.scoring.cache import ScoreCache, cache_path, module_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ASKING_MODULE = "gistmeter.qa.examiner"
"""Who asks and answers: what was saved under other code of it, or of what it imports, is not found."""


class CachedAnswers:
    """Questions and answers in the score cache, found only by the code that saved them.

    Without a cache answers are counted and not saved. `note_answers` hears how many each time.
    """

    def __init__(self, cache: ScoreCache | None, note_answers: Callable[[int], None] | None = None) -> None:
        self._cache = cache
        self._note_answers = note_answers
        self.answers = 0
        """How many questions were answered."""

    @property
    def saves(self) -> bool:
        """Whether answers outlive the process."""
        return self._cache is not None

    def look_up(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that are in the store."""
        if self._cache is None:
            return {}
        plain_keys = {_add_code(key): key for key in keys}
        return {plain_keys[key]: value for key, value in self._cache.find(list(plain_keys)).items()}

    def save(self, values: Mapping[bytes, bytes], kind: str) -> None:
        """Put values into the store, each under its key, and count those that are answers."""
        if self._cache is not None:
            self._cache.store({_add_code(key): value for key, value in values.items()})
        if kind == ANSWER_KIND:
            self.answers += len(values)
            if self._note_answers is not None:
                self._note_answers(len(values))


@contextlib.contextmanager
def use_cached_answers(cache: bool = True) -> Iterator[None]:
    """Within this, question metrics find in the score cache what they asked before, in whichever process."""
    if not cache:
        yield
        return
    with contextlib.closing(ScoreCache(cache_path())) as opened, use_answer_store(CachedAnswers(opened)):
        yield


def _add_code(key: bytes) -> bytes:
    """The key of a question or answer that also tells which code saved it."""
    return hashlib.blake2b(b"answers\0" + module_digest(ASKING_MODULE).encode() + key, digest_size=16).digest()
