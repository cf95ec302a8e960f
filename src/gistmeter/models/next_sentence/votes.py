"""What the parts of a head say of a pair, and how it is brought together."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.models.next_sentence.heads import normalize_spelling
from gistmeter.models.next_sentence.reader import PairReader, split_log_odds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.next_sentence.heads import PairHead, Shares
    from gistmeter.models.runtime.load import Dtype

_SMALLEST = 1e-9
"""Probabilities nearer to 0 or 1 are moved here before their log odds are taken."""


class Votes(NamedTuple):
    """Log odds that the second sentence follows the first, of each part of a head."""

    networks: FloatArray
    cues: FloatArray
    reader: FloatArray | None
    """Two columns: on the order, and on belonging together."""

    def combine(self, shares: Shares | None) -> FloatArray:
        """Probabilities. Without a reader the log odds of networks and cues are added as they are.

        >>> from gistmeter.models.next_sentence.heads import Shares
        >>> votes = Votes(np.zeros(1), np.ones(1), np.array([[2.0, 5.0]]))
        >>> votes.combine(Shares(networks=1, cues=0.5, reader_order=0.25, reader_together=0, bias=-1)).tolist()
        [0.5]
        """
        if self.reader is None or shares is None:
            log_odds = self.networks + self.cues
        else:
            log_odds = shares.networks * self.networks + shares.cues * self.cues + shares.bias
            log_odds += self.reader @ np.array([shares.reader_order, shares.reader_together])
        return np.asarray(1 / (1 + np.exp(-log_odds)))


class HeadVoters:
    """The cues and the reader of a head, where it has them, beside its networks."""

    def __init__(self, head: PairHead, language: str, dtype: Dtype = "fp32") -> None:
        self.order = head.order if head.order is not None and head.order.language == language else None
        self._reader = PairReader(head.reader, dtype) if head.reader is not None else None
        self._shares = head.shares

    def ask(self, probabilities: FloatArray, pairs: Sequence[tuple[str, str]]) -> Votes:
        """What all parts say of pairs, of which the networks gave these probabilities."""
        spelled = [(normalize_spelling(first), normalize_spelling(second)) for first, second in pairs]
        inner = np.clip(probabilities, _SMALLEST, 1 - _SMALLEST)
        return Votes(
            np.log(inner) - np.log1p(-inner),
            self.order.log_odds(spelled) if self.order is not None else np.zeros(len(pairs)),
            split_log_odds(self._reader.logits(spelled)) if self._reader is not None else None,
        )

    def describe_order(self, pairs: Sequence[tuple[str, str]]) -> list[str]:
        """For each pair what the cues, and the reader, add to its log odds, and which cues; nothing without cues."""
        if self.order is None:
            return []
        spelled = [(normalize_spelling(first), normalize_spelling(second)) for first, second in pairs]
        if self._reader is None or self._shares is None:
            return [self.order.describe(pair) for pair in spelled]
        read = self._shares.reader_order * split_log_odds(self._reader.logits(spelled))[:, 0]
        added = self._shares.cues * self.order.log_odds(spelled) + read
        return [
            f"{total:+.2f}, {of_reader:+.2f} of it from reading both: {self.order.list_strongest(pair)}".rstrip(": ")
            for total, of_reader, pair in zip(added, read, spelled, strict=True)
        ]

    def add_to(self, probabilities: FloatArray, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The probabilities of the whole head from those of its networks."""
        if not len(pairs) or (self.order is None and self._reader is None):
            return probabilities
        return self.ask(probabilities, pairs).combine(self._shares)
