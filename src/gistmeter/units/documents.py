"""Content units of whole runs: cut from references, mixed with people's, and judged in summaries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.units import unit_record
from gistmeter.io.writing import record_of
from gistmeter.text.languages import language_code
from gistmeter.units.easiness import easiness_of
from gistmeter.units.mix import easiest, mixed, placed
from gistmeter.units.references import reference_units
from gistmeter.units.splitting import reference_sentences
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.example import Example, Unit
    from gistmeter.units.judge import Judge

_AT_ONCE = 256
_HALF = 0.5


def extracted(
    examples: Iterable[Example], *, source: str = EMBEDDED, coreference: bool = True
) -> dict[str, tuple[Unit, ...]]:
    """The triplet units of the references of each document."""
    found: dict[str, tuple[Unit, ...]] = {}
    for example in by_document(examples):
        code = language_code(example.language)
        found[example.doc_id] = reference_units(example.references, code, source=source, coreference=coreference)
    return found


@dataclass(frozen=True, slots=True)
class Mixed:
    """Units by document, and how many sentences gave units by machine and how many by people."""

    units: Mapping[str, tuple[Unit, ...]]
    machine: int
    people: int


def mixed_units(
    examples: Iterable[Example],
    share: float,
    *,
    regressor: str = EMBEDDED,
    trees: str = EMBEDDED,
    source: str = EMBEDDED,
    coreference: bool = True,
) -> Mixed:
    """People's units with those of the easiest share of all sentences replaced by units cut by machine."""
    documents = {example.doc_id: example for example in by_document(examples)}
    sentences = {
        key: reference_sentences(one.references, language_code(one.language)) for key, one in documents.items()
    }
    languages = {key: one.language for key, one in documents.items()}
    taken = easiest(easiness_of(sentences, languages, regressor=regressor, parser=trees), share)
    by_machine: dict[str, set[int]] = {key: set() for key in documents}
    for key, sentence in taken:
        by_machine[key].add(sentence)
    units = {}
    for key, one in documents.items():
        if not one.units:
            raise DataError(f"document {key} has no content units: give those that people wrote with --units")
        code = language_code(one.language)
        machine = reference_units(one.references, code, source=source, coreference=coreference)
        units[key] = mixed(placed(one.units, sentences[key], of=key), machine, by_machine[key])
    total = sum(map(len, sentences.values()))
    return Mixed(units, len(taken), total - len(taken))


class Judged(NamedTuple):
    """An example and how far its summary states each of its units."""

    example: Example
    said: NDArray[np.float64]

    @property
    def record(self) -> dict[str, Any]:
        """The example as a record whose units say what the judge said: `present`, and the number as `score`."""
        units = [
            {**unit_record(unit), "present": bool(number > _HALF), "score": round(float(number), 6)}
            for unit, number in zip(self.example.units, self.said, strict=True)
        ]
        return {**record_of(self.example), "units": units}


def judged(
    examples: Sequence[Example], judge: Judge, advance: Callable[[int, int], None] | None = None
) -> Iterator[Judged]:
    """Judge the units that examples carry."""
    for start in range(0, len(examples), _AT_ONCE):
        some = examples[start : start + _AT_ONCE]
        for example in some:
            if not example.units:
                raise DataError(f"{example.name} has no content units to judge: give them with --units")
        yield from map(Judged, some, judge.judged(some, [example.units for example in some]))
        if advance is not None:
            advance(start + len(some), len(examples))


class Agreement(NamedTuple):
    """How often a judge and people say the same, and Cohen's kappa."""

    labels: int
    share: float
    kappa: float


def agreement(found: Iterable[Judged]) -> Agreement | None:
    """How far judgments agree with the labels of people; None where there are none."""
    pairs = [
        (bool(unit.present), number > _HALF)
        for example, said in found
        for unit, number in zip(example.units, said, strict=True)
        if unit.present is not None
    ]
    if not pairs:
        return None
    people, machine = np.array(pairs).T
    share = float((people == machine).mean())
    chance = float(people.mean() * machine.mean() + (1 - people.mean()) * (1 - machine.mean()))
    return Agreement(len(pairs), share, (share - chance) / (1 - chance) if chance < 1 else 1.0)


def by_document(examples: Iterable[Example]) -> Iterator[Example]:
    """The first example of each document that has references."""
    seen: set[str] = set()
    for example in examples:
        if example.doc_id not in seen:
            if not example.references:
                raise DataError(f"{example.name} has no references to take units from")
            seen.add(example.doc_id)
            yield example
