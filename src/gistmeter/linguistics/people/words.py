"""The word lists of gender, kin and number, from `words.toml`."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files


@functools.cache
def words(section: str, name: str) -> frozenset[str]:
    """A list of English words.

    >>> "herself" in words("pronouns", "reflexive")
    True
    """
    return _lists()[section][name]


@functools.cache
def _lists() -> dict[str, dict[str, frozenset[str]]]:
    text = (files("gistmeter.linguistics.people") / "words.toml").read_text(encoding="utf-8")
    return {
        section: {name: frozenset(listed.split()) for name, listed in lists.items()}
        for section, lists in tomllib.loads(text).items()
    }
