"""Pairs of sentences, of which the second follows the first or does not: what a next-sentence head learns from.

The kinds and their shares are those of FFCI (Koto, Baldwin and Lau 2022, appendix B). Documents, not pairs, are
divided into train, development and test, and a sentence that stands in two parts is taken out of the later one.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from gistmeter.errors import DataError
from gistmeter.training.sources.sentences import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from gistmeter.training.sources.sentences import SentenceText

Kind = Literal["adjacent", "repeated", "elsewhere", "later", "earlier"]

SHARES: Mapping[Kind, float] = {"adjacent": 0.5, "repeated": 0.05, "elsewhere": 0.25, "later": 0.1, "earlier": 0.1}
"""Appendix B: adjacent; one sentence with a quarter of its words gone; two documents; far apart in one document."""

MIN_FAR_SENTENCES = 5
"""Sentences at least this far apart are "sufficiently far"; the paper gives no figure."""

DELETED_WORDS = 0.25
"""The share of words taken out of a repeated sentence."""

MIN_REPEATED_WORDS = 8
_PART_SHARES = (0.8, 0.1, 0.1)
_DRAWS_PER_PAIR = 50
"""How often a pair of a kind is drawn, at most, for each one that is wanted."""


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences and how they come to stand together."""

    first: str
    second: str
    kind: Kind

    @property
    def follows(self) -> bool:
        """Whether the second does follow the first."""
        return self.kind == "adjacent"


class DividedTexts(NamedTuple):
    """Documents to learn from, to stop on and to test on."""

    train: tuple[SentenceText, ...]
    dev: tuple[SentenceText, ...]
    test: tuple[SentenceText, ...]


class Position(NamedTuple):
    """A sentence by its document and its number there."""

    text: SentenceText
    number: int

    @property
    def sentence(self) -> str:
        """The sentence; only positions that have one are drawn."""
        return self.text.sentences[self.number] or ""

    def move(self, steps: int) -> Position:
        """The position so many sentences further on."""
        return Position(self.text, self.number + steps)


def divide_texts(texts: Sequence[SentenceText], *, seed: int = 0) -> DividedTexts:
    """Documents in three parts (80, 10 and 10 of a hundred) that have no sentence in common."""
    order = list(texts)
    random.Random(seed).shuffle(order)
    ends = (round(_PART_SHARES[0] * len(order)), round((_PART_SHARES[0] + _PART_SHARES[1]) * len(order)))
    earlier: set[str] = set()
    parts = []
    for part in (order[: ends[0]], order[ends[0] : ends[1]], order[ends[1] :]):
        remaining = tuple(text.without(earlier) for text in part)
        earlier.update(fingerprint(sentence) for text in remaining for sentence in text.sentences if sentence)
        parts.append(remaining)
    return DividedTexts(*parts)


def draw_pairs(texts: Sequence[SentenceText], count: int, *, seed: int = 0) -> tuple[SentencePair, ...]:
    """About `count` pairs with the shares of appendix B, none twice; fewer when there are not enough neighbours.

    >>> from gistmeter.training.sources.sentences import SentenceText
    >>> sentences = [tuple(f"text {d} says thing {i} of nine in all" for i in range(9)) for d in range(4)]
    >>> texts = [SentenceText(f"d{d}", text) for d, text in enumerate(sentences)]
    >>> sorted(count_kinds(draw_pairs(texts, 40)).items())
    [('adjacent', 20), ('earlier', 4), ('elsewhere', 10), ('later', 4), ('repeated', 2)]
    """
    rng = random.Random(seed)
    wanted = round(count * SHARES["adjacent"])
    texts = _enough_texts(texts, wanted, seed)
    neighbours = list_joints(texts)
    if not neighbours or len(texts) < 2:  # a pair from elsewhere needs two
        raise DataError("pairs need at least two documents with two sentences in a row")
    rng.shuffle(neighbours)
    adjacent = neighbours[:wanted]
    total = len(adjacent) / SHARES["adjacent"]
    pairs = [SentencePair(position.sentence, position.move(1).sentence, "adjacent") for position in adjacent]
    drawn = {(pair.first, pair.second) for pair in pairs}
    draws: dict[Kind, Callable[[], SentencePair | None]] = {
        "repeated": lambda: repeat_sentence(rng.choice(neighbours), rng),
        "elsewhere": lambda: pair_elsewhere(rng.choice(neighbours), rng.choice(neighbours)),
        "later": lambda: pair_far(rng.choice(neighbours), rng, "later"),
        "earlier": lambda: pair_far(rng.choice(neighbours), rng, "earlier"),
    }
    for kind, draw in draws.items():
        pairs.extend(_distinct_pairs(draw, round(total * SHARES[kind]), drawn))
    rng.shuffle(pairs)
    return tuple(pairs)


def list_joints(texts: Sequence[SentenceText]) -> list[Position]:
    """The sentences of documents that have a neighbour after them."""
    return [Position(text, index) for text in texts for index in _indices_with_next(text)]


def count_kinds(pairs: Iterable[SentencePair]) -> Counter[Kind]:
    """How many pairs there are of each kind."""
    return Counter(pair.kind for pair in pairs)


def delete_words(sentence: str, rng: random.Random) -> str:
    """A sentence without a random quarter of its words.

    >>> delete_words("one two three four", random.Random(1))
    'one three four'
    """
    words = sentence.split()
    deleted = set(rng.sample(range(len(words)), round(DELETED_WORDS * len(words))))
    return " ".join(word for index, word in enumerate(words) if index not in deleted)


def _indices_with_next(text: SentenceText) -> list[int]:
    """The sentences that have a neighbour after them."""
    return [index for index in text.positions if index + 1 in text.positions]


def _enough_texts(texts: Sequence[SentenceText], wanted: int, seed: int) -> Sequence[SentenceText]:
    """Only as many documents as have the neighbours wanted, so that no more sentences than needed are encoded."""
    if sum(len(_indices_with_next(text)) for text in texts) <= wanted:
        return texts
    order = list(texts)
    random.Random(f"documents {seed}").shuffle(order)
    neighbours = 0
    for number, text in enumerate(order, start=1):
        neighbours += len(_indices_with_next(text))
        if neighbours >= wanted and number > 1:
            return order[:number]
    return order


def _distinct_pairs(
    draw: Callable[[], SentencePair | None], count: int, drawn: set[tuple[str, str]]
) -> Iterator[SentencePair]:
    """Up to `count` new pairs; gives up when the documents are too few or too short to find more."""
    draws_left = _DRAWS_PER_PAIR * max(count, 1)
    while count and draws_left:
        draws_left -= 1
        pair = draw()
        if pair is not None and (pair.first, pair.second) not in drawn and pair.first != pair.second:
            drawn.add((pair.first, pair.second))
            count -= 1
            yield pair


def repeat_sentence(position: Position, rng: random.Random) -> SentencePair | None:
    """A sentence, and the same without a quarter of its words; none where it is short."""
    if len(position.sentence.split()) < MIN_REPEATED_WORDS:
        return None
    return SentencePair(position.sentence, delete_words(position.sentence, rng), "repeated")


def pair_elsewhere(first: Position, second: Position) -> SentencePair | None:
    """Sentences of two documents; none where it is one document."""
    return None if first.text is second.text else SentencePair(first.sentence, second.sentence, "elsewhere")


def pair_far(position: Position, rng: random.Random, kind: Literal["later", "earlier"]) -> SentencePair | None:
    """A sentence and another far after or before it in its document; none where the document is short."""
    sign = 1 if kind == "later" else -1
    far = [index for index in position.text.positions if sign * (index - position.number) >= MIN_FAR_SENTENCES]
    return SentencePair(position.sentence, Position(position.text, rng.choice(far)).sentence, kind) if far else None
