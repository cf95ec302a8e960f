"""Trials: a mutant is imported in a forked process instead of the module's file, and the tests are run on it."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.util
import math
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHOSEN_MARKS = "not slow and not data and not browser"
TIMES_SLOWER = 6.0
"""A mutant that takes so many times as long as the code as it is, and ten seconds more, runs in a circle: noticed."""
STILL_SECONDS = 900.0
"""After so long without an end the tests wait for something that never comes, however busy the machine is."""


class MutantFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed code instead of the module's file."""

    def __init__(self, name: str, code: Any, path: Path) -> None:
        self.name, self._code, self._path = name, code, path
        self.is_compiled = "@compile" in path.read_text("utf-8")

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:  # noqa: ARG002
        """The changed module, and no other."""
        if name != self.name:
            return None
        is_package = self._path.name == "__init__.py"
        return importlib.util.spec_from_file_location(
            name, self._path, loader=self, submodule_search_locations=[str(self._path.parent)] if is_package else None
        )

    def exec_module(self, module: Any) -> None:
        """Run the changed code."""
        exec(self._code, module.__dict__)  # noqa: S102


def forget_modules() -> None:
    """Forget all modules of gistmeter, so that none holds anything of another that is changed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "gistmeter"]:
        del sys.modules[name]


class Trial(NamedTuple):
    """What came of one run of the tests: `killed`, `survived` or `slow`, the seconds of a core, which test failed."""

    outcome: str
    seconds: float
    failed: str = ""


def run_tests(tests: Sequence[str], finder: MutantFinder, seconds: float) -> Trial:
    """Run tests in a forked process, for so many seconds of a core: a busy machine makes no mutant slow."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _run_in_child(tests, finder, seconds, writing)
    os.close(writing)
    end = time.monotonic() + STILL_SECONDS + seconds
    ended, status, used = 0, 0, None
    while not ended and time.monotonic() < end:
        ended, status, used = os.wait4(process, os.WNOHANG)
        if not ended:
            time.sleep(0.05)
    if not ended:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        _, status, used = os.wait4(process, 0)
    took = used.ru_utime + used.ru_stime if used else 0.0
    with os.fdopen(reading, "rb") as stream:
        failed = stream.read().decode("utf-8", "replace")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return Trial("slow", took)
    return Trial("survived" if status == 0 else "killed", took, failed)


class FailureTeller:
    """A plugin of pytest: writes the name of the first test that fails into a pipe."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell the first failure; the run ends with it."""
        if report.failed and self._pipe:
            os.write(self._pipe, report.nodeid.encode())
            self._pipe = 0


def _run_in_child(tests: Sequence[str], finder: MutantFinder, seconds: float, pipe: int) -> None:
    with be_child(seconds) as ending:
        if finder.is_compiled:
            sys.modules["numba"].config.DISABLE_JIT = True
        forget_modules()
        sys.meta_path.insert(0, finder)
        import pytest

        words = ["-x", "-q", "-p", "no:cacheprovider", "-m", CHOSEN_MARKS, *tests]
        ending.code = int(pytest.main(words, [FailureTeller(pipe)]))


class Ending:
    """The exit code that a forked process will have: 1 where something is raised before another is set."""

    code = 1


@contextlib.contextmanager
def be_child(seconds: float) -> Iterator[Ending]:
    """In a forked process: silent, in a group of its own, with so many seconds of a core; ends it after the block."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    ending = Ending()
    try:
        yield ending
    finally:
        os._exit(0 if ending.code in (0, 5) else 1)


def name_module(module: str) -> str:
    """The name by which a module, given as a path below src/gistmeter, is imported."""
    return "gistmeter." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
