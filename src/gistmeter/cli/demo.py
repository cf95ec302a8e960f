"""`gistmeter demo`: the whole way on a small run that ships with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE, WRITES_SCORES


def demo(
    report: Annotated[Path, typer.Option("--report", help="Where to write the report."), WRITES_FILE] = Path(
        "report.html"
    ),
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the scores."), WRITES_SCORES] = Path(
        "scores.parquet"
    ),
) -> None:
    """Score the example run (5 systems, 12 documents), rank the systems and write a report."""
    from gistmeter.cli.score import score
    from gistmeter.demo import demo_run
    from gistmeter.io.atomic import check_output

    for file in (report, output):
        check_output(file, [demo_run()])
    o.say(f"scoring the example run with {o.DEFAULT_METRICS}")
    score(run=[str(demo_run())], output=output, report=report)
