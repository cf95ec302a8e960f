"""Learning which cues tell the order of two adjacent sentences: a logistic regression on the openings of documents.

The order of the first sentences of a text is far easier to tell than that of sentences in its middle, and summaries are
like openings: a joint weighs the less the later it comes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.next_sentence.cues import OrderCues, list_order_cues
from gistmeter.models.next_sentence.heads import normalize_spelling
from gistmeter.text.languages import WORD_LIST_LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.sources.sentences import SentenceText

DECAY = 0.5
"""A joint after sentence i of a document, from 0, weighs exp(-DECAY * i)."""

MAX_POSITION = 10
"""Joints after that many sentences are not learned from."""

PENALTY = 100.0
"""How strongly weights are held to 0: half of it times their squares is added to the loss."""

MIN_JOINTS = 20
"""A cue counts if so many joints have it."""

_MOST_STEPS = 100


def fit_order_cues(texts: Sequence[SentenceText], language: str, *, share: float = 1.0) -> OrderCues | None:
    """The weights of the cues in these documents, multiplied by `share`; none where no cue is frequent enough.

    Languages without a list of function words have none either.
    """
    if language not in WORD_LIST_LANGUAGES:
        return None
    joints: list[dict[str, float]] = []
    positions: list[int] = []
    for text in texts:
        for position in text.positions:
            if position < MAX_POSITION and position + 1 in text.positions:
                pair = [normalize_spelling(text.sentences[index] or "") for index in (position, position + 1)]
                joints.append(list_order_cues(pair[0], pair[1], language))
                positions.append(position)
    counts = Counter(cue for cues in joints for cue in cues)
    names = sorted(cue for cue, count in counts.items() if count >= MIN_JOINTS)
    if not names:
        return None
    weights = fit_weights(_build_matrix(joints, names), weigh_positions(positions))
    stored = np.asarray(share * weights, np.float16)
    return OrderCues({name: float(weight) for name, weight in zip(names, stored, strict=True) if weight}, language)


def weigh_positions(positions: Sequence[int]) -> FloatArray:
    """How much joints weigh that come after these sentences of their documents.

    >>> weigh_positions([0, 2]).round(2).tolist()
    [1.0, 0.37]
    """
    return np.asarray(np.exp(-DECAY * np.asarray(positions, np.float64)))


def fit_weights(cues: Any, joint_weights: FloatArray, *, penalty: float = PENALTY) -> FloatArray:
    """Weights of a logistic regression without intercept, in which every row is an example of the class "in order".

    >>> weights = fit_weights(np.array([[1.0], [1.0], [-1.0]]), np.ones(3), penalty=0.001)
    >>> round(float(weights[0]), 2)  # two rows of three: log odds of 2 to 1
    0.69
    """
    from scipy.optimize import minimize

    total = joint_weights.sum()

    def measure_loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margins = cues @ weights
        loss = (joint_weights * np.logaddexp(0, -margins)).sum() + penalty / 2 * weights @ weights
        gradient = penalty * weights - cues.T @ (joint_weights / (1 + np.exp(margins)))
        return loss / total, gradient / total

    start = np.zeros(cues.shape[1])
    fitted = minimize(measure_loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS})
    return np.asarray(fitted.x)


def _build_matrix(joints: Sequence[Mapping[str, float]], names: Sequence[str]) -> Any:
    """The values of these cues, one row for each joint."""
    from scipy.sparse import csr_matrix

    column_of = {name: column for column, name in enumerate(names)}
    cells = [
        (row, column_of[cue], value)
        for row, cues in enumerate(joints)
        for cue, value in cues.items()
        if cue in column_of
    ]
    rows, columns, values = (np.array(part) for part in zip(*cells, strict=True))
    return csr_matrix((values, (rows, columns)), shape=(len(joints), len(names)))
