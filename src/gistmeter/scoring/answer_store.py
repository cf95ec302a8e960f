"""The shelf: questions and answers in the score cache, so that evidence need not ask again what scoring asked."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from gistmeter.qa.answer_store import use_answer_store
from gistmeter.scoring.cache import ScoreCache, cache_path, own_code_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class CacheShelf:
    """A part of the score cache; changed code meets nothing that is older."""

    def __init__(self, cache: ScoreCache) -> None:
        self._cache = cache

    def look_up(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that are in the store."""
        salted = {_salted(key): key for key in keys}
        return {salted[key]: kept for key, kept in self._cache.look_up_bytes(list(salted)).items()}

    def save(self, values: Mapping[bytes, bytes]) -> None:
        """Put values into the store, each under its key."""
        self._cache.keep_bytes({_salted(key): value for key, value in values.items()})


@contextlib.contextmanager
def remembering(cache: bool = True) -> Iterator[None]:
    """Within this, question metrics find in the score cache what they asked before, in whichever process."""
    if not cache:
        yield
        return
    with contextlib.closing(ScoreCache(cache_path())) as opened, use_answer_store(CacheShelf(opened)):
        yield


def _salted(key: bytes) -> bytes:
    return hashlib.blake2b(b"kept\0" + own_code_digest().encode() + key, digest_size=16).digest()
