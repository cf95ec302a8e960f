"""Scores that an explanation can take from what was scored before, in place of scoring again.

Evidence often begins with a number: the score of the summary, or which of several references matches best. Within
`reuse_scores` these numbers are looked up; what is missing is scored, once.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric


@dataclass(slots=True)
class ScoredExamples:
    """What `score` returned, by metric and example."""

    _rows: dict[tuple[str, Example], FloatArray] = field(default_factory=dict)

    def add(self, metric: Metric, example: Example, row: FloatArray) -> None:
        """Keep the row of numbers that a metric gave an example."""
        self._rows[metric.spelling, example] = row

    def score(self, metric: Metric, examples: Sequence[Example]) -> FloatArray:
        """One row per example: those kept, and the others scored in one call and kept."""
        unscored = [example for example in dict.fromkeys(examples) if (metric.spelling, example) not in self._rows]
        if unscored:
            for example, row in zip(unscored, metric.score(unscored), strict=True):
                self.add(metric, example, row)
        return np.array([self._rows[metric.spelling, example] for example in examples])


_SCORED: ContextVar[ScoredExamples | None] = ContextVar("scored examples", default=None)


@contextlib.contextmanager
def reuse_scores(scored: ScoredExamples) -> Iterator[None]:
    """Within this, `score_once` finds what is in `scored`, and adds to it."""
    before = _SCORED.set(scored)
    try:
        yield
    finally:
        _SCORED.reset(before)


def score_once(metric: Metric, examples: Sequence[Example]) -> FloatArray:
    """The scores of examples, found where they were scored before (see `reuse_scores`).

    >>> from gistmeter.metrics.registry import parse_metric
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    >>> scored = ScoredExamples()
    >>> scored.add(parse_metric("rouge1"), example, np.array([0.9, 0.8, 0.7]))
    >>> with reuse_scores(scored):
    ...     score_once(parse_metric("rouge1"), [example])
    array([[0.9, 0.8, 0.7]])
    """
    scored = _SCORED.get()
    return metric.score(examples) if scored is None else scored.score(metric, examples)


def split_references(example: Example) -> list[Example]:
    """The example once for each of its references, with that one alone."""
    return [replace(example, references=(text,)) for text in example.references]


def score_each_reference(metric: Metric, examples: Sequence[Example]) -> None:
    """Score examples that have several references against each of them alone, all in one call, for `score_once`."""
    split = [alone for example in examples if len(example.references) > 1 for alone in split_references(example)]
    if split and _SCORED.get() is not None:
        score_once(metric, split)
