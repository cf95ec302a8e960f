"""Results at a Python prompt: few fields are shown whole, many rows as a table that can be read."""

from dataclasses import dataclass

import gistmeter as gm
from gistmeter.result import Result

RUN = [
    {
        "doc_id": str(number),
        "system": system,
        "summary": f"The dog {verb}.",
        "document": f"The dog {verb} at noon. It ran.",
    }
    for number, verb in enumerate(("barked", "slept", "ate"))
    for system in ("a", "b")
]


@dataclass(frozen=True, slots=True)
class Answers(Result):
    values: tuple[float, ...]

    def records(self):
        return [{"name": f"n{number}", "value": value} for number, value in enumerate(self.values)]


def test_a_short_result_shows_its_fields():
    assert repr(Answers((1.0, 2.0))) == "Answers(values=(1.0, 2.0))"


def test_a_long_result_shows_the_first_rows_and_says_how_many_more():
    lines = repr(Answers((0.5,) * 200)).splitlines()
    assert lines[:3] == ["Answers:", "name  value", "n0    0.500"]
    assert lines[-1] == "... and 190 more (to_frame() has all)"
    assert len(lines) == 13


def test_what_a_probe_finds_can_be_read():
    lines = repr(gm.probe.optimise(RUN, "js", sentences=1, cache=False)).splitlines()
    assert lines[0] == "Probe:"
    assert lines[1].split() == ["system", "score", "words"]
    assert lines[2].startswith("(optimised)")
