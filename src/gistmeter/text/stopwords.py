"""Stop words: function words that say little about content, one list per language (see `data/README.md`)."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import Literal

from gistmeter.errors import DataError
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code

StopwordList = Literal["none", "smart", "language"]


@functools.cache
def load_stopwords(which: StopwordList, language: str = "en") -> frozenset[str]:
    """The words of a list: `smart` is that of ROUGE-1.5.5 -s, `language` the one of the text's language.

    >>> "the" in load_stopwords("language", "en"), "und" in load_stopwords("language", "de"), load_stopwords("none")
    (True, True, frozenset())
    """
    if which == "none":
        return frozenset()
    name = "smart" if which == "smart" else language_code(language)
    if name != "smart" and name not in WORD_LIST_LANGUAGES:
        raise DataError(
            f"there is no stop-word list for language {name!r} (there is one for {', '.join(WORD_LIST_LANGUAGES)}); "
            "set stopwords=none"
        )
    text = (files("gistmeter.text") / f"data/stopwords/{name}.txt").read_text("utf-8")
    return frozenset(text.split())
