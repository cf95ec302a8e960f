"""How far probabilities of the presence of units agree with people's labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.training.entailment.presence_labels import LabelledUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceAgreement:
    """How far probabilities of presence agree with people, and how the recall they give does."""

    rows: int
    accuracy: float
    summary_pearson: float
    """Mean over documents of the correlation over systems; undefined ones are left out and counted."""

    system_pearson: float
    undefined: int


def measure_presence(
    rows: Sequence[LabelledUnit], probabilities: FloatArray, *, threshold: float = 0.5
) -> PresenceAgreement:
    """Accuracy of the labels, and Pearson's r of mean probability with mean label by summary and by system.

    >>> from gistmeter.training.entailment.presence_labels import LabelledUnit
    >>> rows = [LabelledUnit("d", system, 0, "", "", present) for system, present in (("a", True), ("b", False))]
    >>> agreement = measure_presence(rows, np.array([0.9, 0.2]))
    >>> agreement.accuracy, round(agreement.summary_pearson, 6), agreement.undefined
    (1.0, 1.0, 0)
    """
    present = np.array([row.present for row in rows])
    documents, systems = (_number_keys([getattr(row, field) for row in rows]) for field in ("doc_id", "system"))
    shape = (int(documents.max()) + 1, int(systems.max()) + 1)
    means = []
    for values in (probabilities, present.astype(np.float64)):
        total, count = np.zeros(shape), np.zeros(shape)
        np.add.at(total, (documents, systems), values)
        np.add.at(count, (documents, systems), 1)
        with np.errstate(invalid="ignore"):
            means.append(total / count)
    machine, people = means
    by_document = np.array(
        [_pearson(of_machine, of_people) for of_machine, of_people in zip(machine, people, strict=True)]
    )
    return PresenceAgreement(
        rows=len(rows),
        accuracy=float(((probabilities > threshold) == present).mean()),
        summary_pearson=float(np.nanmean(by_document)),
        system_pearson=_pearson(np.nanmean(machine, axis=0), np.nanmean(people, axis=0)),
        undefined=int(np.isnan(by_document).sum()),
    )


def _number_keys(keys: Sequence[str]) -> IntArray:
    return np.unique(np.array(keys), return_inverse=True)[1].astype(np.int64)


def _pearson(left: FloatArray, right: FloatArray) -> float:
    defined = ~(np.isnan(left) | np.isnan(right))
    left, right = left[defined], right[defined]
    if len(left) < 2 or np.ptp(left) < 1e-12 or np.ptp(right) < 1e-12:
        return float("nan")
    return float(np.corrcoef(left, right)[0, 1])
