"""Alignment: which tokens of a summary a metric holds against which tokens of the other text, and what each pair adds.

A metric that compares tokens says so in `Metric.align`. What `insight` counts and what the evidence shows are then the
same pairs.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Token(Span):
    """A token of a text. Tokens of one `key` stand for each other where an alignment is free.

    `weight` is the most that the token can add to the score.
    """

    key: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens that follow each other: the first, by position, and how many there are."""

    first: int
    size: int = 1

    @property
    def positions(self) -> range:
        """The positions of its tokens."""
        return range(self.first, self.first + self.size)


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

    def find_run(self, span: Span) -> Run | None:
        """The tokens that lie within a span, None where there are none."""
        inside = [
            position for position, token in enumerate(self.tokens) if span.start <= token.start < token.end <= span.end
        ]
        return Run(inside[0], len(inside)) if inside else None

    def cover(self, run: Run) -> Span:
        """The stretch from the start of a run's first token to the end of its last."""
        return Span(self.tokens[run.first].start, self.tokens[run.first + run.size - 1].end)


@dataclass(frozen=True, slots=True)
class Edge:
    """A token of the summary and one of the other text, by position, and what the pair adds to the score.

    Where a metric compares phrases or sentences, an edge joins two runs of tokens: `summary` and `other` are the first
    tokens, `summary_size` and `other_size` how many follow each other.
    """

    summary: int
    other: int
    weight: float = 1.0
    summary_size: int = 1
    other_size: int = 1

    @property
    def summary_run(self) -> Run:
        """The tokens of the summary that it joins."""
        return Run(self.summary, self.summary_size)

    @property
    def other_run(self) -> Run:
        """The tokens of the other text that it joins."""
        return Run(self.other, self.other_size)


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

    def __post_init__(self) -> None:
        for edge in self.edges:
            for side, run in ((self.summary, edge.summary_run), (self.other, edge.other_run)):
                if run.first < 0 or run.size < 1 or run.first + run.size > len(side.tokens):
                    raise DataError(
                        f"an edge joins the tokens {run.first} to {run.first + run.size - 1} of the {side.title}, "
                        f"which has {len(side.tokens)}"
                    )
            if not 0 <= edge.weight < math.inf:
                raise DataError(f"an edge adds {edge.weight} to the score: weights are 0 or more, and no infinity")
        if self.free:
            self._check_free()

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(sum(edge.weight for edge in self.edges))

    def _check_free(self) -> None:
        """Refuse a free alignment that is not one of many with the same total."""
        where = f"the alignment with the {self.other.title}"
        rule = "a free alignment pairs single tokens of equal keys, as often as both texts have them"
        weights: dict[str, float] = {}
        for edge in self.edges:
            token = self.summary.tokens[edge.summary]
            if token.key != self.other.tokens[edge.other].key or edge.summary_size * edge.other_size != 1:
                raise DataError(f"{where} joins {token.key!r} with another key or in a run: {rule}")
            if weights.setdefault(token.key, edge.weight) != edge.weight:
                raise DataError(f"{where} weighs {token.key!r} in two ways: {rule}")
        paired = Counter(self.summary.tokens[edge.summary].key for edge in self.edges)
        shared = Counter(token.key for token in self.summary.tokens) & Counter(token.key for token in self.other.tokens)
        ends = ({edge.summary for edge in self.edges}, {edge.other for edge in self.edges})
        if paired != shared or min(map(len, ends)) < len(self.edges):
            key = next(iter((paired - shared) | (shared - paired)), None)
            which = "uses a token twice" if key is None else f"has {paired[key]} of {shared[key]} pairs of {key!r}"
            raise DataError(f"{where} {which}: {rule}")

    @property
    def share_of_other(self) -> float:
        """The sum of all weights, as a share of what the tokens of the other text can add: a recall."""
        most = sum(token.weight for token in self.other.tokens)
        return self.total / most if most else 0.0


def align_equal_tokens(summary: TokenText, other: TokenText) -> Alignment:
    """Tokens of equal keys paired in the order they stand in, as often as both texts have them.

    A pair adds the weight of the summary's token; tokens of equal keys weigh the same.

    >>> summary = TokenText("summary", "to be to", (Token(0, 2, "to"), Token(3, 5, "be"), Token(6, 8, "to")))
    >>> other = TokenText("reference", "to go", (Token(0, 2, "to"), Token(3, 5, "go")))
    >>> [(edge.summary, edge.other, edge.weight) for edge in align_equal_tokens(summary, other).edges]
    [(0, 0, 1.0)]
    """
    waiting: dict[str, list[int]] = {}
    for position in range(len(other.tokens) - 1, -1, -1):
        waiting.setdefault(other.tokens[position].key, []).append(position)
    edges = [
        Edge(position, waiting[token.key].pop(), token.weight)
        for position, token in enumerate(summary.tokens)
        if waiting.get(token.key)
    ]
    return Alignment(summary, other, tuple(edges), free=True)


def locate_tokens(
    title: str, text: str, starts: Sequence[int], ends: Sequence[int], weights: Sequence[float] | None = None
) -> TokenText:
    """A text with tokens by their starts and ends, as a model's tokenizer gives them.

    A special token, a part of a letter whose first part was there before, or a token beyond the text gets no letters:
    it stands where the token before it ends.

    >>> locate_tokens("summary", "a cat", [0, 0, 2], [0, 1, 5]).tokens[1:]
    (Token(start=0, end=1, key='', weight=1.0), Token(start=2, end=5, key='', weight=1.0))
    """
    tokens = []
    end = 0
    for position, (token_start, token_end) in enumerate(zip(starts, ends, strict=True)):
        start = max(end, int(token_start))
        if token_end <= len(text):
            end = max(end, int(token_end))
        weight = 1.0 if weights is None else float(weights[position])
        tokens.append(Token(min(start, end), end, weight=weight))
    return TokenText(title, text, tuple(tokens))


def locate_parts(text: str, parts: Sequence[str]) -> list[Span | None]:
    """Where parts of a text that follow each other stand in it, without blanks around; None for a changed one.

    >>> locate_parts("It rained. It  was cold.", ["It rained.", "It was cold.", "Rome"])
    [Span(start=0, end=10), Span(start=11, end=24), None]
    """
    spans: list[Span | None] = []
    end = 0
    for part in parts:
        words = part.split()
        match = re.compile(r"\s+".join(map(re.escape, words))).search(text, end) if words else None
        spans.append(None if match is None else Span(match.start(), match.end()))
        end = end if match is None else match.end()
    return spans


def cut_tokens(title: str, text: str, spans: Iterable[Span]) -> TokenText:
    """A text in words and signs, cut wherever one of the spans begins or ends, so that each span is a run of tokens.

    >>> text = cut_tokens("reference", "The U.S. team won.", [Span(4, 8)])
    >>> [text.text[token.start : token.end] for token in text.tokens]
    ['The', 'U', '.', 'S', '.', 'team', 'won', '.']
    >>> text.find_run(Span(4, 8))
    Run(first=1, size=4)
    """
    borders = sorted({border for span in spans for border in (span.start, span.end)})
    tokens = []
    for match in _WORD_OR_SIGN.finditer(text):
        inside = [border for border in borders if match.start() < border < match.end()]
        cuts = [match.start(), *inside, match.end()]
        tokens += [Token(start, end) for start, end in pairwise(cuts)]
    return TokenText(title, text, tuple(tokens))
