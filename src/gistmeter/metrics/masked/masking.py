"""Masking: the state of every token of a text when the model does not see it, only its context.

A text is read in copies. In each copy every eighth token, say, is masked, and the copies take turns, so that each
token is masked once. Longer texts are read in windows; a token near the edge of a window is left to the next one,
where it has more context.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.masked_words.model import MaskedWords, load_masked_words
from gistmeter.models.runtime.batch import RecentCache, split_into_batches
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.states import Encoded
from gistmeter.models.runtime.windows import split_into_windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray, Tokens

_MEMORY_BYTES = 128 << 20
"""How much memory the states of recent texts may take: the documents of many summaries."""

BATCH_TOKENS = 1 << 15
"""Tokens of masked copies read together; only the states of the masked ones, which are few, are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A stretch of a text with some tokens masked."""

    ids: IntArray
    """The tokens, special ones around them included."""
    masked: IntArray
    """The positions among `ids` whose states are taken: the masked ones, or the first of each masked word."""
    positions: IntArray
    """The tokens of the whole text, special ones not counted, or the words, that these states are of."""


@dataclass(frozen=True, slots=True)
class Masking:
    """How texts are masked: one token in `distance`, in windows of `window` tokens of which `margin` is context."""

    distance: int = 8
    window: int = 450
    margin: int = 50

    def check(self, metric: str) -> None:
        """Refuse numbers that leave nothing to mask, or nothing to see."""
        if self.distance < 2:
            raise MetricError(
                f"{metric} cannot have distance={self.distance}: it takes at least 2 (1 masks everything)"
            )
        if self.margin < 0 or self.window < 4 * self.margin + 1:
            raise MetricError(
                f"{metric} cannot have window={self.window} with margin={self.margin}: "
                "the window must be more than four times the margin"
            )

    def make_copies(self, tokens: Tokens, mask_id: int) -> Iterator[Copy]:
        """The masked copies of a text, in which each of its tokens is masked once."""
        head, body, tail = split_ids(tokens)
        for window in split_into_windows(len(body), self.window, self.margin):
            for first in range(window.keep_start, min(window.keep_start + self.distance, window.keep_end)):
                positions = np.arange(first, window.keep_end, self.distance)
                masked = positions - window.start + len(head)
                ids = np.concatenate([head, body[window.start : window.end], tail])
                ids[masked] = mask_id
                yield Copy(ids, masked, positions)


class MaskedReader:
    """Texts as the states of their masked tokens; recent texts are remembered, as many systems share a document."""

    def __init__(self, model: MaskedWords, masking: Masking) -> None:
        self.model = model
        self.masking = masking
        self._recent: RecentCache[Encoded] = RecentCache(_MEMORY_BYTES)

    def read(self, texts: Sequence[str], layers: Sequence[int]) -> list[Encoded]:
        """The tokens of each text, without special ones, and the state of each where it is masked.

        A text that was read at these layers and more, not long ago, is not read again.
        """
        wanted = tuple(sorted(set(layers)))
        distinct = list(dict.fromkeys(texts))
        recent = {text: encoded for text in distinct if (encoded := self._recent.get(text)) is not None}
        complete = {text: encoded for text, encoded in recent.items() if encoded.states.keys() >= set(wanted)}
        missing = [text for text in distinct if text not in complete]
        for encoded in self._run_model(self.model.tokens(missing), wanted):
            earlier = recent[encoded.text].states if encoded.text in recent else {}
            merged = replace(encoded, states={**earlier, **encoded.states})
            complete[encoded.text] = merged
            self._recent.keep(encoded.text, merged)
        return [complete[text] for text in texts]

    def _run_model(self, texts: Sequence[Tokens], layers: tuple[int, ...]) -> Iterator[Encoded]:
        """Each text with the states of its tokens when they are masked."""
        copies = [list(self.masking.make_copies(tokens, self.model.mask_id)) for tokens in texts]
        sizes = [len(tokens.ids[tokens.inner]) for tokens in texts]
        for tokens, states in zip(texts, read_copies(self.model, copies, sizes, layers), strict=True):
            inner = tokens.inner
            yield Encoded(
                text=tokens.text,
                ids=tokens.ids[inner],
                starts=tokens.starts[inner],
                ends=tokens.ends[inner],
                special=tokens.special[inner],
                states=states,
            )


def read_copies(
    model: MaskedWords, copies_of: Sequence[Sequence[Copy]], sizes: Sequence[int], layers: Sequence[int]
) -> list[dict[int, StateArray]]:
    """The states of each text by layer, a row for each of its tokens (or words): those masked in its copies."""
    copies = [(row, copy) for row, copies_of_text in enumerate(copies_of) for copy in copies_of_text]
    states: list[dict[int, StateArray]] = [
        {layer: np.zeros((size, model.width), dtype=np.float32) for layer in layers} for size in sizes
    ]
    for batch in split_into_batches([len(copy.ids) for _, copy in copies], BATCH_TOKENS):
        batch_states = model.states([copies[index][1].ids for index in batch], layers)
        for index, by_layer in zip(batch, batch_states, strict=True):
            row, copy = copies[index]
            for layer in layers:
                states[row][layer][copy.positions] = by_layer[layer][copy.masked]
    return states


def load_masked_reader(name: str, *, dtype: Dtype, masking: Masking) -> MaskedReader:
    """The reader of a masked-word model, which is loaded once per process."""
    return _load_reader(name, dtype, masking, current_settings())


@functools.lru_cache(maxsize=4)
def _load_reader(name: str, dtype: Dtype, masking: Masking, settings: RuntimeSettings) -> MaskedReader:  # noqa: ARG001  (a key)
    model = load_masked_words(name, dtype=dtype)
    most = model.max_tokens - sum(map(len, split_ids(model.tokens(["a"])[0])[::2]))
    if masking.window > most:
        raise MetricError(f"{model.name} reads {most} tokens of text at once, so window={masking.window} is too wide")
    return MaskedReader(model, masking)


def split_ids(tokens: Tokens) -> tuple[IntArray, IntArray, IntArray]:
    """The ids before, of and after the text."""
    inner = tokens.inner
    return tokens.ids[: inner.start], tokens.ids[inner], tokens.ids[inner.stop :]
