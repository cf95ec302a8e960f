"""Mutation tests: change the code in one place, run the tests that cover it, and see whether any of them notices.

    PYTHONPATH=scripts python -m mutation     what is left to try, everywhere
    python -m mutation scoring/cache.py       one module
    python -m mutation stats --sample 60      so many mutants of each room, drawn with --seed
    python -m mutation --report               counts by module from what was tried, and what is not explained

Which tests run a changed line is measured first (build/mutation-reach), and only those are asked, quickest first.
Results are kept in build/mutation.jsonl, by the text of the module: interrupted, the same command goes on. A changed
module is tried anew, and so is what survived when a test changes. `--seconds` ends a run in time. A mutant that no test
notices is a hole in the tests, or changes nothing that could be noticed; those of the second kind are listed in
tests/mutation/baseline.toml, each with the reason. The exit code is 1 where a mutant survived without one.

Mutants live in memory: a forked process changes the code of one function in place, or imports gistmeter anew with the
changed module, and runs the tests in it; changed loops run as plain Python, not compiled. Tests that start programs of
their own run the code as it is, and notice nothing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections import Counter
from dataclasses import asdict
from types import CodeType
from typing import TYPE_CHECKING

from scipy.stats import binomtest

from mutation.mutants import ROOT, SOURCE, compile_mutant, list_mutants
from mutation.reach import is_compiled, measure_reach
from mutation.records import (
    RESULTS,
    choose_mutants,
    find_outcome,
    read_plan,
    read_reasons,
    read_results,
    stamp_outcome,
)
from mutation.trials import (
    TIMES_SLOWER,
    FunctionChange,
    MutantFinder,
    Trial,
    find_changed_function,
    import_tests,
    name_module,
    run_tests,
)

if TYPE_CHECKING:
    from mutation.mutants import Mutant
    from mutation.reach import Reach
    from mutation.records import Room
    from mutation.trials import Change


def try_mutants(rooms: list[Room], sample: int | None, seed: int, seconds: float) -> bool:
    """Try what was not tried before; whether there was time for all of it."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCE.parent)]
    _import_libraries(rooms)
    end = time.monotonic() + seconds
    tried, reasons = read_results(), read_reasons()
    RESULTS.parent.mkdir(exist_ok=True)
    reaches: dict[bool, Reach] = {}
    with RESULTS.open("a", encoding="utf-8") as stream:
        for room in rooms:
            reaches.clear()
            for number, mutant in choose_mutants(room, sample, seed):
                if find_outcome(mutant, room, tried) or mutant.key in reasons:
                    continue
                if time.monotonic() > end:
                    return False
                plain = is_compiled(SOURCE / mutant.module)
                if plain not in reaches:
                    reaches[plain] = measure_reach(room, plain=plain)
                    import_tests(room.tests)
                trial = try_mutant(number, mutant, reaches[plain])
                record = {
                    "key": mutant.key,
                    "stamp": stamp_outcome(mutant, room, trial.outcome),
                    "outcome": trial.outcome,
                    "took": round(trial.seconds, 1),
                    **asdict(mutant),
                }
                stream.write(json.dumps(record) + "\n")
                stream.flush()
                if trial.outcome == "survived":
                    print(f"survived: line {mutant.line} of {mutant.key}", flush=True)
    return True


_pass_unchanged: dict[tuple[str, str, bool], bool] = {}
"""Whether a test passes on a module without a change: in place, or imported anew."""


def try_mutant(number: int, mutant: Mutant, reach: Reach) -> Trial:
    """Run the tests that reach a mutant on it. Where none does, it survives.

    A change in a function is made in place first; what survives that is imported anew, since importing may call the
    function. A test that fails must pass on the code as it is, in the same way; else it is not asked again.
    """
    before, after = (compile_mutant(mutant.module, choice) for choice in (None, number))
    function = None if is_compiled(SOURCE / mutant.module) else find_changed_function(before, after)
    name, path = name_module(mutant.module), SOURCE / mutant.module
    seconds = 0.0
    for in_place in (True, False) if function else (False,):
        changed = FunctionChange(function) if function and in_place else MutantFinder(name, after, path)
        unchanged = _unchanged_function(before, function) if function and in_place else MutantFinder(name, before, path)
        trial = _ask_tests(mutant, reach, changed, unchanged)
        seconds += trial.seconds
        if trial.outcome != "survived":
            break
    return Trial(trial.outcome, seconds, trial.failed)


def _unchanged_function(module: CodeType, changed: CodeType) -> FunctionChange:
    """The function of a changed one as it is in the code of its module."""
    inner = [const for const in module.co_consts if isinstance(const, CodeType)]
    for code in inner:
        if (code.co_qualname, code.co_firstlineno) == (changed.co_qualname, changed.co_firstlineno):
            return FunctionChange(code)
    holder = next(code for code in inner if changed.co_qualname.startswith(f"{code.co_qualname}."))
    return _unchanged_function(holder, changed)


def _ask_tests(mutant: Mutant, reach: Reach, changed: Change, unchanged: Change) -> Trial:
    tests = reach.find_tests(mutant)
    seconds = 0.0
    while tests:
        trial = run_tests(tests, changed, _limit_seconds(tests, reach))
        seconds += trial.seconds
        if trial.outcome == "survived":
            break
        test = trial.failed if trial.failed in tests else tests[0]
        key = (mutant.module, test, isinstance(changed, FunctionChange))
        if key not in _pass_unchanged:
            _pass_unchanged[key] = run_tests([test], unchanged, _limit_seconds([test], reach)).outcome == "survived"
        if _pass_unchanged[key]:
            return Trial(trial.outcome, seconds, trial.failed)
        reach.forget(test)
        tests = [other for other in tests if other != test]
    return Trial("survived", seconds)


def _limit_seconds(tests: list[str], reach: Reach) -> float:
    return TIMES_SLOWER * sum(reach.seconds[test] for test in tests) + 20


def _import_libraries(rooms: list[Room]) -> None:
    """Import what every test needs once, before the fork, and load compiled loops."""
    import hypothesis  # noqa: F401
    import numba  # noqa: F401
    import numpy as np  # noqa: F401
    import polars as pl  # noqa: F401
    import pytest  # noqa: F401

    importlib.import_module("gistmeter.api")
    for module in (module for room in rooms for module in room.asked_for):
        importlib.import_module(name_module(module))
    from gistmeter import Example
    from gistmeter.metrics import parse_metric

    # No table is made of the scores: polars would start threads, which a forked process lacks, and waits for.
    example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    for name in ("rouge1", "rouge2", "rougeLsum"):
        parse_metric(name).score([example])


def report(rooms: list[Room], sample: int | None, seed: int) -> bool:
    """Print counts by room and module, and the survivors that nobody explained; whether there are none."""
    tried, reasons = read_results(), read_reasons()
    total: Counter[str] = Counter()
    open_mutants: list[Mutant] = []
    for room in rooms:
        counts: dict[str, Counter[str]] = {
            module: Counter(mutants=len(list_mutants(module))) for module in room.asked_for
        }
        for _, mutant in choose_mutants(room, sample, seed):
            outcome = find_outcome(mutant, room, tried)
            kind = "noticed" if outcome not in (None, "survived") else "explained" if mutant.key in reasons else outcome
            if kind is None:
                continue
            counts[mutant.module]["tried"] += 1
            counts[mutant.module][kind] += 1
            if kind == "survived":
                open_mutants.append(mutant)
        for module, count in counts.items():
            if count["tried"]:
                _print_row(module, count)
        total += _print_room(room.name, sum(counts.values(), Counter()))
    _print_room("all", total)
    for mutant in open_mutants:
        print(f"not explained: line {mutant.line}: {mutant.key}")
    return not open_mutants


def _print_room(name: str, count: Counter[str]) -> Counter[str]:
    _print_row(name, count)
    if count["tried"]:
        good = count["noticed"] + count["explained"]
        low, high = binomtest(good, count["tried"]).proportion_ci(method="wilson")
        print(f"    noticed or explained: {good} of {count['tried']}, 95% interval {low:.1%} to {high:.1%} (Wilson)")
    return count


def _print_row(name: str, count: Counter[str]) -> None:
    good = count["noticed"] + count["explained"]
    share = f"{good / count['tried']:.1%}" if count["tried"] else "-"
    print(
        f"{name:45} {count['mutants']:5} mutants {count['tried']:5} tried {count['noticed']:5} noticed "
        f"{count['explained']:4} explained {share:>7}"
    )


def main() -> int:
    """Try mutants and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "modules",
        nargs="*",
        help="rooms of the plan, modules or folders below src/gistmeter; by default all",
    )
    parser.add_argument("--sample", type=int, help="so many mutants of each room")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--report", action="store_true", help="try nothing, count what was tried")
    given = parser.parse_args()
    rooms = read_plan(given.modules)
    if not given.report and not try_mutants(rooms, given.sample, given.seed, given.seconds):
        print("time is up; the same command goes on from here")
    return 0 if report(rooms, given.sample, given.seed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
