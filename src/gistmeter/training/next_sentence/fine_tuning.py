"""Fine-tuning a checkpoint by name as a next-sentence model: FFCI's own recipe (appendix B).

The whole network learns, with a new head of two classes on the state of the first token. It is checked on the
development pairs after every epoch; the best weights so far stand in the folder, so that a training that is stopped
leaves them there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.next_sentence.model import load_classifier
from gistmeter.models.runtime.batch import pad_pairs
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop.classifier import CLASSIFIER, add_new_head, write_classifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from gistmeter.models.next_sentence.model import NextSentence
    from gistmeter.models.runtime.tokenizer import PairTokens
    from gistmeter.training.next_sentence.pairs import SentencePair
    from gistmeter.training.next_sentence.recipe import NextSentenceRecipe
    from gistmeter.training.progress import Progress

LABELS = ("not next", "next")
"""The classes of the new head, as the configuration of the written checkpoint names them."""

MAX_TOKENS = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuned:
    """A checkpoint as it was at its best epoch, from 0, read again from its folder."""

    model: NextSentence
    epoch: int


def fine_tune_checkpoint(
    name: str,
    folder: Path,
    *,
    train: Sequence[SentencePair],
    dev: Sequence[SentencePair],
    recipe: NextSentenceRecipe,
    progress: Progress,
) -> FineTuned:
    """Fine-tune the checkpoint of a name on pairs and write it to a folder as it was at its best epoch.

    It stops after `recipe.patience` epochs without a smaller loss on the development pairs.
    """
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    learner = _Learner(name)
    optimizer = torch.optim.AdamW(learner.model.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    order = np.random.default_rng(recipe.seed)
    tokens, dev_tokens = learner.tokenize(train), learner.tokenize(dev)
    best_loss, best_epoch = np.inf, 0
    for epoch in range(recipe.epochs):
        learner.model.train()
        for done, rows in enumerate(_batches(order.permutation(len(train)), recipe.batch)):
            progress.advance(f"epoch {epoch + 1} of {recipe.epochs}", done * recipe.batch, len(train))
            loss = learner.loss([tokens[row] for row in rows], [train[row] for row in rows])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learner.model.parameters(), 1.0)
            optimizer.step()
        progress.advance(f"epoch {epoch + 1} of {recipe.epochs}", len(train), len(train))
        dev_loss = _mean_loss(learner, dev_tokens, dev, recipe.batch)
        progress.say(f"epoch {epoch + 1}: loss {dev_loss:.4f} on {len(dev)} development pairs")
        if dev_loss < best_loss:
            best_loss, best_epoch = dev_loss, epoch
            write_classifier(learner.model, learner.checkpoint, folder)
        elif epoch - best_epoch >= recipe.patience:
            break
    return FineTuned(model=load_classifier(locate(str(folder))), epoch=best_epoch)


class _Learner:
    """A classifier of two classes that learns whole."""

    def __init__(self, name: str) -> None:
        self.checkpoint = locate(name)
        self.device = current_settings().device
        missing = load_pretrained(self.checkpoint, CLASSIFIER, dtype="fp32", purpose=" as a next-sentence model")[1]
        self.model: Any = move_to_device(add_new_head(self.checkpoint, LABELS, missing=missing), self.device)
        self._tokenizer = Tokenizer(self.checkpoint, prefix_space=False)
        self._longest = min(MAX_TOKENS, self._tokenizer.max_tokens)
        self._types = getattr(self.model.config, "type_vocab_size", 0) > 1

    def tokenize(self, pairs: Sequence[SentencePair]) -> list[PairTokens]:
        """The tokens of pairs; a pair longer than the network reads is cut at its end."""
        tokens = self._tokenizer.pairs([(pair.first, pair.second) for pair in pairs])
        return [_cut(pair, self._longest) for pair in tokens]

    def loss(self, tokens: Sequence[PairTokens], pairs: Sequence[SentencePair]) -> Any:
        """The cross-entropy of two classes."""
        torch = import_torch()
        inputs = pad_pairs(tokens, self._tokenizer.pad_id, types=self._types)
        logits = self.model(
            **{name: torch.from_numpy(array).to(self.device) for name, array in inputs.items()}
        ).logits.float()
        follows = torch.tensor([int(pair.follows) for pair in pairs], device=self.device)
        return torch.nn.functional.cross_entropy(logits, follows)


def _mean_loss(learner: _Learner, tokens: Sequence[PairTokens], pairs: Sequence[SentencePair], batch: int) -> float:
    learner.model.eval()
    total = 0.0
    with import_torch().inference_mode():
        for rows in _batches(np.arange(len(pairs)), batch):
            total += len(rows) * float(learner.loss([tokens[row] for row in rows], [pairs[row] for row in rows]))
    return total / max(1, len(pairs))


def _batches(order: Any, size: int) -> Iterator[list[int]]:
    for start in range(0, len(order), size):
        yield order[start : start + size].tolist()


def _cut(pair: PairTokens, longest: int) -> PairTokens:
    if len(pair.ids) <= longest:
        return pair
    return pair._replace(
        ids=pair.ids[:longest], types=pair.types[:longest], hypothesis=pair.hypothesis[pair.hypothesis < longest]
    )
