"""Alignment: which tokens of a summary a metric holds against which tokens of the other text, and what each pair adds.

A metric that compares tokens says so in `Metric.align`. What `insight` counts and what the evidence shows are then the
same pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a text, in characters. Tokens of one `key` stand for each other where an alignment is free."""

    start: int
    end: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class TokenText:
    """A text as a metric reads it: what it is called, and its tokens in order."""

    title: str
    text: str
    tokens: tuple[Token, ...]

    def __post_init__(self) -> None:
        end = 0
        for token in self.tokens:
            if not end <= token.start <= token.end <= len(self.text):
                raise DataError(
                    f"a token of the {self.title} lies at {token.start} to {token.end}: tokens are sorted, do not "
                    f"overlap, and end within the {len(self.text)} characters of the text"
                )
            end = token.end


@dataclass(frozen=True, slots=True)
class Edge:
    """A token of the summary and one of the other text, by position, and what the pair adds to the score."""

    summary: int
    other: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Alignment:
    """Weighted edges between the tokens of a summary and those of another text.

    `free` says that edges are one of several ways to pair tokens of equal keys, each at most once, with the same total:
    ROUGE counts how often a word stands in both texts, not where. Edges of one key then weigh the same. Otherwise the
    edges are as they stand, and a token may have many.

    >>> text = TokenText("summary", "a cat", (Token(0, 1, "a"), Token(2, 5, "cat")))
    >>> Alignment(text, TokenText("reference", "cat", (Token(0, 3, "cat"),)), (Edge(1, 0),), free=True).total
    1.0
    """

    summary: TokenText
    other: TokenText
    edges: tuple[Edge, ...]
    free: bool = False

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(sum(edge.weight for edge in self.edges))


def align_equal_tokens(summary: TokenText, other: TokenText, weights: Sequence[float] | None = None) -> Alignment:
    """Tokens of equal keys paired in the order they stand in, as often as both texts have them.

    `weights` are those of the summary's tokens, equal for equal keys; 1 by default.

    >>> summary = TokenText("summary", "to be to", (Token(0, 2, "to"), Token(3, 5, "be"), Token(6, 8, "to")))
    >>> other = TokenText("reference", "to go", (Token(0, 2, "to"), Token(3, 5, "go")))
    >>> align_equal_tokens(summary, other).edges
    (Edge(summary=0, other=0, weight=1.0),)
    """
    waiting: dict[str, list[int]] = {}
    for position in range(len(other.tokens) - 1, -1, -1):
        waiting.setdefault(other.tokens[position].key, []).append(position)
    edges = [
        Edge(position, waiting[token.key].pop(), 1.0 if weights is None else float(weights[position]))
        for position, token in enumerate(summary.tokens)
        if waiting.get(token.key)
    ]
    return Alignment(summary, other, tuple(edges), free=True)
