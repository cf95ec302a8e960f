"""The word lists of packages of rules, entry by entry, and the rules without one of them."""

from __future__ import annotations

import copy
import tomllib
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.resources import files
from types import SimpleNamespace
from typing import NamedTuple
from unittest import mock

LISTS = {
    "people": "gistmeter.linguistics.people",
    "coreference": "gistmeter.linguistics.coreference",
    "roles": "gistmeter.linguistics.roles",
    "asking": "gistmeter.models.asking",
}
"""Packages with a file words.toml."""

READERS = ("gistmeter.linguistics.word_lists", "gistmeter.models.asking.words")
"""Modules that read such files."""


class Entry(NamedTuple):
    """A word of a list: `path` leads to the list in the file."""

    file: str
    path: tuple[str, ...]
    word: str

    def __str__(self):
        return f"{self.file}.{'.'.join(self.path)} {self.word!r}"


def word_lists(file):
    """The file of a package, parsed."""
    return tomllib.loads((files(LISTS[file]) / "words.toml").read_text("utf-8"))


def entries(file):
    """Every word of every list in a file."""

    def walk(node, path):
        if isinstance(node, dict):
            for name, inner in node.items():
                yield from walk(inner, (*path, name))
        else:
            yield from (Entry(file, path, word) for word in (node.split() if isinstance(node, str) else node))

    return list(walk(word_lists(file), ()))


@contextmanager
def without(entry):
    """Within this the rules do not know a word."""
    whole = word_lists(entry.file)
    changed = copy.deepcopy(whole)
    *above, last = entry.path
    holder = changed
    for name in above:
        holder = holder[name]
    words = holder[last]
    retained = [word for word in (words.split() if isinstance(words, str) else words) if word != entry.word]
    holder[last] = " ".join(retained) if isinstance(words, str) else retained

    def loads(text):
        read = tomllib.loads(text)
        return changed if read == whole else read

    with ExitStack() as stack:
        for name in READERS:
            module = import_module(name)
            stack.enter_context(mock.patch.object(module, "tomllib", SimpleNamespace(loads=loads)))
            stack.callback(_forget, module)
            _forget(module)
        yield


def _forget(module):
    for value in vars(module).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()
