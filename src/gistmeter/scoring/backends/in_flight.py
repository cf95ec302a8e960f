"""Batches on their way: enough to keep every worker busy, few enough to keep memory constant."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import ScoredBatch

Ticket = TypeVar("Ticket")
BATCHES_PER_WORKER = 3


def collect_in_order(
    batches: Iterable[Batch],
    *,
    submit: Callable[[Batch], Ticket],
    wait: Callable[[Ticket], ScoredBatch],
    workers: int,
) -> Iterator[ScoredBatch]:
    """Submit batches to workers and give their results in the order of the batches."""
    tickets: deque[Ticket] = deque()
    for batch in batches:
        tickets.append(submit(batch))
        if len(tickets) >= workers * BATCHES_PER_WORKER:
            yield wait(tickets.popleft())
    while tickets:
        yield wait(tickets.popleft())
