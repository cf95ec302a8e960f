"""Precision, recall and F1 from counts: of boundaries, of brackets, whatever is found and annotated."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many things were predicted, how many are annotated, and how many are both."""

    predicted: int
    annotated: int
    matched: int

    @property
    def precision(self) -> float:
        """The share of predictions that are right."""
        return self.matched / self.predicted if self.predicted else float("nan")

    @property
    def recall(self) -> float:
        """The share of the annotation that was predicted."""
        return self.matched / self.annotated if self.annotated else float("nan")

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall.

        >>> MatchCounts(predicted=4, annotated=6, matched=3).f1
        0.6
        """
        total = self.predicted + self.annotated
        return 2 * self.matched / total if total else float("nan")
