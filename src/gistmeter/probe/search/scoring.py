"""How choices among the sentences of a document are scored: by what the metric read once, or as summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.extracts import NarrowingScorer, join_extract
from gistmeter.probe.search.narrowing import find_best
from gistmeter.scoring.failures import name_failure
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import Choice, ExtractScorer
    from gistmeter.probe.search.candidates import Candidates
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.probe.target import Target

DEFAULT_SHORTLIST = 2
"""How many of the choices with the best estimates are scored at each step, where a metric estimates.

QuestEval finds a little more with 5 and takes longer (docs/probe.md)."""


class ChoiceScores:
    """The values of choices, higher being better, each computed once.

    Where the metric estimates, only the `shortlist` choices of a call with the best estimates get a value; a
    `shortlist` of None scores all. Where it comes to a score by steps, only those that may be the best are read on.
    """

    def __init__(
        self, target: Target, source: SourceDocument, candidates: Candidates, *, shortlist: int | None
    ) -> None:
        self._target = target
        self._source = source
        self._sentences = candidates.sentences
        self._shortlist = shortlist
        self._values: dict[Choice, float] = {}
        with self._name_failure():
            self._scorer = target.metric.read_extracts(source.write_example("extract", ""), candidates.sentences)

    def __call__(self, choices: Sequence[Choice], *, keep: int = 1, floor: float = -np.inf) -> FloatArray:
        """The value of each choice; NaN for those that are not on the shortlist, or have no score.

        Only the `keep` best are asked for, and only above `floor`: others may be NaN, where that saves reading.
        """
        if self._scorer is not None and not self._scorer.estimates:
            return self._read_sentences(self._scorer, choices)
        wanted = self._list_best_estimates(choices)
        missing = [choice for choice in wanted if choice not in self._values]
        if isinstance(self._scorer, NarrowingScorer) and self._target.sign > 0:
            missing = list(self._narrow(self._scorer.narrow_score, missing, keep=keep, floor=floor))
        if missing:
            self._values |= dict(zip(missing, self._score_summaries(missing).tolist(), strict=True))
        chosen = set(wanted)
        return np.array([self._values.get(choice, np.nan) if choice in chosen else np.nan for choice in choices])

    def _list_best_estimates(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """The choices of the shortlist, in their order; all where there is none."""
        if self._scorer is None or self._shortlist is None or len(choices) <= self._shortlist:
            return choices
        if isinstance(self._scorer, NarrowingScorer) and self._target.sign > 0:
            values_by_choice = self._narrow(self._scorer.narrow_estimate, choices, keep=self._shortlist)
            estimates = np.array([values_by_choice.get(choice, -np.inf) for choice in choices])
        else:
            estimates = np.nan_to_num(self._read_sentences(self._scorer, choices), nan=-np.inf)
        best = np.argsort(-estimates, kind="stable")[: self._shortlist]
        return [choices[position] for position in sorted(best.tolist())]

    def _narrow(
        self,
        narrow: Callable[[Choice], Iterator[FloatArray]],
        choices: Sequence[Choice],
        *,
        keep: int,
        floor: float = -np.inf,
    ) -> dict[Choice, float]:
        """The values of those choices that may be among the `keep` best and above `floor`, in the order of choices."""

        def read_values(choice: Choice) -> Iterator[float]:
            return (float(self._read_column(row[None])[0]) for row in narrow(choice))

        with self._name_failure():
            best = find_best([read_values(choice) for choice in choices], keep=keep, floor=floor)
        return {choices[position]: value for position, value in best.items()}

    def _read_sentences(self, scorer: ExtractScorer, choices: Sequence[Choice]) -> FloatArray:
        """The values of extracts by what the metric read of their sentences."""
        with self._name_failure():
            scores = np.asarray(scorer.score(choices), dtype=float)
        if scores.ndim != 2 or len(scores) != len(choices) or scores.shape[1] <= self._target.position:
            extracts = format_count(len(choices), "extract")
            raise MetricError(
                f"{self._target.label} gave scores of shape {scores.shape} for {extracts}: "
                "`read_extracts` gives what scores a row of columns for each"
            )
        return self._read_column(scores)

    def _score_summaries(self, choices: Sequence[Choice]) -> FloatArray:
        """The values of extracts that are scored as any summary is."""
        examples = [self._source.write_example("extract", join_extract(self._sentences, choice)) for choice in choices]
        with self._name_failure():
            return self._read_column(self._target.metric.score(examples))

    def _read_column(self, scores: FloatArray) -> FloatArray:
        return self._target.sign * scores[:, self._target.position]

    def _name_failure(self) -> AbstractContextManager[None]:
        return name_failure(
            self._target.label, self._target.metric, lambda: f"scoring extracts of {self._source.doc_id}"
        )
