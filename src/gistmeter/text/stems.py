"""Stems: what is cut off a word before it is compared."""

from __future__ import annotations

import functools
import threading
from importlib.resources import files
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError, suggestion
from gistmeter.text.languages import language
from gistmeter.text.porter import porter_nltk, porter_rouge155

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORTEST_STEMMED = 4
"""ROUGE-1.5.5 and rouge-score leave words of three letters and fewer as they are."""


STEM_CHOICES = "auto, none, porter (as in rouge-score), wordnet (ROUGE-1.5.5 -m), or a Snowball language"


def resolve_stem(stem: str, language_name: str) -> str:
    """What `auto` means: Porter for English as in rouge-score, Snowball where there is one, else none.

    >>> resolve_stem("auto", "en"), resolve_stem("auto", "de"), resolve_stem("auto", "zh")
    ('porter', 'german', 'none')
    """
    if stem != "auto":
        return stem
    known = language(language_name)
    return "porter" if known.code == "en" else known.snowball or "none"


def check_stem(stem: str) -> None:
    """Refuse a stemmer that does not exist."""
    known = ["auto", "none", "porter", "wordnet", *_snowball_names()]
    if stem not in known:
        raise MetricError(
            f"unknown stem={stem}{suggestion(stem, known)} "
            f"(auto, none, porter, wordnet or a Snowball language: {', '.join(known[4:])})"
        )


@functools.cache
def stemmer(stem: str) -> Callable[[str], str]:
    """The function from word to stem.

    >>> stemmer("porter")("running"), stemmer("wordnet")("geese"), stemmer("german")("häuser")
    ('run', 'goose', 'haus')
    """
    if stem == "none":
        return str
    if stem == "porter":
        return _porter
    if stem == "wordnet":
        return _wordnet
    import Stemmer

    snowball, turn = Stemmer.Stemmer(stem).stemWord, threading.Lock()

    def stem_word(word: str) -> str:
        with turn:  # a Snowball stemmer keeps state of its own
            return str(snowball(word))

    return stem_word


@functools.lru_cache(maxsize=100_000)
def _porter(word: str) -> str:
    return porter_nltk(word) if len(word) >= _SHORTEST_STEMMED else word


@functools.lru_cache(maxsize=100_000)
def _wordnet(word: str) -> str:
    if len(word) < _SHORTEST_STEMMED:
        return word
    return _exceptions().get(word) or porter_rouge155(word)


@functools.cache
def _exceptions() -> dict[str, str]:
    """WordNet 2.0's irregular forms, which ROUGE-1.5.5 -m looks up before it stems."""
    text = (files("gistmeter.text") / "data/wordnet_exceptions.tsv").read_text("utf-8")
    return dict(line.split("\t") for line in text.splitlines())


@functools.cache
def _snowball_names() -> tuple[str, ...]:
    import Stemmer

    return tuple(sorted(Stemmer.algorithms()))
