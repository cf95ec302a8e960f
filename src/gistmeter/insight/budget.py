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
    from gistmeter.units.references import Coreference

    MachineSentences = Collection[tuple[str, int]]
    """The reference sentences whose units a machine cuts: document and number of the sentence."""

SHARES = tuple(step / 10 for step in range(11))


class JudgesUnits(Protocol):
    """What says how far summaries state units, such as `gistmeter.units.judge.UnitJudge`."""

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


def measure_budget(
    examples: Sequence[Example],
    judge: JudgesUnits,
    *,
    shares: Sequence[float] = SHARES,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "zero",
    regressor: str = EMBEDDED,
    trees: str = EMBEDDED,
    source: str = EMBEDDED,
    coreference: Coreference = "confident",
    draws: int = 5,
    seed: int = 0,
) -> Budget:
    """The curve of a run whose units people wrote and labelled.

    At each of the `shares` a machine cuts the units of so many reference sentences: those that the `regressor` finds
    easiest, or, `draws` times, sentences drawn at random with `seed`. The score is the mean judgment of the mixed
    units by `judge`; it is correlated with what people found in the summaries, by `coefficient` at `level`.
    """
    run = RunJudgments.judge(examples, judge, source=source, coreference=coreference)
    languages = {example.doc_id: example.language for example in examples}
    easiness = predict_easiness_by_document(run.sentences, languages, run.by_machine, regressor=regressor, parser=trees)
    rng = np.random.default_rng(seed)

    def correlate(by_machine: MachineSentences) -> float:
        scores = run.score_mix(by_machine)
        return stats.correlate(scores, run.people, level=level, coefficient=coefficient, undefined=undefined).value

    people_units = [(key, unit.sentence) for key, units in run.by_people.items() for unit in units]
    points = []
    for share in shares:
        easiest = choose_easiest(easiness, share)
        at_random = [
            correlate(choose_easiest({key: rng.random(len(values)) for key, values in easiness.items()}, share))
            for _ in range(draws)
        ]
        points.append(
            BudgetPoint(
                share=share,
                sentences=sum(map(len, run.sentences.values())) - len(easiest),
                units=sum(unit_key not in easiest for unit_key in people_units),
                chosen=correlate(easiest),
                random=float(np.mean(at_random)),
                low=float(min(at_random)),
                high=float(max(at_random)),
            )
        )
    return Budget(points=tuple(points), level=level, coefficient=coefficient, draws=draws)


@dataclass(frozen=True, slots=True)
class RunJudgments:
    """The units of a run, by people and by machine, and how far each summary states each."""

    examples: tuple[Example, ...]
    sentences: dict[str, list[str]]
    """The reference sentences of each document."""
    by_people: dict[str, tuple[Unit, ...]]
    by_machine: dict[str, tuple[Unit, ...]]
    judgments: dict[tuple[str, str], tuple[FloatArray, FloatArray]]
    """By document and system: the judgments of people's units, and of the machine's."""

    @classmethod
    def judge(
        cls,
        examples: Sequence[Example],
        judge: JudgesUnits,
        *,
        source: str = EMBEDDED,
        coreference: Coreference = "confident",
    ) -> RunJudgments:
        """Judge the units of both kinds; people must have labelled theirs."""
        for example in examples:
            if not example.units or any(unit.present is None for unit in example.units):
                raise DataError(f"{example.name} has no content units with labels: the curve needs them (`units=`)")
        documents = {document.doc_id: document for document in iterate_documents(examples)}
        codes = {key: language_code(document.language) for key, document in documents.items()}
        sentences = {key: split_references(document.references, codes[key]) for key, document in documents.items()}
        by_people = {
            key: assign_sentences(document.units, sentences[key], document=key) for key, document in documents.items()
        }
        by_machine = {
            key: extract_reference_units(document.references, codes[key], source=source, coreference=coreference)
            for key, document in documents.items()
        }
        of_people = judge.judge_units(examples, [by_people[example.doc_id] for example in examples])
        of_machine = judge.judge_units(examples, [by_machine[example.doc_id] for example in examples])
        judgments = {
            (example.doc_id, example.system): (people, machine)
            for example, people, machine in zip(examples, of_people, of_machine, strict=True)
        }
        return cls(
            examples=tuple(examples),
            sentences=sentences,
            by_people=by_people,
            by_machine=by_machine,
            judgments=judgments,
        )

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order: the rows of the tables."""
        return sorted({example.system for example in self.examples})

    @property
    def people(self) -> FloatArray:
        """The share of units that people found: systems x documents."""
        table = np.full((len(self.systems), len(self.sentences)), np.nan)
        rows, columns = self._number_systems(), self._number_documents()
        for example in self.examples:
            weights = np.array([unit.weight for unit in example.units])
            present = np.array([bool(unit.present) for unit in example.units])
            if weights.any():
                table[rows[example.system], columns[example.doc_id]] = present @ weights / weights.sum()
        return table

    def score_mix(self, by_machine: MachineSentences) -> FloatArray:
        """The metric with the machine's units for some sentences and people's for the rest: systems x documents."""
        table = np.full((len(self.systems), len(self.sentences)), np.nan)
        rows, columns = self._number_systems(), self._number_documents()
        for key in self.sentences:
            people_weights, machine_weights = (
                np.array([unit.weight * (((key, unit.sentence) in by_machine) is is_machine) for unit in units])
                for units, is_machine in ((self.by_people[key], False), (self.by_machine[key], True))
            )
            total = people_weights.sum() + machine_weights.sum()
            if not total:
                continue
            for system in self.systems:
                if (key, system) in self.judgments:
                    of_people, of_machine = self.judgments[key, system]
                    score = (of_people @ people_weights + of_machine @ machine_weights) / total
                    table[rows[system], columns[key]] = score
        return table

    def _number_systems(self) -> dict[str, int]:
        return {system: row for row, system in enumerate(self.systems)}

    def _number_documents(self) -> dict[str, int]:
        return {key: column for column, key in enumerate(self.sentences)}
