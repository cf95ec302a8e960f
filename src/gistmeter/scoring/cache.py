"""The score cache: an sqlite file keyed by signature, code and content, so that a stale score is never served."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import secrets
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.io.atomic import explain_failure
from gistmeter.metrics.metric import Metric
from gistmeter.scoring.code_digest import digest_module

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Need


MAX_FILE_BYTES = 4 << 30
BATCH_KEYS = 500
_CHECKSUM_BYTES = 8
_IDENTITY_BYTES = 16
_MAX_KEY_BYTES = 64
"""Of a key of blake2b; those of the cache have 16."""

_MULTILINGUAL_ROLE = "encoder-multilingual"
"""The role of the model that reads other languages than English for metrics of tokens."""


def cache_path() -> Path:
    """The file that scores are stored in: in the folder GISTMETER_CACHE, or in the user's cache folder."""
    folder = os.environ.get("GISTMETER_CACHE")
    if folder:
        return Path(folder) / "scores.sqlite"
    from platformdirs import user_cache_path

    return user_cache_path("gistmeter") / "scores.sqlite"


class CachedScores(NamedTuple):
    """One row of scores for each key, NaN where there are none, and which keys have a row in the cache."""

    scores: FloatArray
    present: NDArray[np.bool_]


class ScoreCache:
    """Scores, and what metrics store beside them, by key.

    It is a convenience: when its file cannot be used it stores and finds nothing, and scoring goes on.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._is_full = False
        with contextlib.suppress(OSError, sqlite3.Error):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._is_full = path.exists() and path.stat().st_size > MAX_FILE_BYTES
            # Batches are cached by whichever process scored them: others wait their turn.
            connection = sqlite3.connect(path, timeout=30, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=OFF")  # a lost cache costs time, never a wrong score
            connection.execute(
                "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, numbers BLOB NOT NULL) WITHOUT ROWID"
            )
            self._connection = connection

    @property
    def is_usable(self) -> bool:
        """Whether the file could be opened."""
        return self._connection is not None

    def find_scores(self, keys: Sequence[bytes], width: int) -> CachedScores:
        """The stored rows of scores, one for each key; rows of another width than `width` do not count."""
        scores = np.full((len(keys), width), np.nan)
        present = np.zeros(len(keys), dtype=bool)
        rows_by_key: dict[bytes, list[int]] = {}
        for row, key in enumerate(keys):  # two summaries may be the same text
            rows_by_key.setdefault(key, []).append(row)
        for key, stored in self.find(keys).items():
            if len(stored) == 8 * width:
                scores[rows_by_key[key]] = np.frombuffer(stored)
                present[rows_by_key[key]] = True
        return CachedScores(scores, present)

    def store_scores(self, keys: Sequence[bytes], scores: FloatArray) -> None:
        """Store one row of scores under each key."""
        self.store({key: row.tobytes() for key, row in zip(keys, np.ascontiguousarray(scores), strict=True)})

    def find(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is stored, by key, under those of the keys that are in the cache; a damaged value is not there."""
        stored: dict[bytes, bytes] = {}
        if self._connection is None:
            return stored
        with contextlib.suppress(sqlite3.Error):
            for start in range(0, len(keys), BATCH_KEYS):
                batch = keys[start : start + BATCH_KEYS]
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, numbers FROM scores WHERE key IN ({marks})"  # noqa: S608  (only ? marks)
                for key, sealed in self._connection.execute(query, batch):
                    value = _open_sealed(key, sealed)
                    if value is not None:
                        stored[key] = value
        return stored

    def store(self, values: Mapping[bytes, bytes]) -> None:
        """Store values by key."""
        if self._connection is None or self._is_full or not values:
            return
        # Sorted keys touch neighbouring pages of the table: markedly faster for large caches.
        rows = [(key, value + _checksum(key, value)) for key, value in sorted(values.items())]
        _write_rows(self._connection, "INSERT OR REPLACE INTO scores VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _checksum(key: bytes, value: bytes) -> bytes:
    """What stands after a value in the file: a flipped bit, or a value under another's key, does not fit it."""
    return hashlib.blake2b(value, key=key[:_MAX_KEY_BYTES], digest_size=_CHECKSUM_BYTES).digest()


def _open_sealed(key: object, sealed: object) -> bytes | None:
    """The value that was stored with its checksum; None where it is damaged, which is as if it were not there."""
    if not isinstance(key, bytes) or not isinstance(sealed, bytes):
        return None
    value, checksum = sealed[:-_CHECKSUM_BYTES], sealed[-_CHECKSUM_BYTES:]
    return value if _checksum(key, value) == checksum else None


def _write_rows(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[bytes | str, ...]]) -> None:
    """Write rows in one transaction; where that fails (a full disk, a damaged file) none of them is there."""
    with contextlib.suppress(sqlite3.Error):
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(statement, rows)
            connection.execute("COMMIT")
        except (sqlite3.Error, UnicodeEncodeError):
            # Left open, the transaction would hold up every other process, and every later write of this one.
            connection.execute("ROLLBACK")


def cache_files() -> list[tuple[Path, int]]:
    """The cache's files that exist (sqlite has up to three) with their sizes in bytes."""
    path = cache_path()
    files = [path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))]
    return [(file, file.stat().st_size) for file in files if file.exists()]


def clear_cache() -> None:
    """Remove the cache's files; a DataError says which could not be."""
    for file, _ in cache_files():
        with explain_failure(f"cannot remove {file}"):
            file.unlink(missing_ok=True)


def content_digests(reads: frozenset[Need], examples: Sequence[Example]) -> list[bytes]:
    """For each example a hash of all that metrics which read these parts see in it."""
    digests: list[bytes] = []
    for example in examples:
        fields: list[tuple[str, Sequence[str]]] = [("language", (example.language,)), ("summary", (example.summary,))]
        if "references" in reads:
            fields.append(("references", example.references))
        if "document" in reads:
            fields.append(("documents", example.documents))
        if "units" in reads:
            fields.append(("units", [repr(unit) for unit in example.units]))
        digests.append(hashlib.blake2b(encode_fields(fields), digest_size=16).digest())
    return digests


def encode_fields(fields: Iterable[tuple[str, Sequence[str]]]) -> bytes:
    """Named lists of texts as bytes that no other names, lists or texts have.

    The names and the length of each text come first, so that a text can be taken for nothing else: not for a part
    of its neighbour, not for a name, and not for a member of another list.

    >>> encode_fields([("references", ("x", "documents")), ("documents", ("y",))])
    b"[('references', [1, 9]), ('documents', [1])]xdocumentsy"
    """
    listed = [(name, texts) for name, texts in fields]
    lengths = repr([(name, [len(text) for text in texts]) for name, texts in listed])
    # A text from a damaged file may hold half a character: it is content as any other.
    return "".join([lengths, *(text for _, texts in listed for text in texts)]).encode(errors="surrogatepass")


def cache_keys(metric: Metric, digests: Sequence[bytes]) -> list[bytes]:
    """The keys under which scores of examples with these digests are stored.

    A cheap metric gets one key for the whole batch: a look-up for each summary would take longer than scoring it.
    """
    identity = hashlib.blake2b(identify_metric(metric), digest_size=_IDENTITY_BYTES).digest()
    contents = [b"".join(digests)] if metric.cheap else digests
    return [hashlib.blake2b(identity + content, digest_size=16).digest() for content in contents]


def identify_metric(metric: Metric) -> bytes:
    """All that decides what a metric makes of an example: its signature, its code and, where needed, its spelling.

    Settings that come to the same in English, and so in the signature, differ where another encoder reads the language.
    """
    by_language = any(_MULTILINGUAL_ROLE in cls.model_roles for cls in _metric_classes(metric))
    return encode_fields(
        [
            ("signature", (metric.signature(),)),
            ("code", (code_digest(metric),)),
            ("spelling", (metric.spelling,) if by_language else ()),
        ]
    )


def code_digest(metric: Metric) -> str:
    """A digest of the code, data and weights behind a metric and the metrics it is built on."""
    return "+".join(_class_digest(cls) for cls in dict.fromkeys(_metric_classes(metric)))


@functools.cache
def module_digest(module: str) -> str:
    """A digest of the code, data and weights behind a module; what earlier processes parsed is read from the cache."""
    with contextlib.closing(_StoredNotes(cache_path())) as notes:
        return digest_module(module, notes)


def _metric_classes(metric: Metric) -> Iterator[type[Metric]]:
    yield type(metric)
    for value in metric.settings.values():
        if isinstance(value, Metric):
            yield from _metric_classes(value)


@functools.cache
def _class_digest(cls: type[Metric]) -> str:
    """A digest of the code behind a class; one without source code, as in a notebook, is never the one of before."""
    return module_digest(cls.__module__) or secrets.token_hex(12)


class _StoredNotes:
    """Notes on parsed files in a table of the score cache, so that a process parses only what has changed.

    Where there is no cache file none is made, and each file is parsed.
    """

    def __init__(self, path: Path) -> None:
        self._notes: dict[str, tuple[str, str]] = {}
        self._added: list[tuple[str, str, str]] = []
        self._connection: sqlite3.Connection | None = None
        if path.is_file():
            with contextlib.suppress(sqlite3.Error):
                self._connection = sqlite3.connect(path, timeout=30, isolation_level=None)
                create = "CREATE TABLE IF NOT EXISTS code (path TEXT PRIMARY KEY, stamp TEXT, note TEXT) WITHOUT ROWID"
                self._connection.execute(create)
                rows = self._connection.execute("SELECT path, stamp, note FROM code")
                self._notes = {path: (stamp, note) for path, stamp, note in rows if isinstance(note, str)}

    def find(self, path: str, stamp: str) -> str | None:
        """The note on a file, if it was written for this stamp."""
        written_for, note = self._notes.get(path, ("", ""))
        checksum, _, text = note.partition(" ")
        return text if written_for == stamp and checksum == _note_checksum(path, stamp, text) else None

    def add(self, path: str, stamp: str, note: str) -> None:
        """Write a note on a file."""
        self._added.append((path, stamp, f"{_note_checksum(path, stamp, note)} {note}"))

    def close(self) -> None:
        """Store what was added."""
        if self._connection is None:
            return
        if self._added:
            _write_rows(self._connection, "INSERT OR REPLACE INTO code VALUES (?, ?, ?)", self._added)
        self._connection.close()


def _note_checksum(path: str, stamp: str, note: str) -> str:
    """What stands before a note in the file, as after a number: a damaged note is none."""
    content = encode_fields([("note", (path, stamp, note))])
    return hashlib.blake2b(content, digest_size=_CHECKSUM_BYTES).hexdigest()
