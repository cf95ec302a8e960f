"""Train the masked-word model: small updates of the embedded encoder and a head tied to its input embeddings.

The text is cut into windows, words are masked, and the loss at the masked positions moves the trained parts alone
(`models/runtime/adapters.py` names them).
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.models.runtime.load import import_torch, torch_dtype
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop.adapted_encoder import frozen_weights
from gistmeter.training.loop.adapted_weights import write_parts
from gistmeter.training.loop.check import tell_check
from gistmeter.training.loop.resumable import ResumableTraining, linear_rate_share
from gistmeter.training.masked_words import network
from gistmeter.training.masked_words.card import masked_words_card
from gistmeter.training.masked_words.result import TrainedMaskedWords
from gistmeter.training.masked_words.windows import MaskedBatch, Vocabulary, mask_evenly, mask_windows, pack_windows
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside
from gistmeter.training.sources.corpus import read_corpus
from gistmeter.training.sources.evaluated import collect_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import torch

    from gistmeter.arrays import IntArray
    from gistmeter.training.loop.check import Check
    from gistmeter.training.masked_words.recipe import MaskedWordsData, MaskedWordsRecipe
    from gistmeter.training.progress import Progress
    from gistmeter.training.sources.corpus import Corpus, Passage

WEIGHTS_FILE = "masked-words.safetensors"
HELD_OUT_WINDOW_TOKENS, HELD_OUT_WINDOWS = 256, 60
SPEED_STEPS = 30
"""Steps after which the speed is known, where minutes say how long to train."""

MIN_RATE_SHARE = 0.01


class SplitPassages(NamedTuple):
    """Passages to learn from and passages held out."""

    train: list[Passage]
    held_out: list[Passage]


def train_masked_words(
    out: str | Path,
    data: MaskedWordsData,
    *,
    recipe: MaskedWordsRecipe,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedMaskedWords:
    """Train to the end, or go on where an interrupted training in this folder stopped; write weights and card there."""
    skip = data.skip.split(",") if data.skip else ()
    corpus = read_corpus(data.data, refused=collect_runs(data.without), skip=skip)
    progress.say(f"{len(corpus.passages):,} passages to learn from; left out: {dict(corpus.left_out)}")
    trained = fit_masked_words(corpus, Path(out), recipe, lambda check: tell_check(progress, check))
    masked_words_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def fit_masked_words(
    corpus: Corpus, folder: Path, recipe: MaskedWordsRecipe, report: Callable[[Check], None] | None = None
) -> TrainedMaskedWords:
    """Train on a corpus in a folder and write the weights there, without a card."""
    if (recipe.steps is None) == (recipe.minutes is None):
        raise DataError("say how long to train: a number of steps or a number of minutes")
    training = MaskedWordsTraining(corpus, folder, recipe)
    run = training.run(report)
    return TrainedMaskedWords(
        file=run.file, card=card_beside(run.file), run=run, corpus=corpus, held_out=training.count_held_out()
    )


def split_passages(passages: Sequence[Passage], share: float) -> SplitPassages:
    """Passages to learn from and a share of passages held out, decided by their content alone.

    >>> from gistmeter.training.sources.corpus import Passage
    >>> train, held_out = split_passages([Passage("news", f"Report number {n}") for n in range(1000)], 0.02)
    >>> len(train) + len(held_out), 5 < len(held_out) < 40
    (1000, True)
    """
    split = SplitPassages([], [])
    for passage in passages:
        draw = int.from_bytes(hashlib.blake2b(passage.text.encode(), digest_size=8).digest()) / 2**64
        (split.held_out if draw < share else split.train).append(passage)
    return split


class MaskedWordsTraining(ResumableTraining[MaskedBatch]):
    """A training in its folder: the text, the trained parts, and the held-out windows."""

    free_settings = ("steps", "minutes", "check_every")

    def __init__(self, corpus: Corpus, folder: Path, recipe: MaskedWordsRecipe) -> None:
        torch, transformers = import_torch(), require("transformers", "training")
        self.words_recipe = recipe
        self.base = locate()
        self.tokenizer = Tokenizer(self.base)
        passages = split_passages(corpus.passages, recipe.held_out)
        self.texts = self._tokenize(
            [passage for passage in passages.train for _ in range(recipe.repeats.get(passage.source, 1))]
        )
        model = transformers.AutoModel.from_pretrained(self.base.folder, dtype=torch.float32)
        self.config = model.config
        self.vocabulary = self._vocabulary()
        self.held_out = {
            "news": self._windows([passage for passage in passages.held_out if passage.source == recipe.news]),
            "rest": self._windows([passage for passage in passages.held_out if passage.source != recipe.news]),
        }
        counts = np.bincount(np.concatenate(self.texts), minlength=self.config.vocab_size)
        mask = self.vocabulary.mask
        self.parts = network.initial_parts(model, rank=recipe.rank, mask_id=mask, counts=counts, seed=recipe.seed)
        self.frozen = frozen_weights(model, dtype=torch_dtype(recipe.precision))
        digest = hashlib.blake2b(b"".join(ids.tobytes() for ids in self.texts), digest_size=8).hexdigest()
        super().__init__(folder, recipe, learned=self.parts, digest=digest, steps=recipe.steps)

    def plan_steps(self, seconds: float, done: int) -> None:
        """Make the minutes of the recipe a number of steps, once the speed is known."""
        if self.steps is None and done >= SPEED_STEPS:
            minutes = self.words_recipe.minutes or 0
            self.steps = max(self.step + 1, math.ceil(minutes * 60 / (seconds / done)))

    def batches(self) -> Iterator[MaskedBatch]:
        """The batches from the present step on, pass after pass over the text."""
        step, number, seed = 0, 0, self.recipe.seed
        while True:
            windows = pack_windows(
                self.texts,
                vocabulary=self.vocabulary,
                batch_tokens=self.words_recipe.batch_tokens,
                seed=(seed, number),
            )
            if not windows:
                raise DataError("there is too little text to learn from: it does not fill one batch of windows")
            for rows in windows:
                if step >= self.step:
                    rng = np.random.default_rng((seed, number, step))
                    yield mask_windows(rows, vocabulary=self.vocabulary, rng=rng)
                step += 1
            number += 1

    def count_tokens(self, batch: MaskedBatch) -> int:
        """The tokens of all windows of a batch."""
        return int(batch.ids.size)

    def loss(self, batch: MaskedBatch) -> torch.Tensor:
        """The cross-entropy of the words under the masks."""
        from torch.nn import functional

        return functional.cross_entropy(self.logits(batch), import_torch().from_numpy(batch.answers))

    def rate_share(self) -> float:
        """A warm-up, then a straight line down to almost nothing."""
        warm_up = self.words_recipe.warm_up
        return linear_rate_share(self.step, steps=self.steps, warm_up=warm_up, least=MIN_RATE_SHARE)

    def check_figures(self) -> Mapping[str, float]:
        """How often the best word for a masked token is the right one, of the news and of the rest."""
        return {name: self._accuracy(rows) for name, rows in self.held_out.items() if len(rows)}

    def save(self) -> None:
        """Write all that is needed to go on, and the weights as they are now."""
        super().save()
        self.write_weights()

    def write_weights(self) -> Path:
        """Write the trained parts as they are used."""
        return write_parts(self.parts, self.folder / WEIGHTS_FILE, base=self.base, facts={"step": str(self.step)})

    def count_held_out(self) -> dict[str, int]:
        """The masked tokens behind the accuracies."""
        return {
            name: sum(len(batch.positions) for batch in mask_evenly(rows, vocabulary=self.vocabulary))
            for name, rows in self.held_out.items()
        }

    def logits(self, batch: MaskedBatch) -> torch.Tensor:
        """A logit for every word of the vocabulary at every mask."""
        torch = import_torch()
        ids, positions = torch.from_numpy(batch.ids), torch.from_numpy(batch.positions)
        states = network.compute_states(self.frozen, self.parts, ids, config=self.config, mask_id=self.vocabulary.mask)
        return network.compute_logits(self.frozen, self.parts, states[positions], config=self.config)

    def _accuracy(self, rows: IntArray) -> float:
        torch = import_torch()
        right = masks = 0
        count = max(1, self.words_recipe.batch_tokens // HELD_OUT_WINDOW_TOKENS)
        with torch.no_grad():
            for start in range(0, len(rows), count):
                for batch in mask_evenly(rows[start : start + count], vocabulary=self.vocabulary):
                    best = self.logits(batch).argmax(-1).numpy()
                    right += int((best == batch.answers).sum())
                    masks += len(batch.answers)
        return round(right / masks, 4)

    def _tokenize(self, passages: Sequence[Passage]) -> list[IntArray]:
        return [tokens.ids[~tokens.special] for tokens in self.tokenizer([passage.text for passage in passages])]

    def _windows(self, passages: Sequence[Passage]) -> IntArray:
        """The first held-out windows, cut from the passages laid end to end."""
        body = HELD_OUT_WINDOW_TOKENS - 2
        end, start = self.vocabulary.end, self.vocabulary.start
        stream = np.concatenate([*(np.append(ids, end) for ids in self._tokenize(passages)), np.empty(0, np.int64)])
        count = min(len(stream) // body, HELD_OUT_WINDOWS)
        rows = stream[: count * body].reshape(count, body)
        return np.hstack([np.full((count, 1), start), rows, np.full((count, 1), end)])

    def _vocabulary(self) -> Vocabulary:
        (empty,) = self.tokenizer([""])
        mask = self.tokenizer.mask_id
        if mask is None or len(empty.ids) != 2:
            raise DataError(f"{self.base.name} has no mask, or does not put one special token at either end")
        names = [self.tokenizer.decode(token) for token in range(self.config.vocab_size)]
        continues = np.array([name.startswith("##") for name in names])
        return Vocabulary(mask=mask, start=int(empty.ids[0]), end=int(empty.ids[1]), continues=continues)
