"""Scoring in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job, ScoredBatch


def score_here(job: Job, batches: Iterable[Batch]) -> Iterator[ScoredBatch]:
    """Score batches one after the other."""
    try:
        for batch in batches:
            yield job.score(batch)
    finally:
        job.close()
