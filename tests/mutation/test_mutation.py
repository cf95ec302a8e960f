"""The mutation script: what it changes, that the change runs, and that its lists speak of code that there is."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

from mutation import mutants as mutation  # noqa: E402
from mutation import reach, records, trials  # noqa: E402


@pytest.fixture
def small_module(tmp_path, monkeypatch):
    """A module of a few lines below a folder that stands for src/gistmeter."""
    (tmp_path / "small.py").write_text(
        '"""Says what it is."""\n'
        "LIMIT = 3\n"
        "def check(number, least=1):\n"
        '    """Whether a number is in range."""\n'
        "    if number < least or not number:\n"
        '        raise ValueError(f"{number} is too small")\n'
        "    return number + 1 <= LIMIT\n"
    )
    monkeypatch.setattr(mutation, "SOURCE", tmp_path)
    return "small.py"


def run(module, index, *arguments):
    """What `check` says with one change, or the name of what it raises."""
    names = {}
    exec(mutation.compile_mutant(module, index), names)  # noqa: S102
    try:
        return names["check"](*arguments)
    except ValueError:
        return "ValueError"


def test_every_place_is_changed_once(small_module):
    mutants = mutation.list_mutants(small_module)
    assert [(mutant.function, mutant.kind, mutant.before) for mutant in mutants] == [
        ("", "constant changed", "3"),
        ("check", "constant changed", "1"),
        ("check", "condition turned", "number < least or not number"),
        ("check", "Or replaced", "number < least or not number"),
        ("check", "Lt replaced", "number < least"),
        ("check", "sign left out", "not number"),
        ("check", "not raised", "raise ValueError(f'{number} is too small')"),
        ("check", "nothing returned", "return number + 1 <= LIMIT"),
        ("check", "LtE replaced", "number + 1 <= LIMIT"),
        ("check", "Add replaced", "number + 1"),
        ("check", "constant changed", "1"),
    ]
    assert [mutant.line for mutant in mutants] == [2, 3, 5, 5, 5, 5, 6, 7, 7, 7, 7]
    assert len({mutant.key for mutant in mutants}) == len(mutants)


def test_the_change_is_in_the_code(small_module):
    assert [run(small_module, None, number) for number in (0, 1, 2, 3)] == ["ValueError", True, True, False]
    assert run(small_module, 0, 3) is True  # LIMIT is 4
    assert run(small_module, 1, 1) == "ValueError"  # at least 2
    assert run(small_module, 2, 1) == "ValueError"  # the condition turned round
    assert run(small_module, 3, 0.5) is True  # and for or
    assert run(small_module, 4, 1) == "ValueError"  # <= for <
    assert run(small_module, 5, 1) == "ValueError"  # without the not
    assert run(small_module, 6, 0) is True  # nothing raised
    assert run(small_module, 7, 1) is None
    assert run(small_module, 8, 2) is False  # < for <=
    assert run(small_module, 9, 4) is True  # - for +
    assert run(small_module, 10, 2) is False  # number + 2


def test_a_sample_of_a_room_is_drawn_with_the_seed():
    [room] = records.read_plan(["rouge"])
    drawn = [records.choose_mutants(room, 25, seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == len({mutant.key for _, mutant in drawn[0]}) == 25
    assert len({mutant.module for _, mutant in drawn[0]}) > 3
    every = records.choose_mutants(room, None, 0)
    assert len(every) == sum(len(mutation.list_mutants(module)) for module in room.modules)
    assert all(mutation.list_mutants(mutant.module)[number] == mutant for number, mutant in drawn[0])


def test_what_is_noticed_once_stays_so_and_survivors_wait_for_new_tests(monkeypatch):
    [room] = records.read_plan(["signature"])
    (_, first), (_, second), *_ = records.choose_mutants(room, None, 0)
    results = {
        (first.key, records.stamp_outcome(first, room, "killed")): "killed",
        (second.key, records.stamp_outcome(second, room, "survived")): "survived",
    }
    assert [records.find_outcome(mutant, room, results) for mutant in (first, second)] == ["killed", "survived"]
    monkeypatch.setattr(records, "stamp_tests", lambda room: "other tests")
    assert [records.find_outcome(mutant, room, results) for mutant in (first, second)] == ["killed", None]


def test_the_tests_of_a_line_are_asked_the_quickest_first(small_module, monkeypatch):
    monkeypatch.setattr(reach, "SOURCE", mutation.SOURCE)
    measured = reach.Reach(
        {"slow": 3.0, "quick": 1.0, "other": 0.1, "far": 0.0},
        {"slow": {"small.py": {3, 5, 6}}, "quick": {"small.py": {5, 6}}, "other": {"small.py": {5, 7}}, "far": {}},
    )
    mutants = mutation.list_mutants(small_module)
    by_line = {mutant.line: measured.find_tests(mutant) for mutant in mutants}
    assert by_line[6] == ["quick", "slow"]
    assert by_line[7] == ["other"]
    # No test runs what is run by importing: all of the module, and those that call nothing.
    assert by_line[2] == ["far", "other", "quick", "slow"]
    assert by_line[3] == ["far", "other", "quick", "slow"]  # a default may be read without a call
    monkeypatch.setattr(reach, "MOST_SECONDS", 2.0)
    assert measured.find_tests(mutants[6]) == ["quick"]
    measured.forget("quick")
    assert measured.find_tests(mutants[6]) == ["slow"]


def test_a_change_within_a_function_is_made_in_place_and_others_by_importing():
    text = (
        "LIMIT = 3\nclass Range:\n    def check(self, number, least=1):\n"
        "        return all(number < n for n in [LIMIT])\n"
    )
    before = compile(text, "small.py", "exec")
    for changed, expected in (
        (text.replace("number < n", "number <= n"), "Range.check"),
        (text.replace("[LIMIT]", "[LIMIT, 4]"), "Range.check"),
        (text.replace("least=1", "least=2"), None),  # is read when the function is defined
        (text.replace("= 3", "= 4"), None),
        (text, None),
    ):
        code = trials.find_changed_function(before, compile(changed, "small.py", "exec"))
        assert (code and code.co_qualname) == expected
    names = {}
    exec(before, names)  # noqa: S102
    held = names["Range"]().check
    assert not held(3)
    changed = compile(text.replace("number < n", "number <= n"), "small.py", "exec")
    trials.FunctionChange(trials.find_changed_function(before, changed)).install()
    assert held(3)  # whoever holds the function has the change


TRIALS = """
from mutation import __main__ as mutation
from mutation.mutants import list_mutants
from mutation.reach import Reach
from mutation.records import read_plan
mutation._import_libraries(read_plan(["signature"]))
test = "tests/signatures/test_signature.py::test_values_by_hand"
reach = Reach({test: 1.0}, {test: {"signature.py": set(range(200))}})
for number, mutant in enumerate(list_mutants("signature.py")):
    if mutant.before in ("'yes'", "'%25'", "'|v:'"):  # in a function, outside of all, and not in this test
        print(mutant.before, mutation.try_mutant(number, mutant, reach).outcome)
"""


@pytest.mark.more
def test_what_is_changed_is_what_the_tests_run():
    done = subprocess.run(
        [sys.executable, "-c", TRIALS],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'scripts'}"},
        check=False,
    )
    assert done.stdout.splitlines() == ["'%25' killed", "'yes' killed", "'|v:' survived"], done.stderr


@pytest.mark.more
def test_the_plan_and_the_reasons_are_of_this_code():
    rooms = records.read_plan([])
    assert [room.name for room in rooms] == ["signature", "scoring", "stats", "rouge"]
    for room in rooms:
        assert all((mutation.SOURCE / module).is_file() for module in room.modules)
        assert all((ROOT / test).exists() for test in (*room.tests, *room.loop_tests))
        assert all(test.startswith("tests/") for test in room.tests)  # pytest imports what it is given from its file
    assert [room.asked_for for room in records.read_plan(["stats/ranks.py"])] == [("stats/ranks.py",)]
    keys = {mutant.key for room in rooms for module in room.modules for mutant in mutation.list_mutants(module)}
    reasons = records.read_reasons()
    assert set(reasons) <= keys
    assert all(len(why) > 20 for why in reasons.values())
    entries = tomllib.loads(records.BASELINE.read_text("utf-8")).get("survivor", [])
    assert len(entries) == len(reasons)  # none is there twice
