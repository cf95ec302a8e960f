"""The word lists of compression."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path


@functools.cache
def list_words(kind: str, name: str) -> frozenset[str]:
    """A list of words, such as the `loose` ones among `adverbs`.

    >>> "meanwhile" in list_words("adverbs", "loose")
    True
    """
    return frozenset(_read_lists()[kind][name])


@functools.cache
def _read_lists() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
