"""The small network that chooses the steps from dependencies to phrases (`gistmeter train trees` made it)."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.linguistics.trees.steps import DONE, PhraseGrowth, innermost_first
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.trees.phrase_tree import Tree
    from gistmeter.linguistics.trees.steps import DependencyTree


ARRAY_NAMES = ("table", "bias", "out", "out_bias")

WEIGHTS = Path(__file__).parent / "weights.safetensors"


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
    if not file.is_file():
        raise MetricError(f"there is no tree network {file.name} in {file.parent}: `gistmeter train trees` writes one")
    safetensors = require("safetensors", "the tree network")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
            steps = (stored.metadata() or {}).get("steps", "").split()
    except safetensors.SafetensorError:
        raise MetricError(f"{file.name} in {file.parent} is not a safetensors file") from None
    if set(arrays) != set(ARRAY_NAMES) or len(steps) != len(arrays["out_bias"]):
        raise MetricError(f"{file.name} in {file.parent} is not a network that `gistmeter train trees` wrote")
    return make_tree_network(arrays, steps, files_digest([file]))


def make_tree_network(arrays: Mapping[str, SingleArray], steps: list[str], digest: str) -> TreeNetwork:
    """A network from its weights."""
    table, bias, out, out_bias = (arrays[name] for name in ARRAY_NAMES)
    return TreeNetwork(table, bias, out, out_bias, tuple(steps), digest)
