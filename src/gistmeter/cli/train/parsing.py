"""What the training commands share: the command as a card records it, and lists of counts."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from gistmeter.errors import GistmeterError


def counts(text: str | None, option: str) -> dict[str, int]:
    """The numbers in SOURCE=N,SOURCE=N.

    >>> counts("snli=6000,mnli=20000", "--most")
    {'snli': 6000, 'mnli': 20000}
    """
    found: dict[str, int] = {}
    for part in text.split(",") if text else ():
        source, _, count = part.partition("=")
        if not source or not count.isdecimal() or int(count) < 1:
            raise GistmeterError(f"{option} takes SOURCE=N with commas between, not {part!r}")
        found[source] = int(count)
    return found


def recorded(words: list[str]) -> str:
    """The command for the card: data named by its folder's variable, other files without a folder, no notes."""
    folder = os.environ.get("GISTMETER_DATA")
    said = ["gistmeter"]
    for before, word in zip(["", *words][: len(words)], words, strict=True):
        if "--note" in (before, word) or word.startswith("--note="):
            continue
        if folder and word.startswith(f"{folder.rstrip('/')}/"):
            said.append(f"$GISTMETER_DATA/{shlex.quote(word[len(folder.rstrip('/')) + 1 :])}")
        else:
            said.append(shlex.quote(Path(word).name if "/" in word else word))
    return " ".join(said)
