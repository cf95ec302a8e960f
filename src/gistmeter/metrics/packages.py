"""Metrics of other packages: which package a class belongs to, and classes that a user names as `module:Class`."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
import typing
from importlib import metadata
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError, suggestion

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint
    from types import ModuleType

ENTRY_POINT_GROUP = "gistmeter.metrics"
_OWN = "gistmeter"
_CLASS_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*\Z")


@functools.cache
def list_entry_points() -> tuple[EntryPoint, ...]:
    """What installed packages register as metrics."""
    return tuple(metadata.entry_points(group=ENTRY_POINT_GROUP))


def describe_package(package: Distribution | None) -> str:
    """Name and version of a package, as they stand in signatures; nothing for none."""
    return f"{package.name}-{package.version}" if package is not None else ""


@functools.cache
def find_package(cls: type) -> str:
    """Name and version of the installed package that a class comes with; nothing for a file that no package has.

    >>> from gistmeter.metrics.overlap.bleu import Bleu
    >>> find_package(Bleu)
    ''
    """
    top = cls.__module__.partition(".")[0]
    if top in (_OWN, "__main__", "builtins"):
        return ""
    for point in list_entry_points():
        if point.dist is not None and re.split("[.:]", point.value)[0] == top:
            return describe_package(point.dist)
    # An installed package without an entry point: looking through all of them takes a moment.
    return describe_package(next((package for package in metadata.distributions() if _brings(package, top)), None))


def _brings(package: Distribution, top: str) -> bool:
    """Whether an installed package has a module of that name; `packages_distributions` lists those of all packages."""
    declared = (package.read_text("top_level.txt") or "").split()
    if declared:
        return top in declared
    files = package.read_text("RECORD") or ""
    return re.search(rf"^{re.escape(top)}(?:/.*)?\.py,", files, re.MULTILINE) is not None


def is_class_name(name: str) -> bool:
    """Whether the name of a metric is that of a class to import, `package.module:Class`.

    >>> is_class_name("my_metrics.numbers:Numbers"), is_class_name("rouge2"), is_class_name("a:b:c")
    (True, False, False)
    """
    return _CLASS_NAME.match(name) is not None


def import_class(target: str, *, working_directory: bool = False) -> type:
    """The class that `package.module:Class` names; raises whatever importing it raises.

    With `working_directory` a module that is not installed is looked for there, too; it is then searched last.
    """
    module_name, _, name = target.partition(":")
    top = module_name.partition(".")[0]
    if working_directory:
        _search_working_directory(top)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if working_directory and error.name == top:
            error.msg = f"{error.msg}, neither installed nor in the working directory"
        raise
    if not hasattr(module, name):
        raise AttributeError(f"{module_name} has no {name}{suggestion(name, _list_classes(module))}")
    return typing.cast("type", getattr(module, name))


def describe_import_error(error: BaseException) -> str:
    """An error of somebody's code in one line."""
    first_line = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__


def refuse_unimported(name: str) -> MetricError:
    """The error for a class that only a file names."""
    return UnimportedClassError(
        f"{name} was not imported, because it stands in a file of scores, which may be anybody's"
    )


class UnimportedClassError(MetricError):
    """A metric is the name of a class, and nobody asked for it to be imported."""


def _search_working_directory(top: str) -> None:
    if top in sys.modules or find_spec(top) is not None:
        return
    folder = str(Path.cwd())
    if folder not in sys.path and PathFinder.find_spec(top, [folder]) is not None:
        sys.path.append(folder)


def _list_classes(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if inspect.isclass(value)]
