"""Options that the commands of studies share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gistmeter.cli.door.files import READS

if TYPE_CHECKING:
    from gistmeter.annotate import Store
    from gistmeter.result import Result

StudyFolder = Annotated[
    Path, typer.Argument(metavar="STUDY", help="A folder that `gistmeter annotate design` wrote."), READS
]


def open_store(folder: Path, output: Path | None = None) -> Store:
    """The answers of a study; what was answered to the end and forgotten is handed in.

    An output that is a file of the study is refused.
    """
    from gistmeter.annotate import Store, open_study
    from gistmeter.annotate.grading import hand_in_forgotten
    from gistmeter.annotate.study import ANSWERS_FILE, ITEMS_FILE, STUDY_FILE
    from gistmeter.io.atomic import check_output

    if output is not None:
        check_output(output, [folder / name for name in (STUDY_FILE, ITEMS_FILE, ANSWERS_FILE)])
    store = Store(open_study(folder))
    hand_in_forgotten(store)
    return store


def show_study(result: Result, *, latex: bool, html: bool, markdown: bool, json: bool) -> None:
    """Print the plan or the progress of a study in the form asked for."""
    from gistmeter.annotate import sheets  # noqa: F401 - it registers how they are shown
    from gistmeter.cli import output as out

    out.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
