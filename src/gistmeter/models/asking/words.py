"""The word lists of the asker, from `words.toml`."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any


@functools.cache
def asking_words(section: str, name: str) -> frozenset[str]:
    """A list of English words.

    >>> "since" in asking_words("prepositions", "before_when")
    True
    """
    return frozenset(_tables()[section][name].split())


@functools.cache
def asking_word_pairs(section: str, name: str) -> dict[str, str]:
    """Words, each with another one.

    >>> asking_word_pairs("verbs", "third")["have"]
    'has'
    """
    return dict(pair.split() for pair in _tables()[section][name])


@functools.cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((files("gistmeter.models.asking") / "words.toml").read_text(encoding="utf-8"))
