"""Readers of two sentences: the embedded encoder with trained parts reads both at once and says how they stand.

The parts are those of a model of pairs (`gistmeter.models.runtime.adapters`), and lie in the file of the head that they
belong to. Its three classes are: the second sentence follows the first, the first follows the second, neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.pair_classifier import HypothesisHead, merge_encoder
from gistmeter.models.runtime.settings import current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.tokenizer import PairTokens

NEXT, REVERSED, OTHER = range(3)
"""The classes, in the order of the logits."""


@dataclass(frozen=True, slots=True, eq=False)
class ReaderParts:
    """The trained parts by name, and the digest of the encoder's weights that they were trained for."""

    arrays: Mapping[str, SingleArray]
    base_weights: str


class PairReader:
    """What reads two sentences at once. What it says of a pair never depends on what else is asked."""

    def __init__(self, parts: ReaderParts, dtype: Dtype = "fp32") -> None:
        torch, settings, checkpoint = import_torch(), current_settings(), locate()
        if parts.base_weights != digest_files(checkpoint.weights):
            raise MetricError(
                f"the reader of this head was trained for weights {parts.base_weights}, but {checkpoint.name} here has "
                "others: train it anew with `gistmeter train next-sentence --reader`"
            )
        tensors = {name: torch.from_numpy(array) for name, array in parts.arrays.items()}
        merged = merge_encoder(checkpoint, tensors, dtype=dtype, device=settings.device)
        self._network = HypothesisHead(*merged, device=settings.device)
        self._tokenizer = Tokenizer(checkpoint, prefix_space=False)
        self._longest = min(self._network.max_tokens, self._tokenizer.max_tokens)
        self._batch_tokens = settings.batch_tokens

    def logits(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Three logits for each pair of sentences in one spelling; the same pair is read once."""
        distinct = list(dict.fromkeys(pairs))
        tokens = [cut_around_joint(pair, self._longest) for pair in self._tokenizer.pairs(distinct)]
        logits = np.zeros((len(distinct), 3))
        for batch in split_into_batches([len(pair.ids) for pair in tokens], self._batch_tokens):
            logits[batch] = self._network([tokens[row] for row in batch])
        row_of_pair = {pair: row for row, pair in enumerate(distinct)}
        return logits[[row_of_pair[pair] for pair in pairs]]


def split_log_odds(logits: FloatArray) -> FloatArray:
    """Two columns: the log odds of this order against the other, and of belonging together at all.

    >>> split_log_odds(np.log([[2.0, 1.0, 6.0]])).round(3).tolist()  # 2 to 1, and (2 + 1) to 6
    [[0.693, -0.693]]
    """
    together = np.logaddexp(logits[:, NEXT], logits[:, REVERSED])
    return np.stack([logits[:, NEXT] - logits[:, REVERSED], together - logits[:, OTHER]], axis=1)


def cut_around_joint(pair: PairTokens, longest: int) -> PairTokens:
    """A pair of at most so many tokens: the end of the first sentence and the start of the second, where they meet.

    Marks stand at the start, between the two and at the end.

    >>> from gistmeter.models.runtime.tokenizer import PairTokens
    >>> ids = np.array([101, 1, 2, 3, 4, 102, 5, 6, 7, 102])
    >>> cut_around_joint(PairTokens(ids, np.zeros(10, int), np.arange(6, 9)), 7).ids.tolist()
    [101, 3, 4, 102, 5, 6, 102]
    """
    length, second = len(pair.ids), len(pair.hypothesis)
    if length <= longest:
        return pair
    first, room = length - second - 3, longest - 3
    of_second = min(second, max(room // 2, room - first))
    of_first = min(first, room - of_second)
    rows = np.concatenate([[0], np.arange(first - of_first, first + of_second + 1) + 1, [length - 1]])
    return pair._replace(
        ids=pair.ids[rows], types=pair.types[rows], hypothesis=np.arange(of_first + 2, of_first + 2 + of_second)
    )
