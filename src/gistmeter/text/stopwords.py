"""Stop words: function words that say little about content, one list per language (see `data/README.md`)."""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import Literal

from gistmeter.errors import DataError
from gistmeter.text.languages import EIGHT, language_code

StopwordList = Literal["none", "smart", "language"]


@functools.cache
def stopwords(which: StopwordList, language: str = "en") -> frozenset[str]:
    """The words of a list: `smart` is that of ROUGE-1.5.5 -s, `language` the one of the text's language.

    >>> "the" in stopwords("language", "en"), "und" in stopwords("language", "de"), stopwords("none")
    (True, True, frozenset())
    """
    if which == "none":
        return frozenset()
    name = "smart" if which == "smart" else language_code(language)
    if name != "smart" and name not in EIGHT:
        raise DataError(
            f"there is no stop-word list for language {name!r} (there is one for {', '.join(EIGHT)}); "
            "set stopwords=none"
        )
    text = (files("gistmeter.text") / f"data/stopwords/{name}.txt").read_text("utf-8")
    return frozenset(text.split())
