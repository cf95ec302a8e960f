"""Which of the eight languages a text is plainly in, by function words that one of them alone has.

Russian and Chinese also go by their letters: Bulgarian and Ukrainian share function words with Russian, and Japanese
shares characters with Chinese.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING

from gistmeter.text.languages import WORD_LIST_LANGUAGES
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Mapping

USUAL_SHARES = {"en": 0.38, "id": 0.38, "fr": 0.3, "tr": 0.19, "zh": 1.0, "ru": 0.38, "de": 0.45, "es": 0.24}
"""How many of the words of each language are function words that no other of the eight has (by its frequencies)."""

MIN_WORDS = 200
"""Fewer words decide nothing."""
_MIN_PART_OF_USUAL = 0.4
"""A text in a language has this part of the usual share; news has 0.5 and more, other languages 0.35 at most."""
_MAX_RIVAL_PART = 0.25
"""A text that has this part of another language's words as well is mixed, and plainly in neither."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
_RUSSIAN_LETTERS = re.compile("[ыэ]")


def count_language_words(text: str) -> Counter[str]:
    """How many words of a text speak for each language; under "" all its words.

    >>> sorted(count_language_words("Der Rat hat das Budget und die Steuern beschlossen.").items())
    [('', 9), ('de', 5)]
    """
    words = split_words(text)
    owners = _own_words()
    counts = Counter(owner for word in words if (owner := owners.get(word)) is not None)
    if "ru" in counts and not _RUSSIAN_LETTERS.search(text):
        del counts["ru"]
    if not text.isascii() and not _KANA.search(text) and (characters := len(_HAN.findall(text))):
        counts["zh"] = characters
    counts[""] = len(words)
    return counts


def find_plain_language(counts: Mapping[str, int], scored_as: str) -> str | None:
    """The language that texts are plainly in, where that is another of the eight than they are scored as.

    `counts` are those of `count_language_words`, added up. None if there are too few words, if the texts are in the
    language that they are scored as, mixed, or in none of the eight, and if they are scored as none of the eight.

    >>> find_plain_language({"": 400, "de": 150, "en": 2}, "en")
    'de'
    >>> find_plain_language({"": 400, "de": 150, "en": 90}, "en") is None  # mixed
    True
    """
    words = counts.get("", 0)
    if words < MIN_WORDS or scored_as not in WORD_LIST_LANGUAGES:
        return None
    parts = {code: counts.get(code, 0) / words / usual for code, usual in USUAL_SHARES.items()}
    likeliest = max(parts, key=parts.__getitem__)
    plain = parts[likeliest] >= _MIN_PART_OF_USUAL and all(
        part < _MAX_RIVAL_PART * parts[likeliest] for code, part in parts.items() if code != likeliest
    )
    return likeliest if plain and likeliest != scored_as else None


@functools.cache
def _own_words() -> dict[str, str]:
    """The stop words that one language alone has, and whose they are; Chinese goes by its characters."""
    lists = {code: load_stopwords("language", code) for code in WORD_LIST_LANGUAGES if code != "zh"}
    owners = Counter(word for words in lists.values() for word in words)
    return {word: code for code, words in lists.items() for word in words if owners[word] == 1}
