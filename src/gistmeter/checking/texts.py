"""The texts of a check, and what finders say of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from gistmeter.example import Example

FindingKind = Literal["number", "name", "contrast", "new words", "support", "repetition"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, and where it starts and ends there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What speaks against a sentence of a summary."""

    sentence: int
    """Its number, from 0."""
    kind: FindingKind
    text: str
    """The words that it is about, as the summary has them; empty where it is about the whole sentence."""
    why: str
    weight: float
    """How much it says that the sentence is wrong, from 0 to 1: a guess that orders sentences, no probability."""


@dataclass(frozen=True, slots=True)
class CheckedTexts:
    """A summary in sentences, and what it is checked against."""

    example: Example
    sentences: tuple[Sentence, ...]
    models: bool
    """Whether finders may ask the embedded models."""

    @property
    def document(self) -> str:
        """The document, or all documents; empty where there is none."""
        return self.example.document or ""

    @property
    def language(self) -> str:
        """The code of the language."""
        return language_code(self.example.language)


def read_sentences(summary: str, language: str = "en") -> tuple[Sentence, ...]:
    """The sentences of a summary that have words: its lines where it has several, else what the splitter finds.

    >>> [(sentence.text, sentence.start) for sentence in read_sentences("It rained. A lot.")]
    [('It rained.', 0), ('A lot.', 11)]
    """
    sentences: list[Sentence] = []
    end = 0
    for text in split_sentences(summary, resolve_sentence_rule("auto", summary), language):
        start = summary.find(text, end)
        if start < 0:  # the splitter changed it
            start = end
        end = min(start + len(text), len(summary))
        if has_words(text):
            sentences.append(Sentence(text, start, end))
    return tuple(sentences)
