"""The example run: five systems, twelve documents, two references each; original text, free to use.

Its records carry content units of the references, and whether the summary has them, judged by the authors of gistmeter.

`judgments.jsonl` holds ratings of it by three raters. They are invented (scripts/make_demo_judgments.py), to show how
the commands work and for nothing else. So are the assignments of four raters in `work.jsonl`, with controls
(scripts/make_demo_work.py).
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def demo_run() -> Path:
    """The path of the example run."""
    return Path(str(files("gistmeter.demo") / "run.jsonl"))


def demo_judgments() -> Path:
    """The path of the invented ratings of the example run."""
    return Path(str(files("gistmeter.demo") / "judgments.jsonl"))


def demo_work() -> Path:
    """The path of the invented assignments on the example run, with answers to controls."""
    return Path(str(files("gistmeter.demo") / "work.jsonl"))
