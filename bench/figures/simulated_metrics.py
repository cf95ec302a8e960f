"""Simulated judges and metrics whose errors are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Metrics:
    """Two metrics: whether they favour whole systems, and how large the errors of the second are."""

    effects: bool
    worse: float = 1.0


def draw_metrics(
    metrics: Metrics, systems: int, documents: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tables of two metrics and of the judges, systems x documents."""
    judges = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, documents))
    errors = rng.normal(size=(2, systems, documents))
    if metrics.effects:
        errors = errors + rng.normal(size=(2, systems, 1))
    return judges + errors[0], judges + metrics.worse * errors[1], judges
