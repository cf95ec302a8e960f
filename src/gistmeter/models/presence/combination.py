"""How the two presence judges are combined: a weighted sum of their logits and of what the reference tells.

That a summary has much of the whole reference speaks for each unit of it, more than either judge alone lets it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.presence.features import CONTEXT_FEATURES
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.arrays import FloatArray


REFERENCE_FEATURE = CONTEXT_FEATURES.index("reference cosine5")
"""What counts of the reference: the mean over its tokens of the highest cosine with the summary's, fifth layer."""

_MIN_DOUBT = 1e-4
"""A probability is at least this far from 0 and 1, so that one judge alone does not decide."""


@dataclass(frozen=True, slots=True)
class Combination:
    """The weights of the logits of both judges, of the reference's match, and a constant."""

    networks: float = 0.5
    reader: float = 0.5
    reference: float = 0.0
    constant: float = 0.0

    def __call__(self, networks: FloatArray, reader: FloatArray, reference: FloatArray) -> FloatArray:
        """The probabilities; where there is no reference (NaN), those of the mean of both logits.

        >>> networks, reader = np.array([0.5, 0.9]), np.array([0.5, 0.1])
        >>> Combination(reference=2, constant=-1)(networks, reader, np.array([0.5, np.nan])).round(3).tolist()
        [0.5, 0.5]
        >>> Combination(reference=2, constant=-1)(networks, reader, np.array([1.0, 1.0])).round(3).tolist()
        [0.731, 0.731]
        """
        network_logits, reader_logits = logit(networks), logit(reader)
        judges = self.networks * network_logits + self.reader * reader_logits
        combined = judges + self.reference * reference + self.constant
        without_reference = (network_logits + reader_logits) / 2
        return np.asarray(1 / (1 + np.exp(-np.where(np.isnan(reference), without_reference, combined))))


def logit(probabilities: FloatArray) -> FloatArray:
    """The logits of probabilities, none surer than `_MIN_DOUBT` allows."""
    clipped = np.clip(probabilities, _MIN_DOUBT, 1 - _MIN_DOUBT)
    return np.asarray(np.log(clipped / (1 - clipped)))


@dataclass(frozen=True, slots=True)
class StoredCombination:
    """A combination and the digest of its file."""

    weights: Combination
    digest: str


def read_combination(file: Path) -> StoredCombination:
    """A combination from the JSON file that `gistmeter train presence --reader` wrote."""
    try:
        stored = json.loads(file.read_text("utf-8"))
        weights = Combination(**{name: float(value) for name, value in stored.items()})
    except OSError:
        raise MetricError(f"there is no combination of presence judges {file}") from None
    except (ValueError, TypeError, AttributeError):
        names = ", ".join(Combination.__slots__)
        raise MetricError(f"{file} is not a combination of presence judges: it must be JSON with {names}") from None
    return StoredCombination(weights, digest_files([file]))
