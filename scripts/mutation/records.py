"""What is tried and what came of it: the plan of rooms, the results of earlier runs, the reasons of survivors."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mutation.mutants import ROOT, SOURCE, list_mutants

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from mutation.mutants import Mutant

PLAN = ROOT / "tests" / "mutation" / "plan.toml"
BASELINE = ROOT / "tests" / "mutation" / "baseline.toml"
RESULTS = ROOT / "build" / "mutation.jsonl"


@dataclass(frozen=True, slots=True)
class Room:
    """Modules that are sampled together, the tests that may notice, and those of them for loops in plain Python."""

    name: str
    modules: tuple[str, ...]
    asked_for: tuple[str, ...]
    """The modules that are tried this time."""
    tests: tuple[str, ...]
    loop_tests: tuple[str, ...]


def read_plan(chosen: Sequence[str]) -> list[Room]:
    """The rooms, or what is left of them when only some rooms, folders or modules are asked for."""
    rooms = []
    for entry in tomllib.loads(PLAN.read_text("utf-8"))["room"]:
        modules = [str(file.relative_to(SOURCE)) for name in entry["modules"] for file in list_files(SOURCE / name)]
        kept = [module for module in modules if not chosen or entry["name"] in chosen or _is_asked_for(module, chosen)]
        if kept:
            loops = tuple(entry.get("loop_tests", ()))
            rooms.append(Room(entry["name"], tuple(modules), tuple(kept), tuple(entry["tests"]), loops))
    return rooms


def _is_asked_for(module: str, chosen: Sequence[str]) -> bool:
    return any(module == name or module.startswith(name.rstrip("/") + "/") for name in chosen)


def list_files(path: Path) -> list[Path]:
    """The Python files of a folder, or the file itself."""
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def read_results() -> dict[tuple[str, str], str]:
    """What was tried before: by mutant and the text of its module where it was noticed, and of its tests where not."""
    if not RESULTS.exists():
        return {}
    records = [json.loads(line) for line in RESULTS.read_text("utf-8").splitlines()]
    return {(record["key"], record["stamp"]): record["outcome"] for record in records}


def find_outcome(mutant: Mutant, room: Room, results: dict[tuple[str, str], str]) -> str | None:
    """What came of a mutant: what a test noticed once stays noticed, what none did is tried on changed tests anew."""
    text = stamp_files([SOURCE / mutant.module])
    return results.get((mutant.key, text)) or results.get((mutant.key, text + stamp_tests(room)))


def stamp_outcome(mutant: Mutant, room: Room, outcome: str) -> str:
    """What an outcome holds for: the text of the module, and where no test noticed, the texts of the tests."""
    text = stamp_files([SOURCE / mutant.module])
    return text + stamp_tests(room) if outcome == "survived" else text


def read_reasons() -> dict[str, str]:
    """The mutants that nothing could notice, each with the reason."""
    if not BASELINE.exists():
        return {}
    return {entry["mutant"]: entry["why"] for entry in tomllib.loads(BASELINE.read_text("utf-8")).get("survivor", [])}


_stamps: dict[tuple[Path, ...], str] = {}


def stamp_files(files: Iterable[Path]) -> str:
    """A digest of the texts of files, read once."""
    key = tuple(files)
    if key not in _stamps:
        digest = hashlib.blake2b(digest_size=8)
        for file in key:
            digest.update(file.read_bytes())
        _stamps[key] = digest.hexdigest()
    return _stamps[key]


def stamp_tests(room: Room) -> str:
    """A digest of the tests of a room."""
    return stamp_files(file for test in room.tests for file in list_files(ROOT / test))


def choose_mutants(room: Room, sample: int | None, seed: int) -> list[tuple[int, Mutant]]:
    """All mutants of a room, or so many drawn with a seed, each with its number in its module.

    A sample is in the order of the draw: what is tried of it when time is up is a sample, too.
    """
    mutants = [pair for module in room.asked_for for pair in enumerate(list_mutants(module))]
    if sample is None or sample >= len(mutants):
        return mutants
    return random.Random(f"{seed} {room.name}").sample(mutants, sample)
