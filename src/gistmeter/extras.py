"""Extras: what an optional dependency brings, and the sentence that says it is missing."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from gistmeter.errors import MissingExtraError


def require(module: str, what: str, *, extra: str = "models") -> Any:
    """Import a module of an extra, or say in one sentence how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        if error.name and error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise missing_extra(f"{what} needs {module}", extra) from None


def missing_extra(sentence: str, extra: str = "models") -> MissingExtraError:
    """The error that something is not installed, with the command that installs it from where the user is."""
    return MissingExtraError(f"{sentence}: {install_command(extra)}")


def install_command(extra: str) -> str:
    """What installs an extra: from the clone that gistmeter was installed from, or from the package index."""
    clone = _find_clone()
    if clone is None:
        return f"pip install 'gistmeter[{extra}]'"
    if clone.samefile(Path.cwd()):
        return f"pip install -c constraints.txt '.[{extra}]'"
    return f"pip install -c '{clone / 'constraints.txt'}' '{clone}[{extra}]'"


@cache
def _find_clone() -> Path | None:
    """The folder that gistmeter was installed from, where it is still there; None if it came from an index."""
    try:
        origin = Distribution.from_name("gistmeter").read_text("direct_url.json")
        location = urlsplit(json.loads(origin)["url"]) if origin else None
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return None
    if location is None or location.scheme != "file":
        return None
    folder = Path(unquote(location.path))
    return folder if (folder / "constraints.txt").is_file() else None
