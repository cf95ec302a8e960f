"""The word lists of the role rules, from `words.toml`."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files


@functools.cache
def words(name: str) -> frozenset[str]:
    """A list of English words.

    >>> "towards" in words("circumstances")
    True
    """
    return _lists()[name]


@functools.cache
def _lists() -> dict[str, frozenset[str]]:
    text = (files("gistmeter.linguistics.roles") / "words.toml").read_text(encoding="utf-8")
    return {name: frozenset(listed.split()) for name, listed in tomllib.loads(text).items()}
