"""Results at a Python prompt: few fields are shown whole, many rows as a table that can be read."""

from dataclasses import dataclass

import gistmeter as gm
from gistmeter.evidence import Evidence, Explanations, Mark, Pane
from gistmeter.result import Result
from made_scores import BASE, NOISE, scores

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


def make_scores():
    return scores(name="own.score", signature="own|v:1", good=BASE + 0.1, poor=BASE + NOISE)


def test_rankings_comparisons_and_gates_print_as_the_commands_do(checked_command, tmp_path):
    table = make_scores()
    table.write(tmp_path / "s.parquet")
    table.write(tmp_path / "t.parquet")
    for shown, command in (
        (gm.rank(table), ["rank", "s.parquet"]),
        (gm.compare(table, "good", "poor"), ["compare", "s.parquet", "good", "poor"]),
        (gm.gate(table, table), ["gate", "s.parquet", "t.parquet"]),
    ):
        printed = [line.rstrip() for line in checked_command(*command).stdout.splitlines()]
        # Commands look up how often people agree with a gap; the call leaves that to gm.trust.
        printed = [line for line in printed if not line.startswith("note: how often people agree")]
        assert str(shown).splitlines() == printed, command
        assert repr(shown) == str(shown)


def test_scores_print_what_was_scored_and_the_first_rows():
    first, *rows = str(make_scores()).splitlines()
    assert first == "Scores: 80 summaries, 40 documents, 2 systems"
    assert any("own.score" in row for row in rows)
    assert len(rows) < 25
    assert max(map(len, rows)) <= 120


def test_evidence_prints_its_marks_and_no_command_of_a_terminal():
    why = Evidence("rouge1", "1 matched 1-gram", (Pane("summary", "a \x1b[31mcat sat", (Mark(7, 10),)),))
    assert str(Explanations(rouge1=why)) == str(why) == "rouge1: 1 matched 1-gram\n  summary: a ␛[31m«cat» sat"


def test_names_of_systems_print_without_commands_of_a_terminal():
    evil = scores(name="own.score", signature="own|v:1", **{"\x1b[31mred": BASE, "b": BASE + 0.1})
    for result in (evil, gm.rank(evil), gm.compare(evil, "\x1b[31mred", "b")):
        assert "\x1b" not in str(result)
        assert "red" in str(result)
