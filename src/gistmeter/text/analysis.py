"""Analysis: how a text becomes comparable tokens, as one value that can be a dictionary key."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gistmeter.errors import MetricError
from gistmeter.text.languages import language_code
from gistmeter.text.stems import get_stemmer, resolve_stem
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import Tokenizer, Word, find_words, normalize, split_words

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
        """The analysis for texts of another language, with `stem=auto` resolved to its stemmer."""
        code = language_code(language)
        return replace(self, language=code, stem=resolve_stem(self.stem, code))

    def cut(self, text: str) -> str:
        """The part of a text within the limit."""
        return text if self.limit == "none" else cut_text(text, self.limit)

    def surface(self, text: str) -> list[str]:
        """The lower-cased words before stop words are removed and stems taken."""
        return split_words(self.cut(text), self.tokenizer, self.language)

    def tokens(self, text: str) -> list[str]:
        """The tokens to compare."""
        dropped, stem = load_stopwords(self.stopwords, self.language), get_stemmer(self.stem)
        return [stem(word) for word in self.surface(text) if word not in dropped]

    def normalize(self, text: str) -> str:
        """The text whose characters `spans` counts: with composed characters, unless the tokenizer has none."""
        return normalize(text, self.tokenizer)

    def spans(self, text: str) -> list[Word]:
        """The tokens to compare, each with its start and end in `normalize(text)`."""
        dropped, stem = load_stopwords(self.stopwords, self.language), get_stemmer(self.stem)
        words = find_words(self.cut(self.normalize(text)), self.tokenizer, self.language)
        return [Word(stem(word.text), word.start, word.end) for word in words if word.text not in dropped]


def check_limit(limit: str) -> None:
    """Refuse a limit that is not `none`, a number of words (`100w`) or of bytes (`665b`)."""
    match = _LIMIT.match(limit)
    if limit != "none" and (not match or int(match[1]) == 0):
        raise MetricError(f"cannot read limit={limit}: write none, 100w for 100 words or 665b for 665 bytes")


def cut_text(text: str, limit: str) -> str:
    """The first words or bytes of a text, counted as ROUGE-1.5.5 does (-l, -b): newlines do not count.

    >>> cut_text("one two three", "2w"), cut_text("one two three", "6b"), cut_text("one two", "none")
    ('one two', 'one tw', 'one two')
    """
    match = _LIMIT.match(limit)
    if not match:
        return text
    remaining, in_words = int(match[1]), match[2] == "w"
    lines: list[str] = []
    for line in text.split("\n"):
        if in_words:
            ends = [word.end() for word in re.finditer(r"\S+", line)]
            lines.append(line if len(ends) < remaining else line[: ends[remaining - 1]])
            remaining -= len(ends)
        else:
            encoded = line.encode()
            lines.append(line if len(encoded) < remaining else encoded[:remaining].decode(errors="ignore"))
            remaining -= len(encoded)
        if remaining <= 0:
            break
    return "\n".join(lines)
