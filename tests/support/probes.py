"""The texts on which packages of rules are probed, all written for gistmeter."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "signatures" / "probes"
FILES = {
    "asking": ("rules", "asking", "people"),
    "coreference": ("rules", "coreference", "people"),
    "roles": ("rules", "roles"),
    "slots": ("rules", "slots", "people"),
}
"""Files of probes by package; the others have `rules` alone."""


def read_probes(package):
    """The texts of a package, one a line."""
    names = FILES.get(package, ("rules",))
    return [line for name in names for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()]
