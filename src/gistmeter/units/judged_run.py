"""A run whose content units are judged: which of them each summary states, and how far people say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.units import unit_to_record
from gistmeter.io.writing import check_records_path, example_to_record, write_records
from gistmeter.models.runtime.settings import use_settings
from gistmeter.units.judge import PRESENT_ABOVE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.units.judge import UnitJudge

BATCH_EXAMPLES = 256
"""Summaries that are judged together."""


class JudgedExample(NamedTuple):
    """An example and how far its summary states each of its units, from 0 to 1."""

    example: Example
    presence: FloatArray

    @property
    def record(self) -> dict[str, Any]:
        """The example as a record whose units say what the judge said: `present`, and the number as `score`."""
        units = [
            {**unit_to_record(unit), "present": bool(score > PRESENT_ABOVE), "score": round(float(score), 6)}
            for unit, score in zip(self.example.units, self.presence, strict=True)
        ]
        return {**example_to_record(self.example), "units": units}


def judge_examples(
    examples: Sequence[Example], judge: UnitJudge, advance: Callable[[int, int], None] | None = None
) -> Iterator[JudgedExample]:
    """Judge each unit that examples carry by itself; `advance` is told how many of how many examples are done."""
    for start in range(0, len(examples), BATCH_EXAMPLES):
        batch = examples[start : start + BATCH_EXAMPLES]
        for example in batch:
            if not example.units:
                raise DataError(f"{example.name} has no content units to judge: give them (`units`)")
        units = [example.units for example in batch]
        yield from map(JudgedExample, batch, judge.judge_units(batch, units, see_references=False))
        if advance is not None:
            advance(start + len(batch), len(examples))


class UnitAgreement(NamedTuple):
    """How often a judge and people say the same of a unit, and Cohen's kappa."""

    labels: int
    share: float
    kappa: float


def measure_agreement(judged: Iterable[JudgedExample]) -> UnitAgreement | None:
    """How far a judge agrees with the labels of people; None where there are none."""
    pairs = [
        (bool(unit.present), score > PRESENT_ABOVE)
        for example, presence in judged
        for unit, score in zip(example.units, presence, strict=True)
        if unit.present is not None
    ]
    if not pairs:
        return None
    people, machine = np.array(pairs).T
    share = float((people == machine).mean())
    chance = float(people.mean() * machine.mean() + (1 - people.mean()) * (1 - machine.mean()))
    return UnitAgreement(len(pairs), share, (share - chance) / (1 - chance) if chance < 1 else 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """A run with its judged units, and how far the judge agrees with the labels of people."""

    examples: tuple[JudgedExample, ...]
    agreement: UnitAgreement | None
    """None where people labelled nothing."""

    @property
    def judgments(self) -> int:
        """How many units were judged, each for every summary that is asked for it."""
        return sum(len(judged.presence) for judged in self.examples)


def judge_run(
    examples: Iterable[Example],
    judge: UnitJudge,
    *,
    output: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> JudgedRun:
    """Judge which of its content units each summary of a run states.

    Each unit is judged by itself: how much of the whole reference a summary has does not count, as it does in the
    scores of `lite2pyramid`.

    Parameters
    ----------
    examples
        The summaries, with their units.
    judge
        Which model judges, and what of its answer counts.
    output
        Where to write the run, as JSON lines, with `present` and the judge's number for each unit; `litepyramid`
        scores it. It is not written when None.
    progress
        Told how many of how many examples are done.
    runtime
        How models run; by default as the environment says.

    Raises
    ------
    DataError
        If a summary has no units, or the file cannot be written.
    """
    if output is not None:
        check_records_path(output, "a run")
    run = list(examples)
    with use_settings(runtime):
        judged = tuple(judge_examples(run, judge, progress))
    if output is not None:
        write_records((example.record for example in judged), output, "a run")
    return JudgedRun(examples=judged, agreement=measure_agreement(judged))
