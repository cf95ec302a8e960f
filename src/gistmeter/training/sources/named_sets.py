"""Named sets of examples to learn from: what is known of each, how many to take, and which were seen before."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path


class Sourced(Protocol):
    """An example that says which set it comes from."""

    @property
    def source(self) -> str: ...  # noqa: D102


One = TypeVar("One", bound=Sourced)


@functools.cache
def known_sets(file: Path) -> Mapping[str, Mapping[str, Any]]:
    """What a table says of each set: licence, citation, and whether it may be learned from."""
    return tomllib.loads(file.read_text("utf-8"))


def drawn(
    groups: Mapping[str, Sequence[One]], most: Callable[[str], int | None], *, seed: int
) -> tuple[list[One], int]:
    """At most so many examples of each set, drawn with the seed, in their order; and how many are left over."""
    rng = np.random.default_rng(seed)
    taken: list[One] = []
    over = 0
    for source, group in sorted(groups.items()):
        limit = most(source)
        count = len(group) if limit is None else limit
        over += max(0, len(group) - count)
        taken += [group[i] for i in sorted(rng.permutation(len(group))[:count])]
    return taken, over


def counted(examples: Iterable[Sourced]) -> Counter[str]:
    """How many examples there are of each set."""
    return Counter(example.source for example in examples)


def content_key(text: str) -> bytes:
    """Eight bytes that tell a text from others, whatever its case."""
    return hashlib.blake2b(text.lower().encode(), digest_size=8).digest()
