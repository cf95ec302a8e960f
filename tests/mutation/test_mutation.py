"""The mutation script: what it changes, that the change runs, and that its lists speak of code that there is."""

import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

from mutation import mutants as mutation  # noqa: E402
from mutation import records  # noqa: E402


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


def test_a_sample_is_drawn_with_the_seed():
    mutants = mutation.list_mutants("signature.py")
    drawn = [list(records.choose_mutants(mutants, 5, seed)) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(list(records.choose_mutants(mutants, None, 0))) == len(mutants)


def test_the_plan_and_the_reasons_are_of_this_code():
    plan = records.read_plan([])
    for module, tests in plan.items():
        assert (mutation.SOURCE / module).is_file()
        assert all((ROOT / test).exists() for test in tests)
    assert records.read_plan(["stats"]).keys() == {module for module in plan if module.startswith("stats/")}
    keys = {mutant.key for module in plan for mutant in mutation.list_mutants(module)}
    reasons = records.read_reasons()
    assert set(reasons) <= keys
    assert all(len(why) > 20 for why in reasons.values())
    entries = tomllib.loads(records.BASELINE.read_text("utf-8")).get("survivor", [])
    assert len(entries) == len(reasons)  # none is there twice
