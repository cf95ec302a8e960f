"""How well a judge tells supported claims from others, kind by kind, on pairs that it never saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.training.consistency.result import KindFigures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.consistency.claims import ClaimPair

ALL = "all"
_READ_ALONE = frozenset(["judged", "entailment"])
"""Kinds of pairs that have their own supported claims, set by set."""


def measure_kinds(pairs: Sequence[ClaimPair], probabilities: FloatArray) -> dict[str, KindFigures]:
    """AUC and balanced accuracy of each kind of unsupported claims beside the supported claims of the same origin.

    >>> from gistmeter.training.consistency.claims import ClaimPair
    >>> pairs = [ClaimPair("p", "c", label, kind, "s") for label, kind in ((0, "supported"), (3, "number"))]
    >>> measure_kinds(pairs, np.array([0.9, 0.2]))["number"]
    KindFigures(claims=1, auc=1.0, balanced=1.0)
    """
    labels = np.array([pair.label == 0 for pair in pairs])
    groups = np.array([_origin(pair) for pair in pairs])
    kinds = np.array([pair.source if pair.kind in _READ_ALONE else pair.kind for pair in pairs])
    figures = {ALL: _compare(probabilities[labels], probabilities[~labels])}
    for kind in sorted(set(kinds[~labels].tolist())):
        wrong = (kinds == kind) & ~labels
        right = labels & np.isin(groups, list(set(groups[wrong].tolist())))
        figures[kind] = _compare(probabilities[right], probabilities[wrong])
    return figures


def measure_auc(right: FloatArray, wrong: FloatArray) -> float:
    """The probability that a right one is above a wrong one; ties count half.

    >>> measure_auc(np.array([0.9, 0.5]), np.array([0.5]))
    0.75
    """
    if not len(right) or not len(wrong):
        return float("nan")
    ordered = np.sort(wrong)
    below, up_to = np.searchsorted(ordered, right, "left"), np.searchsorted(ordered, right, "right")
    return float((below + up_to).sum() / (2 * len(right) * len(wrong)))


def _compare(right: FloatArray, wrong: FloatArray) -> KindFigures:
    if not len(right) or not len(wrong):
        return KindFigures(len(wrong), float("nan"), float("nan"))
    balanced = float((right > 0.5).mean() + (wrong <= 0.5).mean()) / 2
    return KindFigures(len(wrong), measure_auc(right, wrong), balanced)


def _origin(pair: ClaimPair) -> str:
    if pair.kind in _READ_ALONE:
        return pair.source
    return "statements" if "answer" in pair.kind else "claims"
