"""Alarms: tokens of a summary whose context, in the document, belongs rather to another token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.runtime.states import scale_to_unit_length

if TYPE_CHECKING:
    from gistmeter.arrays import BoolArray, IntArray
    from gistmeter.models.runtime.states import Encoded, StateArray


@dataclass(frozen=True, slots=True, eq=False)
class Alarms:
    """What holds of each token of a summary; the numbers of a token that is not checked mean nothing."""

    included: BoolArray
    """Tokens of no excluded part of speech."""
    checked: BoolArray
    """Of those, the ones that the document has too."""
    own: StateArray
    """The best product with an occurrence of the same token in the document: s(i) of equation 2."""
    best: StateArray
    """The best product with any other token of the document."""
    match: IntArray
    """The position of that other token in the document."""
    winners: IntArray
    """How many tokens of the document, all other than this one, do better than its own occurrences."""
    pool: IntArray
    """The positions in the document that were compared with."""

    @property
    def alarmed(self) -> BoolArray:
        """Checked tokens that another token of the document beats."""
        return self.checked & (self.best > self.own)


def find_alarms(
    summary: Encoded,
    document: Encoded,
    *,
    layer: int,
    normalise: bool = False,
    included: BoolArray | None = None,
    pool: BoolArray | None = None,
    shared: BoolArray | None = None,
) -> Alarms:
    """Compare the masked tokens of a summary with those of its document.

    `included` are the tokens of the summary to check, `pool` those of the document to compare with; by default all.
    `shared` are those that the document has, where equal ids alone do not say so.
    """
    included = np.ones(len(summary), dtype=np.bool_) if included is None else included
    positions = np.arange(len(document)) if pool is None else np.flatnonzero(pool)
    summary_states, document_states = summary.states[layer], document.states[layer][positions]
    if normalise:
        summary_states, document_states = scale_to_unit_length(summary_states), scale_to_unit_length(document_states)
    same = summary.ids[:, None] == document.ids[positions][None, :]
    checked = included & same.any(axis=1) & (True if shared is None else shared)
    if not len(positions):
        no_product, nowhere = np.zeros(len(summary), dtype=np.float32), np.zeros(len(summary), dtype=np.int64)
        return Alarms(
            included=included,
            checked=checked,
            own=no_product,
            best=no_product,
            match=nowhere,
            winners=nowhere,
            pool=positions,
        )
    products = summary_states @ document_states.T
    own = np.where(same, products, -np.inf).max(axis=1)
    others = np.where(same, -np.inf, products)
    return Alarms(
        included=included,
        checked=checked,
        own=own,
        best=others.max(axis=1),
        match=positions[others.argmax(axis=1)],
        winners=(others > own[:, None]).sum(axis=1),
        pool=positions,
    )
