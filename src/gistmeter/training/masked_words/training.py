"""Train the masked-word model: small updates of the embedded encoder and a head tied to its input embeddings.

The text is cut into windows, words are masked, and the loss at the masked places moves the trained parts alone
(`models/runtime/adapters.py` names them). Windows and masks are a function of the seed and the step, and the state is
saved at every check: an interrupted training goes on as if it had never stopped.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.models.runtime.load import import_torch
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop import network
from gistmeter.training.loop.files import replaced
from gistmeter.training.masked_words import windows
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import IntArray
    from gistmeter.training.sources.corpus import Corpus, Passage

STATE, WEIGHTS = "state.safetensors", "masked-words.safetensors"
HELD_OUT_WINDOW, HELD_OUT_WINDOWS = 256, 60
_SPEED_STEPS = 30
_BETAS = (0.9, 0.98)
_LEAST_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the trained weights, besides the text. Either `steps` or `minutes` says how long."""

    steps: int | None = None
    minutes: float | None = None
    rate: float = 2.5e-3
    warm_up: int = 60
    rank: int = 32
    batch_tokens: int = 2048
    held_out: float = 0.02
    news: str = "bbc_news"
    repeats: Mapping[str, int] = field(default_factory=dict)
    precision: Literal["bf16", "fp32"] = "bf16"
    seed: int = 1
    check_every: int = 300


@dataclass(frozen=True, slots=True)
class Progress:
    """Where training is; at a check also how often the best word for a mask is right in text it never sees."""

    step: int
    steps: int
    """Steps planned; 0 while the speed is still being measured."""

    seconds: float
    tokens: int
    loss: float
    accuracy: float | None = None
    news_accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished training: its weights, and the checks on the way."""

    file: Path
    recipe: Recipe
    checks: tuple[Progress, ...]
    held_out: Mapping[str, int]
    """Masked tokens behind the accuracies: of the news, and of the rest."""

    plans: tuple[tuple[int, int], ...]
    """From which step on how many steps were planned; more than one pair when the number was changed on the way."""


def train_masked(
    corpus: Corpus, folder: Path, *, recipe: Recipe, progress: Callable[[Progress], None] | None = None
) -> Trained:
    """Train to the end, or go on where an interrupted training in this folder stopped, and write the weights there."""
    if (recipe.steps is None) == (recipe.minutes is None):
        raise DataError("say how long to train: a number of steps or a number of minutes")
    folder.mkdir(parents=True, exist_ok=True)
    run = _Run(corpus, folder, recipe)
    run.resume()
    run.go(progress or (lambda _: None))
    run.ship()
    return Trained(folder / WEIGHTS, recipe, tuple(run.checks), run.asked, tuple(run.plans))


def split(passages: Sequence[Passage], share: float) -> tuple[list[Passage], list[Passage]]:
    """Passages to learn from and passages held out, decided by their content alone.

    >>> from gistmeter.training.sources.corpus import Passage
    >>> kept, out = split([Passage("news", f"Report number {n}") for n in range(1000)], 0.02)
    >>> len(kept) + len(out), 5 < len(out) < 40
    (1000, True)
    """
    kept: list[Passage] = []
    out: list[Passage] = []
    for passage in passages:
        drawn = int.from_bytes(hashlib.blake2b(passage.text.encode(), digest_size=8).digest()) / 2**64
        (out if drawn < share else kept).append(passage)
    return kept, out


class _Run:
    """A training in its folder: the trained parts, the optimizer, the text and the checks."""

    def __init__(self, corpus: Corpus, folder: Path, recipe: Recipe) -> None:
        torch, transformers = import_torch(), require("transformers", "training")
        self.folder, self.recipe = folder, recipe
        self.checks: list[Progress] = []
        self.plans: list[tuple[int, int]] = []
        self.step = self.tokens = 0
        self.steps = recipe.steps
        self.seconds = 0.0
        self.base = locate()
        self.tokenizer = Tokenizer(self.base)
        kept, out = split(corpus.passages, recipe.held_out)
        self.texts = self._ids([p for p in kept for _ in range(recipe.repeats.get(p.source, 1))])
        self.text_digest = hashlib.blake2b(b"".join(ids.tobytes() for ids in self.texts), digest_size=8).hexdigest()
        model = transformers.AutoModel.from_pretrained(self.base.folder, dtype=torch.float32)
        self.config = model.config
        self.vocabulary = self._vocabulary()
        self.held_out = self._windows([p for p in out if p.source != recipe.news])
        self.held_out_news = self._windows([p for p in out if p.source == recipe.news])
        self.asked = {
            kind: sum(len(batch.places) for batch in windows.evenly_masked(rows, vocabulary=self.vocabulary))
            for kind, rows in (("news", self.held_out_news), ("rest", self.held_out))
        }
        counts = np.bincount(np.concatenate(self.texts), minlength=self.config.vocab_size)
        mask = self.vocabulary.mask
        self.parts = network.fresh_parts(model, rank=recipe.rank, mask_id=mask, counts=counts, seed=recipe.seed)
        self.frozen = network.frozen_parts(model, dtype=torch.bfloat16 if recipe.precision == "bf16" else torch.float32)
        matrices = [part for part in self.parts.values() if part.ndim == 2]
        vectors = [part for part in self.parts.values() if part.ndim == 1]
        groups = [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=recipe.rate, betas=_BETAS, eps=1e-6)

    def go(self, said: Callable[[Progress], None]) -> None:
        """Train from the present step to the last."""
        started, before = time.monotonic(), self.seconds
        losses: list[float] = []
        first = self.step
        for batch in self._batches():
            if self.steps is None and self.step - first >= _SPEED_STEPS:
                each = (time.monotonic() - started) / (self.step - first)
                self.steps = max(self.step + 1, math.ceil((self.recipe.minutes or 0) * 60 / each))
            if self.steps is not None and (not self.plans or self.plans[-1][1] != self.steps):
                self.plans.append((self.step, self.steps))
            if self.steps is not None and self.step >= self.steps:
                break
            losses.append(self._learn(batch))
            self.step += 1
            self.tokens += batch.ids.size
            self.seconds = before + time.monotonic() - started
            if self.step % self.recipe.check_every == 0 or self.step == self.steps:
                self.checks.append(self._progress(losses, checked=True))
                losses = []
                self._save()
                said(self.checks[-1])
            elif self.step % 10 == 0:
                said(self._progress(losses[-10:], checked=False))

    def _learn(self, batch: windows.Batch) -> float:
        """One step; the loss before it."""
        torch = import_torch()
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * self._share()
        loss = torch.nn.functional.cross_entropy(self._logits(batch), torch.from_numpy(batch.answers))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.parts.values()), 1.0)
        self.optimizer.step()
        return float(loss.detach())

    def _share(self) -> float:
        """The share of the full learning rate: a warm-up, then a straight line down to almost nothing."""
        warm_up = self.recipe.warm_up
        if self.step < warm_up or self.steps is None:
            return min(1.0, (self.step + 1) / warm_up)
        return max(_LEAST_SHARE, (self.steps - self.step) / max(1, self.steps - warm_up))

    def _batches(self) -> Iterator[windows.Batch]:
        """The batches from the present step on, pass after pass over the text."""
        at, number, seed = 0, 0, self.recipe.seed
        while True:
            cut = windows.packed(
                self.texts, vocabulary=self.vocabulary, batch_tokens=self.recipe.batch_tokens, seed=(seed, number)
            )
            if not cut:
                raise DataError("there is too little text to learn from: it does not fill one batch of windows")
            for rows in cut:
                if at >= self.step:
                    rng = np.random.default_rng((seed, number, at))
                    yield windows.masked(rows, vocabulary=self.vocabulary, rng=rng)
                at += 1
            number += 1

    def _logits(self, batch: windows.Batch) -> torch.Tensor:
        torch = import_torch()
        ids, places = torch.from_numpy(batch.ids), torch.from_numpy(batch.places)
        x = network.states(self.frozen, self.parts, ids, config=self.config, mask_id=self.vocabulary.mask)
        return network.logits(self.frozen, self.parts, x[places], config=self.config)

    def _progress(self, losses: Sequence[float], *, checked: bool) -> Progress:
        return Progress(
            step=self.step,
            steps=self.steps or 0,
            seconds=round(self.seconds, 1),
            tokens=self.tokens,
            loss=round(float(np.mean(losses)), 4),
            accuracy=self._accuracy(self.held_out) if checked else None,
            news_accuracy=self._accuracy(self.held_out_news) if checked else None,
        )

    def _accuracy(self, rows: IntArray) -> float | None:
        """How often the best word for a masked token is the right one; nothing when nothing was held out."""
        torch = import_torch()
        right = asked = 0
        count = max(1, self.recipe.batch_tokens // HELD_OUT_WINDOW)
        with torch.no_grad():
            for at in range(0, len(rows), count):
                for batch in windows.evenly_masked(rows[at : at + count], vocabulary=self.vocabulary):
                    best = self._logits(batch).argmax(-1).numpy()
                    right += int((best == batch.answers).sum())
                    asked += len(batch.answers)
        return round(right / asked, 4) if asked else None

    def _ids(self, passages: Sequence[Passage]) -> list[IntArray]:
        return [found.ids[~found.special] for found in self.tokenizer([passage.text for passage in passages])]

    def _windows(self, passages: Sequence[Passage]) -> IntArray:
        """The first held-out windows, cut from the passages laid end to end."""
        body = HELD_OUT_WINDOW - 2
        end, start = self.vocabulary.end, self.vocabulary.start
        stream = np.concatenate([*(np.append(ids, end) for ids in self._ids(passages)), np.empty(0, np.int64)])
        count = min(len(stream) // body, HELD_OUT_WINDOWS)
        rows = stream[: count * body].reshape(count, body)
        return np.hstack([np.full((count, 1), start), rows, np.full((count, 1), end)])

    def _vocabulary(self) -> windows.Vocabulary:
        (empty,) = self.tokenizer([""])
        mask = self.tokenizer.mask_id
        if mask is None or len(empty.ids) != 2:
            raise DataError(f"{self.base.name} has no mask, or does not put one special token at either end")
        names = [self.tokenizer.decode(token) for token in range(self.config.vocab_size)]
        continues = np.array([name.startswith("##") for name in names])
        return windows.Vocabulary(mask=mask, start=int(empty.ids[0]), end=int(empty.ids[1]), continues=continues)

    def ship(self) -> None:
        """Write the trained parts as they are used: in half precision, and saying which encoder they belong to."""
        require("safetensors", "training")
        from safetensors.torch import save_file

        torch = import_torch()
        parts = {name: part.detach().to(torch.float16).contiguous() for name, part in self.parts.items()}
        facts = {"base": self.base.name, "base_weights": files_digest(self.base.weights), "step": str(self.step)}
        replaced(self.folder / WEIGHTS, lambda to: save_file(parts, to, metadata=facts))

    def _save(self) -> None:
        """Write the weights, and all that is needed to go on."""
        from safetensors.torch import save_file

        state = {name: part.detach().contiguous() for name, part in self.parts.items()}
        for name, part in self.parts.items():
            known = self.optimizer.state[part]
            state |= {f"first.{name}": known["exp_avg"], f"second.{name}": known["exp_avg_sq"]}
        about = {"step": self.step, "steps": self.steps, "seconds": self.seconds, "tokens": self.tokens}
        notes = {
            "about": json.dumps(about),
            "recipe": json.dumps(asdict(self.recipe)),
            "plans": json.dumps(self.plans),
            "log": json.dumps([asdict(check) for check in self.checks]),
            "text": self.text_digest,
        }
        replaced(self.folder / STATE, lambda to: save_file(state, to, metadata=notes))
        self.ship()

    def resume(self) -> None:
        """Take up what an interrupted training left; refuse what another recipe or another text left.

        How long to train may change on the way: the learning rate then falls to its end from where it is.
        """
        from safetensors import safe_open

        file = self.folder / STATE
        if not file.is_file():
            return
        torch = import_torch()
        with safe_open(file, "pt") as opened:
            notes: dict[str, Any] = opened.metadata()
            same = _deciding(json.loads(notes["recipe"])) == _deciding(json.loads(json.dumps(asdict(self.recipe))))
            if not same or notes.get("text", self.text_digest) != self.text_digest:
                raise DataError(f"{self.folder} holds a training with other settings or text: name another folder")
            about = json.loads(notes["about"])
            for name, part in self.parts.items():
                part.data.copy_(opened.get_tensor(name))
                self.optimizer.state[part] = {
                    "step": torch.tensor(float(about["step"])),
                    "exp_avg": opened.get_tensor(f"first.{name}"),
                    "exp_avg_sq": opened.get_tensor(f"second.{name}"),
                }
        self.step, self.seconds, self.tokens = (about[name] for name in ("step", "seconds", "tokens"))
        self.steps = self.recipe.steps or about["steps"]
        self.plans = [(at, steps) for at, steps in json.loads(notes.get("plans", "[]"))] or [(0, about["steps"])]
        self.checks = [Progress(**check) for check in json.loads(notes["log"])]


def _deciding(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """What may not change while a training goes on."""
    return {name: value for name, value in recipe.items() if name not in ("steps", "minutes", "check_every")}
