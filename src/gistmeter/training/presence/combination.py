"""How to hear the two presence judges together: four numbers, learned from what both say of pairs they did not see."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from gistmeter.errors import DataError
from gistmeter.models.presence.combination import REFERENCE_FEATURE, Combination, logit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.training.presence.fitting import Held


_CORRELATION = 5.0
"""How much of the loss is the correlation of scores with people's, beside the cross-entropy of labels."""

_KEPT = 0.01
"""What it costs to leave the mean of both judges."""


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """What both judges say of a document they did not see, and how much of its reference each summary has."""

    fold: int
    labels: FloatArray
    """Summaries x units, as are the next two."""

    networks: FloatArray
    reader: FloatArray
    reference: FloatArray

    def combined(self, combination: Combination) -> FloatArray:
        """The probabilities, summaries x units."""
        around = np.broadcast_to(self.reference[:, None], self.labels.shape)
        return combination(self.networks, self.reader, around)


def heard(held: Held, reader: Mapping[tuple[str, str, int], float]) -> list[Said]:
    """Held-out judgments of the networks beside those of a reader (document, system, unit from 0)."""
    found = []
    for group, networks, fold in zip(held.groups, held.with_reference, held.fold, strict=True):
        keys = [[(group.doc_id, system, unit) for unit in range(len(group.units))] for system in group.systems]
        for key in (key for row in keys for key in row):
            if key not in reader:
                raise DataError(f"the reader did not judge unit {key[2] + 1} of {key[1]}/{key[0]}")
        read = np.array([[reader[key] for key in row] for row in keys])
        around = group.context[:, REFERENCE_FEATURE].astype(np.float64)
        found.append(Said(fold, group.labels.astype(np.float64), networks, read, around))
    return found


def read_judged(file: str | Path) -> dict[tuple[str, str, int], float]:
    """What `gistmeter train entailment --by examples` wrote of held-out pairs (judged.npz)."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            columns = [stored[name].tolist() for name in ("doc_id", "system", "unit", "p")]
    except (OSError, ValueError, KeyError):
        raise DataError(
            f"{PurePath(file).name} is not the judged.npz of `gistmeter train entailment --by examples`"
        ) from None
    return {(str(key), str(system), int(unit)): float(p) for key, system, unit, p in zip(*columns, strict=True)}


def fit(some: Sequence[Said]) -> Combination:
    """The combination that tells labels and follows people's scores within documents best."""
    loss = _Loss(some)
    best = minimize(loss, loss.start, jac=True, method="L-BFGS-B").x
    weights = best[:3] / loss.scale
    networks, reader, reference = map(float, weights)
    return Combination(networks, reader, reference, float(best[3] - weights @ loss.mean))


def crossed_combination(some: Sequence[Said]) -> list[FloatArray]:
    """The probabilities of each document by a combination that learned from the other folds."""
    learned = {fold: fit([one for one in some if one.fold != fold]) for fold in sorted({one.fold for one in some})}
    return [one.combined(learned[one.fold]) for one in some]


def written_combination(combination: Combination, file: Path) -> None:
    """The combination as JSON."""
    file.write_text(json.dumps({name: round(value, 4) for name, value in asdict(combination).items()}) + "\n", "utf-8")


class _Loss:
    """Cross-entropy, one minus the mean correlation within documents, and the distance from the mean of both judges.

    Every document counts alike. Returns the loss and its gradient by three weights of scaled features and a constant.
    """

    def __init__(self, some: Sequence[Said]) -> None:
        shapes = [one.labels.shape for one in some]
        rows = np.concatenate(
            [
                np.column_stack(
                    [logit(one.networks).ravel(), logit(one.reader).ravel(), np.repeat(one.reference, width)]
                )
                for one, (_, width) in zip(some, shapes, strict=True)
            ]
        )
        self.mean, self.scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
        self.features = (rows - self.mean) / self.scale
        self.start = np.array([*self.scale[:2] / 2, 0.0, self.mean[:2].mean()])
        self.labels = np.concatenate([one.labels.ravel() for one in some])
        self.share = np.concatenate([np.full(one.labels.size, 1 / one.labels.size) for one in some]) / len(some)
        summaries = np.concatenate([np.full(height, width) for height, width in shapes])
        self.summary = np.repeat(np.arange(len(summaries)), summaries)
        self.units = 1 / summaries
        heights = np.array([height for height, _ in shapes])
        self.document = np.repeat(np.arange(len(some)), heights)
        self.systems = 1 / heights
        self.people = self._centred(np.concatenate([one.labels.mean(axis=1) for one in some]))
        self.spread = np.bincount(self.document, self.people**2)
        self.defined = self.spread > 1e-9

    def __call__(self, weights: FloatArray) -> tuple[float, FloatArray]:
        logits = self.features @ weights[:3] + weights[3]
        said = expit(logits)
        loss = float(self.share @ (np.logaddexp(0, logits) - self.labels * logits))
        by_logit = self.share * (said - self.labels)
        scores = self._centred(np.bincount(self.summary, said) * self.units)
        spread = np.bincount(self.document, scores**2) + 1e-12
        both = np.sqrt(spread * np.where(self.defined, self.spread, 1.0))
        correlation = np.where(self.defined, np.bincount(self.document, scores * self.people) / both, 0.0)
        count = max(int(self.defined.sum()), 1)
        loss += _CORRELATION * (1 - float(correlation.sum()) / count)
        at = self.document
        by_score = self.people / both[at] - correlation[at] * scores / spread[at]
        by_score = -_CORRELATION / count * np.where(self.defined[at], by_score, 0.0)
        by_logit += (by_score * self.units)[self.summary] * said * (1 - said)
        moved = weights[:3] - self.start[:3]
        by_weight = np.append(self.features.T @ by_logit + 2 * _KEPT * moved, by_logit.sum())
        return loss + _KEPT * float(moved @ moved), by_weight

    def _centred(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores - (np.bincount(self.document, scores) * self.systems)[self.document])
