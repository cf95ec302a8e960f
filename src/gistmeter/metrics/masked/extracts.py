"""Extracts estimated by the alarms of their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import Choice


@dataclass(frozen=True, slots=True, eq=False)
class AlarmExtracts:
    """What sentences raise when each is read alone: a row for each with alarms, counted tokens and winners.

    In an extract a token sees its neighbours across sentences, so that sums of these are estimates.
    """

    by_sentence: FloatArray
    estimates: bool = True

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """Alarms, alarms by token and winners of each choice; NaN where no token counts."""
        sums = np.array([self.by_sentence[list(choice)].sum(axis=0) for choice in choices]).reshape(-1, 3)
        alarms, counted, winners = sums.T
        has_tokens = counted > 0
        rate = np.divide(alarms, counted, out=np.full(len(sums), np.nan), where=has_tokens)
        return np.stack([np.where(has_tokens, alarms, np.nan), rate, np.where(has_tokens, winners, np.nan)], axis=1)
