"""How the two presence judges are heard together: a weighted sum of their logits and of what the reference tells.

That a summary has much of the whole reference speaks for each unit of it, more than either judge alone lets it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.presence.features import CONTEXT_FEATURES
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.arrays import FloatArray


REFERENCE = CONTEXT_FEATURES.index("reference cosine5")
"""What counts of the reference: the mean over its tokens of the highest cosine with the summary's, fifth layer."""

_SUREST = 1e-4
"""No judge is taken to be surer than this, so that one alone does not decide."""


@dataclass(frozen=True, slots=True)
class Combination:
    """The weights of the logits of both judges, of the reference's match, and a constant."""

    networks: float = 0.5
    reader: float = 0.5
    reference: float = 0.0
    constant: float = 0.0

    def __call__(self, networks: FloatArray, reader: FloatArray, reference: FloatArray) -> FloatArray:
        """The probabilities; where there is no reference (NaN), those of the mean of both logits.

        >>> said, heard = np.array([0.5, 0.9]), np.array([0.5, 0.1])
        >>> Combination(reference=2, constant=-1)(said, heard, np.array([0.5, np.nan])).round(3).tolist()
        [0.5, 0.5]
        >>> Combination(reference=2, constant=-1)(said, heard, np.array([1.0, 1.0])).round(3).tolist()
        [0.731, 0.731]
        """
        one, other = logit(networks), logit(reader)
        whole = self.networks * one + self.reader * other + self.reference * reference + self.constant
        return np.asarray(1 / (1 + np.exp(-np.where(np.isnan(reference), (one + other) / 2, whole))))


def logit(probabilities: FloatArray) -> FloatArray:
    """The logit, no surer than anyone may be."""
    kept = np.clip(probabilities, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(kept / (1 - kept)))


@dataclass(frozen=True, slots=True)
class StoredCombination:
    """A combination and the digest of its file."""

    weights: Combination
    digest: str


def read_combination(file: Path) -> StoredCombination:
    """A combination from the JSON file that `gistmeter train presence --reader` wrote."""
    try:
        found = json.loads(file.read_text("utf-8"))
        weights = Combination(**{name: float(value) for name, value in found.items()})
    except OSError:
        raise MetricError(f"there is no combination of presence judges {file}") from None
    except (ValueError, TypeError, AttributeError):
        names = ", ".join(Combination.__slots__)
        raise MetricError(f"{file} is not a combination of presence judges: it must be JSON with {names}") from None
    return StoredCombination(weights, files_digest([file]))
