"""Named sets of examples to learn from: what a table says of each, how many to take, and which were seen before."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path


class Sourced(Protocol):
    """An example that says which set it comes from."""

    @property
    def source(self) -> str:
        """The name of the set."""
        ...


SetExample = TypeVar("SetExample", bound=Sourced)


class Draw(NamedTuple, Generic[SetExample]):
    """Examples drawn from sets, in their order, and how many were left over."""

    examples: list[SetExample]
    left_over: int


@functools.cache
def read_sets(file: Path) -> Mapping[str, Mapping[str, Any]]:
    """What a table says of each set: licence, citation, and whether it may be learned from."""
    return tomllib.loads(file.read_text("utf-8"))


def draw_from_sets(
    groups: Mapping[str, Sequence[SetExample]], limit_of: Callable[[str], int | None], *, seed: int
) -> Draw[SetExample]:
    """At most so many examples of each set, drawn with the seed."""
    rng = np.random.default_rng(seed)
    examples: list[SetExample] = []
    left_over = 0
    for source, group in sorted(groups.items()):
        limit = limit_of(source)
        count = len(group) if limit is None else limit
        left_over += max(0, len(group) - count)
        examples += [group[i] for i in sorted(rng.permutation(len(group))[:count])]
    return Draw(examples, left_over)


def count_by_set(examples: Iterable[Sourced]) -> Counter[str]:
    """How many examples there are of each set."""
    return Counter(example.source for example in examples)


def content_key(text: str) -> bytes:
    """Eight bytes that tell a text from others, whatever its case."""
    return hashlib.blake2b(text.lower().encode(), digest_size=8).digest()
