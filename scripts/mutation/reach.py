"""Reach: which tests run which lines, measured once for each file of tests; a mutant is tried on those alone."""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from functools import cache
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
MOST_SECONDS = 30.0
"""So long the tests of one mutant may take together: the quickest first."""


@dataclass
class Reach:
    """By the name of a test: its seconds, and the lines that it runs, by module."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, set[int]]] = field(default_factory=dict)

    def find_tests(self, mutant: Mutant) -> list[str]:
        """The tests that run the statement of a mutant; of what is run by importing, all that may depend on it."""
        in_module = {test: lines[mutant.module] for test, lines in self.lines.items() if lines.get(mutant.module)}
        path = SOURCE / mutant.module
        if _runs_on_import(path, mutant.line):  # a default, say, may be read without a call
            body = _find_body(path, mutant.line)
            reached = [test for test, lines in in_module.items() if not body or body & lines]
            reached += [test for test, lines in self.lines.items() if not lines]
        else:
            statement = _find_statement(path, mutant.line)
            reached = [test for test, lines in in_module.items() if statement & lines]
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
    """A plugin of pytest: notes how long each test that passes took, and which lines it ran."""

    def __init__(self, modules: list[Path]) -> None:
        self._names = {str(module): str(module.relative_to(SOURCE)) for module in modules}
        self._lines: dict[Any, set[int]] = {}
        """By the code of a function that was called, the lines that were run."""
        self.tests: dict[str, tuple[float, dict[str, list[int]]]] = {}

    def trace_call(self, frame: Any, event: str, argument: object) -> Any:  # noqa: ARG002
        """Trace the lines of a function of these modules until all were seen; for `sys.settrace`."""
        code = frame.f_code
        if code.co_filename not in self._names:
            return None
        if code not in self._lines:
            self._lines[code] = set()
        elif len(self._lines[code]) == _count_lines(code):
            return None
        return self.trace_line

    def trace_line(self, frame: Any, event: str, argument: object) -> Any:  # noqa: ARG002
        """Note a line."""
        if event == "line":
            self._lines[frame.f_code].add(frame.f_lineno)
        return self.trace_line

    def pytest_runtest_logstart(self) -> None:
        """Lines belong to this test from here on."""
        self._lines.clear()
        self._start = time.process_time()
        threading.settrace(self.trace_call)
        sys.settrace(self.trace_call)
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep what a test ran that passed, and its seconds."""
        if report.when == "call" and report.passed:
            lines: dict[str, list[int]] = {}
            for code, numbers in list(self._lines.items()):
                lines.setdefault(self._names[code.co_filename], []).extend(sorted(numbers))
            self.tests[report.nodeid] = (round(time.process_time() - self._start, 3), lines)

    def pytest_runtest_logfinish(self) -> None:
        """Lines belong to no test."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.settrace(None)


@cache
def _count_lines(code: Any) -> int:
    """How many lines of a function can be run; the line of `def` is none of them."""
    return len({line for start, _, line in code.co_lines() if line and line > code.co_firstlineno})


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


def _find_body(module: Path, line: int) -> set[int]:
    """The lines of the body of the function whose name and arguments are in a line; none where it is another line."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line < node.body[0].lineno:
            return set(range(node.body[0].lineno, (node.end_lineno or line) + 1))
    return set()


def _spans(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """First and last lines of statements, the outer before the inner."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            yield node.lineno, max(node.lineno, body[0].lineno - 1) if body else (node.end_lineno or node.lineno)
