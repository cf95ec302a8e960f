"""When are the units of two people one? `python -m bench.figures.same_units` measures the threshold of `unit-writing`.

People of REALSumm and of RoSE wrote the units of eight references without knowing of each other; `same_units.toml` says
by position which of them state the same fact. As writers rarely find all the same facts, each time half of either's
units are drawn. The other pairs are those of a machine's unit and a person's, as where one rater takes a suggestion
that another writes.
"""

from __future__ import annotations

import random
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.figures.page import Table, figure
from bench.figures.runs import records
from gistmeter.annotate.tasks.unit_matching import SAME_OVERLAP, RaterUnit, match_units
from gistmeter.example import Unit
from gistmeter.units.mix import assign_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = Path(__file__).with_suffix(".toml")
THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
DRAWS = 200
TITLE = "When two units are one"
_TEXT = f"""Precision, recall and F1 of the pairs of units that are taken for one, by the F1 of words from which they
are: two people's units of eight references, half of each drawn {DRAWS} times, chosen on the first four references,
reported on the others; and of a machine's unit with a person's, how many of the pairs that would be taken for one
state the same, a part of each other, or something else."""


class Matches(NamedTuple):
    """Pairs of units that were taken for one, and those that state the same."""

    right: int
    wrong: int
    all_same: int

    @property
    def precision(self) -> float:
        """The share of pairs that state the same, of those taken for one."""
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of pairs that were taken for one, of those that state the same."""
        return self.right / self.all_same

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.precision * self.recall / (self.precision + self.recall)


@cache
def read_labels() -> dict[str, Any]:
    """Which units state the same fact, by position."""
    return tomllib.loads(LABELS.read_text("utf-8"))


@cache
def read_documents() -> dict[str, dict[str, Any]]:
    """The documents of REALSumm, with people's units and a machine's."""
    return {record["doc_id"]: record for record in records("realsumm/documents.jsonl.gz")}


@cache
def read_rose() -> dict[int, list[str]]:
    """The units that people of RoSE wrote, by reference."""
    return {record["id"]: record["scus"] for record in records("rose/reference_units.jsonl.gz")}


def place_units(texts: Sequence[str], doc_id: str, rater: str) -> list[RaterUnit]:
    """Units with the sentences that they are of."""
    units = assign_sentences(
        [Unit(text) for text in texts], read_documents()[doc_id]["reference_sentences"], document=doc_id
    )
    return [RaterUnit(unit.text, rater, unit.sentence or 0, 0) for unit in units]


def match_people(half: int, threshold: float) -> Matches:
    """Units of two people, each time half of what either wrote."""
    right = wrong = all_same = 0
    for reference in read_labels()["people"]:
        if reference["half"] != half:
            continue
        doc_id = reference["realsumm"]
        texts = {"realsumm": read_documents()[doc_id]["scus"], "rose": read_rose()[reference["rose"]]}
        units = {rater: dict(enumerate(place_units(written, doc_id, rater))) for rater, written in texts.items()}
        same = {tuple(pair) for pair in reference["same"]}
        unclear = {tuple(pair) for pair in reference["unclear"]}
        for draw in range(DRAWS):
            rng = random.Random(f"{doc_id} {draw}")
            drawn = {
                (rater, number): unit
                for rater, written in units.items()
                for number, unit in written.items()
                if rng.random() < 0.5
            }
            positions = {id(unit): number for (_, number), unit in drawn.items()}
            taken = set()
            for matched in match_units(list(drawn.values()), least_overlap=threshold):
                pair = sorted(matched.wordings, key=lambda unit: unit.rater)
                if len(pair) == 2:
                    taken.add((positions[id(pair[0])], positions[id(pair[1])]))
            right += len(taken & same)
            wrong += len(taken - same - unclear)
            all_same += sum(("realsumm", left) in drawn and ("rose", other) in drawn for left, other in same)
    return Matches(right, wrong, all_same)


def match_machine(kind: str, threshold: float) -> int:
    """How many pairs of this kind are taken for one, of a machine's unit and a person's."""
    count = 0
    for doc_id, unit, suggestion in read_labels()["machine"][kind]:
        document = read_documents()[doc_id]
        person, machine = document["scus"][unit], document["stus"][suggestion]
        pair = [RaterUnit(person, "person", 0, 0), RaterUnit(machine, "machine", 0, 0)]
        count += len(match_units(pair, least_overlap=threshold)) == 1
    return count


def measure_thresholds() -> Table:
    """A row for each threshold."""
    rows: list[list[str | float | None]] = []
    for threshold in THRESHOLDS:
        chosen, reported = match_people(1, threshold), match_people(2, threshold)
        rows.append(
            [
                figure(threshold, 2) + (" (used)" if threshold == SAME_OVERLAP else ""),
                *(figure(value) for half in (chosen, reported) for value in (half.precision, half.recall, half.f1)),
                *(str(match_machine(kind, threshold)) for kind in ("same", "unclear", "different")),
            ]
        )
    people = [f"{name}, {half}" for half in ("chosen on", "reported") for name in ("precision", "recall", "F1")]
    return Table(TITLE, _TEXT, ("F1 of words", *people, "machine: same", "a part", "different"), rows)


if __name__ == "__main__":
    print(measure_thresholds())
