"""What a screen is made of: texts to read, and questions that know which answers they take.

A task lists blocks (`Task.make_blocks`). Each kind of block has a template of its name in `web/templates/blocks`, and
each question has `parse_fields`, which turns what a browser sent into the value that is kept, or says what is missing.
Labels are keys of the words of the interface (see `words`), or texts of the task's own.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.text.words import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fields = Mapping[str, str]

LONGEST_ANSWER = 5_000
"""Characters in a text that a rater writes."""

_COPIED_SHARE = 0.9
"""A text is copied when so much of it stands in the texts beside it without a break."""


_UNSPACED = re.compile(f"[{UNSPACED}]")


class AnswerError(Exception):
    """An answer that cannot be kept. `key` is the sentence of the interface that says so to the rater."""

    def __init__(self, key: str, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a screen; `kind` is the name of its template."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(Block):
    """A text to read."""

    kind: ClassVar[str] = "passage"
    label: str
    text: str
    language: str = "en"
    long: bool = False
    """A document, which scrolls by itself and can be searched."""

    @property
    def paragraphs(self) -> list[str]:
        """The lines of the text."""
        return [line.strip() for line in self.text.splitlines() if line.strip()] or [""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Block):
    """A block that is answered: `name` is the name of its field and of its value in the answer."""

    beside_reading: ClassVar[bool] = False
    """Whether it stands beside the texts on a wide screen, and not below them."""
    name: str
    question: str

    def parse_fields(self, fields: Fields) -> Any:
        """The value of the answer; raises AnswerError where there is none that can be kept."""
        raise NotImplementedError

    def fill_fields(self, value: Any) -> dict[str, str]:
        """The fields as they were when this value was given."""
        return {self.name: str(value)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider(Question):
    """A number on a scale, with a slider where there is JavaScript and a field for the number in any case.

    >>> Slider(name="value", question="q", low="l", high="h").parse_fields({"value": "63"})
    63
    """

    kind: ClassVar[str] = "slider"
    low: str
    high: str
    least: int = 0
    most: int = 100

    def parse_fields(self, fields: Fields) -> int:
        """A whole number between the ends of the scale."""
        text = fields.get(self.name, "").strip()
        if not text:
            raise AnswerError("missing_number", least=self.least, most=self.most)
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not self.least <= int(text) <= self.most:
            raise AnswerError("wrong_number", least=self.least, most=self.most)
        return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(Question):
    """One of a few grades, from the lowest to the highest; `values` are the numbers that are kept.

    >>> Rating(name="fluency", question="q", labels=("bad", "good"), values=(1, 2)).parse_fields({"fluency": "2"})
    2
    """

    kind: ClassVar[str] = "rating"
    labels: tuple[str, ...]
    values: tuple[int, ...]
    is_stacked: bool = False
    """Whether a phone shows the grades below each other: labels of several words are too long for five in a row."""

    @property
    def choices(self) -> list[tuple[int, str]]:
        """The values with their labels."""
        return list(zip(self.values, self.labels, strict=True))

    def parse_fields(self, fields: Fields) -> int:
        """One of the values."""
        text = fields.get(self.name, "")
        if not text:
            raise AnswerError("missing_choice", question=self.question)
        chosen = [value for value in self.values if str(value) == text]
        if not chosen:
            raise AnswerError("wrong_choice", question=self.question)
        return chosen[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes(Question):
    """Several entries, each with a yes or a no of its own."""

    entries: tuple[Any, ...]
    yes: str
    no: str
    language: str = "en"

    def parse_fields(self, fields: Fields) -> list[int]:
        """1 or 0 for each entry."""
        given = [fields.get(f"{self.name}.{number}", "") for number in range(1, len(self.entries) + 1)]
        if any(value not in ("", "0", "1") for value in given):
            raise AnswerError("wrong_choice", question=self.question)
        if missing := given.count(""):
            raise AnswerError("missing_checks", missing=missing, total=len(given))
        return [int(value) for value in given]

    def fill_fields(self, value: list[int]) -> dict[str, str]:
        """A field for each entry."""
        return {f"{self.name}.{number}": str(vote) for number, vote in enumerate(value, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks(Votes):
    """A list of statements, each true or not: one click each.

    >>> Checks(name="units", question="q", entries=("It rained.",), yes="y", no="n").parse_fields({"units.1": "1"})
    [1]
    """

    kind: ClassVar[str] = "checks"
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing(Question):
    """A short text in the rater's own words; `beside` are the texts that it may not be copied from."""

    kind: ClassVar[str] = "writing"
    beside_reading: ClassVar[bool] = True
    beside: tuple[str, ...] = ()
    least_words: int = 2

    def parse_fields(self, fields: Fields) -> str:
        """The text, if it says something of its own."""
        text = " ".join(fields.get(self.name, "").split())
        if not text:
            raise AnswerError("missing_text")
        if len(text) > LONGEST_ANSWER:
            raise AnswerError("long_text", most=LONGEST_ANSWER)
        if count_written_words(text) < self.least_words:
            raise AnswerError("short_text", least=self.least_words)
        if any(is_copied(text, other) for other in self.beside):
            raise AnswerError("copied_text")
        return text


def count_written_words(text: str) -> int:
    """The words of a text; where it has no spaces, as in Chinese and Japanese, a word is two characters.

    >>> count_written_words("Хорошо"), count_written_words("It rained."), count_written_words("写得很好")
    (1, 2, 2)
    """
    return max(len(text.split()), len(_UNSPACED.findall(text)) // 2)


def is_copied(text: str, source: str) -> bool:
    """Whether nearly all of a text stands in another without a break.

    >>> is_copied("It rained a lot in town.", "On Monday it rained a lot in town. Then it stopped.")
    True
    >>> is_copied("The rain is right, the day is wrong.", "On Monday it rained a lot in town.")
    False
    """
    short, long = (" ".join(words.lower().split()) for words in (text, source))
    # A common part of this length, or of more, has one of exactly this length; looking for it takes no time.
    length = math.ceil(_COPIED_SHARE * len(short))
    return any(short[start : start + length] in long for start in range(len(short) - length + 1))
