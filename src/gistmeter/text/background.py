"""Background: how often the words of a language occur in general, to tell what a text is about.

The counts come from `data/frequency` (see `data/README.md`): the most frequent words of a language, per
billion. They go through the same analysis as the texts they are compared with: stop words leave, words that
share a stem add up, and a Chinese word gives its count to each of its characters where texts are read by
character. The lists count numbers of two and more digits together by their length (00, 000, ...); all of one
length share that count.
"""

from __future__ import annotations

import functools
import gzip
import math
from collections import defaultdict
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.text.languages import WORD_LIST_LANGUAGES
from gistmeter.weights import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.text.analysis import Analysis

_BILLION = 1e9
_DOCUMENT_LENGTH = 500
"""Words of the documents that `idf` imagines: a news article."""


@dataclass(frozen=True, slots=True)
class Background:
    """Token counts of a general corpus under one analysis.

    `total` also counts the words beyond the list. One of those has `floor`: half the count of the rarest word
    on the list, which by Zipf's law is what a word met beyond it typically has.
    """

    counts: Mapping[str, float]
    total: float
    floor: float

    def count(self, token: str) -> float:
        """How often the token occurs among `total`."""
        if len(token) == 1 or not token.isdecimal():
            return self.counts.get(token, self.floor)
        shared = self.counts.get("0" * len(token))
        return self.floor if shared is None else max(shared / (9 * 10.0 ** (len(token) - 1)), self.floor)

    def idf(self, token: str) -> float:
        """The inverse document frequency the token would have if words fell at random into documents.

        Lists of frequencies do not say in how many documents a word occurs. Of documents of 500 words, a word
        of probability p stands in a share 1 - exp(-500 p), and this is minus the logarithm of that share.

        >>> from gistmeter.text.analysis import Analysis
        >>> english = load_background(Analysis())
        >>> [round(english.idf(word), 1) for word in ("the", "year", "earthquake", "kathmandu")]
        [0.0, 1.0, 5.0, 7.6]
        """
        return -math.log(-math.expm1(-_DOCUMENT_LENGTH * self.count(token) / self.total))

    def log_likelihood(self, count: int, tokens: int, token: str) -> float:
        """How surely a text of `tokens` tokens with `count` of this one uses it more than usual.

        Dunning's (1993) log-likelihood ratio of one against two probabilities, which follows chi-square with
        one degree of freedom: over 10.83 the difference is significant at 0.001. It is 0 for a word used less
        than usual.
        """
        elsewhere = self.count(token)
        if count * self.total <= elsewhere * tokens:
            return 0.0
        pooled = (count + elsewhere) / (tokens + self.total)
        apart = _log_binomial(count, tokens, count / tokens)
        apart += _log_binomial(elsewhere, self.total, elsewhere / self.total)
        together = _log_binomial(count, tokens, pooled) + _log_binomial(elsewhere, self.total, pooled)
        return 2 * (apart - together)


@functools.lru_cache(maxsize=32)
def load_background(analysis: Analysis) -> Background:
    """The background of a language under an analysis, for the eight languages that have one."""
    counts: dict[str, float] = defaultdict(float)
    listed = _frequencies(analysis.language)
    for word, count in listed.items():
        for token in analysis.tokens(word):
            counts[token] += count
    unlisted = max(_BILLION - sum(listed.values()), 0.0)
    return Background(dict(counts), sum(counts.values()) + unlisted, min(listed.values()) / 2)


def check_background(language: str) -> None:
    """Refuse a language without background frequencies."""
    if language not in WORD_LIST_LANGUAGES:
        raise DataError(
            f"there are no background frequencies for language {language!r} "
            f"(there are for {', '.join(WORD_LIST_LANGUAGES)})"
        )


@functools.cache
def _frequencies(language: str) -> dict[str, float]:
    """Words and their counts per billion."""
    check_background(language)
    packed = (files("gistmeter.text") / f"data/frequency/{language}.txt.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return {word: float(count) for word, count in (line.split("\t") for line in lines)}


def _log_binomial(count: float, total: float, probability: float) -> float:
    """The logarithm of a binomial likelihood, without the coefficient, which cancels in ratios."""
    misses = total - count
    return (count * math.log(probability) if count else 0.0) + (misses * math.log1p(-probability) if misses else 0.0)


def _load_default() -> Background:
    from gistmeter.text.analysis import Analysis

    return load_background(Analysis())


def _check_background(model: Background) -> str:
    in_order = model.idf("the") < model.idf("bridge") < model.idf("isthmus")
    return "" if in_order else "finds a common word the rarer one"


_FREQUENCY_FILES = tuple(
    Path(__file__).parent / f"data/frequency/{language}.txt.gz" for language in sorted(WORD_LIST_LANGUAGES)
)

ROLES = (
    Role(
        name="idf",
        model="word frequencies",
        about="How rare words are in general, for idf=background.",
        licence="CC BY-SA 4.0",
        citation="Speer (2022), wordfreq 3.1",
        languages=tuple(sorted(WORD_LIST_LANGUAGES)),
        load=_load_default,
        check=_check_background,
        files=_FREQUENCY_FILES,
        requires=(),
    ),
)
