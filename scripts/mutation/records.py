"""What is tried and what came of it: the plan of tests, the results of earlier runs, the reasons of survivors."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from typing import TYPE_CHECKING

from mutation.mutants import ROOT, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mutation.mutants import Mutant

PLAN = ROOT / "tests" / "mutation" / "plan.toml"
BASELINE = ROOT / "tests" / "mutation" / "baseline.toml"
RESULTS = ROOT / "build" / "mutation.jsonl"


def read_plan(chosen: Sequence[str]) -> dict[str, list[str]]:
    """The tests of each module that was asked for, all modules when none was."""
    plan: dict[str, list[str]] = {}
    for entry in tomllib.loads(PLAN.read_text("utf-8"))["room"]:
        for module in entry["modules"]:
            if not chosen or any(module == name or module.startswith(name.rstrip("/") + "/") for name in chosen):
                plan[module] = entry["tests"]
    return plan


def read_results() -> dict[tuple[str, str], str]:
    """What was tried before, by mutant and stamp."""
    if not RESULTS.exists():
        return {}
    records = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    return {(record["key"], record["stamp"]): record["outcome"] for record in records}


def read_reasons() -> dict[str, str]:
    """The mutants that nothing could notice, each with the reason."""
    if not BASELINE.exists():
        return {}
    return {entry["mutant"]: entry["why"] for entry in tomllib.loads(BASELINE.read_text("utf-8")).get("survivor", [])}


def stamp_module(module: str, tests: Sequence[str]) -> str:
    """Changes with the module and with its tests."""
    digest = hashlib.blake2b((SOURCE / module).read_bytes(), digest_size=8)
    for test in sorted(tests):
        path = ROOT / test
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()


def choose_mutants(mutants: Sequence[Mutant], sample: int | None, seed: int) -> Iterator[tuple[int, Mutant]]:
    """All mutants of a module, or some drawn with a seed, in the order of the code."""
    numbers = range(len(mutants))
    if sample is not None and sample < len(mutants):
        numbers = sorted(random.Random(f"{seed} {mutants[0].module}").sample(numbers, sample))  # type: ignore[assignment]
    for number in numbers:
        yield number, mutants[number]
