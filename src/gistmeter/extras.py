"""Extras: what an optional dependency brings, and the sentence that says it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gistmeter.errors import MissingExtraError


def require(module: str, what: str, *, extra: str = "models") -> Any:
    """Import a module of an extra, or say in one sentence how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        if error.name and error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtraError(f"{what} needs {module}: pip install 'gistmeter[{extra}]'") from None
