"""Rules turned round: every condition in the code of a package, one at a time, said the other way."""

from __future__ import annotations

import ast
import inspect
import signal
from collections import Counter
from contextlib import contextmanager
from importlib import import_module
from typing import NamedTuple

MODULES = {
    "asking": (
        "gistmeter.models.asking.asker",
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
    "roles": (
        "gistmeter.linguistics.roles.arguments",
        "gistmeter.linguistics.roles.denials",
        "gistmeter.linguistics.roles.frames",
    ),
    "coreference": (
        "gistmeter.linguistics.coreference.features",
        "gistmeter.linguistics.coreference.mentions",
        "gistmeter.linguistics.coreference.names",
        "gistmeter.linguistics.coreference.resolver",
        "gistmeter.linguistics.coreference.syntax",
        "gistmeter.linguistics.people.attributes",
    ),
    "units": ("gistmeter.units.extract", "gistmeter.units.marks", "gistmeter.units.mentions"),
    "edus": ("gistmeter.linguistics.edus.features", "gistmeter.linguistics.edus.segmenter"),
    "trees": (
        "gistmeter.linguistics.trees.network",
        "gistmeter.linguistics.trees.parser",
        "gistmeter.linguistics.trees.steps",
    ),
    "easiness": ("gistmeter.linguistics.trees.phrase_tree",),
    "presence": (
        "gistmeter.models.presence.combination",
        "gistmeter.models.presence.features",
        "gistmeter.models.presence.judge",
        "gistmeter.models.presence.networks",
        "gistmeter.models.presence.premises",
        "gistmeter.models.presence.texts",
    ),
}
"""Where the rules of each package are written."""

RECKONING = ("presence",)
"""Packages whose rules are arithmetic: their numbers are tried too."""

LIMIT_SECONDS = 5


class Mutant(NamedTuple):
    """A condition: the module and function it stands in, how it reads, and which of those in it that read so it is."""

    module: str
    function: str
    condition: str
    number: int

    def __str__(self):
        return f"{self.function}: {self.condition}{f' #{self.number}' if self.number > 1 else ''}"


class RuleModule:
    """The code of a module, whose conditions can be turned round one at a time."""

    def __init__(self, name, *, numbers=False):
        self.name = name
        self._numbers = numbers
        self._module = import_module(name)
        self._tree = ast.parse(inspect.getsource(self._module))
        self._functions = dict(self._find_functions(self._tree, ""))

    def mutants(self):
        """Each condition with what turns it round."""
        for qualname, node in self._functions.items():
            positions = [*_conditions(node), *(_numbers(node) if self._numbers else ())]
            alike = Counter()
            for position in positions:
                condition = ast.unparse(_get(*position))
                alike[condition] += 1
                yield Mutant(self.name, qualname, condition, alike[condition]), position

    @contextmanager
    def turned(self, mutant, position):
        """Within this a condition says the opposite."""
        condition = _get(*position)
        _set(*position, ast.copy_location(_turn(condition), condition))
        try:
            code = compile(ast.fix_missing_locations(self._tree), self._module.__file__, "exec", dont_inherit=True)
        finally:
            _set(*position, condition)
        function = self._live(mutant.function)
        plain = function.__code__
        function.__code__ = _find_code(code, mutant.function)
        self._forget()
        try:
            yield
        finally:
            function.__code__ = plain
            self._forget()

    def _forget(self):
        for value in vars(self._module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()

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


def try_conditions(package, probes, write_down):
    """The conditions of a package, each with whether any probe notices that it is turned round."""
    plain = {probe: write_down(package, probe) for probe in probes}
    order = list(probes)
    noticed = {}
    for name in MODULES[package]:
        module = RuleModule(name, numbers=package in RECKONING)
        for mutant, position in list(module.mutants()):
            with module.turned(mutant, position):
                noticing = next(
                    (probe for probe in order if _write_in_time(write_down, package, probe) != plain[probe]), None
                )
            noticed[mutant] = noticing is not None
            if noticing is not None:  # It may well notice the next condition too: it is asked first.
                order.remove(noticing)
                order.insert(0, noticing)
    return noticed


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


def _numbers(function):
    """The numbers in the body of a function, for rules that reckon; a default is not part of the body."""
    for statement in function.body:
        for node in ast.walk(statement):
            for field, value in ast.iter_fields(node):
                values = value if isinstance(value, list) else [value]
                for index, part in enumerate(values):
                    if isinstance(part, ast.Constant) and type(part.value) in (int, float):
                        yield node, field, index if isinstance(value, list) else None


def _turn(node):
    """A condition the other way, or another number."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return ast.Constant(node.value + 1)
    return ast.UnaryOp(ast.Not(), node)


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
