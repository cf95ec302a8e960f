"""Content units of several raters: which of them say the same, and how far raters agree.

Raters word a fact differently. Units of one sentence by different raters are one unit where they share nearly all
their words and differ in no number and no name; whatever else says the same is for people to put together
(`unit-merging`). No two units of one rater become one: whoever wrote both meant two facts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from gistmeter.annotate.tasks.task import LonePart, MatchedAnswers
from gistmeter.units.overlap import measure_overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.annotate.tasks.task import GivenAnswer

SAME_OVERLAP = 0.65
"""Units with this F1 of their words, or more, are one (chosen by `python -m bench.figures.same_units`)."""

_WORD = re.compile(r"\w+")
_NUMBER_WITH_LETTERS = re.compile(r"(\d+)([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class RaterUnit:
    """A unit as one rater wrote or took it."""

    text: str
    rater: str
    sentence: int
    reference: int


@dataclass(frozen=True, slots=True)
class MatchedUnit:
    """A unit in the words of all who wrote it, the wording that is nearest to the others first."""

    wordings: tuple[RaterUnit, ...]

    def to_record(self) -> dict[str, Any]:
        """The unit as a file of units has it, with its reference, from whom it is, and how else it was worded."""
        first = self.wordings[0]
        others = list(dict.fromkeys(unit.text for unit in self.wordings if unit.text != first.text))
        record = {"text": first.text, "sentence": first.sentence, "reference": first.reference}
        return {
            **record,
            "raters": sorted(unit.rater for unit in self.wordings),
            **({"also": others} if others else {}),
        }


def list_units(answer: GivenAnswer) -> Iterator[RaterUnit]:
    """The units of an answer to `unit-writing`: suggestions that were taken, and what was written."""
    shown = answer.item.shown
    for number, entry in enumerate(answer.value["units"]):
        accepted = [shown["suggestions"][number][index] for index in entry["taken"]]
        for text in dict.fromkeys([*accepted, *entry["written"]]):
            yield RaterUnit(
                text=text, rater=answer.rater, sentence=shown["first"] + number, reference=shown["reference"]
            )


def match_units(units: Sequence[RaterUnit], *, least_overlap: float = SAME_OVERLAP) -> list[MatchedUnit]:
    """The units of several raters, those that say the same as one, in the order in which they were first written.

    `least_overlap` is the F1 of words from which two wordings are one.

    >>> units = [RaterUnit("Ann won the race", "ann", 0, 0), RaterUnit("Ann won the race in May", "ben", 0, 0),
    ...          RaterUnit("Ben won the race", "ben", 0, 0)]
    >>> [[unit.rater for unit in matched.wordings] for matched in match_units(units)]
    [['ann', 'ben'], ['ben']]
    """
    groups = {number: [number] for number in range(len(units))}
    group_of = list(range(len(units)))
    for first, second in _rank_pairs(units, least_overlap):
        left, right = sorted((group_of[first], group_of[second]))
        raters = [units[number].rater for group in (left, right) for number in groups[group]]
        if left != right and len(set(raters)) == len(raters):
            groups[left] += groups.pop(right)
            for number in groups[left]:
                group_of[number] = left
    return [MatchedUnit(_order_wordings([units[number] for number in sorted(group)])) for group in groups.values()]


def _rank_pairs(units: Sequence[RaterUnit], least_overlap: float) -> list[tuple[int, int]]:
    """Pairs of units that say the same, the most similar first."""
    overlaps = {}
    for first, second in combinations(range(len(units)), 2):
        left, right = units[first], units[second]
        if left.rater == right.rater or left.sentence != right.sentence or not _has_same_names(left.text, right.text):
            continue
        overlap = measure_overlap(left.text, right.text)
        if overlap >= least_overlap:
            overlaps[first, second] = overlap
    return sorted(overlaps, key=lambda pair: -overlaps[pair])


def _has_same_names(text: str, other: str) -> bool:
    """Whether neither text has a number that the other lacks, nor each a name that the other lacks."""
    words, others = _list_words(text), _list_words(other)
    if (
        any(word[0].isdigit() for word in words ^ others)
        or _list_measures(text) - others
        or _list_measures(other) - words
    ):
        return False
    lowered, others_lowered = {word.lower() for word in words}, {word.lower() for word in others}
    own = any(word[0].isupper() and word.lower() not in others_lowered for word in words)
    return not (own and any(word[0].isupper() and word.lower() not in lowered for word in others))


def _list_words(text: str) -> set[str]:
    """The words of a text, numbers apart from what is measured: "20ft" has the words of "20 ft"."""
    return set(_WORD.findall(_NUMBER_WITH_LETTERS.sub(r"\1 \2", text)))


def _list_measures(text: str) -> set[str]:
    """What stands right behind numbers: the m of 5m, which is not 5bn."""
    return {measure for _, measure in _NUMBER_WITH_LETTERS.findall(text)}


def _order_wordings(units: Sequence[RaterUnit]) -> tuple[RaterUnit, ...]:
    def count_shared(unit: RaterUnit) -> float:
        return sum(measure_overlap(unit.text, other.text) for other in units)

    first = max(units, key=count_shared)
    return (first, *(unit for unit in units if unit is not first))


def compare_written(given: Iterable[GivenAnswer]) -> MatchedAnswers | None:
    """How many of their units raters have in common, where several wrote those of a reference; None where nobody did.

    The F1 of two raters is that of one's units as an answer and the other's as the truth: twice the shared ones over
    all. It takes the place of alpha, as there is no list of the facts that nobody wrote (Hripcsak and Rothschild 2005).
    """
    by_item: dict[str, list[GivenAnswer]] = {}
    for answer in given:
        by_item.setdefault(answer.item.id, []).append(answer)
    shared = total = items = 0
    lone: list[LonePart] = []
    for answers in by_item.values():
        if len(answers) < 2:
            continue
        items += 1
        units = [list(list_units(answer)) for answer in answers]
        matched = match_units([unit for written in units for unit in written])
        for first, second in combinations(answers, 2):
            both = {first.rater, second.rater}
            shared += 2 * sum(both <= {unit.rater for unit in each.wordings} for each in matched)
        total += (len(answers) - 1) * sum(map(len, units))
        lone += [
            LonePart(doc_id=answers[0].item.doc_id, text=each.wordings[0].text, rater=each.wordings[0].rater)
            for each in matched
            if len(each.wordings) == 1
        ]
    return MatchedAnswers(f1=shared / total, items=items, lone=tuple(lone)) if total else None
