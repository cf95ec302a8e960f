"""Checks on the way of a long training, and what is left of it in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gistmeter.training.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Where a training is; at a check also its figures on data that it never sees."""

    step: int
    steps: int
    """Steps planned; 0 while the speed is still being measured."""

    seconds: float
    tokens: int
    """Tokens read so far."""

    loss: float
    """The mean loss since the check before."""

    figures: Mapping[str, float] | None = None
    """None between checks, empty where nothing is held out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRun:
    """A finished long training: its weights, its checks, and the steps that were planned on the way."""

    file: Path
    checks: tuple[Check, ...]
    tokens: int
    """Tokens read in all."""

    plans: tuple[tuple[int, int], ...]
    """From which step on how many steps were planned; more than one pair when the number was changed on the way."""

    def describe(self, batch: str) -> str:
        """How long the training took, for its model card; `batch` says what a step reads."""
        last = self.checks[-1]
        plans = ", then ".join(f"{steps:,} steps from step {start:,} on" for start, steps in self.plans)
        return (
            f"{last.step:,} steps of {batch}, {self.tokens:,} tokens in all, in {last.seconds / 60:.0f} minutes on a "
            f"CPU. Planned: {plans}. AdamW, a warm-up, then down to nothing in a straight line."
        )


def tell_check(progress: Progress, check: Check) -> None:
    """Tell where a training is, and its figures where it was checked."""
    progress.advance("training", check.step, check.steps or None)
    if check.figures:
        figures = ", ".join(f"{name} {value:.3f}" for name, value in check.figures.items())
        progress.say(f"step {check.step} of {check.steps}, {check.seconds:.0f} s: loss {check.loss:.3f}, {figures}")
