"""The small network that chooses the steps from dependencies to phrases (`gistmeter train trees` made it)."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.network_file import NetworkFormat
from gistmeter.linguistics.trees.steps import DONE, PhraseGrowth, innermost_first

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.trees.phrase_tree import Tree
    from gistmeter.linguistics.trees.steps import DependencyTree


ARRAY_NAMES = ("table", "bias", "out", "out_bias")

WEIGHTS = Path(__file__).parent / "weights.safetensors"
_FORMAT = NetworkFormat("tree network", "gistmeter train trees", ARRAY_NAMES)


@dataclass(frozen=True, slots=True)
class TreeNetwork:
    """One layer over hashed observations, and a number for each step."""

    table: SingleArray
    bias: SingleArray
    out: SingleArray
    out_bias: SingleArray
    steps: tuple[str, ...]
    digest: str

    @property
    def bits(self) -> int:
        """How many bits of a hash choose the row of the table."""
        return len(self.table).bit_length() - 1

    def build_phrases(self, tree: DependencyTree) -> list[Tree]:
        """The phrases of a sentence, whose leaves name their words by number (counted from 0)."""
        built: list[list[Tree]] = [[] for _ in tree.words]
        children = tree.children()
        phrases: list[Tree] = []
        for word in innermost_first(tree.heads):
            growth = PhraseGrowth(tree, word, children[word], built)
            while (step := self._choose_step(growth)) != DONE:
                growth.take(step, built)
            built[word] = phrases = growth.parts
        return phrases

    def _choose_step(self, growth: PhraseGrowth) -> str:
        """The likeliest of the possible steps. There is always one: with no dependent left a word is done."""
        hidden = np.maximum(self.table[observe(growth, self.bits)].sum(0) + self.bias, 0)
        ranked = np.argsort(-(hidden @ self.out + self.out_bias))
        return next((step for number in ranked if growth.allows(step := self.steps[int(number)])), DONE)


def observe(growth: PhraseGrowth, bits: int) -> list[int]:
    """The rows of the network's table for the features of a growing word."""
    mask = (1 << bits) - 1
    return [zlib.crc32(text.encode()) & mask for text in growth.describe()]


@functools.lru_cache(maxsize=2)
def load_tree_network(path: str | Path | None = None) -> TreeNetwork:
    """The network that comes with gistmeter, or one from a file."""
    file = WEIGHTS if path is None else Path(path).expanduser()
    stored = _FORMAT.read(file)
    steps = stored.metadata.get("steps", "").split()
    _FORMAT.check(file, fits=len(steps) == len(stored.arrays["out_bias"]))
    return make_tree_network(stored.arrays, steps, stored.digest)


def make_tree_network(arrays: Mapping[str, SingleArray], steps: list[str], digest: str) -> TreeNetwork:
    """A network from its arrays by name, the steps that it chooses from, and the digest of their file."""
    table, bias, out, out_bias = (arrays[name] for name in ARRAY_NAMES)
    return TreeNetwork(table=table, bias=bias, out=out, out_bias=out_bias, steps=tuple(steps), digest=digest)
