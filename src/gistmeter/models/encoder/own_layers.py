"""The user's own table of layers: what `gistmeter layers --keep` chose, for the weights that it was chosen with."""

from __future__ import annotations

import functools
import json
import tomllib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError, GistmeterError
from gistmeter.io.atomic import explain_failure, write_bytes
from gistmeter.models.encoder.home import find_home
from gistmeter.models.runtime.locate import locate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ANY_ASPECT = "any"


@dataclass(frozen=True, slots=True)
class OwnLayer:
    """A layer of one model that the user chose for an aspect (`any`: for all), and how tokens weighed then."""

    model: str
    weights: str
    aspect: str
    layer: int
    idf: Literal["none", "background"]
    chosen_on: str = ""


def find_table() -> Path:
    """Where the table is kept."""
    return find_home() / "layers.toml"


def find_own_layer(model: str, aspect: str) -> OwnLayer | None:
    """The user's layer for the weights of a model, whatever it is called now."""
    rows = [row for row in read_own_layers() if row.aspect in (aspect, _ANY_ASPECT)]
    if not rows:
        return None
    try:
        digest = locate(model).digest
    except GistmeterError:  # a model that is not here: nobody can say that it is the same
        return None
    rows = [row for row in rows if row.weights == digest]
    return min(rows, key=lambda row: row.aspect == _ANY_ASPECT, default=None)


def read_own_layers() -> tuple[OwnLayer, ...]:
    """All rows of the table, none if there is no table."""
    path = find_table()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return ()
    return _read_table(path, changed)


def keep_layers(layers: Sequence[OwnLayer]) -> Path:
    """Add layers to the table, each in place of an earlier one of the same weights and aspect."""
    new = {(layer.weights, layer.aspect): layer for layer in layers}
    rows = {(row.weights, row.aspect): row for row in read_own_layers()} | new
    path = find_table()
    with explain_failure(f"cannot write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, "\n".join(map(_write_row, rows.values())).encode())
    return path


def _write_row(row: OwnLayer) -> str:
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in asdict(row).items()]
    return "\n".join(["[[layers]]", *lines, ""])


@functools.lru_cache(maxsize=4)
def _read_table(path: Path, changed: int) -> tuple[OwnLayer, ...]:  # noqa: ARG001  (a changed file is read again)
    types = {field.name: int if field.name == "layer" else str for field in fields(OwnLayer)}
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        rows = table["layers"] if table else []
        for row in rows:
            if row.keys() != types.keys() or not all(isinstance(row[key], types[key]) for key in types):
                raise KeyError(row)
        return tuple(OwnLayer(**row) for row in rows)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise DataError(f"{path} is no table of layers: delete it, and run `gistmeter layers --keep` again") from None
