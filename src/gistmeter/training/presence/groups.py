"""Labelled summaries to train and test the presence judge on: by document, with the features of every pair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.folds import FoldUnit, deal_into_folds, read_folds
from gistmeter.models.presence.combination import describe_conflicts
from gistmeter.models.presence.features import UnitFeatures, compare_units, measure_context
from gistmeter.models.presence.texts import DescribedText, describe_texts
from gistmeter.text.words import has_words
from gistmeter.training.progress import SILENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.example import Example
    from gistmeter.training.progress import Progress

FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabelledGroup:
    """The summaries of one document that were judged on the same units, with the features of every pair."""

    source: str
    doc_id: str
    systems: tuple[str, ...]
    units: tuple[str, ...]
    labels: SingleArray
    """Summaries x units."""

    compared: tuple[UnitFeatures, ...]
    context: SingleArray
    conflicts: SingleArray
    """Summaries x units x kinds: whether a unit is at odds with a summary."""

    @property
    def recall(self) -> FloatArray:
        """For each summary the share of units that people found in it."""
        return np.asarray(self.labels.mean(axis=1, dtype=np.float64))

    def select(self, systems: Iterable[str]) -> LabelledGroup:
        """The group with the summaries of some systems alone."""
        wanted = set(systems)
        rows = [row for row, system in enumerate(self.systems) if system in wanted]
        return replace(
            self,
            systems=tuple(self.systems[row] for row in rows),
            labels=self.labels[rows],
            compared=tuple(self.compared[row] for row in rows),
            context=self.context[rows],
            conflicts=self.conflicts[rows],
        )


def group_examples(
    source: str,
    examples: Iterable[Example],
    *,
    describe: Callable[[Sequence[str]], Mapping[str, DescribedText]] = describe_texts,
    progress: Progress = SILENCE,
) -> list[LabelledGroup]:
    """The examples of one run by document and units, each text described once."""
    by_units: dict[tuple[str, tuple[str, ...]], list[Example]] = {}
    for example in examples:
        _check(example)
        by_units.setdefault((example.doc_id, tuple(unit.text for unit in example.units)), []).append(example)
    groups = []
    for done, ((doc_id, units), judged) in enumerate(by_units.items(), start=1):
        described = describe([*units, *(text for example in judged for text in (example.summary, _reference(example)))])
        with_words = [example for example in judged if len(described[example.summary])]
        if with_words:
            groups.append(_group(source, doc_id, units, with_words, described))
        progress.advance(f"reading {source}", done, len(by_units))
    if not groups:
        raise DataError(f"{source} has no summaries with labelled units")
    return groups


def group_names(groups: Iterable[LabelledGroup]) -> list[str]:
    """The runs that the groups come from, in their order."""
    return list(dict.fromkeys(group.source for group in groups))


def _group(
    source: str,
    doc_id: str,
    units: tuple[str, ...],
    examples: Sequence[Example],
    described: Mapping[str, DescribedText],
) -> LabelledGroup:
    return LabelledGroup(
        source=source,
        doc_id=doc_id,
        systems=tuple(example.system for example in examples),
        units=units,
        labels=np.array([[bool(unit.present) for unit in example.units] for example in examples], np.float32),
        compared=tuple(
            compare_units(described[example.summary], [described[unit] for unit in units]) for example in examples
        ),
        context=np.stack(
            [measure_context(described[example.summary], described[_reference(example)]) for example in examples]
        ),
        conflicts=np.stack(
            [describe_conflicts([(example.summary, unit) for unit in units]) for example in examples]
        ).astype(np.float32),
    )


def _check(example: Example) -> None:
    if not example.units:
        raise DataError(f"{example.name} has no content units: give them in the run or in a file of units")
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
class PresenceFolds:
    """Five parts of the documents and of the systems, each held out once."""

    documents: tuple[frozenset[str], ...]
    systems: tuple[frozenset[str], ...]

    def select_held_out(self, by: FoldUnit, fold: int, groups: Sequence[LabelledGroup]) -> list[LabelledGroup]:
        """What is tested on when a fold is held out."""
        if by == "documents":
            return [group for group in groups if group.doc_id in self.documents[fold]]
        return [part for group in groups if (part := group.select(self.systems[fold])).systems]

    def select_remaining(self, by: FoldUnit, fold: int, groups: Sequence[LabelledGroup]) -> list[LabelledGroup]:
        """What is learned from when a fold is held out."""
        if by == "documents":
            return [group for group in groups if group.doc_id not in self.documents[fold]]
        return [part for group in groups if (part := group.select(set(group.systems) - self.systems[fold])).systems]


def deal_folds(groups: Sequence[LabelledGroup], file: str | None = None, *, seed: int = 0) -> PresenceFolds:
    """The folds of a file (`by_documents`, `by_systems`: lists of ids); what it does not name is dealt at random.

    Each run is dealt for itself, so that every fold has as much of each.
    """
    parts = []
    ways: tuple[tuple[FoldUnit, Callable[[Iterable[LabelledGroup]], list[str]]], ...] = (
        ("documents", _documents),
        ("systems", _systems),
    )
    for by, ids_of in ways:
        folds = read_folds(file, by, open_=FOLDS) if file is not None else ((),) * FOLDS
        for source in group_names(groups):
            folds = deal_into_folds(folds, ids_of(group for group in groups if group.source == source), seed=seed)
        parts.append(tuple(map(frozenset, folds)))
    return PresenceFolds(*parts)


def _documents(groups: Iterable[LabelledGroup]) -> list[str]:
    return list(dict.fromkeys(group.doc_id for group in groups))


def _systems(groups: Iterable[LabelledGroup]) -> list[str]:
    return sorted({system for group in groups for system in group.systems})
