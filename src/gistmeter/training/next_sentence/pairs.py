"""Pairs of sentences, of which the second follows the first or does not: what a next-sentence head learns from.

The kinds and their shares are those of FFCI (Koto, Baldwin and Lau 2022, appendix B). Documents, not pairs, are
divided into train, development and test, and a sentence that stands in two parts is taken out of the later one.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError
from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Kind = Literal["adjacent", "repeated", "elsewhere", "later", "earlier"]

SHARES: Mapping[Kind, float] = {"adjacent": 0.5, "repeated": 0.05, "elsewhere": 0.25, "later": 0.1, "earlier": 0.1}
"""Appendix B: adjacent; one sentence with a quarter of its words gone; two documents; far apart in one document."""

FAR = 5
"""Sentences at least this far apart are "sufficiently far"; the paper gives no figure."""

DELETED = 0.25
"""The share of words taken out of a repeated sentence."""

_PARTS = (0.8, 0.1, 0.1)
_SHORTEST, _LONGEST, _REPEATABLE = 3, 100, 8
_TRIES = 50
_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A document as its sentences in order; None where one was taken out, so that its neighbours are not adjacent."""

    name: str
    sentences: tuple[str | None, ...]

    @property
    def known(self) -> tuple[int, ...]:
        """The places that still have a sentence."""
        return tuple(place for place, sentence in enumerate(self.sentences) if sentence is not None)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences and how they come to stand together."""

    first: str
    second: str
    kind: Kind

    @property
    def follows(self) -> bool:
        """Whether the second does follow the first."""
        return self.kind == "adjacent"


@dataclass(frozen=True, slots=True)
class Parts:
    """Documents divided by `divided`."""

    train: tuple[Text, ...]
    dev: tuple[Text, ...]
    test: tuple[Text, ...]


def fingerprint(sentence: str) -> str:
    """A sentence as its letters and digits alone, to find it again under other spacing, case and punctuation.

    >>> fingerprint("It rained ; he left .") == fingerprint("It rained; he left.")
    True
    """
    return _LETTERS.sub("", sentence.lower())


def text_from(
    name: str, paragraphs: Iterable[str], *, language: str = "en", without: frozenset[str] = frozenset()
) -> Text:
    """A document from its paragraphs; sentences whose fingerprint is in `without`, very short and very long ones go.

    >>> text_from("d", ["It rained all day. Yes.", "The match was off."]).sentences
    ('It rained all day.', None, 'The match was off.')
    """
    found = [one for paragraph in paragraphs for one in split_sentences(paragraph, language=language)]
    return Text(name, tuple(one if _fit(one) and fingerprint(one) not in without else None for one in found))


def divided(texts: Sequence[Text], *, seed: int = 0) -> Parts:
    """Documents in three parts (80, 10 and 10 of a hundred) that have no sentence in common."""
    order = list(texts)
    random.Random(seed).shuffle(order)
    ends = (round(_PARTS[0] * len(order)), round((_PARTS[0] + _PARTS[1]) * len(order)))
    seen: set[str] = set()
    parts = []
    for part in (order[: ends[0]], order[ends[0] : ends[1]], order[ends[1] :]):
        kept = tuple(_without(text, seen) for text in part)
        seen.update(fingerprint(one) for text in kept for one in text.sentences if one is not None)
        parts.append(kept)
    return Parts(*parts)


def drawn(texts: Sequence[Text], count: int, *, seed: int = 0) -> tuple[Pair, ...]:
    """About `count` pairs with the shares of appendix B, none twice; fewer when there are not enough neighbours.

    >>> texts = [Text(f"d{d}", tuple(f"text {d} says thing {i} of nine in all" for i in range(9))) for d in range(4)]
    >>> sorted(kinds(drawn(texts, 40)).items())
    [('adjacent', 20), ('earlier', 4), ('elsewhere', 10), ('later', 4), ('repeated', 2)]
    """
    rng = random.Random(seed)
    wanted = round(count * SHARES["adjacent"])
    texts = _enough(texts, wanted, seed)
    neighbours = [(text, place) for text in texts for place in _before_another(text)]
    if not neighbours or len(texts) < 2:  # a pair from elsewhere needs two
        raise DataError("pairs need at least two documents with two sentences in a row")
    rng.shuffle(neighbours)
    adjacent = neighbours[:wanted]
    total = len(adjacent) / SHARES["adjacent"]
    pairs = [Pair(_at(text, place), _at(text, place + 1), "adjacent") for text, place in adjacent]
    seen = {(pair.first, pair.second) for pair in pairs}
    makers: dict[Kind, Callable[[], Pair | None]] = {
        "repeated": lambda: _repeated(*rng.choice(neighbours), rng),
        "elsewhere": lambda: _elsewhere(neighbours, rng),
        "later": lambda: _far(*rng.choice(neighbours), rng, "later"),
        "earlier": lambda: _far(*rng.choice(neighbours), rng, "earlier"),
    }
    for kind, make in makers.items():
        pairs.extend(_distinct(make, round(total * SHARES[kind]), seen))
    rng.shuffle(pairs)
    return tuple(pairs)


def kinds(pairs: Iterable[Pair]) -> Counter[Kind]:
    """How many pairs there are of each kind."""
    return Counter(pair.kind for pair in pairs)


def with_words_deleted(sentence: str, rng: random.Random) -> str:
    """A sentence without a random quarter of its words.

    >>> with_words_deleted("one two three four", random.Random(1))
    'one three four'
    """
    words = sentence.split()
    gone = set(rng.sample(range(len(words)), round(DELETED * len(words))))
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def _fit(sentence: str) -> bool:
    # Chinese has no spaces; its sentences are measured in pairs of letters.
    size = max(len(sentence.split()), sum(letter > "\u2e7f" for letter in sentence) // 2)
    return _SHORTEST <= size <= _LONGEST


def _without(text: Text, seen: set[str]) -> Text:
    return Text(text.name, tuple(one if one and fingerprint(one) not in seen else None for one in text.sentences))


def _before_another(text: Text) -> list[int]:
    """The places whose sentence has a neighbour after it."""
    return [place for place in text.known if place + 1 in text.known]


def _enough(texts: Sequence[Text], wanted: int, seed: int) -> Sequence[Text]:
    """Only as many documents as have the neighbours wanted, so that no more sentences than needed are encoded."""
    if sum(len(_before_another(text)) for text in texts) <= wanted:
        return texts
    order = list(texts)
    random.Random(f"documents {seed}").shuffle(order)
    found = 0
    for number, text in enumerate(order, start=1):
        found += len(_before_another(text))
        if found >= wanted and number > 1:
            return order[:number]
    return order


def _at(text: Text, place: int) -> str:
    return text.sentences[place] or ""  # only known places are asked for


def _distinct(make: Callable[[], Pair | None], count: int, seen: set[tuple[str, str]]) -> Iterator[Pair]:
    """Up to `count` new pairs; gives up when the documents are too few or too short to find more."""
    left = _TRIES * max(count, 1)
    while count and left:
        left -= 1
        pair = make()
        if pair is not None and (pair.first, pair.second) not in seen and pair.first != pair.second:
            seen.add((pair.first, pair.second))
            count -= 1
            yield pair


def _repeated(text: Text, place: int, rng: random.Random) -> Pair | None:
    sentence = _at(text, place)
    if len(sentence.split()) < _REPEATABLE:
        return None
    return Pair(sentence, with_words_deleted(sentence, rng), "repeated")


def _elsewhere(places: Sequence[tuple[Text, int]], rng: random.Random) -> Pair | None:
    (one, first), (other, second) = rng.choice(places), rng.choice(places)
    return None if one is other else Pair(_at(one, first), _at(other, second), "elsewhere")


def _far(text: Text, place: int, rng: random.Random, kind: Literal["later", "earlier"]) -> Pair | None:
    places = [other for other in text.known if (other - place if kind == "later" else place - other) >= FAR]
    return Pair(_at(text, place), _at(text, rng.choice(places)), kind) if places else None
