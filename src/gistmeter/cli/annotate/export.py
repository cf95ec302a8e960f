"""`gistmeter annotate export`: the judgments of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import StudyFolder, open_store
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.errors import ArgumentError
from gistmeter.wording import format_count


def export(
    study: StudyFolder,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write, as JSON lines."),
        WRITES_FILE,
    ],
    product: Annotated[
        str,
        typer.Option(
            "--as", metavar="NAME", help="The kind of file: judgments, or what else the task gives, such as spans."
        ),
    ] = "judgments",
    z_scores: Annotated[
        bool, typer.Option("--z-scores", help="Values less the rater's mean, over the rater's deviation.")
    ] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Take the answers of unfinished assignments, too.")
    ] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Failed assignments too, with how each went: for `gistmeter human quality`."),
    ] = False,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="RATER", help="Leave out this rater; repeat for more.")
    ] = None,
    least_raters: Annotated[
        int, typer.Option(min=1, metavar="N", help="Of units that people wrote: those of so many of them, or more.")
    ] = 1,
) -> None:
    """Write the judgments of a study, as `gistmeter meta correlate` and `gistmeter human` read them.

    With --as what else people made: marked spans, content units, answers. Assignments that failed quality
    control are left out and counted.
    """
    from gistmeter.annotate.collection import collect_judgments, write_everything
    from gistmeter.annotate.products import JUDGMENTS, check_product, collect_product
    from gistmeter.cli.output import check_judgments_file
    from gistmeter.io.writing import check_records_path, write_records

    store = open_store(study, output)
    states = ["passed", *(["taken", "idle"] if unfinished or everything else []), *(["failed"] if everything else [])]
    if check_product(store.study.settings.task, product) != JUDGMENTS:
        check_records_path(output, f"a file of {product}")
        records = collect_product(store, product, states=states, without=without or (), least_raters=least_raters)
        write_records(records, output, f"a file of {product}")
        o.say(f"{format_count(len(records), 'record')} of {product} written: {output}")
        return
    check_judgments_file(output)
    if least_raters > 1:
        raise ArgumentError("`least_raters` is for units that people wrote (--as units)")
    with o.notes_on_stderr():
        collected = collect_judgments(store, states=states, z_scores=z_scores, without=without or ())
    if everything:
        write_everything(collected, output)
    else:
        collected.judgments.write(output)
    o.say(f"{format_count(len(collected.judgments.table), 'judgment')} written: {output} ({collected.describe()})")
