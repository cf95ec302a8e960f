"""The combination of network and plain features, fitted on claims about documents that the network never saw.

A logistic regression with ridge, in which no weight may speak the wrong way: what the document lacks, or is at odds
with, never speaks for a claim, and what a claim copies never against it. Kinds of wrong claims count alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.consistency.combination import Combination, count_inputs
from gistmeter.models.consistency.features import PLAIN_FEATURES
from gistmeter.models.consistency.measuring import lay_claims, measure_laid
from gistmeter.training.consistency.claims import SUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.consistency.measuring import MarginsOf
    from gistmeter.training.consistency.claims import DocumentClaim

_FAVOURABLE = frozenset(["copied stretch"])
"""Features that speak for a claim; all others speak against it."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredClaims:
    """Claims as the combination sees them: the network's logits, plain features, labels, and what each counts."""

    margins: FloatArray
    plain: FloatArray
    labels: FloatArray
    shares: FloatArray
    sets: IntArray | None = None
    """The number of the set that each claim is of, where there are several."""


def measure_claims(
    claims: Sequence[DocumentClaim], margins_of: MarginsOf, *, ask_always: bool = True
) -> MeasuredClaims:
    """What the network says of claims beside their passages, and their plain features; right and wrong count alike.

    Without `ask_always` the network is asked where the judge asks it.
    """
    laid = lay_claims([(claim.document, claim.text) for claim in claims])
    margins, plain = measure_laid(laid, margins_of, ask_always=ask_always)
    labels = np.array([float(claim.kind == SUPPORTED) for claim in claims])
    sizes = Counter(claim.kind for claim in claims)
    wrong_kinds = max(1, len(sizes) - 1)
    shares = np.array(
        [1 / (2 * sizes[claim.kind] * (1 if claim.kind == SUPPORTED else wrong_kinds)) for claim in claims]
    )
    return MeasuredClaims(margins=margins, plain=plain, labels=labels, shares=shares)


def join_measured(parts: Sequence[MeasuredClaims]) -> MeasuredClaims:
    """Claims of several sets as one, each set with a constant of its own."""
    return MeasuredClaims(
        margins=np.concatenate([part.margins for part in parts]),
        plain=np.concatenate([part.plain for part in parts]),
        labels=np.concatenate([part.labels for part in parts]),
        shares=np.concatenate([part.shares for part in parts]),
        sets=np.repeat(np.arange(len(parts)), [len(part.labels) for part in parts]),
    )


def move_constant(weights: Combination, claims: MeasuredClaims) -> Combination:
    """The same weights with the constant under which these claims are likeliest: where one half tells them apart.

    >>> measured = MeasuredClaims(
    ...     np.array([2.0, 1.0]), np.zeros((2, len(PLAIN_FEATURES))), np.array([1.0, 0.0]), np.full(2, 0.5)
    ... )
    >>> round(move_constant(Combination(), measured).constant, 2)
    -1.5
    """
    from scipy.optimize import minimize_scalar

    by_name = np.array([weights.network, *(weights.features.get(name, 0.0) for name in PLAIN_FEATURES)])
    logits = count_inputs(claims.margins, claims.plain) @ by_name

    def loss(constant: float) -> float:
        return float(claims.shares @ _surprise(logits + constant, claims.labels))

    constant = minimize_scalar(loss, bounds=(-20.0, 20.0), method="bounded").x
    return replace(weights, constant=float(constant))


def fit_combination(claims: MeasuredClaims, *, ridge: float) -> Combination:
    """The weights under which claims are likeliest, none of them the wrong way; the constant is that of the first set.

    What one set calls half supported another may call unsupported: with a constant for each, sets agree on what speaks
    for and against a claim without agreeing on how much is enough.

    >>> plain = np.zeros((4, len(PLAIN_FEATURES)))
    >>> plain[2:, PLAIN_FEATURES.index("conflict: number")] = 1.0
    >>> measured = MeasuredClaims(np.array([1.0, 0.5, 0.5, 0.0]), plain, np.array([1.0, 1, 0, 0]), np.full(4, 0.25))
    >>> weights = fit_combination(measured, ridge=0.01)
    >>> weights.network > 0 > weights.features["conflict: number"], sorted(weights.features)
    (True, ['conflict: number'])
    """
    from scipy.optimize import minimize

    signs = np.array([1.0, *(1.0 if name in _FAVOURABLE else -1.0 for name in PLAIN_FEATURES)])
    inputs = count_inputs(claims.margins, claims.plain) * signs
    scales = np.maximum(inputs.std(axis=0), 1e-3)
    sets = np.zeros(len(inputs), dtype=int) if claims.sets is None else claims.sets
    in_set = np.eye(int(sets.max(initial=0)) + 1)[sets]
    columns = np.column_stack([in_set, inputs / scales])
    is_weight = np.arange(columns.shape[1]) >= in_set.shape[1]

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        logits = columns @ weights
        errors = claims.shares * (1 / (1 + np.exp(-logits)) - claims.labels)
        penalty = ridge * np.square(weights[is_weight]).sum()
        gradient = columns.T @ errors + 2 * ridge * weights * is_weight
        return float(claims.shares @ _surprise(logits, claims.labels) + penalty), gradient

    bounds = [(0.0 if bounded else None, None) for bounded in is_weight]
    fitted = minimize(loss, np.zeros(columns.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B").x
    weights = fitted[is_weight] / scales * signs
    features = {
        name: float(weight) for name, weight in zip(PLAIN_FEATURES, weights[1:], strict=True) if abs(weight) > 1e-4
    }
    return Combination(network=float(weights[0]), constant=float(fitted[0]), features=features)


def _surprise(logits: FloatArray, labels: FloatArray) -> FloatArray:
    """The cross-entropy of labels from 0 to 1."""
    return np.asarray(np.logaddexp(0, logits) - labels * logits)
