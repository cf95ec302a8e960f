"""The house stays one to live in: rooms of a size, files read in one sitting, no cycles, no twins, plain words."""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gistmeter"
FILES = sorted(SOURCE.rglob("*.py"))
MOST_MODULES = 15
MOST_LINES = 350
TEST_FILES = sorted((ROOT / "tests").rglob("*.py"))
MOST_TEST_LINES = 400
TWIN_LINES = 10
MOST_POSITIONAL = 3
# Words that one has to open another file to understand.
DIALECT = frozenset(
    [
        "one",
        "found",
        "said",
        "known",
        "place",
        "places",
        "mine",
        "theirs",
        "heard",
        "look",
        "looks",
        "knowing",
        "some",
        "made",
        "kept",
        "taken",
        "seen",
        "told",
    ]
)


# `made` is a key of files that exist.
ALLOWED = frozenset(
    f"{file}: made"
    for file in (
        "ranking/trust/fit.py",
        "ranking/trust/tables.py",
    )
)


@cache
def parse(file):
    """The parsed module; several tests walk through all of them."""
    return ast.parse(file.read_text("utf-8"))


def module_name(file):
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(file): file for file in FILES}


def imports_at_module_level(file):
    """The modules of gistmeter that a module imports when it is imported."""

    def statements(body):
        for statement in body:
            if isinstance(statement, ast.ImportFrom | ast.Import):
                yield statement
            elif isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
                yield from statements(statement.orelse)
            elif isinstance(statement, ast.If | ast.Try | ast.With | ast.ClassDef):
                for part in ("body", "orelse", "finalbody"):
                    yield from statements(getattr(statement, part, []))

    for statement in statements(parse(file).body):
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if alias.name in MODULES)
        elif statement.module:
            for alias in statement.names:
                for name in (f"{statement.module}.{alias.name}", statement.module):
                    if name in MODULES:
                        yield name
                        break


def cycles(graph):
    """The strongly connected groups of more than one node (Tarjan)."""
    order, low, stack, groups = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in graph[node]:
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            group = []
            while not group or group[-1] != node:
                group.append(stack.pop())
            groups.append(group)

    for node in list(graph):
        if node not in order:
            visit(node)
    return [sorted(group) for group in groups if len(group) > 1]


def test_a_folder_is_one_room():
    rooms = Counter(file.parent.relative_to(SOURCE).as_posix() for file in FILES if file.name != "__init__.py")
    assert {room: modules for room, modules in rooms.items() if modules > MOST_MODULES} == {}


@pytest.mark.parametrize(("files", "most"), [(FILES, MOST_LINES), (TEST_FILES, MOST_TEST_LINES)], ids=["src", "tests"])
def test_a_file_is_read_in_one_sitting(files, most):
    lines = {str(file.relative_to(ROOT)): len(file.read_text("utf-8").splitlines()) for file in files}
    assert {file: count for file, count in lines.items() if count > most} == {}


def test_files_of_tests_have_names_of_their_own():
    # pytest imports them by name alone: of two that share a name, it runs neither, nor anything else.
    counts = Counter(path.name for path in TEST_FILES if path.name != "conftest.py")
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.more
def test_no_modules_import_each_other_in_a_circle():
    graph = {name: sorted(set(imports_at_module_level(file)) - {name}) for name, file in MODULES.items()}
    assert cycles(graph) == []


def test_a_circle_would_be_found():
    assert cycles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}) == [["a", "b", "c"]]


@pytest.mark.more
def test_no_ten_lines_stand_twice():
    """Ten lines in a row, blank ones and imports aside."""
    homes = defaultdict(list)
    for file in FILES:
        numbered = [
            (number, line.strip())
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
            if line.strip() and not line.strip().startswith(("import ", "from "))
        ]
        for start in range(len(numbered) - TWIN_LINES + 1):
            window = numbered[start : start + TWIN_LINES]
            homes["\n".join(line for _, line in window)].append(f"{file.relative_to(SOURCE)}:{window[0][0]}")
    assert [copies for copies in homes.values() if len(copies) > 1] == []


def is_record_class(statement):
    """Whether a class is a dataclass or a named tuple."""
    described = [*map(ast.dump, statement.decorator_list), *map(ast.dump, statement.bases)]
    return any("dataclass" in part or "NamedTuple" in part for part in described)


def uncounted_values(trees):
    """The calls that give a record more values by position than a reader counts, as `file:line Name`."""
    nodes = {file: list(ast.walk(tree)) for file, tree in trees.items()}
    records = {
        file: [node for node in nodes[file] if isinstance(node, ast.ClassDef) and is_record_class(node)]
        for file in trees
    }
    names = {record.name for classes in records.values() for record in classes}

    def long_calls(candidates):
        for node in candidates:
            if isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL:
                yield node.lineno, getattr(node.func, "id", getattr(node.func, "attr", None))

    uncounted = []
    for file in trees:
        calls = {(line, name) for line, name in long_calls(nodes[file]) if name in names}
        for record in records[file]:
            calls |= {(line, record.name) for line, name in long_calls(ast.walk(record)) if name == "cls"}
        uncounted += [f"{file}:{line} {name}" for line, name in sorted(calls)]
    return uncounted


@pytest.mark.more
def test_nobody_counts_commas():
    """A dataclass or a named tuple of more than three values is made with their names."""
    trees = {str(file.relative_to(SOURCE)): parse(file) for file in FILES}
    assert uncounted_values(trees) == []


def test_values_without_names_would_be_found():
    text = """
@dataclass(frozen=True)
class Span:
    @classmethod
    def empty(cls): return cls(0, 0, "", 0.0)
class Pair(NamedTuple): ...
class Other:
    @classmethod
    def empty(cls): return cls(0, 0, "", 0.0)
Span(1, 2, "a", p=0.5)
spans.Span(1, 2, *rest, 0.5)
Pair(1, 2, 3, 4)
Other(1, 2, 3, 4)
"""
    assert uncounted_values({"a.py": ast.parse(text)}) == ["a.py:5 Span", "a.py:11 Span", "a.py:12 Pair"]


def first_folders(files, root):
    return sorted({file.relative_to(root).parts[0] for file in files})


@pytest.mark.more
@pytest.mark.parametrize(
    ("root", "room"),
    [(SOURCE, room) for room in first_folders(FILES, SOURCE)]
    + [(ROOT / "tests", room) for room in first_folders(TEST_FILES, ROOT / "tests")],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_names_are_words_that_a_stranger_would_use(root, room):
    uses = Counter()
    for file in [root / room] if room.endswith(".py") else sorted((root / room).rglob("*.py")):
        tokens = tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline)
        uses.update(
            f"{file.relative_to(root)}: {token.string}"
            for token in tokens
            if token.type == tokenize.NAME and token.string.strip("_") in DIALECT
        )
    assert {use: count for use, count in uses.items() if use not in ALLOWED} == {}


def test_the_guide_names_rooms_that_exist():
    guide = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    paths = [f"/{path.relative_to(SOURCE)}" for path in SOURCE.rglob("*")]
    names = re.findall(r"`([a-z_/]+(?:\.py|\.toml|/))`", guide)
    assert len(names) > 50
    unknown = [name for name in names if not any(path.endswith("/" + name.rstrip("/")) for path in paths)]
    assert [name for name in unknown if not (ROOT / name).exists()] == []
