"""How to combine the two presence judges: four numbers, learned from what both say of pairs they did not see."""

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
    from gistmeter.training.presence.fitting import HeldOutJudgments

    UnitKey = tuple[str, str, int]


CORRELATION_WEIGHT = 5.0
"""How much of the loss is the correlation of scores with people's, beside the cross-entropy of labels."""

MEAN_PENALTY = 0.01
"""What it costs to leave the mean of both judges."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedDocument:
    """A document judged by both judges, which did not see it, and how much of its reference each summary has."""

    fold: int
    labels: FloatArray
    """Summaries x units, as are the next two."""

    networks: FloatArray
    reader: FloatArray
    reference: FloatArray

    def combine(self, combination: Combination) -> FloatArray:
        """The probabilities of both judges together, summaries x units."""
        return combination(self.networks, self.reader, np.broadcast_to(self.reference[:, None], self.labels.shape))


def join_judgments(held_out: HeldOutJudgments, reader: Mapping[UnitKey, float]) -> list[JudgedDocument]:
    """Held-out judgments of the networks beside those of a reader (document, system, unit from 0)."""
    documents = []
    for group, networks, fold in zip(held_out.groups, held_out.with_reference, held_out.folds, strict=True):
        keys = [[(group.doc_id, system, unit) for unit in range(len(group.units))] for system in group.systems]
        for key in (key for row in keys for key in row):
            if key not in reader:
                raise DataError(f"the reader did not judge unit {key[2] + 1} of {key[1]}/{key[0]}")
        documents.append(
            JudgedDocument(
                fold=fold,
                labels=group.labels.astype(np.float64),
                networks=networks,
                reader=np.array([[reader[key] for key in row] for row in keys]),
                reference=group.context[:, REFERENCE_FEATURE].astype(np.float64),
            )
        )
    return documents


def read_judgments(file: str | Path) -> dict[UnitKey, float]:
    """What `gistmeter train entailment --by documents` wrote of held-out pairs (judged.npz)."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            columns = [stored[name].tolist() for name in ("doc_id", "system", "unit", "p")]
    except (OSError, ValueError, KeyError):
        raise DataError(
            f"{PurePath(file).name} is not the judged.npz of `gistmeter train entailment --by documents`"
        ) from None
    return {(str(key), str(system), int(unit)): float(p) for key, system, unit, p in zip(*columns, strict=True)}


def fit_combination(documents: Sequence[JudgedDocument]) -> Combination:
    """The combination that tells labels and follows people's scores within documents best."""
    loss = _Loss(documents)
    best = minimize(loss, loss.start, jac=True, method="L-BFGS-B").x
    weights = best[:3] / loss.scale
    networks, reader, reference = map(float, weights)
    return Combination(
        networks=networks, reader=reader, reference=reference, constant=float(best[3] - weights @ loss.mean)
    )


def cross_combine(documents: Sequence[JudgedDocument]) -> list[FloatArray]:
    """The probabilities of each document by a combination that learned from the other folds."""
    combinations = {
        fold: fit_combination([document for document in documents if document.fold != fold])
        for fold in sorted({document.fold for document in documents})
    }
    return [document.combine(combinations[document.fold]) for document in documents]


def write_combination(combination: Combination, file: Path) -> None:
    """Write the combination as JSON."""
    file.write_text(json.dumps({name: round(value, 4) for name, value in asdict(combination).items()}) + "\n", "utf-8")


class _Loss:
    """Cross-entropy, one minus the mean correlation within documents, and the distance from the mean of both judges.

    Every document counts alike. Returns the loss and its gradient by three weights of scaled features and a constant.
    """

    def __init__(self, documents: Sequence[JudgedDocument]) -> None:
        shapes = [document.labels.shape for document in documents]
        rows = np.concatenate(
            [
                np.column_stack(
                    [
                        logit(document.networks).ravel(),
                        logit(document.reader).ravel(),
                        np.repeat(document.reference, width),
                    ]
                )
                for document, (_, width) in zip(documents, shapes, strict=True)
            ]
        )
        self.mean, self.scale = rows.mean(axis=0), rows.std(axis=0) + 1e-9
        self.features = (rows - self.mean) / self.scale
        self.start = np.array([*self.scale[:2] / 2, 0.0, self.mean[:2].mean()])
        self.labels = np.concatenate([document.labels.ravel() for document in documents])
        shares = [np.full(document.labels.size, 1 / document.labels.size) for document in documents]
        self.share = np.concatenate(shares) / len(documents)
        summaries = np.concatenate([np.full(height, width) for height, width in shapes])
        self.summary = np.repeat(np.arange(len(summaries)), summaries)
        self.units = 1 / summaries
        heights = np.array([height for height, _ in shapes])
        self.document = np.repeat(np.arange(len(documents)), heights)
        self.systems = 1 / heights
        self.people = self._centre(np.concatenate([document.labels.mean(axis=1) for document in documents]))
        self.spread = np.bincount(self.document, self.people**2)
        self.defined = self.spread > 1e-9

    def __call__(self, weights: FloatArray) -> tuple[float, FloatArray]:
        logits = self.features @ weights[:3] + weights[3]
        probabilities = expit(logits)
        loss = float(self.share @ (np.logaddexp(0, logits) - self.labels * logits))
        by_logit = self.share * (probabilities - self.labels)
        scores = self._centre(np.bincount(self.summary, probabilities) * self.units)
        spread = np.bincount(self.document, scores**2) + 1e-12
        both = np.sqrt(spread * np.where(self.defined, self.spread, 1.0))
        correlation = np.where(self.defined, np.bincount(self.document, scores * self.people) / both, 0.0)
        count = max(int(self.defined.sum()), 1)
        loss += CORRELATION_WEIGHT * (1 - float(correlation.sum()) / count)
        owner = self.document
        by_score = self.people / both[owner] - correlation[owner] * scores / spread[owner]
        by_score = -CORRELATION_WEIGHT / count * np.where(self.defined[owner], by_score, 0.0)
        by_logit += (by_score * self.units)[self.summary] * probabilities * (1 - probabilities)
        moved = weights[:3] - self.start[:3]
        by_weight = np.append(self.features.T @ by_logit + 2 * MEAN_PENALTY * moved, by_logit.sum())
        return loss + MEAN_PENALTY * float(moved @ moved), by_weight

    def _centre(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores - (np.bincount(self.document, scores) * self.systems)[self.document])
