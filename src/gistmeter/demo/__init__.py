"""The example run: five systems, twelve documents, two references each; original text, free to use."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def demo_run() -> Path:
    """The path of the example run."""
    return Path(str(files("gistmeter.demo") / "run.jsonl"))
