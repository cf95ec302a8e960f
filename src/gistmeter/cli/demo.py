"""`gistmeter demo`: the whole way on a small run that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o


def demo(
    report: Annotated[Path, typer.Option("--report", help="Where to write the report.")] = Path("report.html"),
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the scores.")] = Path("scores.parquet"),
) -> None:
    """Score the example run (5 systems, 12 documents), rank the systems and write a report."""
    from gistmeter.cli.score import score
    from gistmeter.demo import demo_run

    o.say(f"scoring the example run with {o.DEFAULT_METRICS}")
    score(run=[str(demo_run())], output=output, report=report)
