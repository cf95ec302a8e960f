"""In which order an assignment shows its items: at random, and the same summary never twice in short succession."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.study import Item

LEAD_ITEMS = 3
"""An assignment begins with so many items that are no controls, where it has them."""


def order_items(items: Sequence[Item], rng: random.Random) -> tuple[str, ...]:
    """The ids of a batch's items in an order of their own.

    Items of the same summary are dealt out over sections of the assignment, the first of each in the first section, so
    that the two directions of a pair, or an item and its repeat, are far apart. Repeats come after what they repeat.
    """
    groups: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.pair if item.doc_id else ("", item.id)].append(item)
    depth = max(map(len, groups.values()))
    sections: list[list[Item]] = [[] for _ in range(depth)]
    for group in groups.values():
        rng.shuffle(group)
        group.sort(key=lambda item: bool(item.repeats))
        starts = sorted(rng.sample(range(depth), k=len(group)))
        for start, item in zip(starts, group, strict=True):
            sections[start].append(item)
    ordered: list[Item] = []
    for section in sections:
        recent = {item.pair for item in ordered[-len(section) // 2 :] if item.doc_id}
        rng.shuffle(section)
        section.sort(
            key=lambda item: item.pair in recent
        )  # what was shown just now comes last; the rest stays shuffled
        ordered += section
    return tuple(item.id for item in _judge_first(ordered))


def _judge_first(ordered: list[Item]) -> list[Item]:
    """The same order, with controls moved out of the first few places."""
    leading = [item for item in ordered if not item.is_control][:LEAD_ITEMS]
    names = {item.id for item in leading}
    return leading + [item for item in ordered if item.id not in names]
