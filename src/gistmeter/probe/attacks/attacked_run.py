"""A run under attack: each summary beside what each attack makes of it, and what could not be attacked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.probe.attacks.registry import AttackTarget, find_attacks, list_attacks, seed_generator
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example
    from gistmeter.probe.attacks.registry import Attack, AttackNeed

_LACK: dict[AttackNeed, str] = {
    "document": "the run has no documents",
    "other documents": "the run has one document only",
}


@dataclass(frozen=True, slots=True)
class AttackedSummary:
    """A summary under one attack: its place among the clean ones, and the changed one among all that are scored."""

    clean: int
    changed: int


@dataclass(frozen=True, slots=True)
class AttackedRun:
    """Clean summaries, changed ones (each text of a document once), and which is which."""

    attacks: tuple[Attack, ...]
    clean: tuple[Example, ...]
    changed: tuple[Example, ...]
    pairs: dict[str, tuple[AttackedSummary, ...]]
    """By attack, the summaries that it could be made of."""
    left_out: tuple[str, ...]
    """Sentences on attacks that the run has not what it takes for."""


def attack_run(
    examples: Iterable[Example],
    names: Iterable[str] | None = None,
    *,
    systems: Sequence[str] | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> AttackedRun:
    """Each summary under each attack: those of these names, or all that the run has what it takes for.

    `systems` are those to attack, `sample` is a number of documents to draw; None takes all.
    """
    everything = list_attacks() if names is None else find_attacks(names)
    clean = choose_documents(_choose_systems(list(examples), systems), sample, seed)
    present = _list_what_is_there(clean)
    attacks = tuple(attack for attack in everything if attack.needs <= present)
    lacking = [attack for attack in everything if not attack.needs <= present]
    if lacking and names is not None:
        reason = _LACK[next(iter(sorted(lacking[0].needs - present)))]
        raise DataError(f"{lacking[0].name} cannot be tried: {reason}; leave it out, or give {_describe(lacking[0])}")
    numbers: dict[Example, int] = {}
    pairs: dict[str, tuple[AttackedSummary, ...]] = {}
    others = _group_summaries(clean)
    for attack in attacks:
        changed_pairs = []
        for position, example in enumerate(clean):
            others_of_system = tuple(text for doc, text in others[example.system] if doc != example.doc_id)
            text = attack.change(AttackTarget(example, others_of_system, seed_generator(seed, attack.name, example)))
            if text is not None and text != example.summary:
                number = numbers.setdefault(_change_summary(example, text), len(numbers))
                changed_pairs.append(AttackedSummary(position, number))
        pairs[attack.name] = tuple(changed_pairs)
    return AttackedRun(
        attacks=attacks,
        clean=tuple(clean),
        changed=tuple(replace(example, system=f"attack {number + 1}") for example, number in numbers.items()),
        pairs=pairs,
        left_out=tuple(_note_lacking(lacking, present)),
    )


def _describe(attack: Attack) -> str:
    return "a run with `document`" if "document" in attack.needs else "a run of several documents"


def _change_summary(example: Example, text: str) -> Example:
    """The example with another summary, for whichever system; what people said of the summary no longer holds."""
    units = tuple(replace(unit, present=None) for unit in example.units)
    return replace(example, document=None, system="", summary=text, units=units)


def _choose_systems(examples: list[Example], systems: Sequence[str] | None) -> list[Example]:
    if not examples:
        raise DataError("there are no summaries in the run")
    if systems is None:
        return examples
    present = dict.fromkeys(example.system for example in examples)
    for system in systems:
        if system not in present:
            listed = join_names(list(present))
            raise DataError(f"there is no system {system!r}{suggestion(system, present)} (there is {listed})")
    return [example for example in examples if example.system in systems]


def choose_documents(examples: list[Example], sample: int | None, seed: int) -> list[Example]:
    """The summaries of documents that are drawn; all when `sample` is None."""
    if sample is None:
        return examples
    if sample < 1:
        raise ArgumentError(f"`sample` is a number of documents, 1 or more, not {sample}")
    documents = list(dict.fromkeys(example.doc_id for example in examples))
    drawn = np.random.default_rng(seed).permutation(len(documents))[:sample]
    chosen = {documents[position] for position in drawn}
    return [example for example in examples if example.doc_id in chosen]


def _list_what_is_there(examples: Sequence[Example]) -> frozenset[AttackNeed]:
    present: set[AttackNeed] = set()
    if any(example.documents for example in examples):
        present.add("document")
    if len({example.doc_id for example in examples}) > 1:
        present.add("other documents")
    return frozenset(present)


def _group_summaries(examples: Sequence[Example]) -> dict[str, list[tuple[str, str]]]:
    """Documents and summaries of each system."""
    grouped: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for example in examples:
        grouped[example.system].append((example.doc_id, example.summary))
    return grouped


def _note_lacking(lacking: Sequence[Attack], present: frozenset[AttackNeed]) -> list[str]:
    names_by_reason: dict[str, list[str]] = defaultdict(list)
    for attack in lacking:
        names_by_reason[_LACK[min(attack.needs - present)]].append(attack.name)
    return [
        f"{', '.join(names)}: left out, as {reason} ({format_count(len(names), 'attack')})"
        for reason, names in names_by_reason.items()
    ]
