"""A long training in a folder: the loop, its schedule, its checks and its saved state, whatever learns.

Batches are a function of the seed and the step, and the state is saved at every check: an interrupted training goes on
as if it had never stopped. How many steps there are to be may change on the way.
"""

from __future__ import annotations

import json
import math
import time
from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_atomically
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.check import Check, TrainingRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.training.loop.recipe import LoopRecipe

STATE_FILE = "state.safetensors"
STEPS_PER_REPORT = 10
_BETAS = (0.9, 0.98)
_EPSILON = 1e-6
_SEED_STRIDE = 1_000_003

Batch = TypeVar("Batch")


class ResumableTraining(ABC, Generic[Batch]):
    """What learns from batches in a folder; each role says what a batch is, what its loss is, and what is checked."""

    free_settings: tuple[str, ...] = ("check_every",)
    """Settings that may change while a training goes on."""

    def __init__(
        self, folder: Path, recipe: LoopRecipe, *, learned: Mapping[str, torch.Tensor], digest: str, steps: int | None
    ) -> None:
        torch = import_torch()
        self.folder, self.recipe, self.learned, self.digest, self.steps = folder, recipe, learned, digest, steps
        self.step = self.tokens = 0
        self.seconds = 0.0
        self.checks: list[Check] = []
        self.plans: list[tuple[int, int]] = []
        groups = [
            {"params": [part for part in learned.values() if part.ndim > 1], "weight_decay": recipe.decay},
            {"params": [part for part in learned.values() if part.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=recipe.rate, betas=_BETAS, eps=_EPSILON)

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """The batches from the present step on."""

    @abstractmethod
    def count_tokens(self, batch: Batch) -> int:
        """The tokens of a batch."""

    @abstractmethod
    def loss(self, batch: Batch) -> torch.Tensor:
        """What a step makes smaller."""

    @abstractmethod
    def rate_share(self) -> float:
        """The share of the full learning rate at the present step."""

    @abstractmethod
    def check_figures(self) -> Mapping[str, float]:
        """Figures on data that is never learned from."""

    @abstractmethod
    def write_weights(self) -> Path:
        """Write the weights as they are used."""

    def plan_steps(self, seconds: float, done: int) -> None:
        """Plan how many steps there are to be, after so many seconds and steps since it began or went on."""

    def run(self, report: Callable[[Check], None] | None = None) -> TrainingRun:
        """Train to the end, from the start or from where an interrupted training in this folder stopped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.resume()
        self._note_plan()
        started, seconds_before, first = time.monotonic(), self.seconds, self.step
        losses: list[float] = []
        for batch in self.batches():
            self.plan_steps(time.monotonic() - started, self.step - first)
            self._note_plan()
            if self.steps is not None and self.step >= self.steps:
                break
            import_torch().manual_seed(self.recipe.seed * _SEED_STRIDE + self.step)
            losses.append(self._learn(batch))
            self.step += 1
            self.tokens += self.count_tokens(batch)
            self.seconds = seconds_before + time.monotonic() - started
            if self.step == self.steps or self.step % self.recipe.check_every == 0:
                self.checks.append(self._check(losses, self.check_figures()))
                losses = []
                self.save()
                if report:
                    report(self.checks[-1])
            elif report and self.step % STEPS_PER_REPORT == 0:
                report(self._check(losses[-STEPS_PER_REPORT:], None))
        return TrainingRun(
            file=self.write_weights(), checks=tuple(self.checks), tokens=self.tokens, plans=tuple(self.plans)
        )

    def _note_plan(self) -> None:
        if self.steps is not None and (not self.plans or self.plans[-1][1] != self.steps):
            self.plans.append((self.step, self.steps))

    def _learn(self, batch: Batch) -> float:
        """One step; the loss before it."""
        torch = import_torch()
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self.rate_share()
        loss = self.loss(batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self.learned.values()), 1.0)
        self.optimizer.step()
        return float(loss.detach())

    def _check(self, losses: Sequence[float], figures: Mapping[str, float] | None) -> Check:
        return Check(
            step=self.step,
            steps=self.steps or 0,
            seconds=round(self.seconds, 1),
            tokens=self.tokens,
            loss=round(float(np.mean(losses)), 4) if losses else math.nan,
            figures=figures,
        )

    def save(self) -> None:
        """Write all that is needed to go on."""
        require("safetensors", "training")
        from safetensors.torch import save_file

        state = {name: part.detach().contiguous() for name, part in self.learned.items()}
        for name, part in self.learned.items():
            moments = self.optimizer.state[part]
            state |= {f"first.{name}": moments["exp_avg"], f"second.{name}": moments["exp_avg_sq"]}
        notes = {
            "about": json.dumps(
                {"step": self.step, "steps": self.steps, "seconds": self.seconds, "tokens": self.tokens}
            ),
            "recipe": json.dumps(asdict(self.recipe)),
            "plans": json.dumps(self.plans),
            "checks": json.dumps([asdict(check) for check in self.checks]),
            "data": self.digest,
        }
        with write_atomically(self.folder / STATE_FILE) as temporary:
            save_file(state, temporary, metadata=notes)

    def resume(self) -> None:
        """Take up what an interrupted training left; refuse what another recipe or other data left."""
        require("safetensors", "training")
        from safetensors import safe_open

        file = self.folder / STATE_FILE
        if not file.is_file():
            return
        torch = import_torch()
        with safe_open(file, "pt") as opened:
            notes: dict[str, str] = opened.metadata()
            digest = _read_digest(notes) or self.digest
            if not self._is_same_recipe(json.loads(notes["recipe"])) or digest != self.digest:
                raise DataError(f"{self.folder} holds a training with other settings or data: name another folder")
            about = json.loads(notes["about"])
            for name, part in self.learned.items():
                part.data.copy_(opened.get_tensor(name))
                self.optimizer.state[part] = {
                    "step": torch.tensor(float(about["step"])),
                    "exp_avg": opened.get_tensor(f"first.{name}"),
                    "exp_avg_sq": opened.get_tensor(f"second.{name}"),
                }
        self.step, self.seconds, self.tokens = (about[name] for name in ("step", "seconds", "tokens"))
        self.steps = self.steps or about.get("steps")
        self.plans = [(start, steps) for start, steps in json.loads(notes.get("plans", "[]"))]
        self.checks = [_read_check(check) for check in json.loads(notes.get("checks") or notes["log"])]

    def _is_same_recipe(self, stored: Mapping[str, Any]) -> bool:
        """Whether all that may not change is as it was; what the stored recipe does not know is new since then."""
        recipe = json.loads(json.dumps(asdict(self.recipe)))
        return all(
            stored[name] == value for name, value in recipe.items() if name in stored and name not in self.free_settings
        )


def linear_rate_share(step: int, *, steps: int | None, warm_up: int, least: float = 0.0) -> float:
    """The share of the full learning rate: a warm-up, then a straight line down to `least`.

    >>> [linear_rate_share(step, steps=6, warm_up=2) for step in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if step < warm_up or steps is None:
        return min(1.0, (step + 1) / warm_up)
    return max(least, (steps - step) / max(1, steps - warm_up))


def _read_digest(notes: Mapping[str, str]) -> str | None:
    """The digest of the data; states of older versions call it by what the data was."""
    return notes.get("data") or notes.get("pairs") or notes.get("text")


def _read_check(stored: Mapping[str, Any]) -> Check:
    """A check as it was written; older versions had its figures under other names."""
    figures = stored.get("figures", stored.get("accuracies"))
    if "news_accuracy" in stored:
        named = {"news": stored["news_accuracy"], "rest": stored["accuracy"]}
        figures = {name: value for name, value in named.items() if value is not None}
    return Check(
        step=stored["step"],
        steps=stored["steps"],
        seconds=stored["seconds"],
        tokens=stored.get("tokens", 0),
        loss=stored["loss"],
        figures=figures,
    )
