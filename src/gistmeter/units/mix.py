"""Mixing: units by machine for the sentences that are easy to cut, units by people for the others (section 3.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.units.overlap import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from gistmeter.example import Unit

    Key = TypeVar("Key")


def placed(units: Sequence[Unit], sentences: Sequence[str], *, of: str) -> tuple[Unit, ...]:
    """The units `of` a document, each with its sentence: its own, or the most similar one where it names none.

    >>> from gistmeter.example import Unit
    >>> sentences = ["It had rained.", "Ann Lee won."]
    >>> [unit.sentence for unit in placed([Unit("Ann won."), Unit("It rained.")], sentences, of="d")]
    [1, 0]
    """
    for unit in units:
        if unit.sentence is not None and unit.sentence >= len(sentences):
            raise DataError(
                f"the content unit {unit.text!r} of document {of} names sentence {unit.sentence}, but its references "
                f"have {len(sentences)} (counted from 0)"
            )
    if not sentences:
        return tuple(units)
    return tuple(
        unit if unit.sentence is not None else replace(unit, sentence=nearest(unit.text, sentences)[0])
        for unit in units
    )


def easiest(easiness: Mapping[Key, Sequence[float] | NDArray[np.float64]], share: float) -> frozenset[tuple[Key, int]]:
    """The share of all sentences that is easiest, as (document, sentence); of equals the earlier ones.

    Their number is rounded to the nearest whole one, from a half to the even one.

    >>> sorted(easiest({"a": [0.9, 0.2], "b": [0.5, 0.7]}, 0.5))
    [('a', 0), ('b', 1)]
    """
    ranked = sorted(
        ((key, place) for key, values in easiness.items() for place in range(len(values))),
        key=lambda one: -easiness[one[0]][one[1]],
    )
    return frozenset(ranked[: round(share * len(ranked))])


def mixed(people: Sequence[Unit], machine: Sequence[Unit], taken: Collection[int]) -> tuple[Unit, ...]:
    """The units by machine of the sentences taken and those by people of the others, in the order of sentences.

    >>> from gistmeter.example import Unit
    >>> people = [Unit("a", sentence=0), Unit("b", sentence=1)]
    >>> [unit.text for unit in mixed(people, [Unit("A", sentence=0), Unit("B", sentence=1)], {1})]
    ['a', 'B']
    """
    kept = [unit for unit in people if unit.sentence not in taken]
    kept += [unit for unit in machine if unit.sentence in taken]
    return tuple(sorted(kept, key=lambda unit: -1 if unit.sentence is None else unit.sentence))
