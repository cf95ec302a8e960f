"""The score cache: an sqlite file keyed by signature and content, so a changed setting never meets an old score."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sqlite3
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric, Need


_MOST_BYTES = 4 << 30
_KEYS_AT_ONCE = 500


def cache_path() -> Path:
    """Where scores are kept: the folder GISTMETER_CACHE, or the user's cache folder."""
    named = os.environ.get("GISTMETER_CACHE")
    if named:
        return Path(named) / "scores.sqlite"
    from platformdirs import user_cache_path

    return user_cache_path("gistmeter") / "scores.sqlite"


class ScoreCache:
    """Scores, and what metrics keep beside them, by key.

    It is a convenience: when its file cannot be used it goes quiet, and scoring goes on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        with contextlib.suppress(OSError, sqlite3.Error):
            path.parent.mkdir(parents=True, exist_ok=True)
            # Batches are cached by whichever process scored them: others wait their turn.
            connection = sqlite3.connect(path, timeout=30, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # a lost cache costs time, never a wrong score
            connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID"
            )
            self._connection = connection
        self._full = path.exists() and path.stat().st_size > _MOST_BYTES

    @property
    def works(self) -> bool:
        """Whether the file could be opened."""
        return self._connection is not None

    def look_up(self, keys: Sequence[bytes], width: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """The kept numbers, one row per key, and which keys were found."""
        numbers = np.full((len(keys), width), np.nan)
        found = np.zeros(len(keys), dtype=bool)
        places: dict[bytes, list[int]] = {}
        for i, key in enumerate(keys):  # two summaries may be the same text
            places.setdefault(key, []).append(i)
        for key, kept in self.look_up_bytes(keys).items():
            if len(kept) == 8 * width:
                numbers[places[key]] = np.frombuffer(kept)
                found[places[key]] = True
        return numbers, found

    def keep(self, keys: Sequence[bytes], scores: FloatArray) -> None:
        """Keep the scores of these keys."""
        self.keep_bytes({key: row.tobytes() for key, row in zip(keys, np.ascontiguousarray(scores), strict=True)})

    def look_up_bytes(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept under those of the keys that are known."""
        found: dict[bytes, bytes] = {}
        if self._connection is None:
            return found
        with contextlib.suppress(sqlite3.Error):
            for start in range(0, len(keys), _KEYS_AT_ONCE):
                some = keys[start : start + _KEYS_AT_ONCE]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, numbers FROM scores WHERE key IN ({marks})"  # noqa: S608  (only ? marks)
                found |= self._connection.execute(query, some)
        return found

    def keep_bytes(self, things: Mapping[bytes, bytes]) -> None:
        """Keep things by key."""
        if self._connection is None or self._full or not things:
            return
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("BEGIN IMMEDIATE")
            # Sorted keys touch neighbouring pages of the table: markedly faster for large caches.
            self._connection.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", sorted(things.items()))
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def cache_files() -> list[tuple[Path, int]]:
    """The cache's files that exist (sqlite keeps up to three) with their sizes in bytes."""
    path = cache_path()
    files = [path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))]
    return [(file, file.stat().st_size) for file in files if file.exists()]


def clear_cache() -> None:
    """Remove the cache's files."""
    for file, _ in cache_files():
        file.unlink(missing_ok=True)


def content_digests(reads: frozenset[Need], examples: Sequence[Example]) -> list[bytes]:
    """For each example a hash of all that metrics which read these parts see in it."""
    digests: list[bytes] = []
    for example in examples:
        parts = [example.language, example.summary]
        if "references" in reads:
            parts += ["references", *example.references]
        if "document" in reads:
            parts += ["documents", *example.documents]
        if "units" in reads:
            parts += ["units", *(repr(unit) for unit in example.units)]
        # The lengths keep ("ab", "c") apart from ("a", "bc").
        content = repr([len(part) for part in parts]) + "".join(parts)
        digests.append(hashlib.blake2b(content.encode(errors="surrogatepass"), digest_size=16).digest())
    return digests


@functools.cache
def code_digest(cls: type[Metric]) -> str:
    """A hash of the code behind a metric, so that a formula changed between releases meets no old score.

    For our own metrics that is all of linguistics/, metrics/, models/, qa/, text/ and units/, and the versions of
    what splits and stems; for others, the file that the metric is written in.
    """
    if cls.__module__.startswith("gistmeter."):
        return own_code_digest()
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return _digest([Path(file)]) if file and Path(file).is_file() else ""


@functools.cache
def own_code_digest() -> str:
    """A hash of all our code that scores depend on."""
    root = Path(__file__).parent.parent
    rooms = ("linguistics", "metrics", "models", "qa", "text", "units")
    files = sorted(file for room in rooms for file in (root / room).rglob("*") if file.is_file())
    kept = [file for file in files if file.suffix in (".py", ".txt", ".tsv", ".toml", ".gz")]
    parts = " ".join(f"{name} {version(name)}" for name in ("sentencex", "pystemmer", "sacrebleu"))
    return _digest(kept) + hashlib.blake2b(parts.encode(), digest_size=4).hexdigest()


def _digest(files: Sequence[Path]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def cache_keys(metric: Metric, digests: Sequence[bytes]) -> list[bytes]:
    """The keys under which scores of examples with these digests are kept.

    A cheap metric gets one key for the whole batch: a look-up for each summary would take longer than scoring it.
    """
    salt = f"{metric.signature()}\0{code_digest(type(metric))}".encode()
    contents = [b"".join(digests)] if metric.cheap else digests
    return [hashlib.blake2b(salt + content, digest_size=16).digest() for content in contents]
