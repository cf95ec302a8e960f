"""How the two presence judges are combined: their logits, what the reference tells, and conflicts, weighted.

That a summary has much of the whole reference speaks for each unit of it, more than either judge alone lets it. That a
number, a name or a direction of the unit is at odds with the summary (`gistmeter.linguistics.contrasts`) speaks against
it: both judges see how much of a unit matches, and a contradiction matches nearly all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from gistmeter.errors import MetricError
from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS, weigh_conflicts
from gistmeter.models.presence.features import CONTEXT_FEATURES
from gistmeter.models.runtime.stored_json import read_weights_json
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray


REFERENCE_FEATURE = CONTEXT_FEATURES.index("reference cosine5")
"""What counts of the reference: the mean over its tokens of the highest cosine with the summary's, fifth layer."""

_MIN_DOUBT = 1e-4
"""A probability is at least this far from 0 and 1, so that one judge alone does not decide."""


@dataclass(frozen=True, slots=True)
class Combination:
    """The weights of the logits of both judges, of the reference's match, a constant, and of each kind of conflict."""

    networks: float = 0.5
    reader: float = 0.5
    reference: float = 0.0
    constant: float = 0.0
    conflicts: Mapping[str, float] = field(default_factory=dict)
    """By kind what a conflict adds to the logit, with a reference or without."""

    def __call__(
        self, networks: FloatArray, reader: FloatArray, reference: FloatArray, conflicts: FloatArray | None = None
    ) -> FloatArray:
        """The probabilities; where there is no reference (NaN), the mean of both logits stands for the weighted sum.

        `conflicts` is what `describe_conflicts` gives, along a last axis; None is for pairs without any.

        >>> networks, reader = np.array([0.5, 0.9]), np.array([0.5, 0.1])
        >>> Combination(reference=2, constant=-1)(networks, reader, np.array([0.5, np.nan])).round(3).tolist()
        [0.5, 0.5]
        >>> Combination(reference=2, constant=-1)(networks, reader, np.array([1.0, 1.0])).round(3).tolist()
        [0.731, 0.731]
        """
        network_logits, reader_logits = logit(networks), logit(reader)
        judges = self.networks * network_logits + self.reader * reader_logits
        combined = judges + self.reference * reference + self.constant
        logits = np.where(np.isnan(reference), (network_logits + reader_logits) / 2, combined)
        if conflicts is not None:
            logits = logits + conflicts @ np.array([self.conflicts.get(kind, 0.0) for kind in CONFLICT_KINDS])
        return np.asarray(1 / (1 + np.exp(-logits)))


def describe_conflicts(pairs: Sequence[tuple[str, str]]) -> FloatArray:
    """For each (summary, unit) what conflicts there are, in the order of `CONFLICT_KINDS`: 0, or how much else matches.

    The share of other words that match is squared, which followed people's scores best.

    >>> described = describe_conflicts([("It cost 8.6 million crowns.", "It cost 6.8 million crowns.")])
    >>> {kind: value for kind, value in zip(CONFLICT_KINDS, described[0].tolist(), strict=True) if value}
    {'number': 1.0}
    """
    weights = [weigh_conflicts(summary, unit) for summary, unit in pairs]
    rows = [[by_kind.get(kind, 0.0) ** 2 for kind in CONFLICT_KINDS] for by_kind in weights]
    return np.array(rows, dtype=np.float64).reshape(len(pairs), len(CONFLICT_KINDS))


def logit(probabilities: FloatArray) -> FloatArray:
    """The logits of probabilities, none surer than `_MIN_DOUBT` allows."""
    clipped = np.clip(probabilities, _MIN_DOUBT, 1 - _MIN_DOUBT)
    return np.asarray(np.log(clipped / (1 - clipped)))


@dataclass(frozen=True, slots=True)
class StoredCombination:
    """A combination and the digest of its file."""

    weights: Combination
    digest: str


class _StoredCombination(msgspec.Struct, forbid_unknown_fields=True):
    """The numbers of a combination as its file has them."""

    networks: float = 0.5
    reader: float = 0.5
    reference: float = 0.0
    constant: float = 0.0
    conflicts: dict[str, float] = {}


def read_combination(file: Path) -> StoredCombination:
    """A combination from the JSON file that `gistmeter train presence --reader` wrote."""
    if not file.is_file():
        raise MetricError(f"there is no combination of presence judges {file}")
    names = ", ".join(Combination.__slots__)
    content = f"a combination of presence judges, which must be JSON with {names}"
    stored = read_weights_json(file, content, _StoredCombination)
    weights = Combination(**msgspec.structs.asdict(stored))
    if unknown := sorted(set(weights.conflicts) - set(CONFLICT_KINDS)):
        raise MetricError(f"{file} weighs conflicts of a kind that there is not: {unknown[0]}")
    return StoredCombination(weights, digest_files([file]))
