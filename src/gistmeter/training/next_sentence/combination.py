"""How much each part of a head counts: a logistic regression on joints of development documents and what is no joint.

No part learned its weights from these documents, so that none is trusted for what it knows by heart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.next_sentence.heads import Shares

if TYPE_CHECKING:
    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.models.next_sentence.votes import Votes

_PENALTY = 1.0
_BOUNDS = [(0.0, None)] * 4 + [(None, None)]


def fit_shares(votes: Votes, follows: BoolArray) -> Shares:
    """The shares that make the probabilities of these pairs fit best; joints and the others weigh the same in all.

    No share is below 0: a part may count for nothing, but never against what it says.

    >>> from gistmeter.models.next_sentence.votes import Votes
    >>> says = np.array([2.0, 2.0, 2.0, -2.0])
    >>> votes = Votes(networks=says, cues=-says, reader=np.zeros((4, 2)))
    >>> shares = fit_shares(votes, np.array([True, True, False, False]))
    >>> shares.networks > 0, shares.cues
    (True, 0.0)
    """
    from scipy.optimize import minimize

    reader = votes.reader if votes.reader is not None else np.zeros((len(follows), 2))
    table = np.column_stack([votes.networks, votes.cues, reader, np.ones(len(follows))])
    signs = np.where(follows, 1.0, -1.0)
    pair_weights = np.where(follows, 0.5 / max(1, follows.sum()), 0.5 / max(1, (~follows).sum()))

    def measure_loss(shares: FloatArray) -> tuple[float, FloatArray]:
        margins = signs * (table @ shares)
        penalty = _PENALTY / len(table) * shares
        loss = (pair_weights * np.logaddexp(0, -margins)).sum() + penalty @ shares / 2
        return loss, penalty - table.T @ (pair_weights * signs / (1 + np.exp(margins)))

    start = np.array([0.5, 0.5, 0.5, 0.5, 0.0])
    fitted = minimize(measure_loss, start, jac=True, method="L-BFGS-B", bounds=_BOUNDS)
    return Shares(*np.asarray(fitted.x, np.float32).tolist())
