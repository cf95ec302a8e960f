"""Rules turned round: every condition in the code of a package, one at a time, said the other way."""

from __future__ import annotations

import ast
import inspect
import signal
from contextlib import contextmanager
from importlib import import_module
from typing import NamedTuple

MODULES = {
    "asking": (
        "gistmeter.models.asking.order",
        "gistmeter.models.asking.verbs",
        "gistmeter.models.asking.wh",
        "gistmeter.models.asking.writing",
        "gistmeter.linguistics.phrases",
    ),
    "slots": (
        "gistmeter.models.answering.slots.answerer",
        "gistmeter.models.answering.slots.texts",
        "gistmeter.models.answering.slots.features",
        "gistmeter.models.answering.slots.kinds",
    ),
    "roles": ("gistmeter.linguistics.roles.arguments", "gistmeter.linguistics.roles.frames"),
    "coreference": (
        "gistmeter.linguistics.coreference.features",
        "gistmeter.linguistics.coreference.mentions",
        "gistmeter.linguistics.coreference.names",
        "gistmeter.linguistics.coreference.resolver",
        "gistmeter.linguistics.coreference.syntax",
        "gistmeter.linguistics.people.attributes",
    ),
    "units": ("gistmeter.units.extract", "gistmeter.units.mentions"),
    "edus": ("gistmeter.linguistics.edus.features", "gistmeter.linguistics.edus.segmenter"),
    "trees": ("gistmeter.linguistics.trees.parser", "gistmeter.linguistics.trees.steps"),
}
"""Where the rules of each package are written."""

NO_RULES = frozenset(
    {
        "load_boundaries",
        "load_linker",
        "segmenter_identity",
        "trees_identity",
        "slots_identity",
        "_segment_cached",
        "_batch_lines",
        "_keep",
        "_benepar",
        "assign_brackets",
        "find_steps",
    }
)
"""Functions that load, remember, name or train; what they do is tested elsewhere."""

LIMIT_SECONDS = 5


class Mutant(NamedTuple):
    """A condition: the module and function it stands in, its line, and how it reads."""

    module: str
    function: str
    line: int
    condition: str

    def __str__(self):
        return f"{self.module.rpartition('.')[2]}.{self.function}: {self.condition}"


class RuleModule:
    """The code of a module, whose conditions can be turned round one at a time."""

    def __init__(self, name):
        self.name = name
        self._module = import_module(name)
        self._tree = ast.parse(inspect.getsource(self._module))
        self._functions = dict(self._find_functions(self._tree, ""))

    def mutants(self):
        """Each condition with what turns it round."""
        for qualname, node in self._functions.items():
            if qualname in NO_RULES:
                continue
            for holder, field, index in _conditions(node):
                condition = _get(holder, field, index)
                yield Mutant(self.name, qualname, condition.lineno, ast.unparse(condition)), (holder, field, index)

    @contextmanager
    def turned(self, mutant, position):
        """Within this a condition says the opposite."""
        condition = _get(*position)
        _set(*position, ast.copy_location(ast.UnaryOp(ast.Not(), condition), condition))
        try:
            code = compile(ast.fix_missing_locations(self._tree), self._module.__file__, "exec", dont_inherit=True)
        finally:
            _set(*position, condition)
        function = self._live(mutant.function)
        plain = function.__code__
        function.__code__ = _find_code(code, mutant.function)
        try:
            yield
        finally:
            function.__code__ = plain

    def _find_functions(self, node, prefix):
        for child in getattr(node, "body", ()):
            if isinstance(child, ast.ClassDef):
                yield from self._find_functions(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.FunctionDef) and self._live(f"{prefix}{child.name}") is not None:
                yield f"{prefix}{child.name}", child

    def _live(self, qualname):
        owner = self._module
        *above, last = qualname.split(".")
        for name in above:
            owner = getattr(owner, name)
        result = inspect.getattr_static(owner, last, None)
        result = getattr(result, "fget", None) or getattr(result, "__func__", None) or inspect.unwrap(result)
        return result if hasattr(result, "__code__") and not result.__code__.co_freevars else None


def find_survivors(package, probes, write_down):
    """How many conditions a package has, and those that can be turned round without any probe noticing."""
    plain = {probe: write_down(package, probe) for probe in probes}
    total, survivors = 0, []
    for name in MODULES[package]:
        module = RuleModule(name)
        for mutant, position in list(module.mutants()):
            total += 1
            with module.turned(mutant, position):
                if all(_write_in_time(write_down, package, probe) == plain[probe] for probe in probes):
                    survivors.append(mutant)
    return total, survivors


def _conditions(function):
    returns_bool = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node, "test", None
        elif isinstance(node, ast.comprehension):
            yield from ((node, "ifs", index) for index in range(len(node.ifs)))
        elif isinstance(node, ast.BoolOp):
            yield from ((node, "values", index) for index in range(len(node.values)))
        elif isinstance(node, ast.Return) and returns_bool and node.value is not None:
            yield node, "value", None


def _get(holder, field, index):
    value = getattr(holder, field)
    return value if index is None else value[index]


def _set(holder, field, index, node):
    if index is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[index] = node


def _find_code(code, qualname):
    for const in code.co_consts:
        if inspect.iscode(const):
            if const.co_qualname == qualname:
                return const
            if (inner := _find_code(const, qualname)) is not None:
                return inner
    return None


def _write_in_time(write_down, package, probe):
    """What a package says; a rule turned round may fail or never end, and that is a change too."""

    def stop(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_SECONDS)
    try:
        return write_down(package, probe)
    except Exception as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
