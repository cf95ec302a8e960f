"""How rare a word is in general language, as plain features count it."""

from __future__ import annotations

import functools

from gistmeter.text.analysis import Analysis
from gistmeter.text.background import load_background

_SCALE = 10.0


@functools.lru_cache(maxsize=65536)
def measure_rarity(word: str) -> float:
    """The inverse document frequency of an English word, so scaled that about 1 is rare.

    >>> measure_rarity("the") < 0.2 < measure_rarity("slipway")
    True
    """
    return load_background(Analysis()).idf(word) / _SCALE
