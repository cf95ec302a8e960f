"""Files of attacks: JSON lines, of which the first says how they were made and each other one is an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.probe.attacks.effects import AttackEffect, AttackEffects
from gistmeter.probe.headed_file import HeadedFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ATTACKS_FILE = HeadedFile(
    mark="gistmeter_attacks",
    result=AttackEffects,
    rows="rows",
    row=AttackEffect,
    content="attacks",
    row_content="effect of an attack",
    form="effects of attacks are JSON lines",
    writers="`gistmeter probe attack -o` writes",
)


def check_attacks_path(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse a file that no effects of attacks can be written to, or that is an input, before any long work."""
    ATTACKS_FILE.check_path(path, inputs)


def write_attacks(effects: AttackEffects, path: str | Path) -> None:
    """Write what `attack` found, for `gistmeter report` and `gistmeter probe report` to show.

    Parameters
    ----------
    effects
        What `attack` gave.
    path
        A file of JSON lines.

    Raises
    ------
    DataError
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gistmeter.probe import attack, read_attacks
    >>> run = [{"summary": "It rained.", "document": "It rained a lot. It was cold. The rain fell on Rome."}]
    >>> effects = attack(run, "js", attacks=["copy"])
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
    ...     write_attacks(effects, file.name)
    ...     read_attacks(file.name)["copy", "js.divergence"].attacked
    0.0
    """
    ATTACKS_FILE.write(effects, path)


def read_attacks(path: str | Path) -> AttackEffects:
    """The effects of attacks from the file that they were written to.

    Parameters
    ----------
    path
        A file that `write_attacks` or `gistmeter probe attack -o` wrote.

    Raises
    ------
    DataError
        It cannot be read, or is no file of attacks.

    Examples
    --------
    >>> read_attacks("nowhere.jsonl")
    Traceback (most recent call last):
    gistmeter.errors.DataError: cannot read nowhere.jsonl: there is no such file
    """
    return ATTACKS_FILE.read(path)
