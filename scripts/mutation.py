"""Mutation tests: change the code in one place, run the tests that cover it, and see whether any of them notices.

    python scripts/mutation.py                        what is left to try, everywhere
    python scripts/mutation.py scoring/cache.py       one module
    python scripts/mutation.py stats --sample 60      so many mutants of each module, drawn with --seed
    python scripts/mutation.py --report               counts by module from what was tried, and what is not explained

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
import ast
import contextlib
import copy
import hashlib
import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import signal
import sys
import time
import tomllib
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "gistmeter"
PLAN = ROOT / "tests" / "mutation" / "plan.toml"
BASELINE = ROOT / "tests" / "mutation" / "baseline.toml"
RESULTS = ROOT / "build" / "mutation.jsonl"

LONGEST_SECONDS = 120.0
TIMES_SLOWER = 6.0
"""A mutant that takes so many times as long as the code as it is, and ten seconds more, runs in a circle: noticed."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module: where it is, what stood there, what stands there now."""

    module: str
    function: str
    kind: str
    before: str
    occurrence: int
    line: int

    @property
    def key(self) -> str:
        """What names it in the baseline; lines may move."""
        return f"{self.module}::{self.function}::{self.kind}::{self.before}::{self.occurrence}"


class Mutator(ast.NodeTransformer):
    """Walks a module and lists all changes, or makes the one that is asked for."""

    def __init__(self, module: str, chosen: int | None = None) -> None:
        self._module, self._chosen = module, chosen
        self._functions: list[str] = []
        self._seen: Counter[tuple[str, str, str]] = Counter()
        self.mutants: list[Mutant] = []

    def _offer(self, node: ast.AST, kind: str, before: ast.AST) -> bool:
        """Note a change; whether it is the one to make."""
        function = ".".join(self._functions)
        text = " ".join(ast.unparse(before).split())[:100]
        occurrence = self._seen[function, kind, text]
        self._seen[function, kind, text] += 1
        self.mutants.append(Mutant(self._module, function, kind, text, occurrence, getattr(node, "lineno", 0)))
        return len(self.mutants) - 1 == self._chosen

    def _enter(self, node: Any) -> ast.AST:
        self._functions.append(node.name)
        node.body = self._visit_body(node.body)
        self._functions.pop()
        return node

    def _visit_body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in body if not _is_docstring(statement)] or [ast.Pass()]

    def visit_Module(self, node: ast.Module) -> ast.AST:
        node.body = self._visit_body(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name in ("__repr__",):
            return node
        self._functions.append(node.name)
        node.args = self.visit(node.args)
        node.body = self._visit_body(node.body)
        self._functions.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._enter(node)

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default and self.visit(default) for default in node.kw_defaults]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node
        if self._offer(node, "condition turned", node.test):
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return node
        node.test = self.visit(node.test)
        node.body = [self.visit(statement) for statement in node.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if self._offer(node, "condition turned", node.test):
            node.test = ast.UnaryOp(ast.Not(), node.test)
            return node
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        # The words of a message are for tests of messages; that something is raised is not.
        return ast.Pass() if self._offer(node, "not raised", node) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        for index, operator in enumerate(node.ops):
            if self._offer(node, f"{type(operator).__name__} replaced", node):
                node.ops[index] = COMPARISONS[type(operator)]()
                return node
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        replacement = OPERATORS.get(type(node.op))
        if replacement is not None and self._offer(node, f"{type(node.op).__name__} replaced", node):
            node.op = replacement()
            return node
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        replacement = OPERATORS.get(type(node.op))
        if replacement is not None and self._offer(node, f"{type(node.op).__name__} replaced", node):
            node.op = replacement()
            return node
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        if self._offer(node, f"{type(node.op).__name__} replaced", node):
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            return node
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.Not | ast.Invert | ast.USub) and self._offer(node, "sign left out", node):
            return node.operand
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, bool):
            changed: Any = not value
        elif isinstance(value, int | float):
            changed = value + 1
        elif isinstance(value, str):
            changed = value + "X"
        elif isinstance(value, bytes):
            changed = value + b"X"
        else:
            return node
        return ast.copy_location(ast.Constant(changed), node) if self._offer(node, "constant changed", node) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        if self._offer(node, "text left out", node):
            return ast.copy_location(ast.Constant(""), node)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is None:
            return node
        is_none = isinstance(node.value, ast.Constant) and node.value.value is None
        if not is_none and self._offer(node, "nothing returned", node):
            return ast.copy_location(ast.Return(ast.Constant(None)), node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant):  # a text that says what a field is
            return node
        if isinstance(node.value, ast.Call) and self._offer(node, "call left out", node):
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> ast.AST:
        return ast.copy_location(ast.Continue(), node) if self._offer(node, "break replaced", node) else node

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        return ast.copy_location(ast.Break(), node) if self._offer(node, "continue replaced", node) else node

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return node


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def list_mutants(module: str) -> list[Mutant]:
    """All changes of a module, which is given as a path below src/gistmeter."""
    mutator = Mutator(module)
    mutator.visit(ast.parse((SOURCE / module).read_text("utf-8")))
    return mutator.mutants


def compile_mutant(module: str, index: int | None) -> Any:
    """The code of a module with one change, or with none."""
    path = SOURCE / module
    tree = Mutator(module, index).visit(copy.deepcopy(ast.parse(path.read_text("utf-8"))))
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


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


def run_tests(tests: Sequence[str], finder: MutantFinder, seconds: float) -> tuple[str, float]:
    """Run tests in a forked process: `killed`, `survived` or `slow`, and how long it took."""
    start = time.monotonic()
    process = os.fork()
    if process == 0:
        os.setsid()
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

            code = int(
                pytest.main(
                    ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not data and not browser", *tests]
                )
            )
        os._exit(code if code in (0, 5) else 1)
    status: int | None = None
    while status is None and time.monotonic() - start < seconds:
        ended, ended_status = os.waitpid(process, os.WNOHANG)
        if ended:
            status = ended_status
        else:
            time.sleep(0.02)
    if status is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return "slow", time.monotonic() - start
    return ("survived" if status == 0 else "killed"), time.monotonic() - start


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

    api = importlib.import_module("gistmeter.api")
    # compiled loops are loaded once
    api.score_one(summary="It rained.", references="It rained a lot.", metrics="rouge1,rouge2,rougeLsum")
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
                    outcome, usual[module] = run_tests(tests, unchanged, LONGEST_SECONDS)
                    if outcome != "survived":
                        raise SystemExit(f"{module}: {' '.join(tests)} fail on the code as it is")
                finder = MutantFinder(name, compile_mutant(module, number), SOURCE / module)
                outcome, took = run_tests(tests, finder, TIMES_SLOWER * usual[module] + 10)
                record = {
                    "key": mutant.key,
                    "stamp": stamp,
                    "outcome": outcome,
                    "took": round(took, 1),
                    **asdict(mutant),
                }
                stream.write(json.dumps(record) + "\n")
                stream.flush()
                if outcome == "survived":
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
