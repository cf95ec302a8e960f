"""An alignment with its categories as a block of evidence: two texts, and for each kind of word the matches in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Block, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence import Pane


@dataclass(frozen=True, slots=True)
class CategoryMatches:
    """The matches within a category or a type of categories, and their share of the score, from 0 to 1.

    `pairs` are marks by position, in turn of the first text and of the second.
    """

    title: str
    is_type: bool
    share: float
    pairs: tuple[int, ...]
    meaning: str = ""
    """What the category is, in plain words."""


@dataclass(frozen=True, slots=True)
class CategorisedAlignment(Block):
    """Two texts whose marks are the words that match somewhere, and which of them match within which category."""

    kind = "kinds"
    panes: tuple[Pane, Pane]
    categories: tuple[CategoryMatches, ...]

    def parts(self) -> Sequence[Block]:
        """The shares as a table: the texts are shown by the metric's own evidence."""
        rows = tuple(
            (each.title, f"{100 * each.share:.1f}%", str(len(each.pairs) // 2))
            for each in self.categories
            if each.pairs
        )
        return (Table(("kind of word", "share", "matches"), rows, "kinds of words that match"),)
