"""The encoder role: token states of any layer, for any model that transformers can load.

Layer n of a model is what the model gives when it is cut after n layers: where a model ends in a
normalisation (GPT-2, T5, PEGASUS), the states of every layer pass through it, as in bert-score.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.encoder.layers import recommend_model
from gistmeter.models.runtime.architecture import Stack, load_stack
from gistmeter.models.runtime.batch import RecentCache, split_into_batches
from gistmeter.models.runtime.locate import EMBEDDED_NAME, MULTILINGUAL_NAME, Checkpoint, locate
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.states import Encoded, Tokens
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.models.runtime.windows import split_into_windows
from gistmeter.models.universal.languages import TRAINED_LANGUAGES, reads_language
from gistmeter.models.universal.loading import load_universal_stack, load_universal_tokenizer
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.universal.network import UniversalStack
    from gistmeter.models.universal.tokenizer import UniversalTokenizer

LongTexts = Literal["windows", "truncate"]
BY_LANGUAGE = "auto"
"""As the name of a model: the one that the literature recommends for the language."""
_CACHE_BYTES = 256 << 20
"""Bytes of states kept in memory: the references and documents of a few hundred summaries."""


class Encoder:
    """Token states of texts. The states of a text never depend on what else is asked for."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        tokenizer: Tokenizer | UniversalTokenizer,
        stack: Stack | UniversalStack,
        *,
        long: LongTexts,
        settings: RuntimeSettings,
    ) -> None:
        self.checkpoint = checkpoint
        self.name = checkpoint.name
        self.digest = checkpoint.digest
        self._tokenizer = tokenizer
        self._stack = stack
        self.depth = self._stack.depth
        self.width = self._stack.width
        self.max_tokens = min(self._stack.max_tokens, self._tokenizer.max_tokens)
        self._long = long
        self._settings = settings
        self._recent: RecentCache[Encoded] = RecentCache(_CACHE_BYTES)

    @property
    def location(self) -> str:
        """Under what name these very weights are found again: their folder, or the name of the multilingual encoder."""
        return self.name if self.name == MULTILINGUAL_NAME else str(self.checkpoint.folder)

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts, without running the network; cut to what the model reads when `long=truncate`."""
        tokens = self._tokenizer(texts)
        return [self._cut(text_tokens) for text_tokens in tokens] if self._long == "truncate" else tokens

    def encode(self, texts: Sequence[str], layers: Sequence[int]) -> list[Encoded]:
        """The states of texts at some layers, in the order of the texts."""
        wanted = tuple(sorted(set(layers)))
        self.check_layers(wanted)
        encoded_texts: dict[str, Encoded] = {}
        for text in dict.fromkeys(texts):
            cached = self._recent.get((text, wanted))
            if cached is not None:
                encoded_texts[text] = cached
        missing = [text for text in dict.fromkeys(texts) if text not in encoded_texts]
        for encoded in self._run_through(self.tokens(missing), wanted):
            encoded_texts[encoded.text] = encoded
            self._recent.keep((encoded.text, wanted), encoded)
        return [encoded_texts[text] for text in texts]

    def spell(self, ids: Sequence[int]) -> list[str]:
        """Tokens as the vocabulary spells them."""
        return [self._tokenizer.decode(token) for token in ids]

    def check_layers(self, layers: Sequence[int]) -> None:
        """Refuse a layer that the model does not have."""
        self._stack.check(layers)

    def _cut(self, tokens: Tokens) -> Tokens:
        """The tokens that fit the model, keeping the special ones at either end."""
        over = len(tokens) - self.max_tokens
        if over <= 0:
            return tokens
        end = tokens.inner.stop
        keep = np.r_[0 : end - over, end : len(tokens)]
        fields = (tokens.ids, tokens.starts, tokens.ends, tokens.special)
        return Tokens(tokens.text, *(field[keep] for field in fields))  # type: ignore[arg-type]

    def _run_through(self, texts: Sequence[Tokens], layers: tuple[int, ...]) -> Iterator[Encoded]:
        """Encode texts piece by piece, each text given as soon as all its pieces are done."""
        pieces = [(i, piece) for i, tokens in enumerate(texts) for piece in _pieces(tokens, self.max_tokens)]
        pieces_left = [0] * len(texts)
        for i, _ in pieces:
            pieces_left[i] += 1
        parts: list[dict[int, StateArray]] = [{} for _ in texts]
        for batch in split_into_batches([len(piece.ids) for _, piece in pieces], self._settings.batch_tokens):
            outputs = self._stack([pieces[p][1].ids for p in batch], layers)
            for p, states in zip(batch, outputs, strict=True):
                i, piece = pieces[p]
                for layer in layers:
                    whole = parts[i].get(layer)
                    if whole is None:
                        width = states[layer].shape[1]
                        whole = parts[i][layer] = np.zeros((len(texts[i]), width), dtype=np.float32)
                    whole[piece.target] = states[layer][piece.rows]
                pieces_left[i] -= 1
                if not pieces_left[i]:
                    yield _with_states(texts[i], parts[i])
                    parts[i] = {}
        for tokens in texts:
            if not len(tokens):  # a model without special tokens has nothing to say of an empty text
                yield _with_states(tokens, {layer: np.zeros((0, self.width), dtype=np.float32) for layer in layers})


class _Piece:
    """A stretch of a text that the model reads at once: which tokens, and which states are taken to where."""

    __slots__ = ("ids", "rows", "target")

    def __init__(self, ids: Any, rows: slice, target: slice) -> None:
        self.ids, self.rows, self.target = ids, rows, target


def _pieces(tokens: Tokens, max_tokens: int) -> Iterator[_Piece]:
    if not len(tokens):
        return
    if len(tokens) <= max_tokens:
        whole = slice(0, len(tokens))
        yield _Piece(tokens.ids, whole, whole)
        return
    inner = tokens.ids[tokens.inner]
    head, tail = tokens.inner.start, len(tokens) - tokens.inner.stop
    cut = split_into_windows(len(inner), max_tokens - head - tail)
    for n, window in enumerate(cut):
        ids = np.concatenate([tokens.ids[:head], inner[window.start : window.end], tokens.ids[len(tokens) - tail :]])
        first = 0 if n == 0 else head + window.keep_start - window.start
        last = len(ids) if n == len(cut) - 1 else head + window.keep_end - window.start
        target = 0 if n == 0 else head + window.keep_start
        yield _Piece(ids, slice(first, last), slice(target, target + last - first))


def _with_states(tokens: Tokens, states: dict[int, StateArray]) -> Encoded:
    return Encoded(
        text=tokens.text, ids=tokens.ids, starts=tokens.starts, ends=tokens.ends, special=tokens.special, states=states
    )


def load_encoder(name: str = EMBEDDED, *, dtype: Dtype = "fp32", long: LongTexts = "windows") -> Encoder:
    """The encoder of a name: `embedded` (the English one), another's name, or a folder. Loaded once per process."""
    return _load_encoder(name, dtype, long, current_settings())


def check_language(name: str, language: str, metric: str) -> None:
    """Refuse to read, with the embedded encoder, a language that it was not trained on."""
    if name in (EMBEDDED, EMBEDDED_NAME) and language_code(language) != "en":
        raise MetricError(
            f"{metric} with the embedded encoder reads English, not {language!r}: name a model that reads it, "
            f"such as {metric}(model=bert-base-multilingual-uncased)"
        )


def choose_encoder(name: str, language: str, metric: str) -> str:
    """The model that reads a language: `embedded` is all-MiniLM-L6-v2 in English and another one outside it.

    `auto` is the model that Koto, Lau and Baldwin (2021) have for the language, mBERT uncased where they have none.

    >>> choose_encoder("embedded", "en", "bertscore"), choose_encoder("embedded", "tr", "bertscore")
    ('embedded', 'universal-sentence-encoder-multilingual')
    """
    if name == BY_LANGUAGE:
        return recommend_model(language)
    if name != EMBEDDED or language_code(language) == "en":
        check_language(name, language, metric)
        return name
    if not reads_language(language):
        raise MetricError(
            f"{metric} with the embedded encoder does not read {language!r} (it reads {', '.join(TRAINED_LANGUAGES)}): "
            f"name a model that does, such as {metric}(model=bert-base-multilingual-uncased)"
        )
    return MULTILINGUAL_NAME


@functools.lru_cache(maxsize=4)
def _load_encoder(name: str, dtype: Dtype, long: LongTexts, settings: RuntimeSettings) -> Encoder:
    checkpoint = locate(name)
    if name != MULTILINGUAL_NAME:
        tokenizer = Tokenizer(checkpoint)
        stack = load_stack(checkpoint, dtype=dtype, device=settings.device)
        return Encoder(checkpoint, tokenizer, stack, long=long, settings=settings)
    if dtype != "fp32":
        raise MetricError(f"{name} computes in fp32 alone: leave dtype={dtype} out")
    return Encoder(checkpoint, load_universal_tokenizer(), load_universal_stack(), long=long, settings=settings)
