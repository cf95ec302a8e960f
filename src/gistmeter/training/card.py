"""Model cards: what a model is, how it was made, what it learned from, under which licences, and how good it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.io.atomic import write_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The parts of a model card; every part but the title is one or more paragraphs of Markdown."""

    title: str
    about: Sequence[str]
    command: str
    recipe: Sequence[str]
    data: Sequence[str]
    licences: Sequence[str] = ()
    figures: Sequence[str] = ()
    people: Sequence[str] = ()
    """Agreement with people."""

    def write(self, file: Path) -> None:
        """Write the card to its file."""
        write_bytes(file, self.text().encode())

    def text(self) -> str:
        """The card in Markdown; sections without text are left out."""
        sections = {
            "Made by": [f"```\n{self.command}\n```", *self.recipe],
            "Learned from": self.data,
            "Licences": self.licences,
            "Held-out figures": self.figures,
            "Agreement with people": self.people,
        }
        paragraphs = [f"# {self.title}", *self.about]
        for heading, section in sections.items():
            if section:
                paragraphs += [f"## {heading}", *section]
        return "\n\n".join(paragraphs) + "\n"


def table(header: Sequence[str], rows: Sequence[Sequence[str | float]]) -> str:
    """A table in Markdown; fractions get three digits, and a missing one an empty cell.

    >>> print(table(("part", "accuracy"), [("dev", 0.75), ("test", float("nan"))]))
    | part | accuracy |
    | --- | --- |
    | dev | 0.750 |
    | test |  |
    """
    lines = [header, ["---"] * len(header), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def describe_left_out(left_out: Mapping[str, int], *, unit: str, more: str = "") -> str:
    """How many records were not learned from, by reason.

    >>> describe_left_out({"seen before": 1200}, unit="pairs")
    'Left out (pairs): seen before 1,200.'
    """
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in left_out.items()) or "none"
    return f"Left out ({unit}): {reasons}{more}."


EVALUATION_TEXT = "Evaluation text is what shares a run of ten words with a text that gistmeter is evaluated on."


def _cell(value: str | float) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3f}"
    return str(value)
