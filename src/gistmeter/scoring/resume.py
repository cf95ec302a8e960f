"""The spool: finished parts of an interrupted run, kept beside its output so that the same command goes on.

A part holds the rows of some consecutive batches and the digests of what was in them. On a new start, each part is
taken over whose very batches the run still holds; a part that is damaged, missing or out of date costs its own batches.
Finished batches wait for a part no longer than `_PART_SECONDS`, also while the next batch takes its time, or one before
them: a batch that other workers finished out of turn gets a part of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import math
import os
import shutil
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_atomically
from gistmeter.io.batches import RecordLocations
from gistmeter.io.score_tables import CONTENT_COLUMN
from gistmeter.scoring.batch import ScoredBatch, add_traits
from gistmeter.scoring.cache import encode_fields, identify_metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job

_PART_ROWS = 16_384
_PART_SECONDS = 0.25
"""How much finished work a killed run may lose."""
_METADATA_KEY = "gistmeter-part"
_EARLIER = RecordLocations("the run", "record", range(1 << 62))


Digests = tuple[str, ...]
"""Those of batches that were scored as one."""


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A part that an earlier start of the same run left: the digests of its batches, and where their scores are."""

    path: Path
    digests: tuple[str, ...]
    scored: ScoredBatch


class Spool:
    """Parts on disk, in order."""

    def __init__(self, output: Path, columns: Sequence[str], job: Job) -> None:
        self.folder = output.with_name(f".{output.name}.parts")
        self.columns = list(columns)
        self._salt = _digest_job(job)
        self._parts: list[Path] = []
        self._waiting: list[tuple[Digests, ScoredBatch]] = []
        self._announced: dict[str, Digests] = {}
        """The digests of what was joined to a batch, by the digest of the whole."""
        self._early: dict[Digests, tuple[float, ScoredBatch]] = {}
        """Batches that were finished before their turn, by digests, and when."""
        self._early_parts: dict[Digests, Path] = {}
        self.rows = 0
        """How many summaries are in parts."""
        self._flushed = time.monotonic()
        self._lock = self.folder / "lock"
        self._turn = threading.RLock()
        """Held by whoever looks at what is waiting: this thread, or the timer's."""
        self._timer: threading.Timer | None = None
        self._failure: Exception | None = None
        self._claim(output)
        self._next_number = 1 + max((int(path.stem.partition("-")[2]) for path in self._stored_paths()), default=-1)

    def _claim(self, output: Path) -> None:
        """Only one run at a time writes an output; a lock left by a killed one is taken over."""
        try:
            self.folder.mkdir(exist_ok=True)
            if self._lock.exists() and _is_running(self._lock.read_text()):
                raise DataError(f"another run is writing {output} (process {self._lock.read_text()})")
            self._lock.write_text(str(os.getpid()))
        except OSError as error:
            raise DataError(f"cannot write beside {output}: {error.strerror or error}") from None

    def release(self) -> None:
        """Let others write this output; finished parts stay."""
        self._lock.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # parts are kept, so the folder is not empty
            self.folder.rmdir()

    def digest(self, batch: Batch) -> str:
        """What tells a batch of this job from every other."""
        return hashlib.blake2b(self._salt + batch.content(), digest_size=16).hexdigest()

    def resume(self, batches: Iterator[Batch]) -> Iterator[StoredPart | Batch]:
        """The run in its order: parts that hold some of it already, and batches that are still to be scored."""
        parts = {part.digests[0]: part for path in self._stored_paths() if (part := _read_part(path, self.columns))}
        while (batch := next(batches, None)) is not None:
            part = parts.pop(self.digest(batch), None)
            if part is None:
                yield batch
                continue
            compared = [batch, *itertools.islice(batches, len(part.digests) - 1)]
            if [self.digest(each) for each in compared] == list(part.digests):
                yield part
            else:  # the run has changed behind the first of them: each may begin another part
                batches = itertools.chain(compared[1:], batches)
                yield batch

    def _stored_paths(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("part-*.parquet") if path.stem.partition("-")[2].isdigit())

    def adopt(self, part: StoredPart) -> None:
        """Take in a part of an earlier start, after all that was added before."""
        self.flush()
        self._parts.append(part.path)
        self.rows += len(part.scored.doc_ids)

    def announce(self, batch: Batch, digests: Digests) -> None:
        """Say of a batch that is going to be scored what was joined to it, each by its digest."""
        with self._turn:
            self._announced[self.digest(batch)] = digests

    def note_finished(self, batch: Batch, scored: ScoredBatch) -> None:
        """Take note of a finished batch whose turn may be long in coming; `add` takes it in."""
        with self._turn:
            digest = self.digest(batch)
            self._early[self._announced.pop(digest, (digest,))] = time.monotonic(), scored
            self._start_timer(_PART_SECONDS)

    def add(self, digests: Digests, scored: ScoredBatch) -> None:
        """Take in a finished batch in its turn; write a part now and then."""
        with self._turn:
            if self._failure is not None:
                raise self._failure
            self._early.pop(digests, None)
            if digests in self._early_parts:
                self._write_waiting()
                self._parts.append(self._early_parts.pop(digests))
                return
            self._waiting.append((digests, scored))
            rows = sum(len(waiting.doc_ids) for _, waiting in self._waiting)
            wait = _PART_SECONDS - (time.monotonic() - self._flushed)
            if rows >= _PART_ROWS or wait <= 0:
                self._write_waiting()
            else:
                self._start_timer(wait)

    def _start_timer(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = threading.Timer(seconds, self._flush_in_time)
            self._timer.daemon = True
            self._timer.start()

    def _flush_in_time(self) -> None:
        """What the timer does; a failure is raised where the next batch is added."""
        with self._turn:
            self._timer = None
            try:
                self._write_waiting()
                self._write_early(before=time.monotonic() - _PART_SECONDS)
            except Exception as error:
                self._failure = error
            if self._early:
                self._start_timer(_PART_SECONDS)

    def flush(self) -> None:
        """Write what is waiting as one part, and each batch that was finished before its turn."""
        with self._turn:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._write_waiting()
            self._write_early()

    def _write_waiting(self) -> None:
        if self._waiting:
            self._parts.append(self._write_part(self._waiting))
            self._waiting = []
            self._flushed = time.monotonic()

    def _write_early(self, before: float = math.inf) -> None:
        """Write batches that were finished before their turn, and before so long, each as a part of its own."""
        for digests, (finished, scored) in list(self._early.items()):
            if finished <= before:
                self._early_parts[digests] = self._write_part([(digests, scored)])
                del self._early[digests]

    def _write_part(self, batches: Sequence[tuple[Digests, ScoredBatch]]) -> Path:
        self.folder.mkdir(exist_ok=True)
        merged = merge_batches([scored for _, scored in batches])
        table = make_frame(merged, self.columns)
        digests = [digest for joined, _ in batches for digest in joined]
        described = {
            "digests": digests,
            "checksum": _checksum_table(table, digests),
            "traits": {
                label: {trait: sorted(values) for trait, values in values_by_trait.items()}
                for label, values_by_trait in merged.traits.items()
            },
            "counts": merged.counts,
            "read_bytes": merged.read_bytes,
        }
        path = self.folder / f"part-{self._next_number:06d}.parquet"
        with write_atomically(path) as part:
            table.write_parquet(part, metadata={_METADATA_KEY: json.dumps(described)})
        self._next_number += 1
        self.rows += len(merged.doc_ids)
        return path

    def table(self) -> pl.LazyFrame:
        """All parts as one table, to be streamed."""
        self.flush()
        return pl.scan_parquet([part.absolute() for part in self._parts], glob=False)

    def discard(self) -> None:
        """Remove the parts: the output is complete."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _is_running(process: str) -> bool:
    """Whether a process of that number, other than this one, is alive."""
    if not process.isdigit() or int(process) == os.getpid():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(int(process))


def _is_zombie(process: int) -> bool:
    """A killed process that nobody has reaped yet is not running (where the system tells)."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    return False


def make_frame(scored: ScoredBatch, columns: Sequence[str]) -> pl.DataFrame:
    """A scored batch as a table."""
    numbers = {name: scored.numbers[:, index] for index, name in enumerate(columns)}
    return pl.DataFrame(
        {"doc_id": scored.doc_ids, "system": scored.systems, **numbers, CONTENT_COLUMN: scored.contents}
    )


def merge_batches(batches: Sequence[ScoredBatch]) -> ScoredBatch:
    """Several scored batches as one."""
    total = ScoredBatch(
        doc_ids=[],
        systems=[],
        locations=_EARLIER,
        numbers=np.concatenate([batch.numbers for batch in batches]),
        traits={},
        counts=Counter(),
        contents=[],
    )
    for batch in batches:
        total.doc_ids += batch.doc_ids
        total.systems += batch.systems
        total.contents += batch.contents
        total.counts += batch.counts
        total.read_bytes += batch.read_bytes
        add_traits(total.traits, batch.traits)
    return total


def _read_part(path: Path, columns: Sequence[str]) -> StoredPart | None:
    """A part, or None when it cannot be trusted."""
    try:
        described: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)[_METADATA_KEY])
        table = pl.read_parquet(path, glob=False)
        digests = tuple(described["digests"])
        if table.columns != ["doc_id", "system", *columns, CONTENT_COLUMN] or not digests:
            return None
        if described["checksum"] != _checksum_table(table, digests):
            return None
        scored = ScoredBatch(
            doc_ids=table["doc_id"].to_list(),
            systems=table["system"].to_list(),
            locations=_EARLIER,
            numbers=table.select(columns).to_numpy(),
            traits={
                label: {trait: set(values) for trait, values in values_by_trait.items()}
                for label, values_by_trait in described["traits"].items()
            },
            counts=Counter(described["counts"]),
            contents=table[CONTENT_COLUMN].to_list(),
            read_bytes=described["read_bytes"],
        )
    except (pl.exceptions.PolarsError, OSError, KeyError, ValueError, TypeError, AttributeError):
        return None
    return StoredPart(path, digests, scored)


def _checksum_table(table: pl.DataFrame, digests: Sequence[str]) -> str:
    """What no longer fits when a bit of a part has changed."""
    digest = hashlib.blake2b(digest_size=8)
    texts = ("doc_id", "system", CONTENT_COLUMN)
    digest.update(encode_fields([(name, table[name].to_list()) for name in texts]))
    digest.update(encode_fields([("digests", digests), ("columns", table.columns)]))
    for name in table.drop(texts).columns:
        digest.update(np.ascontiguousarray(table[name].to_numpy()).tobytes())
    return digest.hexdigest()


def _digest_job(job: Job) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for label, metric in job.metrics.items():
        identity = identify_metric(metric)
        digest.update(encode_fields([("label", (label,))]) + len(identity).to_bytes(8) + identity)
    digest.update(job.defaults.fingerprint())
    return digest.digest()
