"""What the presence judge tells its networks of a text and units, with states that are exact on every machine."""

from __future__ import annotations

import functools
import zlib
from unittest import mock

import numpy as np

from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS, find_conflicts
from gistmeter.models.presence import judge, texts
from gistmeter.models.presence.combination import Combination, describe_conflicts
from gistmeter.models.presence.features import compare_units, measure_context
from gistmeter.models.presence.networks import attention_prior
from gistmeter.models.presence.premises import choose_premise
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.states import Encoded
from gistmeter.models.runtime.tokenizer import Tokenizer

UNIT_MARK = " ?? "
"""In a probe: the text before the first is a summary, the next a reference, the others are units."""

_COORDINATES = 16
_EXTREMES = np.array([[0.0, 1.0, 0.9, 0.3, 0.5], [0.5, 0.4, 1.0, 0.0, 0.2], [0.5, 0.5, 1.0, 0.25, np.nan]])
"""What judges may say, and how much of its reference a summary may have: the surest, too."""

_LISTENING = Combination(conflicts={kind: -0.1 * number for number, kind in enumerate(CONFLICT_KINDS, start=1)})
"""A combination to which every kind of conflict counts something else."""


def judge_units(text):
    """The features of units beside a summary, the sentences chosen for each, and how judges are combined."""
    summary, reference, *units = text.split(UNIT_MARK)
    with (
        mock.patch.object(texts, "load_encoder", _SpellingEncoder),
        mock.patch.object(judge, "load_entailment", _HashingReader),
    ):
        described = texts.describe_texts([summary, reference, *units])
        compared = [described[unit] for unit in units if len(described[unit])]
        if len(described[summary]) and compared:
            features = compare_units(described[summary], compared)
            yield from (_write(row, 4) for row in features.tokens)
            yield from (_write(row, 3) for row in features.pairs)
            rarity = features.rarity
            yield f"{features.starts.tolist()} {_write(rarity, 3)} {_write(attention_prior(rarity), 3)}"
        if len(described[summary]) and len(described[reference]):
            yield _write(measure_context(described[summary], described[reference]), 4)
        pairs = [(summary, unit) for unit in units]
        for judging in (judge.load_presence(), judge.load_presence(str(judge.networks_file()))):
            yield _write(judging.probabilities(pairs), 2)
            yield _write(judging.probabilities(pairs, references=[reference] * len(pairs)), 2)
    yield _write(Combination(networks=0.6, reader=0.7, reference=0.5, constant=-0.2)(*_EXTREMES), 6)
    half = np.full(len(units), 0.5)
    yield _write(_LISTENING(half, half, half, describe_conflicts(pairs)), 6)
    for unit in units:
        yield from (
            f"{conflict.kind}: {conflict.stated} / {conflict.text}" for conflict in find_conflicts(summary, unit)
        )
        yield " | ".join(choose_premise(summary, unit, max_sentences=limit) for limit in (1, 2, 3))
        yield choose_premise(summary, unit, language="de")


def _write(numbers, digits):
    # A millionth more: so no number is as near the border of two roundings as the arithmetic of machines differs.
    return " ".join(f"{number + 1e-6:.{digits}f}" for number in np.asarray(numbers, np.float64).tolist())


@functools.cache
def _load_tokenizer():
    return Tokenizer(locate("embedded"))


class _SpellingEncoder:
    """An encoder with states of four halves: for the token, its first letters, the token before and the token after.

    So cosines are quarters. In which halves tokens agree is another matter in each layer, and in the lowest the
    neighbours count for nothing.
    """

    def encode(self, texts, layers):
        return [self._encode(tokens, layers) for tokens in _load_tokenizer()(texts)]

    def _encode(self, tokens, layers):
        spelt = [tokens.text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
        states = {layer: self._states(spelt, layer) for layer in layers}
        return Encoded(tokens.text, tokens.ids, tokens.starts, tokens.ends, tokens.special, states)

    def _states(self, spelt, layer):
        states = np.zeros((len(spelt), 4 * _COORDINATES), np.float32)
        around = ["", *spelt, ""]
        for row, token in enumerate(spelt):
            before, after = (around[row], around[row + 2]) if layer else (token, token)
            for block, part in enumerate((token, token[:3], before, after)):
                states[row, block * _COORDINATES + zlib.crc32(f"{layer} {part}".encode()) % _COORDINATES] = 0.5
        return states


class _HashingReader:
    """An entailment model whose logits are hashes of what it reads."""

    def __init__(self, path):
        self._path = path

    def logits(self, pairs):
        hashes = [zlib.crc32("\0".join(pair).encode()) for pair in pairs]
        return np.array([[(number >> shift) % 16 / 4 for shift in (0, 4, 8)] for number in hashes]).reshape(-1, 3)
