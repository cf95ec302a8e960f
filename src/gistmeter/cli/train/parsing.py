"""Texts of the training commands: lists of counts, and the command as a model card tells it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def parse_counts(text: str | None, option: str) -> dict[str, int]:
    """The numbers in SOURCE=N,SOURCE=N.

    >>> parse_counts("snli=6000,mnli=20000", "--most")
    {'snli': 6000, 'mnli': 20000}
    """
    counts: dict[str, int] = {}
    for part in text.split(",") if text else ():
        source, _, count = part.partition("=")
        if not source or not count.isdecimal() or int(count) < 1:
            raise ArgumentError(f"{option} takes SOURCE=N with commas between, not {part!r}")
        counts[source] = int(count)
    return counts


def choice_parser(choices: Sequence[str], old_values: Mapping[str, str]) -> Callable[[str], str]:
    """What reads a closed choice by its values, and by names that they had before.

    >>> choice_parser(["documents", "systems"], {"examples": "documents"})("examples")
    'documents'
    """

    def parse(text: str) -> str:
        value = old_values.get(text, text)
        if value not in choices:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, choices))}.")
        return value

    return parse


def describe_command(words: list[str]) -> str:
    """The command for the card: data named by its folder's variable, other files without a folder, no notes."""
    folder = os.environ.get("GISTMETER_DATA")
    described = ["gistmeter"]
    for before, word in zip(["", *words][: len(words)], words, strict=True):
        if "--note" in (before, word) or word.startswith("--note="):
            continue
        if folder and word.startswith(f"{folder.rstrip('/')}/"):
            described.append(f"$GISTMETER_DATA/{shlex.quote(word[len(folder.rstrip('/')) + 1 :])}")
        else:
            described.append(shlex.quote(Path(word).name if "/" in word else word))
    return " ".join(described)
