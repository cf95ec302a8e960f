"""The pace of slow metrics: summaries are scored in batches of a few seconds, so that work is saved and shown in time.

What else is in a batch changes no score, so its size may follow from the time that the batches before it took. What is
saved is told by single summaries, so that a run goes on in batches of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.io.batches import join_batches
from gistmeter.scoring.resume import StoredPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import ScoredBatch

BATCH_SECONDS = 3.0
"""What a batch of a slow metric should take."""

FIRST_ROWS = 2
MOST_ROWS = 256
MOST_GROWTH = 4
"""How many times as large as the last batch the next may be."""


class Pace:
    """How many summaries the next batch has: as many as take a few seconds."""

    def __init__(self) -> None:
        self.rows = FIRST_ROWS

    def learn(self, scored: ScoredBatch) -> None:
        """Learn from how long a batch took."""
        rows = len(scored.doc_ids)
        fitting = int(rows * BATCH_SECONDS / max(scored.seconds, 1e-9))
        self.rows = max(1, min(fitting, rows * MOST_GROWTH, MOST_ROWS))

    def group(self, entries: Iterable[StoredPart | Batch]) -> Iterator[StoredPart | list[Batch]]:
        """Single summaries that follow each other, in groups of the size that is right by then; parts stay whole."""
        waiting: list[Batch] = []
        for entry in entries:
            if isinstance(entry, StoredPart):
                if waiting:
                    yield waiting
                waiting = []
                yield entry
                continue
            if waiting and not waiting[-1].is_followed_by(entry):
                yield waiting
                waiting = []
            waiting.append(entry)
            if len(waiting) >= self.rows:
                yield waiting
                waiting = []
        if waiting:
            yield waiting


def join_in_pace(batches: Iterable[Batch], pace: Pace) -> Iterator[Batch]:
    """Batches of single summaries as batches of the size that is right by then."""
    for group in pace.group(batches):
        if not isinstance(group, StoredPart):
            yield join_batches(group)
