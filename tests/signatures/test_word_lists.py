"""Every word of every list counts: without it, what the rules say on the probes is something else."""

from __future__ import annotations

import pytest

from probes import read_probes
from rule_behaviour import parse_once, write_down
from word_lists import entries, without

pytestmark = pytest.mark.more

READ_BY = {
    "roles": ("roles",),
    "coreference": ("coreference",),
    "asking": ("asking",),
    "people": ("coreference", "asking", "slots"),
}
"""Which packages of rules look words up in which file."""

UNREAD = {
    "asking": ("pronouns", "empty"),
    "slots": ("pronouns", "empty"),
}
"""Lists of people that a package does not look at."""

SLICE = 24
"""By default every so many words are tried; the slow test tries all."""


def is_silent(package, entry):
    """Whether a package does not hear of a word, and why that is as it should be."""
    path, word = ".".join(entry.path), entry.word
    if entry.path[0] in UNREAD.get(package, ()):
        return True
    if path == "pronouns.possessive":  # Counts only where the tagger takes a possessive for something else.
        return True
    if path == "titles.person" and word in ("dr", "dr."):  # Stands among the empty words too, which are read first.
        return True
    if path == "titles.person" and package != "coreference":  # Outside coreference the noun says the same.
        return entry_in("people", ("nouns", "person"), word) or word == "actor"
    if package != "coreference" and word in ("christian", "congress"):  # By its ending; by the reader of names.
        return True
    # The parser takes these for verbs, or hangs the phrase on the `to` between.
    return path == "prepositions.taken_along" and word in ("according", "following", "including")


def entry_in(file, path, word):
    return any(entry.path == path and entry.word == word for entry in entries(file))


def find_silent(file, step):
    """The words of a file, every `step`-th, without which nothing changes for some package that reads them."""
    silent = []
    plain = {}
    with parse_once() as parse:
        for package in READ_BY[file]:
            probes = read_probes(package)
            words = {
                probe: {form for word in doc for form in (word.lower_, word.lemma_.lower())}
                for probe, doc in zip(probes, parse(probes), strict=True)
            }
            for entry in entries(file)[::step]:
                if is_silent(package, entry):
                    continue
                key = entry.word.split()[0].split("_")[0]
                close = [probe for probe in probes if key in words[probe]]
                if not any(is_changed(package, probe, entry, plain) for probe in sorted(close, key=len)):
                    silent.append(f"{package}: {entry}")
    return silent


def is_changed(package, probe, entry, plain):
    if (package, probe) not in plain:
        plain[package, probe] = write_down(package, probe)
    with without(entry):
        return write_down(package, probe) != plain[package, probe]


@pytest.mark.parametrize("file", READ_BY)
def test_some_words_count(file):
    assert find_silent(file, SLICE if len(entries(file)) < 500 else 10 * SLICE) == []


@pytest.mark.slow
@pytest.mark.parametrize("file", READ_BY)
def test_every_word_counts(file):
    assert find_silent(file, 1) == []
