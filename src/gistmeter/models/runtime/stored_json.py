"""JSON files of models: weights that gistmeter wrote, and the configurations of checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from gistmeter.errors import DataError, MetricError
from gistmeter.io.json_lines import read_json

if TYPE_CHECKING:
    from pathlib import Path

Value = TypeVar("Value")


def read_weights_json(file: Path, content: str, kind: type[Value]) -> Value:
    """The value of a JSON file of weights, of the type `kind`; `content` says what the file should be.

    Raises
    ------
    MetricError
        The file cannot be read, or holds something else.
    """
    try:
        return read_json(file, content, kind=kind)
    except DataError as error:
        raise MetricError(str(error)) from None


def read_config(file: Path, name: str) -> dict[str, Any]:
    """The configuration of a checkpoint, which errors call `name`."""
    try:
        return read_json(file, "the configuration of a model", kind=dict[str, Any])
    except DataError as error:
        raise MetricError(f"{name} cannot be loaded: {error}") from None
