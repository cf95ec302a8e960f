"""How to combine the two presence judges: what each counts, learned from what both say of pairs they did not see.

What conflicts between unit and summary count is learned from the same labels and from changed pairs (`changed_pairs`):
people's labels say how often such a conflict is none, changed pairs what it means when nearly all else matches.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_bytes
from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS
from gistmeter.models.presence.combination import REFERENCE_FEATURE, Combination, logit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.training.presence.changed_pairs import JudgedChanges
    from gistmeter.training.presence.fitting import HeldOutJudgments

    UnitKey = tuple[str, str, int]


CORRELATION_WEIGHT = 5.0
"""How much of the loss is the correlation of scores with people's, beside the cross-entropy of labels."""

MEAN_PENALTY = 0.01
"""What it costs to leave the mean of both judges."""

CHANGED_WEIGHT = 2.0
"""How much of the loss is the cross-entropy of changed pairs, beside that of labels."""

COUNTED_KINDS = tuple(kind for kind in CONFLICT_KINDS if kind not in ("name", "other number"))
"""Kinds of conflict that count. Both judges see for themselves that a name, or a number of something else, is not
there: to count that again followed people's scores less well."""

CONFLICT_PENALTY = 0.0003
"""What it costs to count a kind of conflict."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedDocument:
    """A document judged by both judges, which did not see it, and how much of its reference each summary has."""

    fold: int
    labels: FloatArray
    """Summaries x units, as are the next two."""

    networks: FloatArray
    reader: FloatArray
    reference: FloatArray
    conflicts: FloatArray
    """Summaries x units x kinds."""

    def combine(self, combination: Combination) -> FloatArray:
        """The probabilities of both judges together, summaries x units."""
        reference = np.broadcast_to(self.reference[:, None], self.labels.shape)
        return combination(self.networks, self.reader, reference, self.conflicts)


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
                conflicts=group.conflicts.astype(np.float64),
            )
        )
    return documents


def read_judgments(file: str | Path) -> dict[UnitKey, float]:
    """What `gistmeter train entailment --by documents` wrote of held-out pairs (judged.npz)."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            columns = [stored[name].tolist() for name in ("doc_id", "system", "unit", "p")]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise DataError(
            f"{PurePath(file).name} is not the judged.npz of `gistmeter train entailment --by documents`"
        ) from None
    return {(str(key), str(system), int(unit)): float(p) for key, system, unit, p in zip(*columns, strict=True)}


def fit_combination(
    documents: Sequence[JudgedDocument], changes: JudgedChanges | None = None, *, keep: Combination | None = None
) -> Combination:
    """The combination that tells labels and follows people's scores within documents best.

    With `changes`, conflicts count as well, each kind against the unit or not at all; without, they do not count. The
    other numbers of `keep` stay as they are, and what conflicts count is learned alone.
    """
    loss = _Loss(documents, changes)
    start = loss.start
    bounds: list[tuple[float | None, float | None]] = [(None, None)] * 4
    if keep is not None:
        weights = np.array([keep.networks, keep.reader, keep.reference])
        start = np.array([*weights * loss.scale, keep.constant + weights @ loss.mean, *start[4:]])
        bounds = [(value, value) for value in start[:4].tolist()]
    counted = COUNTED_KINDS if changes is not None else ()
    bounds += [(None, 0.0) if kind in counted else (0.0, 0.0) for kind in CONFLICT_KINDS]
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = best[:3] / loss.scale
    networks, reader, reference = map(float, weights)
    return Combination(
        networks=networks,
        reader=reader,
        reference=reference,
        constant=float(best[3] - weights @ loss.mean),
        conflicts={kind: float(weight) for kind, weight in zip(CONFLICT_KINDS, best[4:], strict=True) if weight < 0},
    )


def cross_combine(
    documents: Sequence[JudgedDocument], changes: JudgedChanges | None = None, *, keep: Combination | None = None
) -> list[FloatArray]:
    """The probabilities of each document by a combination that learned from the other folds."""
    combinations = {
        fold: fit_combination([document for document in documents if document.fold != fold], changes, keep=keep)
        for fold in sorted({document.fold for document in documents})
    }
    return [document.combine(combinations[document.fold]) for document in documents]


def write_combination(combination: Combination, file: Path) -> None:
    """Write the combination as JSON."""
    stored = asdict(combination)
    conflicts = {kind: round(weight, 4) for kind, weight in stored.pop("conflicts").items()}
    rounded = {name: round(value, 4) for name, value in stored.items()}
    write_bytes(file, (json.dumps({**rounded, "conflicts": conflicts}) + "\n").encode())


class _Loss:
    """Cross-entropy, one minus the mean correlation within documents, and the distance from the mean of both judges.

    Every document counts alike. Changed pairs add their cross-entropy by the mean of both judges and the conflicts,
    each kind of change counting alike. Returns the loss and its gradient by three weights of scaled features, a
    constant and a weight for each kind of conflict.
    """

    def __init__(self, documents: Sequence[JudgedDocument], changes: JudgedChanges | None) -> None:
        self.changes = changes
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
        self.conflicts = np.concatenate(
            [document.conflicts.reshape(document.labels.size, -1) for document in documents]
        )
        no_conflicts = np.zeros(len(CONFLICT_KINDS))
        self.start = np.array([*self.scale[:2] / 2, 0.0, self.mean[:2].mean(), *no_conflicts])
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
        logits = self.features @ weights[:3] + weights[3] + self.conflicts @ weights[4:]
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
        by_conflict = self.conflicts.T @ by_logit + 2 * CONFLICT_PENALTY * weights[4:]
        loss += CONFLICT_PENALTY * float(weights[4:] @ weights[4:])
        if self.changes is not None:
            changed = self.changes.logits + self.changes.conflicts @ weights[4:]
            cross_entropy = np.logaddexp(0, changed) - self.changes.labels * changed
            loss += CHANGED_WEIGHT * float(self.changes.shares @ cross_entropy)
            errors = self.changes.shares * (expit(changed) - self.changes.labels)
            by_conflict += CHANGED_WEIGHT * (self.changes.conflicts.T @ errors)
        by_weight = np.concatenate(
            [self.features.T @ by_logit + 2 * MEAN_PENALTY * moved, [by_logit.sum()], by_conflict]
        )
        return loss + MEAN_PENALTY * float(moved @ moved), by_weight

    def _centre(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores - (np.bincount(self.document, scores) * self.systems)[self.document])
