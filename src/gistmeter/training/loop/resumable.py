"""Training on pairs of texts: the loop, its schedule, its checks and its saved state, whatever network learns.

Batches are a function of the seed and the step, and the state is saved at every check: an interrupted training goes on
as if it had never stopped. How many steps there are to be may change on the way.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.files import replaced
from gistmeter.training.loop.recipe import Fitted, Progress, loss_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.loop.recipe import Learner, Recipe

STATE = "state.safetensors"
_CHUNK = 16
_BETAS = (0.9, 0.98)


class Training:
    """A training in its folder: `labels` says which of the pairs are learned from, and what they are."""

    def __init__(
        self,
        learner: Learner,
        pairs: Sequence[JoinedTokens],
        labels: Mapping[int, float] | Mapping[int, tuple[int, int]],
        folder: Path,
        *,
        recipe: Recipe,
        learned: Literal["entailment", "presence", "answering"],
        check: Callable[[], Mapping[str, float]] | None = None,
        loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] | None = None,
    ) -> None:
        torch = import_torch()
        if not labels:
            raise DataError("there are no pairs to learn from")
        folder.mkdir(parents=True, exist_ok=True)
        self.learner, self.pairs, self.folder, self.recipe, self.check = learner, pairs, folder, recipe, check
        self.learned = learned
        self.loss = loss or functools.partial(loss_of, two_way=recipe.two_way)
        self.numbers = np.array(list(labels))
        self.labels = np.array(list(labels.values()))
        self.lengths = np.array([len(pairs[number].ids) for number in labels])
        self.steps = max(1, math.ceil(recipe.epochs * math.ceil(len(labels) / recipe.batch)))
        self.step, self.seconds, self.tokens = 0, 0.0, 0
        self.checks: list[Progress] = []
        self.plans: list[tuple[int, int]] = []
        digest = hashlib.blake2b(self.labels.tobytes(), digest_size=8)
        for number in labels:
            digest.update(pairs[number].ids.tobytes())
        self.digest = digest.hexdigest()
        parts = list(learner.learned.values())
        groups = [
            {"params": [part for part in parts if part.ndim > 1], "weight_decay": recipe.decay},
            {"params": [part for part in parts if part.ndim <= 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=recipe.rate, betas=_BETAS, eps=1e-6)

    def go(self, said: Callable[[Progress], None] | None = None) -> Fitted:
        """Train to the end, from the start or from where an interrupted training in this folder stopped."""
        torch = import_torch()
        self._resume()
        if not self.plans or self.plans[-1][1] != self.steps:
            self.plans.append((self.step, self.steps))
        started, before = time.monotonic(), self.seconds
        losses: list[float] = []
        for places in self._batches():
            torch.manual_seed(self.recipe.seed * 1_000_003 + self.step)
            losses.append(self._learn(places))
            self.step += 1
            self.tokens += int(self.lengths[places].sum())
            self.seconds = before + time.monotonic() - started
            last = self.step >= self.steps
            if last or self.step % self.recipe.check_every == 0:
                figures = dict(self.check()) if self.check else {}
                self.checks.append(self._progress(losses, figures))
                losses = []
                self._save()
                if said:
                    said(self.checks[-1])
            elif said and self.step % 10 == 0:
                said(self._progress(losses[-10:], None))
        file = self.learner.ship(self.folder, {"steps": str(self.step), "learned": self.learned})
        return Fitted(file, tuple(self.checks), tuple(self.plans), self.tokens)

    def _learn(self, places: IntArray) -> float:
        """One step; the loss before it."""
        torch = import_torch()
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self._share()
        chosen = self.numbers[places].tolist()
        logits = self.learner.logits([self.pairs[i] for i in chosen], chosen)
        labels = torch.from_numpy(self.labels[places])
        labels = labels.float() if labels.is_floating_point() else labels
        loss = self.loss(logits, labels)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self.learner.learned.values()), 1.0)
        self.optimizer.step()
        return float(loss.detach())

    def _share(self) -> float:
        """The share of the full learning rate: a warm-up, then a straight line down to nothing."""
        warm_up = max(1, round(self.recipe.warm_up * self.steps))
        if self.step < warm_up:
            return (self.step + 1) / warm_up
        return max(0.0, (self.steps - self.step) / max(1, self.steps - warm_up))

    def _batches(self) -> Iterator[IntArray]:
        """The batches from the present step on; pairs of like length stand together, batches in any order."""
        at, epoch, size = 0, 0, self.recipe.batch
        while at < self.steps:
            rng = np.random.default_rng((self.recipe.seed, epoch))
            order = rng.permutation(len(self.labels))
            for start in range(0, len(order), _CHUNK * size):
                chunk = order[start : start + _CHUNK * size]
                chunk = chunk[np.argsort(self.lengths[chunk], kind="stable")]
                cuts = [chunk[i : i + size] for i in range(0, len(chunk), size)]
                for number in rng.permutation(len(cuts)):
                    if self.step <= at < self.steps:
                        yield cuts[number]
                    at += 1
            epoch += 1

    def _progress(self, losses: Sequence[float], figures: Mapping[str, float] | None) -> Progress:
        loss = round(float(np.mean(losses)), 4) if losses else math.nan
        return Progress(self.step, self.steps, round(self.seconds, 1), loss, figures)

    def _save(self) -> None:
        """Write all that is needed to go on."""
        require("safetensors", "training")
        from safetensors.torch import save_file

        state = {name: part.detach().contiguous() for name, part in self.learner.learned.items()}
        for name, part in self.learner.learned.items():
            known = self.optimizer.state[part]
            state |= {f"first.{name}": known["exp_avg"], f"second.{name}": known["exp_avg_sq"]}
        notes = {
            "about": json.dumps({"step": self.step, "seconds": self.seconds, "tokens": self.tokens}),
            "recipe": json.dumps(asdict(self.recipe)),
            "plans": json.dumps(self.plans),
            "checks": json.dumps([asdict(check) for check in self.checks]),
            "pairs": self.digest,
        }
        replaced(self.folder / STATE, lambda to: save_file(state, to, metadata=notes))

    def _resume(self) -> None:
        """Take up what an interrupted training left; refuse what another recipe or other pairs left."""
        require("safetensors", "training")
        from safetensors import safe_open

        file = self.folder / STATE
        if not file.is_file():
            return
        torch = import_torch()
        with safe_open(file, "pt") as opened:
            notes: dict[str, Any] = opened.metadata()
            same = _deciding(json.loads(notes["recipe"])) == _deciding(asdict(self.recipe))
            if not same or notes["pairs"] != self.digest:
                raise DataError(f"{self.folder} holds a training with other settings or pairs: name another folder")
            about = json.loads(notes["about"])
            for name, part in self.learner.learned.items():
                part.data.copy_(opened.get_tensor(name))
                self.optimizer.state[part] = {
                    "step": torch.tensor(float(about["step"])),
                    "exp_avg": opened.get_tensor(f"first.{name}"),
                    "exp_avg_sq": opened.get_tensor(f"second.{name}"),
                }
        self.step, self.seconds, self.tokens = about["step"], about["seconds"], about["tokens"]
        self.plans = [(at, steps) for at, steps in json.loads(notes["plans"])]
        self.checks = [Progress(**check) for check in json.loads(notes["checks"])]


def predicted(
    learner: Learner, pairs: Sequence[JoinedTokens], *, numbers: Sequence[int] | None = None, batch_tokens: int = 1024
) -> StateArray:
    """The logits of pairs, in their order, without learning; `numbers` are their places among the training pairs."""
    torch = import_torch()
    found = np.zeros((len(pairs), 3), dtype=np.float32)
    with torch.no_grad():
        for batch in split_into_batches([len(pair.ids) for pair in pairs], batch_tokens):
            places = [numbers[i] for i in batch] if numbers is not None else None
            found[batch] = learner.logits([pairs[i] for i in batch], places).numpy()
    return found


def _deciding(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """What may not change while a training goes on."""
    return {name: value for name, value in recipe.items() if name not in ("epochs", "check_every")}
