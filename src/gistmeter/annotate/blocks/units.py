"""Content units: written sentence by sentence, and put together where several references state the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from gistmeter.annotate.forms import AnswerError, Question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.annotate.forms import Fields

LONGEST_UNIT = 500
MOST_UNITS = 40
"""Of one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitLines(Question):
    """Sentences, each with room for its units, one a line, and a machine's units that can be taken as they are.

    >>> block = UnitLines(name="units", question="q", sentences=("Ann won.",), suggestions=(("Ann won",),))
    >>> block.parse_fields({"units.1": "Ann is a winner\\n\\n", "units.1.take.1": "1"})
    [{'written': ['Ann is a winner'], 'taken': [0]}]
    """

    kind: ClassVar[str] = "units"
    sentences: tuple[str, ...]
    suggestions: tuple[tuple[str, ...], ...]
    language: str = "en"

    def parse_fields(self, fields: Fields) -> list[dict[str, Any]]:
        """What was written for each sentence, and which suggestions were taken."""
        answer = []
        for number, suggested in enumerate(self.suggestions, start=1):
            lines = fields.get(f"{self.name}.{number}", "").splitlines()
            written = list(dict.fromkeys(line for line in (" ".join(each.split()) for each in lines) if line))
            if len(written) > MOST_UNITS:
                raise AnswerError("many_units", most=MOST_UNITS)
            if any(len(line) > LONGEST_UNIT for line in written):
                raise AnswerError("long_text", most=LONGEST_UNIT)
            accepted = [k for k in range(len(suggested)) if fields.get(f"{self.name}.{number}.take.{k + 1}") == "1"]
            answer.append({"written": written, "taken": accepted})
        if not any(entry["written"] or entry["taken"] for entry in answer):
            raise AnswerError("missing_units")
        return answer

    def fill_fields(self, value: list[dict[str, Any]]) -> dict[str, str]:
        """The lines of each sentence, and the boxes of what was taken."""
        fields: dict[str, str] = {}
        for number, entry in enumerate(value, start=1):
            fields[f"{self.name}.{number}"] = "\n".join(entry["written"])
            fields |= {f"{self.name}.{number}.take.{index + 1}": "1" for index in entry["taken"]}
        return fields


class WrittenUnit(NamedTuple):
    """A unit, and the number of the reference that states it, from 1."""

    text: str
    reference: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitGroups(Question):
    """Units of several references, put into groups that say the same: each names the first unit of its group.

    >>> units = (WrittenUnit("Ann won", 1), WrittenUnit("It rained", 1), WrittenUnit("The winner is Ann", 2))
    >>> UnitGroups(name="groups", question="q", units=units).parse_fields({"groups.3": "1"})
    [1, 2, 1]
    """

    kind: ClassVar[str] = "groups"
    units: tuple[WrittenUnit, ...]
    language: str = "en"

    def parse_fields(self, fields: Fields) -> list[int]:
        """For each unit the number of the first unit of its group."""
        leaders = []
        for number in range(1, len(self.units) + 1):
            given = fields.get(f"{self.name}.{number}", "").strip() or str(number)
            if not re.fullmatch(r"[0-9]{1,4}", given) or not 1 <= int(given) <= len(self.units):
                raise AnswerError("wrong_number", least=1, most=len(self.units))
            leaders.append(int(given))
        return link_groups(len(leaders), list(enumerate(leaders, start=1)))

    def fill_fields(self, value: list[int]) -> dict[str, str]:
        """A field for each unit."""
        return {f"{self.name}.{number}": str(leader) for number, leader in enumerate(value, start=1)}


def link_groups(count: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """For each of so many units the first of all that are linked with it, however the links were given.

    >>> link_groups(4, [(2, 3), (4, 2)])
    [1, 2, 2, 2]
    """
    first = list(range(count + 1))
    for left, right in links:
        least, most = sorted((first[left], first[right]))
        first = [least if leader == most else leader for leader in first]
    return first[1:]
