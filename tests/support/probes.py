"""The texts on which packages of rules are probed, all written for gistmeter."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "signatures" / "probes"
FILES = {
    "asking": ("rules", "asking", "people"),
    "coreference": ("rules", "coreference", "people"),
    "edus": ("rules", "edus"),
    "presence": ("presence",),
    "roles": ("rules", "roles"),
    "slots": ("rules", "slots", "people"),
    "trees": ("rules", "trees"),
    "units": ("rules", "units"),
}
"""Files of probes by package; the others have `rules` alone."""


def read_file(name):
    """The text of a file of probes."""
    return (FOLDER / f"{name}.txt").read_text("utf-8")


def read_probes(package, read_text=read_file):
    """The texts of a package, one a line; `\\n` stands for a new line, and an empty line for an empty text.

    `read_text` gives the text of a file by its name.
    """
    names = FILES.get(package, ("rules",))
    return [line.replace("\\n", "\n") for name in names for line in read_text(name).splitlines()]
