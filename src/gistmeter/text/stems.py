"""Stems: what is cut off a word before it is compared."""

from __future__ import annotations

import functools
import threading
from importlib.resources import files
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError, suggestion
from gistmeter.text.languages import find_language
from gistmeter.text.porter import stem_as_nltk, stem_as_rouge155

if TYPE_CHECKING:
    from collections.abc import Callable

MIN_STEMMED_LETTERS = 4
"""ROUGE-1.5.5 and rouge-score leave words of three letters and fewer as they are."""


STEM_CHOICES = "auto, none, porter (as in rouge-score), wordnet (ROUGE-1.5.5 -m), or a Snowball language"


def resolve_stem(stem: str, language_name: str) -> str:
    """What `auto` means: Porter for English as in rouge-score, Snowball where there is one, else none.

    >>> resolve_stem("auto", "en"), resolve_stem("auto", "de"), resolve_stem("auto", "zh")
    ('porter', 'german', 'none')
    """
    if stem != "auto":
        return stem
    language = find_language(language_name)
    return "porter" if language.code == "en" else language.snowball or "none"


def check_stem(stem: str) -> None:
    """Refuse a stemmer that does not exist."""
    names = ["auto", "none", "porter", "wordnet", *_snowball_names()]
    if stem not in names:
        raise MetricError(
            f"unknown stem={stem}{suggestion(stem, names)} "
            f"(auto, none, porter, wordnet or a Snowball language: {', '.join(names[4:])})"
        )


@functools.cache
def get_stemmer(stem: str) -> Callable[[str], str]:
    """The function that gives the stem of a lower-case word, by the name of the stemmer.

    >>> get_stemmer("porter")("running"), get_stemmer("wordnet")("geese"), get_stemmer("german")("häuser")
    ('run', 'goose', 'haus')
    """
    if stem == "none":
        return str
    if stem == "porter":
        return _stem_porter
    if stem == "wordnet":
        return _stem_wordnet
    import Stemmer

    snowball, lock = Stemmer.Stemmer(stem).stemWord, threading.Lock()

    def stem_word(word: str) -> str:
        with lock:  # a Snowball stemmer keeps state of its own
            return str(snowball(word))

    return stem_word


@functools.lru_cache(maxsize=100_000)
def _stem_porter(word: str) -> str:
    return stem_as_nltk(word) if len(word) >= MIN_STEMMED_LETTERS else word


@functools.lru_cache(maxsize=100_000)
def _stem_wordnet(word: str) -> str:
    if len(word) < MIN_STEMMED_LETTERS:
        return word
    return _load_exceptions().get(word) or stem_as_rouge155(word)


@functools.cache
def _load_exceptions() -> dict[str, str]:
    """WordNet 2.0's irregular forms, which ROUGE-1.5.5 -m looks up before it stems."""
    text = (files("gistmeter.text") / "data/wordnet_exceptions.tsv").read_text("utf-8")
    return dict(line.split("\t") for line in text.splitlines())


@functools.cache
def _snowball_names() -> tuple[str, ...]:
    import Stemmer

    return tuple(sorted(Stemmer.algorithms()))
