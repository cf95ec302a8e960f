"""Analysis: the whole way from a text to comparable tokens, as one value that can be a dictionary key."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gistmeter.errors import MetricError
from gistmeter.text.languages import language_code
from gistmeter.text.stems import resolve_stem, stemmer
from gistmeter.text.stopwords import StopwordList, stopwords
from gistmeter.text.words import Tokenizer, Word, normalize, word_spans, words

LIMIT_CHOICES = "none, 100w for 100 words, or 665b for 665 bytes"
_LIMIT = re.compile(r"(\d+)([wb])\Z")


@dataclass(frozen=True, slots=True)
class Analysis:
    """How texts become tokens: cut to a limit, split into words, freed of stop words, stemmed.

    >>> Analysis(stem="porter").tokens("The cats were running.")
    ['the', 'cat', 'were', 'run']
    """

    tokenizer: Tokenizer = "unicode"
    stem: str = "none"
    stopwords: StopwordList = "none"
    limit: str = "none"
    language: str = "en"

    def in_language(self, language: str) -> Analysis:
        """The same analysis for texts of another language, `stem=auto` made definite."""
        code = language_code(language)
        return replace(self, language=code, stem=resolve_stem(self.stem, code))

    def cut(self, text: str) -> str:
        """The part of a text within the limit."""
        return text if self.limit == "none" else cut(text, self.limit)

    def surface(self, text: str) -> list[str]:
        """The lower-cased words before stop words are removed and stems taken."""
        return words(self.cut(text), self.tokenizer, self.language)

    def tokens(self, text: str) -> list[str]:
        """The tokens to compare."""
        dropped, stem = stopwords(self.stopwords, self.language), stemmer(self.stem)
        return [stem(word) for word in self.surface(text) if word not in dropped]

    def shown(self, text: str) -> str:
        """The text that the places of `spans` refer to."""
        return normalize(text, self.tokenizer)

    def spans(self, text: str) -> list[Word]:
        """The tokens to compare, each with its place in `shown(text)`."""
        dropped, stem = stopwords(self.stopwords, self.language), stemmer(self.stem)
        found = word_spans(self.cut(self.shown(text)), self.tokenizer, self.language)
        return [Word(stem(word.text), word.start, word.end) for word in found if word.text not in dropped]


def check_limit(limit: str) -> None:
    """Refuse a limit that is not `none`, a number of words (`100w`) or of bytes (`665b`)."""
    found = _LIMIT.match(limit)
    if limit != "none" and (not found or int(found[1]) == 0):
        raise MetricError(f"cannot read limit={limit}: write none, 100w for 100 words or 665b for 665 bytes")


def cut(text: str, limit: str) -> str:
    """The first words or bytes of a text, counted as ROUGE-1.5.5 does (-l, -b): newlines do not count.

    >>> cut("one two three", "2w"), cut("one two three", "6b"), cut("one two", "none")
    ('one two', 'one tw', 'one two')
    """
    match = _LIMIT.match(limit)
    if not match:
        return text
    left, in_words = int(match[1]), match[2] == "w"
    kept: list[str] = []
    for line in text.split("\n"):
        if in_words:
            ends = [found.end() for found in re.finditer(r"\S+", line)]
            kept.append(line if len(ends) < left else line[: ends[left - 1]])
            left -= len(ends)
        else:
            raw = line.encode()
            kept.append(line if len(raw) < left else raw[:left].decode(errors="ignore"))
            left -= len(raw)
        if left <= 0:
            break
    return "\n".join(kept)
