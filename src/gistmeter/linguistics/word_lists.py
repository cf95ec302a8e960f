"""Word lists: the `words.toml` of a room, whose lists are words with white space between them, perhaps in sections."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any


@functools.cache
def word_list(package: str, *names: str) -> frozenset[str]:
    """A list of English words of a package, by its name or by its section and name.

    >>> "towards" in word_list("gistmeter.linguistics.roles", "circumstances")
    True
    >>> "herself" in word_list("gistmeter.linguistics.people", "pronouns", "reflexive")
    True
    """
    entry = _read_lists(package)
    for name in names:
        entry = entry[name]
    return frozenset(entry.split())


@functools.cache
def _read_lists(package: str) -> Any:
    return tomllib.loads((files(package) / "words.toml").read_text(encoding="utf-8"))
