"""Comparing answers: exact match and token F1 as in SQuAD, with the articles of the language, and by meaning.

SQuAD compares answers in lower case, without punctuation and articles. On ASCII text in English this is exactly its
rule; elsewhere the punctuation of every script is left out, and in scripts without spaces each character is a token.
"""

from __future__ import annotations

import functools
import re
import string
import tomllib
import unicodedata
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.text.languages import language_code
from gistmeter.text.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray


_ASCII_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(text: str, language: str = "en") -> str:
    """An answer in lower case, without punctuation and articles, single spaces between words.

    >>> normalised("The  U.S. Army's"), normalised("L’homme", "fr"), normalised("Das Haus", "de")
    ('us armys', 'homme', 'haus')
    """
    code = language_code(language)
    lowered = unicodedata.normalize("NFC", text).lower()
    elided, articles = _articles(code)
    if elided is not None:
        lowered = elided.sub(" ", lowered)
    bare = _without_punctuation(lowered)
    return " ".join((articles.sub(" ", bare) if articles is not None else bare).split())


def tokens(text: str, language: str = "en") -> list[str]:
    """The tokens of an answer, normalised.

    >>> tokens("The red-brick house"), tokens("東京", "ja")
    (['redbrick', 'house'], ['東', '京'])
    """
    bare = normalised(text, language)
    return bare.split() if bare.isascii() else words(bare, language=language_code(language))


def exact(expected: str, predicted: str, language: str = "en") -> float:
    """1 where two answers are the same once normalised, else 0.

    >>> exact("The mayor", "mayor."), exact("the mayor", "a mayoress")
    (1.0, 0.0)
    """
    return float(normalised(expected, language) == normalised(predicted, language))


def token_f1(expected: str, predicted: str, language: str = "en") -> float:
    """The harmonic mean of the shares of tokens that two answers have in common.

    >>> token_f1("the new mayor", "mayor Ann Lee")  # 1 of 2 and 1 of 3
    0.4
    >>> token_f1("the", "a"), token_f1("the", "a cat")  # nothing is left of an answer
    (1.0, 0.0)
    """
    one, other = tokens(expected, language), tokens(predicted, language)
    if not one or not other:
        return float(one == other)
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other))


def soft(pairs: Sequence[tuple[str, str]], *, model: str = "embedded", language: str = "en") -> FloatArray:
    """How near two answers are in meaning, from 0 to 1: the cosine of their vectors, 1 where they match exactly.

    >>> near, far = soft([("the murder", "a killing"), ("the murder", "Tuesday")])
    >>> bool(near > far)
    True
    """
    if not pairs:
        return np.zeros(0)
    from gistmeter.models.sentence_vectors.vectors import sentence_encoder

    place = {text: row for row, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
    vectors = sentence_encoder(model, language=language).vectors(list(place))
    ones, others = ([place[pair[side]] for pair in pairs] for side in (0, 1))
    cosines = np.einsum("ij,ij->i", vectors[ones], vectors[others]).astype(np.float64)
    same = np.array([exact(*pair, language) for pair in pairs])
    return np.asarray(np.maximum(np.clip(cosines, 0.0, 1.0), same))


def _without_punctuation(text: str) -> str:
    if text.isascii():
        return text.translate(_ASCII_PUNCTUATION)
    kept = (letter for letter in text if not unicodedata.category(letter).startswith("P"))
    return "".join(kept).translate(_ASCII_PUNCTUATION)


@functools.cache
def _articles(code: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """What finds the elided articles of a language, and the others."""
    known = _table().get(code, {})
    elided, whole = ("|".join(known.get(kind, ())) for kind in ("elided", "articles"))
    return (
        re.compile(rf"\b(?:{elided})['’]") if elided else None,
        re.compile(rf"\b(?:{whole})\b") if whole else None,
    )


@functools.cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("gistmeter.qa") / "data/articles.toml").read_text("utf-8"))
