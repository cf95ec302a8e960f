"""The spool: finished parts of an interrupted run, kept beside its output so that the same command goes on.

A part holds the rows of some consecutive batches and the digests of what was in them. On a new start, parts are
taken over from the first on, as long as the run still holds the very same batches; the rest is dropped.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_atomically
from gistmeter.io.batches import RecordLocations
from gistmeter.scoring.batch import ScoredBatch, add_traits
from gistmeter.scoring.cache import encode_fields, identify_metric

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job

_PART_ROWS = 16_384
_PART_SECONDS = 2.0
_METADATA_KEY = "gistmeter-part"
_EARLIER = RecordLocations("the run", "record", range(1 << 62))


class Spool:
    """Parts on disk, in order."""

    def __init__(self, output: Path, columns: Sequence[str], job: Job) -> None:
        self.folder = output.with_name(f".{output.name}.parts")
        self.columns = list(columns)
        self._salt = _digest_job(job)
        self._parts: list[Path] = []
        self._waiting: list[tuple[str, ScoredBatch]] = []
        self._flushed = time.monotonic()
        self._lock = self.folder / "lock"
        self._claim(output)

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

    def resume(self, batches: Iterator[Batch]) -> tuple[list[ScoredBatch], Iterator[Batch]]:
        """What earlier parts hold of this run, and the batches that are still to be scored."""
        earlier: list[ScoredBatch] = []
        parts = sorted(self.folder.glob("part-*.parquet")) if self.folder.is_dir() else []
        for number, path in enumerate(parts):
            compared: list[Batch] = []
            part = _read_part(path, self.columns)
            if part is not None:
                compared = list(itertools.islice(batches, len(part.digests)))
                if [self.digest(batch) for batch in compared] == part.digests:
                    earlier.append(part.scored)
                    self._parts.append(path)
                    continue
            for stale in parts[number:]:
                stale.unlink(missing_ok=True)
            return earlier, itertools.chain(compared, batches)
        return earlier, batches

    def add(self, digest: str, scored: ScoredBatch) -> None:
        """Take in a finished batch; write a part now and then."""
        self._waiting.append((digest, scored))
        rows = sum(len(waiting.doc_ids) for _, waiting in self._waiting)
        if rows >= _PART_ROWS or time.monotonic() - self._flushed >= _PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting as one part."""
        if not self._waiting:
            return
        self.folder.mkdir(exist_ok=True)
        merged = merge_batches([scored for _, scored in self._waiting])
        described = {
            "digests": [digest for digest, _ in self._waiting],
            "traits": {
                label: {trait: sorted(values) for trait, values in values_by_trait.items()}
                for label, values_by_trait in merged.traits.items()
            },
            "counts": merged.counts,
            "read_bytes": merged.read_bytes,
        }
        path = self.folder / f"part-{len(self._parts):06d}.parquet"
        with write_atomically(path) as part:
            make_frame(merged, self.columns).write_parquet(part, metadata={_METADATA_KEY: json.dumps(described)})
        self._parts.append(path)
        self._waiting.clear()
        self._flushed = time.monotonic()

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
    return pl.DataFrame({"doc_id": scored.doc_ids, "system": scored.systems, **numbers})


def merge_batches(batches: Sequence[ScoredBatch]) -> ScoredBatch:
    """Several scored batches as one."""
    total = ScoredBatch(
        doc_ids=[],
        systems=[],
        locations=_EARLIER,
        numbers=np.concatenate([batch.numbers for batch in batches]),
        traits={},
        counts=Counter(),
    )
    for batch in batches:
        total.doc_ids += batch.doc_ids
        total.systems += batch.systems
        total.counts += batch.counts
        total.read_bytes += batch.read_bytes
        add_traits(total.traits, batch.traits)
    return total


class _Part(NamedTuple):
    """What a part holds: the digests of its batches, and their scores as one."""

    digests: list[str]
    scored: ScoredBatch


def _read_part(path: Path, columns: Sequence[str]) -> _Part | None:
    """A part, or None when it cannot be trusted."""
    try:
        with path.open("rb") as stream:
            described: dict[str, Any] = json.loads(pl.read_parquet_metadata(stream)[_METADATA_KEY])
        table = pl.read_parquet(path.absolute(), glob=False)
    except (pl.exceptions.PolarsError, OSError, KeyError, ValueError):
        return None
    if table.columns != ["doc_id", "system", *columns]:
        return None
    traits = {
        label: {trait: set(values) for trait, values in values_by_trait.items()}
        for label, values_by_trait in described["traits"].items()
    }
    scored = ScoredBatch(
        doc_ids=table["doc_id"].to_list(),
        systems=table["system"].to_list(),
        locations=_EARLIER,
        numbers=table.select(columns).to_numpy(),
        traits=traits,
        counts=Counter(described["counts"]),
        read_bytes=described["read_bytes"],
    )
    return _Part(described["digests"], scored)


def _digest_job(job: Job) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for label, metric in job.metrics.items():
        identity = identify_metric(metric)
        digest.update(encode_fields([("label", (label,))]) + len(identity).to_bytes(8) + identity)
    digest.update(job.defaults.fingerprint())
    return digest.digest()
