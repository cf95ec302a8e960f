"""Pairs to train and test the presence judge on: runs whose units carry people's labels, as features by document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.folds import By, deal_into_folds, read_folds
from gistmeter.models.presence.features import UnitFeatures, compare_units, measure_context
from gistmeter.models.presence.texts import DescribedText, describe_texts
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.example import Example

    Progress = Callable[[str, int, int], None]

FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The summaries of one document that were judged on the same units, with the features of every pair."""

    source: str
    doc_id: str
    systems: tuple[str, ...]
    units: tuple[str, ...]
    labels: SingleArray
    """Summaries x units."""

    compared: tuple[UnitFeatures, ...]
    context: SingleArray

    @property
    def recall(self) -> FloatArray:
        """For each summary the share of units that people found in it."""
        return np.asarray(self.labels.mean(axis=1, dtype=np.float64))

    def of(self, systems: Iterable[str]) -> Group:
        """The same with the summaries of some systems alone."""
        wanted = set(systems)
        rows = [row for row, system in enumerate(self.systems) if system in wanted]
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows),
            labels=self.labels[rows],
            compared=tuple(self.compared[row] for row in rows),
            context=self.context[rows],
        )


def grouped(
    source: str,
    examples: Iterable[Example],
    *,
    read: Callable[[Sequence[str]], Mapping[str, DescribedText]] = describe_texts,
    progress: Progress | None = None,
) -> list[Group]:
    """The examples of one run by document and units, each text described once."""
    together: dict[tuple[str, tuple[str, ...]], list[Example]] = {}
    for example in examples:
        _check(example)
        together.setdefault((example.doc_id, tuple(unit.text for unit in example.units)), []).append(example)
    groups = []
    for done, ((doc_id, units), some) in enumerate(together.items(), start=1):
        known = read([*units, *(text for one in some for text in (one.summary, _reference(one)))])
        kept = [one for one in some if len(known[one.summary])]
        if kept:
            groups.append(
                Group(
                    source=source,
                    doc_id=doc_id,
                    systems=tuple(one.system for one in kept),
                    units=units,
                    labels=np.array([[bool(unit.present) for unit in one.units] for one in kept], np.float32),
                    compared=tuple(compare_units(known[one.summary], [known[unit] for unit in units]) for one in kept),
                    context=np.stack([measure_context(known[one.summary], known[_reference(one)]) for one in kept]),
                )
            )
        if progress is not None:
            progress(f"reading {source}", done, len(together))
    if not groups:
        raise DataError(f"{source} has no summaries with labelled units")
    return groups


def _check(example: Example) -> None:
    if not example.units:
        raise DataError(f"{example.name} has no content units: give them in the run or with `units=`")
    for number, unit in enumerate(example.units, start=1):
        if unit.present is None:
            raise DataError(f"unit {number} of {example.name} has no label: people must have judged it")
        if not has_words(unit.text):
            raise DataError(f"unit {number} of {example.name} has no text")
    if not _reference(example).strip():
        raise DataError(f"{example.name} has no reference, from which its units come")


def _reference(example: Example) -> str:
    return "\n".join(example.references)


@dataclass(frozen=True, slots=True)
class Folds:
    """Five parts of the documents and of the systems, each held out once."""

    examples: tuple[frozenset[str], ...]
    systems: tuple[frozenset[str], ...]

    def held_out(self, by: By, fold: int, groups: Sequence[Group]) -> list[Group]:
        """What is tested on when a fold is held out."""
        if by == "examples":
            return [group for group in groups if group.doc_id in self.examples[fold]]
        return [part for group in groups if (part := group.of(self.systems[fold])).systems]

    def learned(self, by: By, fold: int, groups: Sequence[Group]) -> list[Group]:
        """What is learned from then."""
        if by == "examples":
            return [group for group in groups if group.doc_id not in self.examples[fold]]
        return [part for group in groups if (part := group.of(set(group.systems) - self.systems[fold])).systems]


def folds_of(groups: Sequence[Group], file: str | None = None, *, seed: int = 0) -> Folds:
    """The folds of a file (`by_examples`, `by_systems`: lists of ids); what it does not name is dealt at random.

    Each run is dealt for itself, so that every fold has as much of each.
    """
    parts = []
    ways: tuple[tuple[By, Callable[[Iterable[Group]], list[str]]], ...] = (
        ("examples", _documents),
        ("systems", _systems),
    )
    for by, ids_of in ways:
        folds = read_folds(file, by, open_=FOLDS) if file is not None else ((),) * FOLDS
        for source in dict.fromkeys(group.source for group in groups):
            folds = deal_into_folds(folds, ids_of(group for group in groups if group.source == source), seed=seed)
        parts.append(tuple(map(frozenset, folds)))
    return Folds(*parts)


def _documents(groups: Iterable[Group]) -> list[str]:
    return list(dict.fromkeys(group.doc_id for group in groups))


def _systems(groups: Iterable[Group]) -> list[str]:
    return sorted({system for group in groups for system in group.systems})
