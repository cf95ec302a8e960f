"""Trials: a mutant is imported in a forked process instead of the module's file, and the tests are run on it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.abc
import importlib.util
import inspect
import math
import os
import resource
import signal
import sys
import time
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from mutation.mutants import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TESTS = str(ROOT / "tests")
CHOSEN_MARKS = "not slow and not data and not browser"
TIMES_SLOWER = 6.0
"""A mutant that takes so many times as long as the code as it is, and ten seconds more, runs in a circle: noticed."""
NOT_INSTALLED = 9
"""The exit code of a forked process in which the code did not become the changed one."""
STILL_SECONDS = 900.0
"""After so long without a moment of a core the tests wait for something that never comes, however busy it is."""


class MutantFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the changed code instead of the module's file."""

    is_used = False

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
        self.is_used = True
        exec(self._code, module.__dict__)  # noqa: S102

    def install(self) -> None:
        """Import gistmeter anew with the changed module; before pytest, which puts a finder of its own first."""
        if self.is_compiled:
            sys.modules["numba"].config.DISABLE_JIT = True
        forget_modules()
        sys.meta_path.insert(0, self)
        importlib.import_module(self.name)
        if not self.is_used:
            os._exit(NOT_INSTALLED)


class FunctionChange:
    """Changes one function where it is, whoever holds it: quicker than importing everything anew."""

    is_compiled = False

    def __init__(self, code: CodeType) -> None:
        self._code = code

    def install(self) -> None:
        """Give the function its changed code."""
        functions = [each for each in gc.get_objects() if type(each) is FunctionType and self._is_meant(each.__code__)]
        if not functions:
            os._exit(NOT_INSTALLED)
        for function in functions:
            function.__code__ = self._code

    def _is_meant(self, code: CodeType) -> bool:
        return (code.co_filename, code.co_qualname, code.co_firstlineno) == (
            self._code.co_filename,
            self._code.co_qualname,
            self._code.co_firstlineno,
        )


Change = MutantFinder | FunctionChange


def find_changed_function(before: CodeType, after: CodeType) -> CodeType | None:
    """The changed code of the function, or method, in which two texts of a module differ; none if it is outside."""
    inner = [[const for const in code.co_consts if isinstance(const, CodeType)] for code in (before, after)]
    differing = [(old, new) for old, new in zip(*inner, strict=False) if old != new]
    if len(inner[0]) != len(inner[1]) or len(differing) != 1:
        return None
    old, new = differing[0]
    if not new.co_flags & inspect.CO_OPTIMIZED:  # the body of a class
        return find_changed_function(old, new)
    return None if new.co_name.startswith("<") or old.co_freevars != new.co_freevars else new


def forget_modules() -> None:
    """Forget all modules of gistmeter and of its tests, so that none holds anything of another that is changed."""
    for name, module in list(sys.modules.items()):
        is_test = str(getattr(module, "__file__", None) or "").startswith(TESTS)
        if is_test or name.partition(".")[0] == "gistmeter":
            del sys.modules[name]


def import_tests(tests: Sequence[str]) -> None:
    """Import the tests of a room, and what pytest needs for them, before the fork."""
    import pytest

    threads = _count_threads()
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-m", CHOSEN_MARKS, *tests])
    gc.unfreeze()
    if _count_threads() > threads:
        raise SystemExit(f"importing {', '.join(tests)} starts threads, which a forked process would wait for")


def _count_threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


class Trial(NamedTuple):
    """What came of one run of the tests: `killed`, `survived` or `slow`, the seconds of a core, which test failed."""

    outcome: str
    seconds: float
    failed: str = ""


def run_tests(tests: Sequence[str], change: Change, seconds: float) -> Trial:
    """Run tests in a forked process, for so many seconds of a core: a busy machine makes no mutant slow."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        _run_in_child(tests, change, seconds, writing)
    os.close(writing)
    ended, status, used = 0, 0, None
    cpu_seconds, moved = 0.0, time.monotonic()
    while not ended and time.monotonic() < moved + STILL_SECONDS:
        ended, status, used = os.wait4(process, os.WNOHANG)
        if not ended:
            time.sleep(0.05)
            if (now := read_cpu_seconds(process)) > cpu_seconds:
                cpu_seconds, moved = now, time.monotonic()
    if not ended:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        _, status, used = os.wait4(process, 0)
    took = used.ru_utime + used.ru_stime if used else 0.0
    with os.fdopen(reading, "rb") as stream:
        failed = stream.read().decode("utf-8", "replace")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return Trial("slow", took)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == NOT_INSTALLED:
        raise SystemExit("a change did not reach the process that runs the tests: mend scripts/mutation")
    return Trial("survived" if status == 0 else "killed", took, failed)


def read_cpu_seconds(process: int) -> float:
    """The seconds of a core that a process has used; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class FailureTeller:
    """A plugin of pytest: writes the name of the first test that fails into a pipe."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Tell the first failure; the run ends with it."""
        if report.failed and self._pipe:
            os.write(self._pipe, report.nodeid.encode())
            self._pipe = 0


def _run_in_child(tests: Sequence[str], change: Change, seconds: float, pipe: int) -> None:
    with be_child(seconds) as ending:
        change.install()
        import pytest

        words = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-m", CHOSEN_MARKS, *tests]
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
