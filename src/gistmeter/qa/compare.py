"""How well two answers agree: exact match and token F1 as in SQuAD, with the articles of the language, and by meaning.

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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.text.languages import language_code
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray


_ASCII_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize_answer(text: str, language: str = "en") -> str:
    """An answer in lower case, without punctuation and articles, single spaces between words.

    >>> normalize_answer("The  U.S. Army's"), normalize_answer("L’homme", "fr"), normalize_answer("Das Haus", "de")
    ('us armys', 'homme', 'haus')
    """
    code = language_code(language)
    lowered = unicodedata.normalize("NFC", text).lower()
    patterns = _article_patterns(code)
    if patterns.elided is not None:
        lowered = patterns.elided.sub(" ", lowered)
    bare = _remove_punctuation(lowered)
    return " ".join((patterns.articles.sub(" ", bare) if patterns.articles is not None else bare).split())


def tokenize_answer(text: str, language: str = "en") -> list[str]:
    """The tokens of a normalized answer.

    >>> tokenize_answer("The red-brick house"), tokenize_answer("東京", "ja")
    (['redbrick', 'house'], ['東', '京'])
    """
    bare = normalize_answer(text, language)
    return bare.split() if bare.isascii() else split_words(bare, language=language_code(language))


def exact_match(expected: str, predicted: str, language: str = "en") -> float:
    """1 where two answers are the same once normalized, else 0.

    >>> exact_match("The mayor", "mayor."), exact_match("the mayor", "a mayoress")
    (1.0, 0.0)
    """
    return float(normalize_answer(expected, language) == normalize_answer(predicted, language))


def token_f1(expected: str, predicted: str, language: str = "en") -> float:
    """The harmonic mean of the shares of tokens that two answers have in common.

    >>> token_f1("the new mayor", "mayor Ann Lee")  # 1 of 2 and 1 of 3
    0.4
    >>> token_f1("the", "a"), token_f1("the", "a cat")  # nothing is left of an answer
    (1.0, 0.0)
    """
    expected_tokens, predicted_tokens = tokenize_answer(expected, language), tokenize_answer(predicted, language)
    if not expected_tokens or not predicted_tokens:
        return float(expected_tokens == predicted_tokens)
    common = sum((Counter(expected_tokens) & Counter(predicted_tokens)).values())
    return 2 * common / (len(expected_tokens) + len(predicted_tokens))


def can_share_tokens(expected: str, text: str, language: str = "en") -> bool:
    """Whether some stretch of a text could have a token F1 above 0 with an answer; True where that is not certain.

    >>> can_share_tokens("the new mayor", "Mayors met."), can_share_tokens("the new mayor", "It rained.")
    (True, False)
    """
    letters = _keep_letters(text)
    tokens = [_keep_letters(token) for token in tokenize_answer(expected, language)]
    return not tokens or any(not token or token in letters for token in tokens)


def answer_similarity(pairs: Sequence[tuple[str, str]], *, model: str = "embedded", language: str = "en") -> FloatArray:
    """How near two answers are in meaning, from 0 to 1: the cosine of their vectors, 1 where they match exactly.

    >>> near, far = answer_similarity([("the murder", "a killing"), ("the murder", "Tuesday")])
    >>> bool(near > far)
    True
    """
    if not pairs:
        return np.zeros(0)
    from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

    rows = {text: row for row, text in enumerate(dict.fromkeys(text for pair in pairs for text in pair))}
    vectors = load_sentence_encoder(model, language=language).vectors(list(rows))
    expected_rows = [rows[expected] for expected, _ in pairs]
    predicted_rows = [rows[predicted] for _, predicted in pairs]
    cosines = np.einsum("ij,ij->i", vectors[expected_rows], vectors[predicted_rows]).astype(np.float64)
    matches = np.array([exact_match(*pair, language) for pair in pairs])
    return np.asarray(np.maximum(np.clip(cosines, 0.0, 1.0), matches))


def _keep_letters(text: str) -> str:
    """Letters and digits alone, without case and accents: what is found in no other form of a text is not in it."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text.casefold())))


def _remove_punctuation(text: str) -> str:
    if text.isascii():
        return text.translate(_ASCII_PUNCTUATION)
    letters = (letter for letter in text if not unicodedata.category(letter).startswith("P"))
    return "".join(letters).translate(_ASCII_PUNCTUATION)


class _ArticlePatterns(NamedTuple):
    """What finds the articles of a language: elided ones before an apostrophe, and the others."""

    elided: re.Pattern[str] | None
    articles: re.Pattern[str] | None


@functools.cache
def _article_patterns(code: str) -> _ArticlePatterns:
    lists = _article_lists().get(code, {})
    elided, articles = ("|".join(lists.get(kind, ())) for kind in ("elided", "articles"))
    return _ArticlePatterns(
        elided=re.compile(rf"\b(?:{elided})['’]") if elided else None,
        articles=re.compile(rf"\b(?:{articles})\b") if articles else None,
    )


@functools.cache
def _article_lists() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("gistmeter.qa") / "articles.toml").read_text("utf-8"))
