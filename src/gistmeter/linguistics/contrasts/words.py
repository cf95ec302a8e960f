"""The lists of `words.toml`, by word: which meanings exclude one another, what negates, what hedges, what counts."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

ExclusiveKind = Literal["date", "quantity", "direction"]

ListName = Literal[
    "negations",
    "hedges",
    "before_nouns",
    "before_objects",
    "after_objects",
    "pronouns",
    "past_verbs",
    "clauses",
    "prepositions",
    "implied_negations",
]

_SCALE_VALUES = (100, 1_000, 1_000_000, 1_000_000_000, 1_000_000_000_000)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A meaning that excludes the others of its section, such as `up` of `change`."""

    section: str
    name: str
    kind: ExclusiveKind


@functools.cache
def meanings_of(word: str) -> tuple[Meaning, ...]:
    """The meanings of a word (lower case) that exclude others.

    >>> meanings_of("rose")
    (Meaning(section='change', name='up', kind='direction'),)
    >>> meanings_of("table")
    ()
    """
    return _meanings().get(word, ())


@functools.cache
def list_alternatives(meaning: Meaning) -> tuple[tuple[str, ...], ...]:
    """The words of each other meaning of the section, in the order of the list.

    >>> list_alternatives(meanings_of("buy")[0])
    (('sell', 'sells', 'sold', 'selling', 'sale'),)
    """
    section = _read()["exclusive"][meaning.section]
    return tuple(tuple(words.split()) for name, words in section.items() if name != meaning.name)


@functools.cache
def list_own_words(meaning: Meaning) -> tuple[str, ...]:
    """The words of a meaning, in the order of the list."""
    return tuple(_read()["exclusive"][meaning.section][meaning.name].split())


@functools.cache
def list_words(name: ListName) -> frozenset[str]:
    """The words of a list.

    >>> "never" in list_words("negations")
    True
    """
    return frozenset(_read()[name].split())


@functools.cache
def measured_sections() -> frozenset[str]:
    """The sections whose words say what a number is of: periods, lengths, currencies."""
    return frozenset(_read()["measured"]["sections"].split())


@functools.cache
def opposite_certainty() -> dict[str, str]:
    """What a hedge becomes when it is changed into its opposite.

    >>> opposite_certainty()["may"]
    'will'
    """
    return dict(_read()["certainty"])


@functools.cache
def bound_words() -> dict[str, str]:
    """For words before a number, what they make of it: `above`, `below` or `about`.

    >>> bound_words()["nearly"]
    'about'
    """
    return {word: bound for bound, words in _read()["bounds"].items() for word in words.split()}


@functools.cache
def number_words() -> dict[str, float]:
    """The values of number words below a hundred.

    >>> number_words()["eleven"], number_words()["forty"]
    (11.0, 40.0)
    """
    lists = _read()["numbers"]
    units = {word: float(value) for value, word in enumerate(lists["units"].split())}
    tens = {word: 10.0 * value for value, word in enumerate(lists["tens"].split(), start=2)}
    return {**units, **tens}


@functools.cache
def scale_words() -> dict[str, int]:
    """The values of hundred, thousand, million and so on."""
    return dict(zip(_read()["numbers"]["scales"].split(), _SCALE_VALUES, strict=True))


@functools.cache
def ordinal_words() -> dict[str, int]:
    """The values of ordinal words.

    >>> ordinal_words()["third"]
    3
    """
    return {word: value for value, word in enumerate(_read()["numbers"]["ordinals"].split(), start=1)}


@functools.cache
def _meanings() -> dict[str, tuple[Meaning, ...]]:
    kind_of: dict[str, ExclusiveKind] = {}
    kinds: tuple[ExclusiveKind, ...] = ("date", "quantity")
    for kind in kinds:
        kind_of |= dict.fromkeys(_read()["kinds"][kind].split(), kind)
    meanings: dict[str, tuple[Meaning, ...]] = {}
    for section, names in _read()["exclusive"].items():
        for name, words in names.items():
            meaning = Meaning(section, name, kind_of.get(section, "direction"))
            for word in words.split():
                meanings[word] = (*meanings.get(word, ()), meaning)
    return meanings


@functools.cache
def _read() -> Any:
    return tomllib.loads((files(__package__ or "") / "words.toml").read_text(encoding="utf-8"))
