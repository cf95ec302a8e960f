"""Reach: which tests run which functions, measured once for each file of tests; a mutant is tried on those alone."""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mutation.mutants import ROOT, SOURCE
from mutation.records import list_files, stamp_files
from mutation.trials import CHOSEN_MARKS, be_child, forget_modules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mutation.mutants import Mutant
    from mutation.records import Room

REACHES = ROOT / "build" / "mutation-reach"
TEST_SECONDS = 20.0
"""A test that takes longer, as loops in plain Python may, is not asked."""
MOST_SECONDS = 60.0
"""So long the tests of one mutant may take together: the quickest first."""


@dataclass
class Reach:
    """By the name of a test: its seconds, and the lines of the functions that it calls, by module."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, set[int]]] = field(default_factory=dict)

    def find_tests(self, mutant: Mutant) -> list[str]:
        """The tests that run the statement of a mutant, else those that run its module, the quickest first."""
        in_module = {test: lines[mutant.module] for test, lines in self.lines.items() if lines.get(mutant.module)}
        statement = _find_statement(SOURCE / mutant.module, mutant.line)
        reached = [test for test, lines in in_module.items() if statement & lines] or list(in_module)
        if _runs_on_import(SOURCE / mutant.module, mutant.line):  # a default, say, may be read without a call
            reached += [test for test, lines in self.lines.items() if not lines]
        chosen: list[str] = []
        total = 0.0
        for test in sorted(reached, key=self.seconds.__getitem__):
            total += self.seconds[test]
            if total > MOST_SECONDS and chosen:
                break
            chosen.append(test)
        return chosen

    def forget(self, test: str) -> None:
        """Never ask a test again."""
        del self.lines[test]


def measure_reach(room: Room, *, plain: bool) -> Reach:
    """What the tests of a room run, from what is noted or by running them; `plain` is for compiled loops."""
    reach = Reach()
    for test in room.loop_tests if plain else room.tests:
        for file in list_files(ROOT / test):
            for name, (seconds, lines) in _read_file_reach(file, room, plain=plain).items():
                reach.seconds[name] = seconds
                reach.lines[name] = {module: set(numbers) for module, numbers in lines.items()}
    return reach


def _read_file_reach(file: Path, room: Room, *, plain: bool) -> dict[str, Any]:
    modules = [SOURCE / module for module in room.modules]
    stamp = stamp_files([file, *modules])
    noted = REACHES / f"{'plain-' if plain else ''}{room.name}-{str(file.relative_to(ROOT)).replace('/', '-')}.json"
    if noted.exists():
        content = json.loads(noted.read_text("utf-8"))
        if content["stamp"] == stamp:
            return content["tests"]  # type: ignore[no-any-return]
    REACHES.mkdir(parents=True, exist_ok=True)
    noted.unlink(missing_ok=True)
    process = os.fork()
    if process == 0:
        _measure_in_child(file, modules, noted, stamp, plain=plain)
    os.waitpid(process, 0)
    if not noted.exists():
        raise SystemExit(f"{file.relative_to(ROOT)} cannot be measured: run it with pytest")
    return json.loads(noted.read_text("utf-8"))["tests"]  # type: ignore[no-any-return]


class ReachRecorder:
    """A plugin of pytest: notes how long each test that passes took, and which functions it called."""

    def __init__(self, modules: list[Path]) -> None:
        self._names = {str(module): str(module.relative_to(SOURCE)) for module in modules}
        self._called: set[Any] = set()
        self.tests: dict[str, tuple[float, dict[str, list[int]]]] = {}

    def trace(self, frame: Any, event: str, argument: object) -> None:  # noqa: ARG002
        """Note which function is called; for `sys.settrace`."""
        if frame.f_code.co_filename in self._names:
            self._called.add(frame.f_code)

    def pytest_runtest_logstart(self) -> None:
        """Calls belong to this test from here on."""
        self._called.clear()
        self._start = time.process_time()
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep what a test ran that passed, and its seconds."""
        if report.when == "call" and report.passed:
            lines: dict[str, list[int]] = {}
            for code in list(self._called):
                numbers = {line for _, _, line in code.co_lines() if line}
                lines.setdefault(self._names[code.co_filename], []).extend(sorted(numbers))
            self.tests[report.nodeid] = (round(time.process_time() - self._start, 3), lines)

    def pytest_runtest_logfinish(self) -> None:
        """Calls belong to no test."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.settrace(None)


class TooSlowError(BaseException):
    """Ends a test that takes too long."""


def _stop_test(*_: object) -> None:
    raise TooSlowError


def _measure_in_child(file: Path, modules: list[Path], noted: Path, stamp: str, *, plain: bool) -> None:
    with be_child(900.0):
        import pytest

        signal.signal(signal.SIGPROF, _stop_test)
        if plain:
            __import__("numba").config.DISABLE_JIT = True
            forget_modules()
        recorder = ReachRecorder(modules)
        pytest.main(["-q", "-p", "no:cacheprovider", "-m", CHOSEN_MARKS, str(file.relative_to(ROOT))], [recorder])
        noted.write_text(json.dumps({"stamp": stamp, "tests": recorder.tests}), encoding="utf-8")


def is_compiled(module: Path) -> bool:
    """Whether numba compiles loops of a module."""
    return "@compile" in module.read_text("utf-8")


def _find_statement(module: Path, line: int) -> set[int]:
    """The lines of the innermost statement of a line; of one with a body, those before the body."""
    found = {line}
    for start, end in _spans(ast.parse(module.read_text("utf-8"))):
        if start <= line <= end:
            found = set(range(start, end + 1))
    return found


def _runs_on_import(module: Path, line: int) -> bool:
    """Whether a line is outside of all bodies of functions."""
    functions = [node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    return not any(node.body[0].lineno <= line <= (node.end_lineno or line) for node in functions)


def _spans(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """First and last lines of statements, the outer before the inner."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            yield node.lineno, max(node.lineno, body[0].lineno - 1) if body else (node.end_lineno or node.lineno)
