"""Mutants: all the places of a module that can be changed, and the code with one of them changed."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "gistmeter"

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
