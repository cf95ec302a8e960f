"""The entailment role: whether one text (the premise) entails another (the hypothesis).

The embedded model is the embedded encoder with parts that gistmeter trained (`card.md`); by name or path
it is any classifier of pairs with three classes. A checkpoint without a classification head is refused: transformers
would fill the head with random numbers.

A premise longer than the model reads is never cut: it is divided into stretches of whole sentences, as few as fit, and
the stretch that entails the hypothesis most speaks for the premise. What one of its parts entails, the whole entails.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import RecentCache, split_into_batches
from gistmeter.models.runtime.locate import Identity, identify, locate_adapted
from gistmeter.models.runtime.pair_classifier import HypothesisHead, PairNetwork, load_adapted, load_classifier
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.stored_json import read_config
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.text.chunks import split_into_chunks
from gistmeter.weights import EMBEDDED, read_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.tokenizer import PairTokens


LABELS = ("entailment", "neutral", "contradiction")
"""The order of the logits, whatever the order in the model."""

LEARNED = "gistmeter_learned"
"""Where the configuration of a classifier that was trained here says what it learned."""

_PRESENCE_MODELS = frozenset(f"shiyue/roberta-large-{name}" for name in ("tac08", "tac09", "realsumm", "pyrxsum"))
"""The authors' models, fine-tuned on labels of presence."""

WEIGHTS = Path(__file__).parent / "weights.safetensors"
_BATCH_PAIRS = 8192
"""Pairs that are tokenised at a time."""

_MEMORY_BYTES = 1 << 24
"""How much memory recent pairs may take: all units of a run of some thousand summaries."""


def p3c(logits: FloatArray) -> FloatArray:
    """The probability of entailment among three classes (Zhang and Bansal, 2021, section 3.1).

    >>> p3c(np.log([[2.0, 1.0, 1.0]])).tolist()
    [0.5]
    """
    logits = _check_logits(logits)
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised[:, 0] / raised.sum(axis=1))


def l3c(logits: FloatArray) -> FloatArray:
    """1 where entailment is the likeliest of three classes, else 0.

    >>> l3c(np.array([[1.0, 0.9, 0.9], [1.0, 1.1, 0.0]])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(_check_logits(logits).argmax(axis=1) == 0, dtype=np.float64)


def p2c(logits: FloatArray) -> FloatArray:
    """The probability of entailment against the other two, whose logits are added: e^e / (e^e + e^(n+c)).

    >>> p2c(np.array([[3.0, 1.0, 2.0]])).tolist()
    [0.5]
    """
    logits = _check_logits(logits)
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


class JudgedPair(NamedTuple):
    """The logits of a pair that was judged lately, and the bytes it takes."""

    logits: FloatArray
    size: int


class Entailment:
    """An entailment model. What it says of one pair never depends on what else is asked.

    Recent pairs are remembered: lite2pyramid, lite2.5pyramid and lite3pyramid ask for many of the same.
    """

    def __init__(
        self, identity: Identity, tokenizer: Tokenizer, network: PairNetwork, settings: RuntimeSettings
    ) -> None:
        self.name, self.digest = identity
        self.max_tokens = min(network.max_tokens, tokenizer.max_tokens)
        self._tokenizer, self._network, self._settings = tokenizer, network, settings
        self._recent: RecentCache[JudgedPair] = RecentCache(_MEMORY_BYTES)

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its numbers, for a signature."""
        return {"model": self.name, "weights": self.digest}

    def logits(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """Three logits for each (premise, hypothesis), in the order of `LABELS`; the same pair is judged once.

        >>> bike = ("A man in a red shirt is riding a bicycle down the street.", "A man is riding a bicycle.")
        >>> sleep = ("A man in a red shirt is riding a bicycle down the street.", "A woman is sleeping at home.")
        >>> l3c(load_entailment().logits([bike, sleep])).tolist()
        [1.0, 0.0]
        """
        logits_of = {pair: judged.logits for pair in pairs if (judged := self._recent.get(pair)) is not None}
        missing = [pair for pair in dict.fromkeys(pairs) if pair not in logits_of]
        for chunk in _chunks(missing):
            for pair, row in zip(chunk, self._judge_pairs(chunk), strict=True):
                logits_of[pair] = row
                self._recent.keep(pair, JudgedPair(row.copy(), _measure_bytes(pair)))
        return np.array([logits_of[pair] for pair in pairs], dtype=np.float64).reshape(-1, 3)

    def divide_hypothesis(self, hypothesis: str) -> list[str]:
        """A hypothesis that leaves no room for a premise as parts that do; any other as it is."""
        most = self.max_tokens * 3 // 4
        if len(hypothesis.encode("utf-8", "surrogatepass")) <= most:  # no token is shorter than a byte
            return [hypothesis]
        lengths = functools.partial(_count_tokens, self._tokenizer)
        if lengths([hypothesis])[0] <= most:
            return [hypothesis]
        chunks = split_into_chunks(hypothesis, most // 2, lengths=lengths)
        # Text without blanks is not cut between words. A character has at most four bytes, and so tokens.
        return [
            part
            for chunk, length in zip(chunks, lengths(chunks), strict=True)
            for part in ([chunk] if length <= most else _slice(chunk, most // 4))
        ]

    def _judge_pairs(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        """The logits of pairs, all different; of a long premise those of its best stretch."""
        tokens = self._tokenizer.pairs(pairs)
        owner = np.arange(len(pairs))
        long = [i for i, pair_tokens in enumerate(tokens) if len(pair_tokens.ids) > self.max_tokens]
        for i in long:
            parts = self._tokenizer.pairs(self._divide_premise(*pairs[i], len(tokens[i].ids)))
            tokens[i] = parts[0]
            tokens += parts[1:]
            owner = np.append(owner, np.full(len(parts) - 1, i))
        all_logits = self._run_all(tokens)
        logits = all_logits[: len(pairs)].copy()
        for i in long:
            stretches_of_premise = all_logits[owner == i]
            entails, neutral, contradicts = stretches_of_premise.T
            logits[i] = stretches_of_premise[np.argmax(entails - np.logaddexp(neutral, contradicts))]
        return logits

    def _run_all(self, tokens: Sequence[PairTokens]) -> FloatArray:
        logits = np.zeros((len(tokens), 3))
        for batch in split_into_batches([len(pair_tokens.ids) for pair_tokens in tokens], self._settings.batch_tokens):
            logits[batch] = self._network([tokens[i] for i in batch])
        return logits

    def _divide_premise(self, premise: str, hypothesis: str, length: int) -> list[tuple[str, str]]:
        """A pair whose premise is too long as pairs that are not."""
        premise_tokens, hypothesis_tokens = _count_tokens(self._tokenizer, [premise, hypothesis])
        # A word cut at a boundary may take other tokens there than within the text: leave two to spare.
        room = self.max_tokens - (length - premise_tokens) - 2
        if room < max(8, hypothesis_tokens // 4):
            raise MetricError(
                f"{self.name} reads {self.max_tokens} tokens at once, too few for a hypothesis of {hypothesis_tokens} "
                f"beside some premise: {hypothesis[:60]!r}"
            )
        lengths = functools.partial(_count_tokens, self._tokenizer)
        return [(stretch, hypothesis) for stretch in split_into_chunks(premise, room, lengths=lengths)]


def load_entailment(model: str = EMBEDDED, labels: Sequence[str] | None = None, *, dtype: Dtype = "fp32") -> Entailment:
    """The entailment model of a name, loaded once per process.

    `model` is `embedded`, weights that `gistmeter train entailment` wrote (a .safetensors file), a folder with a
    checkpoint, or a Hugging Face name. `labels` says what the outputs of a model mean, in their order, when its
    configuration does not: `("contradiction", "neutral", "entailment")`.
    """
    return _load_entailment_once(model, tuple(labels) if labels is not None else None, dtype, current_settings())


def entailment_identity(model: str = EMBEDDED) -> Identity:
    """What an entailment model is called and a digest of its weights, found without loading it."""
    return identify(*locate_adapted(model, WEIGHTS))


def has_learned_presence(model: str = EMBEDDED) -> bool:
    """Whether a model learned which units summaries state: what `gistmeter train entailment` wrote tells it.

    >>> has_learned_presence(), has_learned_presence("shiyue/roberta-large-tac08")
    (False, True)
    """
    if model in _PRESENCE_MODELS:
        return True
    checkpoint, file = locate_adapted(model, WEIGHTS)
    if file is not None:
        return read_metadata(file).get("learned") == "presence"
    config = read_config(checkpoint.folder / "config.json", checkpoint.name)
    return bool(config.get(LEARNED) == "presence")


@functools.lru_cache(maxsize=2)
def _load_entailment_once(
    name: str, labels: tuple[str, ...] | None, dtype: Dtype, settings: RuntimeSettings
) -> Entailment:
    checkpoint, adapter = locate_adapted(name, WEIGHTS)
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
    return Entailment(identify(checkpoint, adapter), tokenizer, network, settings)


def _slice(text: str, characters: int) -> list[str]:
    return [text[start : start + characters] for start in range(0, len(text), characters)]


def _count_tokens(tokenizer: Tokenizer, texts: Sequence[str]) -> list[int]:
    return [int((~tokens.special).sum()) for tokens in tokenizer(texts)]


def _chunks(pairs: Sequence[tuple[str, str]]) -> list[Sequence[tuple[str, str]]]:
    return [pairs[at : at + _BATCH_PAIRS] for at in range(0, len(pairs), _BATCH_PAIRS)]


def _measure_bytes(pair: tuple[str, str]) -> int:
    """About how much memory a pair and its logits take: characters of English take a byte, and objects their heads."""
    return 500 + sum(map(len, pair))


def _check_logits(logits: FloatArray) -> FloatArray:
    logits = np.asarray(logits, dtype=np.float64)
    if logits.ndim != 2 or logits.shape[1] != 3:
        raise ValueError(f"logits are rows of three (entailment, neutral, contradiction), not {logits.shape}")
    return logits
