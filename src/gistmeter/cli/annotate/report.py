"""`gistmeter annotate report`: what a study found, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import StudyFolder, open_store
from gistmeter.cli.door.files import WRITES_FILE


def report(
    study: StudyFolder,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the page."), WRITES_FILE
    ] = Path("study-report.html"),
) -> None:
    """Write one HTML page: means with intervals, agreement, time, quality control by rater, worst disagreements."""
    from gistmeter.annotate.results.page import write_report

    with o.notes_on_stderr():
        write_report(open_store(study, output), output)
    o.say(f"report: {output}")
