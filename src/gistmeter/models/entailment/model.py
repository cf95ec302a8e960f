"""The entailment role: whether one text (the premise) entails another (the hypothesis).

The embedded model is the embedded encoder with parts that gistmeter trained (`card.md`); by name or path
it is any classifier of pairs with three classes. A checkpoint without a classification head is refused: transformers
would fill the head with random numbers.

A premise longer than the model reads is never cut: it is divided into stretches of whole sentences, as few as fit, and
the stretch that entails the hypothesis most speaks for the premise. What one of its parts entails, the whole entails.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import batches
from gistmeter.models.runtime.locate import Identity, identity_of, with_parts
from gistmeter.models.runtime.pair_classifier import HypothesisHead, PairNetwork, load_adapted, load_classifier
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.text.chunks import split_into_chunks
from gistmeter.weights import EMBEDDED, metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.encoder.encoder import Dtype
    from gistmeter.models.runtime.tokenizer import PairTokens


LABELS = ("entailment", "neutral", "contradiction")
"""The order of the logits, whatever the order in the model."""

LEARNED = "gistmeter_learned"
"""Where the configuration of a classifier that was trained here says what it learned."""

_RELEASED = frozenset(f"shiyue/roberta-large-{name}" for name in ("tac08", "tac09", "realsumm", "pyrxsum"))
"""The authors' models, fine-tuned on labels of presence."""

WEIGHTS = Path(__file__).parent / "weights.safetensors"
_CHUNK = 8192
"""Pairs that are tokenised at a time."""


def p3c(logits: FloatArray) -> FloatArray:
    """The probability of entailment among three classes (paper 001, section 3.1).

    >>> p3c(np.log([[2.0, 1.0, 1.0]])).tolist()
    [0.5]
    """
    logits = _checked(logits)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised[:, 0] / raised.sum(axis=1))


def l3c(logits: FloatArray) -> FloatArray:
    """1 where entailment is the likeliest of three classes, else 0.

    >>> l3c(np.array([[1.0, 0.9, 0.9], [1.0, 1.1, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(_checked(logits).argmax(axis=1) == 0, dtype=np.float64)


def p2c(logits: FloatArray) -> FloatArray:
    """The probability of entailment against the other two, whose logits are added: e^e / (e^e + e^(n+c)).

    >>> p2c(np.array([[3.0, 1.0, 2.0]])).tolist()
    [0.5]
    """
    logits = _checked(logits)
    margin = logits[:, 0] - logits[:, 1] - logits[:, 2]
    # Either branch raises e to a power of at most 0: no overflow.
    small = np.exp(-np.abs(margin))
    return np.asarray(np.where(margin >= 0, 1 / (1 + small), small / (1 + small)))


def l2c(logits: FloatArray) -> FloatArray:
    """1 where `p2c` is above one half, else 0.

    >>> l2c(np.array([[1.0, 0.4, 0.4], [1.0, 1.1, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(p2c(logits) > 0.5, dtype=np.float64)


class Entailment:
    """An entailment model. What it says of one pair never depends on what else is asked."""

    def __init__(
        self, identity: Identity, tokenizer: Tokenizer, network: PairNetwork, settings: RuntimeSettings
    ) -> None:
        self.name, self.digest = identity
        self.max_tokens = min(network.max_tokens, tokenizer.max_tokens)
        self._tokenizer, self._network, self._settings = tokenizer, network, settings

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its numbers, for a signature."""
        return {"model": self.name, "weights": self.digest}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Three logits for each (premise, hypothesis), in the order of `LABELS`; the same pair is judged once.

        >>> bike = ("A man in a red shirt is riding a bicycle down the street.", "A man is riding a bicycle.")
        >>> sleep = ("A man in a red shirt is riding a bicycle down the street.", "A woman is sleeping at home.")
        >>> l3c(entailment().logits([bike, sleep])).tolist()
        [1.0, 0.0]
        """
        distinct = list(dict.fromkeys(pairs))
        rows = np.concatenate([np.zeros((0, 3)), *map(self._judged, _chunks(distinct))])
        place = {pair: row for row, pair in enumerate(distinct)}
        return np.asarray(rows[[place[pair] for pair in pairs]].reshape(-1, 3), dtype=np.float64)

    def _judged(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The logits of pairs, all different; of a long premise those of its best stretch."""
        tokens = self._tokenizer.pairs(pairs)
        owner = np.arange(len(pairs))
        long = [i for i, one in enumerate(tokens) if len(one.ids) > self.max_tokens]
        for i in long:
            parts = self._tokenizer.pairs(self._divided(*pairs[i], len(tokens[i].ids)))
            tokens[i] = parts[0]
            tokens += parts[1:]
            owner = np.append(owner, np.full(len(parts) - 1, i))
        said = self._run_all(tokens)
        found = said[: len(pairs)].copy()
        for i in long:
            mine = said[owner == i]
            found[i] = mine[np.argmax(mine[:, 0] - np.logaddexp(mine[:, 1], mine[:, 2]))]
        return found

    def _run_all(self, tokens: Sequence[PairTokens]) -> FloatArray:
        found = np.zeros((len(tokens), 3))
        for batch in batches([len(one.ids) for one in tokens], self._settings.batch_tokens):
            found[batch] = self._network([tokens[i] for i in batch])
        return found

    def _divided(self, premise: str, hypothesis: str, length: int) -> list[tuple[str, str]]:
        """A pair whose premise is too long as pairs that are not."""
        whole, alone = (int((~one.special).sum()) for one in self._tokenizer([premise, hypothesis]))
        # A word cut at a boundary may take other tokens there than within the text: leave two to spare.
        room = self.max_tokens - (length - whole) - 2
        if room < max(8, alone // 4):
            raise MetricError(
                f"{self.name} reads {self.max_tokens} tokens at once, too few for a hypothesis of {alone} beside "
                f"some premise: {hypothesis[:60]!r}"
            )
        lengths = functools.partial(_lengths, self._tokenizer)
        return [(stretch, hypothesis) for stretch in split_into_chunks(premise, room, lengths=lengths)]


def entailment(model: str = EMBEDDED, labels: Sequence[str] | None = None, *, dtype: Dtype = "fp32") -> Entailment:
    """The entailment model of a name, loaded once per process.

    `model` is `embedded`, weights that `gistmeter train entailment` wrote (a .safetensors file), a folder with a
    checkpoint, or a Hugging Face name. `labels` says what the outputs of a model mean, in their order, when its
    configuration does not: `("contradiction", "neutral", "entailment")`.
    """
    return _entailment(model, tuple(labels) if labels is not None else None, dtype, current_settings())


def entailment_identity(model: str = EMBEDDED) -> Identity:
    """What an entailment model is called and a digest of its weights, found without loading it."""
    return identity_of(*with_parts(model, WEIGHTS))


def learned_presence(model: str = EMBEDDED) -> bool:
    """Whether a model learned which units summaries state: what `gistmeter train entailment` wrote tells it.

    >>> learned_presence(), learned_presence("shiyue/roberta-large-tac08")
    (False, True)
    """
    if model in _RELEASED:
        return True
    checkpoint, file = with_parts(model, WEIGHTS)
    if file is not None:
        return metadata(file).get("learned") == "presence"
    config = json.loads((checkpoint.folder / "config.json").read_text("utf-8"))
    return bool(config.get(LEARNED) == "presence")


@functools.lru_cache(maxsize=2)
def _entailment(name: str, labels: tuple[str, ...] | None, dtype: Dtype, settings: RuntimeSettings) -> Entailment:
    checkpoint, adapter = with_parts(name, WEIGHTS)
    tokenizer = Tokenizer(checkpoint, prefix_space=False)  # classifiers were trained without a space at the start
    network: PairNetwork
    if adapter is not None:
        network = HypothesisHead(
            *load_adapted(checkpoint, adapter, dtype=dtype, device=settings.device), device=settings.device
        )
    else:
        network = load_classifier(
            checkpoint, labels=labels, dtype=dtype, device=settings.device, pad_id=tokenizer.pad_id, order=LABELS
        )
    return Entailment(identity_of(checkpoint, adapter), tokenizer, network, settings)


def _lengths(tokenizer: Tokenizer, texts: Sequence[str]) -> list[int]:
    return [int((~one.special).sum()) for one in tokenizer(texts)]


def _chunks(pairs: Sequence[tuple[str, str]]) -> list[Sequence[tuple[str, str]]]:
    return [pairs[at : at + _CHUNK] for at in range(0, len(pairs), _CHUNK)]


def _checked(logits: FloatArray) -> FloatArray:
    logits = np.asarray(logits, dtype=np.float64)
    if logits.ndim != 2 or logits.shape[1] != 3:
        raise ValueError(f"logits are rows of three (entailment, neutral, contradiction), not {logits.shape}")
    return logits
