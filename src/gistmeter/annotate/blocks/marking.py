"""Marks in a text: spans of its words, each of a kind, chosen with the mouse, by touch or with the keyboard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from gistmeter.annotate.forms import AnswerError, Question
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code
from gistmeter.text.stopwords import load_stopwords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.annotate.forms import Fields

NOTHING = "none"
"""What stands in the field of a text in which nothing is to be marked; an empty field is no answer yet."""

# Chinese and Japanese have no spaces: there every character can be marked.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_FIELD = re.compile(r"([0-9]{1,6})-([0-9]{1,6})-([a-z_]{1,32})")


class Mark(NamedTuple):
    """A span of a text, counted in characters, and what it is marked as."""

    start: int
    end: int
    kind: str


class ShownWord(NamedTuple):
    """A word of a text that can be marked, with the space before it and what to look for in other texts."""

    start: int
    end: int
    text: str
    space: str
    is_break: bool
    """Whether a new line begins before it."""
    matched: str
    """The word in small letters without marks around it; empty where it says nothing, such as `the`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks(Question):
    """A text to mark; `kinds` are keys of their labels, chosen with the keys 1, 2 and so on.

    >>> block = Marks(name="marks", question="q", label="l", text="It rained twice.", kinds=("wrong", "new"))
    >>> block.parse_fields({"marks": "3-16-wrong"})
    [[3, 16, 'wrong']]
    """

    kind: ClassVar[str] = "marks"
    beside_reading: ClassVar[bool] = True
    label: str
    text: str
    kinds: tuple[str, ...]
    language: str = "en"

    @property
    def words(self) -> list[ShownWord]:
        """The words of the text, as a page shows them."""
        return list_words(self.text, self.language)

    def parse_fields(self, fields: Fields) -> list[list[Any]]:
        """The marks in the order of the text; none where the rater says that there is nothing to mark."""
        given = fields.get(self.name, "").strip()
        if given == NOTHING:
            return []
        if not given:
            raise AnswerError("missing_marks")
        words = self.words
        starts, ends = {word.start for word in words}, {word.end for word in words}
        marks: list[Mark] = []
        for part in given.split():
            match = _FIELD.fullmatch(part)
            if match is None or match[3] not in self.kinds:
                raise AnswerError("wrong_marks")
            marks.append(Mark(int(match[1]), int(match[2]), match[3]))
        marks.sort()
        follows = [0, *(mark.end for mark in marks)]
        for mark, before in zip(marks, follows[:-1], strict=True):
            if mark.start not in starts or mark.end not in ends or not before <= mark.start < mark.end:
                raise AnswerError("wrong_marks")
        return [list(mark) for mark in marks]

    def fill_fields(self, value: list[list[Any]]) -> dict[str, str]:
        """The field with these marks."""
        return {self.name: " ".join(f"{start}-{end}-{kind}" for start, end, kind in value) or NOTHING}


def list_words(text: str, language: str = "en") -> list[ShownWord]:
    """The words of a text that can be marked: what stands between spaces, and each Chinese or Japanese character.

    >>> [word.matched for word in list_words("The mayor, they said, left.")]
    ['', 'mayor', '', 'said', 'left']
    """
    has_list = language_code(language) in WORD_LIST_LANGUAGES
    stopwords = load_stopwords("language" if has_list else "none", language)
    words, last = [], 0
    for match in _WORD.finditer(text):
        space = text[last : match.start()]
        matched = re.sub(r"^\W+|\W+$", "", match[0]).lower()
        words.append(
            ShownWord(
                start=match.start(),
                end=match.end(),
                text=match[0],
                space=" " if space else "",
                is_break="\n" in space and last > 0,
                matched="" if matched in stopwords else matched,
            )
        )
        last = match.end()
    return words


def share_unmarked(text: str, marks: Sequence[Sequence[Any]]) -> float:
    """The share of a text's words that no mark touches.

    >>> share_unmarked("It rained twice , twice.", [[3, 15, "wrong"]])
    0.5
    """
    words = [word for word in list_words(text) if re.search(r"\w", word.text)]
    free = [word for word in words if all(word.end <= start or word.start >= end for start, end, _ in marks)]
    return len(free) / len(words) if words else 1.0


def label_characters(text: str, marks: Sequence[Sequence[Any]], kinds: Sequence[str]) -> list[int]:
    """For each character that is no space 0, or the number of the kind it is marked as, from 1.

    >>> label_characters("a bc", [[2, 4, "new"]], ("wrong", "new"))
    [0, 2, 2]
    """
    labels = [0] * len(text)
    for start, end, kind in marks:
        labels[start:end] = [kinds.index(kind) + 1] * (end - start)
    return [label for label, character in zip(labels, text, strict=True) if not character.isspace()]
