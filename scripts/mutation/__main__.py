"""Mutation tests: change the code in one place, run the tests that cover it, and see whether any of them notices.

    PYTHONPATH=scripts python -m mutation     what is left to try, everywhere
    python -m mutation scoring/cache.py       one module
    python -m mutation stats --sample 60      so many mutants of each module, drawn with --seed
    python -m mutation --report               counts by module from what was tried, and what is not explained

Results are kept in build/mutation.jsonl, by the text of the module and of its tests: interrupted, the same command goes
on, and a changed module or test is tried anew. `--seconds` ends a run in time. A mutant that no test notices is a hole
in the tests, or changes nothing that could be noticed; those of the second kind are listed in
tests/mutation/baseline.toml, each with the reason. The exit code is 1 where a mutant survived without one.

Mutants live in memory: a forked process imports the changed module, and whatever imports it, and runs the tests in it;
changed loops run as plain Python, not compiled. Tests that start programs of their own run the code as it is, and
notice nothing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict
from typing import TYPE_CHECKING

from scipy.stats import binomtest

from mutation.mutants import ROOT, SOURCE, compile_mutant, list_mutants
from mutation.records import RESULTS, choose_mutants, read_plan, read_reasons, read_results, stamp_module
from mutation.trials import LONGEST_SECONDS, TIMES_SLOWER, MutantFinder, note_imports, run_tests

if TYPE_CHECKING:
    from mutation.mutants import Mutant


def try_mutants(plan: dict[str, list[str]], sample: int | None, seed: int, seconds: float) -> bool:
    """Try what was not tried before; whether there was time for all of it."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.chdir(ROOT)
    sys.path[:0] = [str(SOURCE.parent)]
    import hypothesis  # noqa: F401  (what every test needs is imported once, before the fork)
    import numba  # noqa: F401
    import numpy as np  # noqa: F401
    import polars as pl  # noqa: F401
    import pytest  # noqa: F401

    importlib.import_module("gistmeter.api")
    from gistmeter import Example
    from gistmeter.metrics import parse_metric

    # Compiled loops are loaded once. No table is made of the scores: polars would start threads, which a forked process
    # lacks, and waits for.
    example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    for name in ("rouge1", "rouge2", "rougeLsum"):
        parse_metric(name).score([example])
    note_imports()
    end = time.monotonic() + seconds
    tried = read_results()
    usual: dict[str, float] = {}
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as stream:
        for module, tests in plan.items():
            stamp = stamp_module(module, tests)
            for number, mutant in choose_mutants(list_mutants(module), sample, seed):
                if (mutant.key, stamp) in tried:
                    continue
                if time.monotonic() > end:
                    return False
                name = "gistmeter." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
                if module not in usual:
                    unchanged = MutantFinder(name, compile_mutant(module, None), SOURCE / module)
                    trial = run_tests(tests, unchanged, LONGEST_SECONDS)
                    if trial.outcome != "survived":
                        raise SystemExit(f"{module}: {' '.join(tests)} fail on the code as it is")
                    usual[module] = trial.seconds
                finder = MutantFinder(name, compile_mutant(module, number), SOURCE / module)
                trial = run_tests(tests, finder, TIMES_SLOWER * usual[module] + 10)
                record = {
                    "key": mutant.key,
                    "stamp": stamp,
                    "outcome": trial.outcome,
                    "took": round(trial.seconds, 1),
                    **asdict(mutant),
                }
                stream.write(json.dumps(record) + "\n")
                stream.flush()
                if trial.outcome == "survived":
                    print(f"survived: line {mutant.line} of {mutant.key}", flush=True)
    return True


def report(plan: dict[str, list[str]], sample: int | None, seed: int) -> bool:
    """Print counts by module, and the survivors that nobody explained; whether there are none."""
    tried, reasons = read_results(), read_reasons()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    open_mutants: list[Mutant] = []
    for module, tests in plan.items():
        stamp = stamp_module(module, tests)
        mutants = list_mutants(module)
        counts[module]["mutants"] = len(mutants)
        for _, mutant in choose_mutants(mutants, sample, seed):
            outcome = tried.get((mutant.key, stamp))
            if outcome is None:
                continue
            counts[module]["tried"] += 1
            if outcome != "survived":
                counts[module]["noticed"] += 1
            elif mutant.key in reasons:
                counts[module]["explained"] += 1
            else:
                open_mutants.append(mutant)
    total: Counter[str] = Counter()
    for module, count in counts.items():
        total += count
        _print_row(module, count)
    _print_row("all", total)
    if total["tried"]:
        good = total["noticed"] + total["explained"]
        low, high = binomtest(good, total["tried"]).proportion_ci(method="wilson")
        print(f"noticed or explained: {good} of {total['tried']}, 95% interval {low:.1%} to {high:.1%} (Wilson)")
    for mutant in open_mutants:
        print(f"not explained: line {mutant.line}: {mutant.key}")
    return not open_mutants


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
    parser.add_argument("modules", nargs="*", help="modules or folders below src/gistmeter; all of the plan when none")
    parser.add_argument("--sample", type=int, help="so many mutants of each module")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after so long")
    parser.add_argument("--report", action="store_true", help="try nothing, count what was tried")
    given = parser.parse_args()
    plan = read_plan(given.modules)
    if not given.report and not try_mutants(plan, given.sample, given.seed, given.seconds):
        print("time is up; the same command goes on from here")
    return 0 if report(plan, given.sample, given.seed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
