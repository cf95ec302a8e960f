"""Evidence: why one score is what it is, in a form that the terminal and the report can both draw.

Evidence is a sentence and blocks in order. Every renderer draws two kinds of blocks: a `Pane` (a text with marks) and a
`Table`. Any other kind says in `parts` what it is in terms of these, and is drawn so where a renderer has no drawing of
its own for it; its fields reach the page as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gistmeter.views import HtmlView, TableView

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_NUMBER = re.compile(r"[-+−]?\d[\d.,]*(e[-+]?\d+)?%?")


class Block:
    """A piece of evidence of one kind: a frozen dataclass with a `kind`, and `parts` where no renderer draws it.

    >>> @dataclass(frozen=True, slots=True)
    ... class Shares(Block):
    ...     kind = "shares"
    ...     of_sentences: tuple[float, ...]
    ...
    ...     def parts(self):
    ...         rows = ((str(number), f"{share:.2f}") for number, share in enumerate(self.of_sentences, 1))
    ...         return (Table(("sentence", "share"), tuple(rows), "shares"),)
    >>> draw_as([Shares((0.25, 0.75))], {"pane", "table"})[0].rows
    (('1', '0.25'), ('2', '0.75'))
    """

    __slots__ = ()
    kind: ClassVar[str]

    def parts(self) -> Sequence[Block]:
        """The same said with panes and tables, for renderers that have no drawing of this kind."""
        raise NotImplementedError(f"no renderer draws the kind {self.kind!r}, and {type(self).__name__} has no `parts`")


def draw_as(blocks: Sequence[Block], kinds: Collection[str]) -> list[Block]:
    """The blocks that a renderer draws which has drawings of these kinds: others are replaced by their parts."""
    drawn: list[Block] = []
    for block in blocks:
        drawn += [block] if block.kind in kinds else draw_as(block.parts(), kinds)
    return drawn


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of a text. Marks that share a group belong together across the panes that stand together.

    `group` decides the colour, `also` are further groups, and `note` is shown when someone points at the mark.
    """

    start: int
    end: int
    group: int = 0
    also: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pane(Block):
    """One text of the comparison and what is marked in it; marks are sorted and do not overlap."""

    kind = "pane"
    title: str
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Table(Block):
    """Rows that explain a score: matched n-grams, most informative first. `title` says what a row is, in the plural.

    >>> Table(("word", "cosine", "closest"), (("wall", "0.91", "walls"), ("plan", "-", "-"))).numbers
    (False, True, False)
    """

    kind = "table"
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = "matches"

    @property
    def numbers(self) -> tuple[bool, ...]:
        """For each column whether it has numbers and nothing else; the first names the rows."""
        columns = tuple(zip(*self.rows, strict=True)) or ((),) * len(self.header)
        return tuple(
            index > 0 and any(map(_NUMBER.fullmatch, cells)) and all(_NUMBER.fullmatch(c) or c == "-" for c in cells)
            for index, cells in enumerate(columns)
        )


@dataclass(frozen=True, slots=True)
class Evidence(TableView):
    """Why one example got its score: a sentence, and blocks in the order they are read. Made only on request.

    >>> why = Evidence("rouge1", "1 matched 1-gram", (Pane("summary", "a cat"), Table(("1-gram",), (("cat",),))))
    >>> why.panes[0].text, why.table.rows
    ('a cat', (('cat',),))
    """

    metric: str
    headline: str
    blocks: tuple[Block, ...]

    @property
    def panes(self) -> tuple[Pane, ...]:
        """The texts among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Pane))

    @property
    def table(self) -> Table | None:
        """The first table among the blocks, None where there is none."""
        return next((block for block in self.blocks if isinstance(block, Table)), None)


class Explanations(dict[str, Evidence], HtmlView):
    """Evidence by the label of its metric."""
