"""Phrases of a text, each of which is chosen or not with one click, where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gistmeter.annotate.forms import AnswerError, Question

if TYPE_CHECKING:
    from gistmeter.annotate.forms import Fields


class Piece(NamedTuple):
    """A part of a text: a phrase with its number, or what stands between phrases, with 0."""

    text: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases(Question):
    """A text whose phrases can be chosen; `spans` are their offsets, in the order of the text.

    >>> block = Phrases(name="phrases", question="q", label="l", text="Ann met Ben.", spans=((0, 3), (8, 11)))
    >>> block.parse_fields({"phrases.2": "1"})
    [0, 1]
    """

    kind: ClassVar[str] = "phrases"
    beside_reading: ClassVar[bool] = True
    label: str
    text: str
    spans: tuple[tuple[int, int], ...]
    language: str = "en"

    @property
    def lines(self) -> list[list[Piece]]:
        """The lines of the text, in pieces."""
        pieces, last = [], 0
        for number, (start, end) in enumerate(self.spans, start=1):
            pieces += [Piece(self.text[last:start], 0), Piece(" ".join(self.text[start:end].split()), number)]
            last = end
        pieces.append(Piece(self.text[last:], 0))
        lines: list[list[Piece]] = [[]]
        for piece in pieces:
            head, *rest = [piece.text] if piece.number else piece.text.split("\n")
            lines[-1].append(Piece(head, piece.number))
            lines += [[Piece(line, 0)] for line in rest]
        return [line for line in lines if any(piece.text.strip() for piece in line)]

    def parse_fields(self, fields: Fields) -> list[int]:
        """1 or 0 for each phrase; none is chosen only where the rater says so."""
        given = [fields.get(f"{self.name}.{number}", "") for number in range(1, len(self.spans) + 1)]
        if any(value not in ("", "1") for value in given):
            raise AnswerError("wrong_choice", question=self.question)
        chosen = [int(value == "1") for value in given]
        is_none = fields.get(f"{self.name}.none") == "1"
        if not any(chosen) and not is_none:
            raise AnswerError("missing_phrases")
        if any(chosen) and is_none:
            raise AnswerError("both_phrases")
        return chosen

    def fill_fields(self, value: list[int]) -> dict[str, str]:
        """A field for each phrase that is chosen."""
        chosen = {f"{self.name}.{number}": "1" for number, given in enumerate(value, start=1) if given}
        return chosen or {f"{self.name}.none": "1"}
