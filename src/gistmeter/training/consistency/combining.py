"""The combination of network and plain features, fitted on claims about documents that the network never saw.

A logistic regression with ridge, in which no weight may speak the wrong way: what the document lacks, or is at odds
with, never speaks for a claim, and what a claim copies never against it. Kinds of wrong claims count alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.consistency.combination import Combination, bound_margins
from gistmeter.models.consistency.features import PLAIN_FEATURES
from gistmeter.models.consistency.measuring import lay_claims, measure_laid
from gistmeter.training.consistency.claims import SUPPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
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


def move_constant(weights: Combination, claims: MeasuredClaims) -> Combination:
    """The same weights with the constant under which these claims are likeliest: where one half tells them apart.

    >>> measured = MeasuredClaims(
    ...     np.array([2.0, 1.0]), np.zeros((2, len(PLAIN_FEATURES))), np.array([1.0, 0.0]), np.full(2, 0.5)
    ... )
    >>> round(move_constant(Combination(), measured).constant, 2)
    -1.5
    """
    from scipy.optimize import minimize_scalar

    by_name = np.array([weights.features.get(name, 0.0) for name in PLAIN_FEATURES])
    logits = weights.network * bound_margins(claims.margins, claims.plain) + claims.plain @ by_name

    def loss(constant: float) -> float:
        return float((claims.shares * (np.logaddexp(0, logits + constant) - claims.labels * (logits + constant))).sum())

    constant = minimize_scalar(loss, bounds=(-20.0, 20.0), method="bounded").x
    return Combination(network=weights.network, constant=float(constant), features=weights.features)


def fit_combination(claims: MeasuredClaims, *, ridge: float) -> Combination:
    """The weights under which claims are likeliest, none of them the wrong way.

    >>> plain = np.zeros((4, len(PLAIN_FEATURES)))
    >>> plain[2:, PLAIN_FEATURES.index("conflict: number")] = 1.0
    >>> measured = MeasuredClaims(np.array([1.0, 0.5, 0.5, 0.0]), plain, np.array([1.0, 1, 0, 0]), np.full(4, 0.25))
    >>> weights = fit_combination(measured, ridge=0.01)
    >>> weights.network > 0 > weights.features["conflict: number"], sorted(weights.features)
    (True, ['conflict: number'])
    """
    from scipy.optimize import minimize

    signs = np.array([1.0, *(1.0 if name in _FAVOURABLE else -1.0 for name in PLAIN_FEATURES)])
    inputs = np.column_stack([bound_margins(claims.margins, claims.plain), claims.plain]) * signs
    scales = np.maximum(inputs.std(axis=0), 1e-3)
    scaled = inputs / scales

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        logits = scaled @ weights[1:] + weights[0]
        surprise = np.logaddexp(0, np.where(claims.labels > 0.5, -logits, logits))
        fractional = np.logaddexp(0, logits) - claims.labels * logits
        surprise = np.where((claims.labels == 0) | (claims.labels == 1), surprise, fractional)
        errors = claims.shares * (1 / (1 + np.exp(-logits)) - claims.labels)
        penalty = ridge * np.square(weights[1:]).sum()
        gradient = np.concatenate([[errors.sum()], scaled.T @ errors + 2 * ridge * weights[1:]])
        return float((claims.shares * surprise).sum() + penalty), gradient

    bounds = [(None, None), *[(0.0, None)] * scaled.shape[1]]
    fitted = minimize(loss, np.zeros(scaled.shape[1] + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    weights = fitted[1:] / scales * signs
    features = {
        name: float(weight) for name, weight in zip(PLAIN_FEATURES, weights[1:], strict=True) if abs(weight) > 1e-4
    }
    return Combination(network=float(weights[0]), constant=float(fitted[0]), features=features)
