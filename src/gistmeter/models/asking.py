"""The asking role: questions that the phrases of a text answer.

Embedded are rules over the spaCy parse (`asking_wh`, `asking_order`) that put a wh-phrase in the place of a phrase and
keep the rest of the sentence, as the model of the thesis does (paper 004, Figure 9). By name it is any
sequence-to-sequence model that was trained to ask about a marked phrase.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from gistmeter.errors import MetricError
from gistmeter.models.asking_order import pieces
from gistmeter.models.asking_wh import gap_of
from gistmeter.models.asking_writing import written
from gistmeter.models.locate import EMBEDDED
from gistmeter.models.parser import parser, parser_digest
from gistmeter.models.phrases import checked_answers, phrases
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spacy.tokens import Doc, Span

    from gistmeter.models.phrases import Answers

RULES = "rules1"
"""Changes when the rules write other questions, so that a cache never serves old ones."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the phrase that answers it, and where that stands in the text: its characters `start` to `end`."""

    text: str
    answer: str
    start: int
    end: int


class Asker(Protocol):
    """Whoever asks about the phrases of texts."""

    def questions(self, texts: Sequence[str]) -> list[tuple[Question, ...]]:
        """The questions of each text, in the order of their answers."""

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its questions, for a signature."""


class RuleAsker:
    """Asks by rules over the parse of each sentence. What it asks of one text never depends on the others."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def questions(self, texts: Sequence[str]) -> list[tuple[Question, ...]]:
        """The questions of each text, in the order of their answers; equal sentences are read once.

        >>> (asked,) = asking().questions(["On Monday, Rossi filed a lawsuit in Seattle."])
        >>> for question in asked:
        ...     print(question.answer, "|", question.text)
        Monday | When did Rossi file a lawsuit in Seattle?
        Rossi | On Monday, who filed a lawsuit in Seattle?
        a lawsuit | On Monday, what did Rossi file in Seattle?
        Seattle | On Monday, where did Rossi file a lawsuit?
        """
        placed = [list(placed_sentences(text)) for text in texts]
        docs = parser().docs([sentence for one in placed for _, sentence in one], entities=True)
        asked = {id(doc): _asked(doc, self._answers) for doc in docs}
        following = iter(docs)
        return [
            tuple(
                Question(question.text, question.answer, at + question.start, at + question.end)
                for at, _ in one
                for question in asked[id(next(following))]
            )
            for one in placed
        ]

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its questions."""
        return asking_identity(answers=self._answers)


def asking(model: str = EMBEDDED, answers: Answers = "chunks", *, language: str = "en") -> Asker:
    """The asker of a name, for a way to choose answers; loaded once per process."""
    return _asker(model, checked_answers(answers), checked_language(language))


def asking_identity(model: str = EMBEDDED, answers: Answers = "chunks") -> Mapping[str, str]:
    """What an asker is called and what decides its questions."""
    return {"asker": RULES, "answers": answers, "parser": parser_digest()}


def checked_language(language: str) -> str:
    """The language of the texts, which the rules and the answers know for English only."""
    code = language_code(language)
    if code != "en":
        raise MetricError(f"questions are asked of English texts only, not of language {code!r}")
    return code


def placed_sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a text, each with the place of its first character."""
    at = 0
    for sentence in sentences(text):
        found = text.find(sentence, at)
        if found >= 0:
            yield found, sentence
            at = found + len(sentence)


@functools.lru_cache(maxsize=8)
def _asker(model: str, answers: Answers, language: str) -> Asker:
    return RuleAsker(answers)


def _asked(doc: Doc, answers: Answers) -> list[Question]:
    """One question for each phrase of a sentence beside which something else is said."""
    return [
        Question(_question(phrase), phrase.text, phrase.start_char, phrase.end_char)
        for phrase in phrases(doc, answers)
        if _says_more(phrase)
    ]


def _question(phrase: Span) -> str:
    return written(pieces(phrase, gap_of(phrase)))


def _says_more(phrase: Span) -> bool:
    """Whether a sentence has a word with a meaning of its own beside the phrase, so that there is something to ask."""
    others = (word for word in phrase.sent if not phrase.start <= word.i < phrase.end)
    return any(word.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "AUX") for word in others)
