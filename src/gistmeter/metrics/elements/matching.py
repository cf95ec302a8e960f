"""Matching: which basic elements of a summary stand for which of its references, each at most once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.metrics.elements.extraction import Element
    from gistmeter.metrics.elements.transformations import Keys


class KeyedElement(NamedTuple):
    """An element and the keys that it matches by."""

    element: Element
    keys: Keys


@dataclass(frozen=True, slots=True)
class Pool:
    """The elements of all references, those that match taken as one, with what each weighs."""

    elements: list[KeyedElement]
    weights: list[float]


@dataclass(frozen=True, slots=True)
class MatchedElements:
    """Positions of matched elements: in the summary, in the pool."""

    pairs: list[tuple[int, int]]


def key_elements(elements: Sequence[Element], key: Callable[[Element], Keys]) -> list[KeyedElement]:
    """The elements of a text with their keys, each counted once: of equal ones the first."""
    distinct: dict[str, Element] = {}
    for element in elements:
        distinct.setdefault(str(element), element)
    return [KeyedElement(element, key(element)) for element in distinct.values()]


def pool_references(texts: Sequence[Sequence[KeyedElement]], weigh: Callable[[int], float]) -> Pool:
    """The elements of several texts, with the weight of the number of texts that have each."""
    elements: list[KeyedElement] = []
    counts: list[int] = []
    for text in texts:
        pool = Pool(elements, [1.0] * len(elements))
        partner_of = dict(match_elements(text, pool).pairs)
        for position, element in enumerate(text):
            if position in partner_of:
                counts[partner_of[position]] += 1
                own = elements[partner_of[position]]
                elements[partner_of[position]] = KeyedElement(own.element, own.keys | element.keys)
            else:
                elements.append(element)
                counts.append(1)
    return Pool(elements, [weigh(count) for count in counts])


def match_elements(summary: Sequence[KeyedElement], pool: Pool) -> MatchedElements:
    """A matching of the greatest weight: heavy elements of the pool find a partner first, by augmenting paths.

    Taking the elements of one side in the order of their weights, and never giving up one that has a partner, is
    exact where weights are of that side alone (a matroid).
    """
    positions_by_key: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, element in enumerate(summary):
        for key in element.keys:
            positions_by_key[key].append(position)
    options = [
        sorted({position for key in element.keys for position in positions_by_key.get(key, ())})
        for element in pool.elements
    ]
    # An element that is written alike is taken first, so that evidence shows it.
    texts = [str(element.element) for element in summary]
    for pooled, element in enumerate(pool.elements):
        own = str(element.element)
        options[pooled].sort(key=lambda position: texts[position] != own)
    partner: dict[int, int] = {}
    for pooled in sorted(range(len(pool.elements)), key=lambda pooled: (-pool.weights[pooled], len(options[pooled]))):
        _find_partner(pooled, options, partner)
    return MatchedElements(sorted(partner.items()))


def _find_partner(pooled: int, options: Sequence[Sequence[int]], partner: dict[int, int]) -> None:
    """Give an element of the pool a partner, if need be by moving others to further partners of theirs."""
    position_of = {held: position for position, held in partner.items()}
    reached_from: dict[int, int] = {}
    waiting = [pooled]
    for asking in waiting:
        for position in options[asking]:
            if position in reached_from:
                continue
            reached_from[position] = asking
            if position in partner:
                waiting.append(partner[position])
                continue
            freed = position
            while reached_from[freed] != pooled:  # back along the path: each moves on, and frees its place
                holder = reached_from[freed]
                partner[freed] = holder
                freed = position_of[holder]
            partner[freed] = pooled
            return
