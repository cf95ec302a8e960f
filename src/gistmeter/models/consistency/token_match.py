"""Token match: how near each token of a claim has a like in the document, by states of the bare encoder.

The sentences of a document are encoded one by one, once for all claims about it. Of each token of a claim the highest
cosine with any token of the document counts, rare tokens more.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.consistency.passages import split_document
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.encoder.idf import load_background_weights
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.states import StateArray

LAYER = 6
CACHED_DOCUMENTS = 16


def measure_unmatched(claims: Sequence[tuple[str, str]]) -> FloatArray:
    """For each (document, claim) how far its tokens are, on average, from the nearest of the document: 0 for a copy.

    >>> near, far = measure_unmatched([("The cat sat.", "A cat sat."), ("The cat sat.", "Prices rose in May.")])
    >>> bool(near < 0.3 < far)
    True
    """
    texts = list(dict.fromkeys(claim for _, claim in claims))
    encoded = dict(zip(texts, load_encoder().encode(texts, (LAYER,)), strict=True)) if texts else {}
    weigh = load_background_weights(EMBEDDED, "en")
    unmatched = np.zeros(len(claims))
    # Claims of one document stand together, so that it is encoded once for all of them.
    for row in sorted(range(len(claims)), key=lambda number: claims[number][0]):
        document, claim = claims[row]
        tokens, others = encoded[claim], _encode_document(document)
        inner = ~tokens.special
        weights = weigh(tokens)[inner]
        if not len(others) or not weights.sum():
            unmatched[row] = 1.0 if not len(others) else 0.0
            continue
        best = (scale_to_unit_length(tokens.states[LAYER][inner]) @ others.T).max(axis=1)
        unmatched[row] = 1.0 - float(best @ weights / weights.sum())
    return unmatched


@functools.lru_cache(maxsize=CACHED_DOCUMENTS)
def _encode_document(document: str) -> StateArray:
    """The states of all tokens of a document, each of length 1."""
    sentences = split_document(document).sentences
    if not sentences:
        return np.zeros((0, 1), dtype=np.float32)
    encodings = load_encoder().encode(sentences, (LAYER,))
    return np.concatenate([scale_to_unit_length(each.states[LAYER][~each.special]) for each in encodings])
