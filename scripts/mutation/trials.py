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
    from collections.abc import Sequence

LONGEST_SECONDS = 120.0
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


_imports: dict[str, set[str]] = {}
"""For each loaded module, all that it imports, directly or not."""


def note_imports() -> None:
    """Find out, once, what each loaded module of gistmeter imports."""
    from gistmeter.scoring.code_digest import NoNotes, PackageFiles

    files = PackageFiles("gistmeter", NoNotes())
    loaded = [module for module in sys.modules if module.startswith("gistmeter") and files.has(module)]
    direct = {
        module: {files.resolve(name) for name in files.parse(module).imports if name.startswith("gistmeter")}
        for module in loaded
    }
    for module in loaded:
        reached, waiting = {module}, [module]
        while waiting:
            new = direct.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        _imports[module] = reached


def forget_importers(name: str) -> None:
    """Forget a module and all that imports it, directly or not: they are imported anew.

    A package that is forgotten takes the modules in it along: it would not know them. The top one imports nothing by
    itself, and stays.
    """
    stale = {other for other, imported in _imports.items() if name in imported and other != "gistmeter"}
    stale |= {other for other in _imports if any(other.startswith(f"{package}.") for package in stale)}
    for other in stale:
        parent, _, last = other.rpartition(".")
        if hasattr(sys.modules.get(parent), last):
            delattr(sys.modules[parent], last)
        del sys.modules[other]


class Trial(NamedTuple):
    """What came of one run of the tests: `killed`, `survived` or `slow`, and how many seconds of a core it took."""

    outcome: str
    seconds: float


def run_tests(tests: Sequence[str], finder: MutantFinder, seconds: float) -> Trial:
    """Run tests in a forked process, for so many seconds of a core: a busy machine makes no mutant slow."""
    process = os.fork()
    if process == 0:
        _run_in_child(tests, finder, seconds)
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
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return Trial("slow", took)
    return Trial("survived" if status == 0 else "killed", took)


def _run_in_child(tests: Sequence[str], finder: MutantFinder, seconds: float) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 5))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    if finder.is_compiled:
        sys.modules["numba"].config.DISABLE_JIT = True
    forget_importers(finder.name)
    sys.meta_path.insert(0, finder)
    code = 1
    with contextlib.suppress(BaseException):
        import pytest

        chosen = "not slow and not data and not browser"
        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", chosen, *tests]))
    os._exit(code if code in (0, 5) else 1)
