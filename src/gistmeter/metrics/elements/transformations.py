"""Transformations: the ways in which two basic elements that are written differently say the same.

Every word has keys, and so has every relation; two elements match where their heads, modifiers and (if asked)
relations share one. Keys come from the lemma, numbers and abbreviations written out, points left out, the stem (which
joins approve and approval), initials of names, and the meanings of a WordNet where one is installed.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.text.stems import get_stemmer

if TYPE_CHECKING:
    from gistmeter.metrics.elements.extraction import Element, ElementWord
    from gistmeter.text.wordnet import WordNet

    Keys = frozenset[tuple[str, ...]]

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_MIN_INITIALS = 2


def list_element_keys(element: Element, *, transform: bool, relations: bool, wordnet: WordNet | None) -> Keys:
    """The keys of an element: it matches one that shares a key.

    >>> from gistmeter.metrics.elements.extraction import Element, ElementWord
    >>> word = ElementWord("u.s.", "U.S.", start=0, end=4)
    >>> sorted(list_element_keys(Element(word), transform=False, relations=True, wordnet=None))
    [('=u.s.',)]
    >>> ("=us",) in list_element_keys(Element(word), transform=True, relations=True, wordnet=None)
    True
    """
    heads = _list_word_keys(element.head, transform, wordnet)
    if element.modifier is None:
        return frozenset((head,) for head in heads)
    modifiers = _list_word_keys(element.modifier, transform, wordnet)
    names = _list_relation_keys(element.relation, transform) if relations else frozenset({""})
    keys = {(head, modifier, name) for head in heads for modifier in modifiers for name in names}
    if transform and element.relation == "be":  # the mayor, a lawyer; the lawyer is mayor
        keys |= {(modifier, head, name) for head, modifier, name in keys}
    return frozenset(keys)


@functools.lru_cache(maxsize=50_000)
def _list_word_keys(word: ElementWord, transform: bool, wordnet: WordNet | None) -> frozenset[str]:
    keys = {f"={word.lemma}"}
    if not transform:
        return frozenset(keys)
    tables = _read_tables()
    plain = _THOUSANDS.sub("", word.lemma)
    pointless = plain if plain.replace(".", "").isdecimal() else plain.replace(".", "")
    for form in (plain, pointless, tables["numbers"].get(plain), tables["abbreviations"].get(plain)):
        if form:
            keys.add(f"={tables['abbreviations'].get(form, form)}")
    if len(plain) > 3 and plain.isalpha():
        keys.add(f"~{get_stemmer('porter')(plain)}")
    initials = "".join(part[0] for part in word.name.split()).lower()
    if len(initials) >= _MIN_INITIALS:
        keys.add(f"={initials}")
    if wordnet is not None:
        keys |= wordnet.synsets(word.lemma)
    return frozenset(keys)


@functools.cache
def _list_relation_keys(relation: str, transform: bool) -> frozenset[str]:
    keys = {relation}
    if transform:
        keys |= {f"group{number}" for number, group in enumerate(_read_tables()["relations"]) if relation in group}
    return frozenset(keys)


@functools.cache
def _read_tables() -> dict[str, Any]:
    return tomllib.loads((files("gistmeter.metrics.elements") / "words.toml").read_text("utf-8"))
