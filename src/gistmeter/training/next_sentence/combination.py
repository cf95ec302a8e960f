"""How much each part of a head counts: a logistic regression on joints of development documents and what is no joint.

No part learned its weights from these documents, so that none is trusted for what it knows by heart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.next_sentence.heads import Shares
from gistmeter.models.next_sentence.reader import NEXT, OTHER, REVERSED

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.next_sentence.votes import Votes

KIND_SHARES = {NEXT: 0.5, REVERSED: 0.25, OTHER: 0.25}
"""How much each kind of pair weighs in all."""

_PENALTY = 1.0
_LEAST = 1e-12
_BOUNDS = [(0.0, None)] * 4 + [(None, None)]


def fit_shares(votes: Votes, kinds: IntArray, weights: FloatArray) -> Shares:
    """The shares that make the probabilities of these pairs fit best, each with its weight.

    The weights of each kind are made to add up to its share: joints to a half, reversals and others to a quarter each.

    No share is below 0: a part may count for nothing, but never against what it says.

    >>> from gistmeter.models.next_sentence.votes import Votes
    >>> says = np.array([2.0, 2.0, 2.0, -2.0])
    >>> votes = Votes(networks=says, cues=-says, reader=np.zeros((4, 2)))
    >>> shares = fit_shares(votes, np.array([NEXT, NEXT, REVERSED, OTHER]), np.ones(4))
    >>> shares.networks > 0, shares.cues
    (True, 0.0)
    """
    from scipy.optimize import minimize

    reader = votes.reader if votes.reader is not None else np.zeros((len(kinds), 2))
    table = np.column_stack([votes.networks, votes.cues, reader, np.ones(len(kinds))])
    signs = np.where(kinds == NEXT, 1.0, -1.0)
    pair_weights = np.zeros(len(kinds))
    for kind, share in KIND_SHARES.items():
        of_kind = kinds == kind
        pair_weights[of_kind] = share * weights[of_kind] / max(weights[of_kind].sum(), _LEAST)

    def measure_loss(shares: FloatArray) -> tuple[float, FloatArray]:
        margins = signs * (table @ shares)
        penalty = _PENALTY / len(table) * shares
        loss = (pair_weights * np.logaddexp(0, -margins)).sum() + penalty @ shares / 2
        return loss, penalty - table.T @ (pair_weights * signs / (1 + np.exp(margins)))

    start = np.array([0.5, 0.5, 0.5, 0.5, 0.0])
    fitted = minimize(measure_loss, start, jac=True, method="L-BFGS-B", bounds=_BOUNDS)
    return Shares(*np.asarray(fitted.x, np.float32).tolist())
