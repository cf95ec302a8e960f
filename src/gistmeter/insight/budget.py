"""The budget of a pyramid: how much agreement with people is lost when a machine cuts the units of more sentences.

Lite2.xPyramid's curve (Zhang and Bansal, 2021, Fig. 2 and 4). Every unit, by people and by machine, is judged once;
the curve then mixes them at every share, by easiness and, to compare, at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError
from gistmeter.text.languages import language_code
from gistmeter.units.easiness import predict_easiness_by_document
from gistmeter.units.mix import assign_sentences, choose_easiest
from gistmeter.units.references import extract_reference_units, iterate_documents, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit
    from gistmeter.stats.correlation import Coefficient, Level, Undefined

    Taken = Collection[tuple[str, int]]

SHARES = tuple(step / 10 for step in range(11))


class Judging(Protocol):
    """Whoever says how far summaries state units, such as `gistmeter.units.judge.UnitJudge`."""

    def judge_units(self, examples: Sequence[Example], units: Sequence[Sequence[Unit]]) -> list[FloatArray]:
        """For each example a number from 0 to 1 for each of its units."""
        ...


@dataclass(frozen=True, slots=True)
class BudgetPoint:
    """One share: what is left to people, and the agreement that remains."""

    share: float
    sentences: int
    """Reference sentences whose units people still write."""
    units: int
    """Units that people write for them."""
    chosen: float
    """Correlation with people when a regressor chooses the sentences for the machine."""
    random: float
    """The mean correlation when chance does."""
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Budget:
    """A budget curve and how it was measured."""

    points: tuple[BudgetPoint, ...]
    level: Level
    coefficient: Coefficient
    draws: int


def budget(
    examples: Sequence[Example],
    judge: Judging,
    *,
    shares: Sequence[float] = SHARES,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "zero",
    regressor: str = EMBEDDED,
    trees: str = EMBEDDED,
    source: str = EMBEDDED,
    coreference: bool = True,
    draws: int = 5,
    seed: int = 0,
) -> Budget:
    """The curve of a run whose units people wrote and labelled; what people found is what is agreed with."""
    judged = JudgedRun.of(examples, judge, source=source, coreference=coreference)
    languages = {one.doc_id: one.language for one in examples}
    easy = predict_easiness_by_document(judged.sentences, languages, regressor=regressor, parser=trees)
    rng = np.random.default_rng(seed)

    def agreement(taken: Taken) -> float:
        scores = judged.scores(taken)
        found = stats.correlate(scores, judged.people, level=level, coefficient=coefficient, undefined=undefined)
        return found.value

    points = []
    for share in shares:
        taken = choose_easiest(easy, share)
        drawn = [
            agreement(choose_easiest({key: rng.random(len(some)) for key, some in easy.items()}, share))
            for _ in range(draws)
        ]
        left = [unit for key, units in judged.by_people.items() for unit in units if (key, unit.sentence) not in taken]
        count = sum(map(len, judged.sentences.values())) - len(taken)
        points.append(
            BudgetPoint(
                share, count, len(left), agreement(taken), float(np.mean(drawn)), float(min(drawn)), float(max(drawn))
            )
        )
    return Budget(tuple(points), level, coefficient, draws)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The units of a run, by people and by machine, and how far each summary states each."""

    examples: tuple[Example, ...]
    sentences: dict[str, list[str]]
    by_people: dict[str, tuple[Unit, ...]]
    by_machine: dict[str, tuple[Unit, ...]]
    said: dict[tuple[str, str], tuple[FloatArray, FloatArray]]
    """By document and system: the judgments of people's units, and of the machine's."""

    @classmethod
    def of(
        cls, examples: Sequence[Example], judge: Judging, *, source: str = EMBEDDED, coreference: bool = True
    ) -> JudgedRun:
        """Judge the units of both kinds; people must have labelled theirs."""
        for example in examples:
            if not example.units or any(unit.present is None for unit in example.units):
                raise DataError(f"{example.name} has no content units with labels: the curve needs them (--units)")
        documents = {one.doc_id: one for one in iterate_documents(examples)}
        codes = {key: language_code(one.language) for key, one in documents.items()}
        sentences = {key: split_references(one.references, codes[key]) for key, one in documents.items()}
        people = {key: assign_sentences(one.units, sentences[key], document=key) for key, one in documents.items()}
        machine = {
            key: extract_reference_units(one.references, codes[key], source=source, coreference=coreference)
            for key, one in documents.items()
        }
        mine = judge.judge_units(examples, [people[one.doc_id] for one in examples])
        theirs = judge.judge_units(examples, [machine[one.doc_id] for one in examples])
        said = {(one.doc_id, one.system): both for one, *both in zip(examples, mine, theirs, strict=True)}
        return cls(tuple(examples), sentences, people, machine, {key: (a, b) for key, (a, b) in said.items()})

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order: the rows of the tables."""
        return sorted({one.system for one in self.examples})

    @property
    def people(self) -> FloatArray:
        """What people found: systems x documents."""
        table = np.full((len(self.systems), len(self.sentences)), np.nan)
        rows, columns = self._places()
        for one in self.examples:
            weights = np.array([unit.weight for unit in one.units])
            present = np.array([bool(unit.present) for unit in one.units])
            if weights.any():
                table[rows[one.system], columns[one.doc_id]] = present @ weights / weights.sum()
        return table

    def scores(self, taken: Taken) -> FloatArray:
        """The mixed metric: systems x documents."""
        table = np.full((len(self.systems), len(self.sentences)), np.nan)
        rows, columns = self._places()
        for key in self.sentences:
            mine, theirs = (
                np.array([unit.weight * (((key, unit.sentence) in taken) is machine) for unit in units])
                for units, machine in ((self.by_people[key], False), (self.by_machine[key], True))
            )
            total = mine.sum() + theirs.sum()
            if not total:
                continue
            for system in self.systems:
                if (key, system) in self.said:
                    ours, cut = self.said[key, system]
                    table[rows[system], columns[key]] = (ours @ mine + cut @ theirs) / total
        return table

    def _places(self) -> tuple[dict[str, int], dict[str, int]]:
        return (
            {system: row for row, system in enumerate(self.systems)},
            {key: column for column, key in enumerate(self.sentences)},
        )
