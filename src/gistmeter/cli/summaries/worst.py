"""`gistmeter worst`: the summaries that score worst, to look at next."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.run_files import NO_FILES, RunAgain, RunFiles, take_run_files
from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from gistmeter.ranking.worst import WorstSummary


@take_run_files
def worst(
    scores: o.ScoreFile,
    metric: o.Columns = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, metavar="N", help="How many summaries to show.")] = 10,
    system: Annotated[
        list[str] | None, typer.Option("--system", metavar="NAME", help="Only summaries by this system; repeat.")
    ] = None,
    each: Annotated[bool, typer.Option("--each", help="So many of each system.")] = False,
    lower: o.Lower = None,
    higher: o.Higher = None,
    run: RunAgain = None,
    files: RunFiles = NO_FILES,
    trust_origin: o.TrustOrigin = False,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Show the summaries that score worst, how far they are below their system's mean, and what to look at next.

    It is checked that the run has not changed since it was scored; where its files moved, --run, --summaries and the
    like say where they are.
    """
    from gistmeter import api
    from gistmeter.cli import output
    from gistmeter.cli.door.terminal import tell_json
    from gistmeter.report.sheets.worst import worst_sheet

    if metric and len(metric) > 1:
        raise ArgumentError("summaries are worst by one score: give --metric once")
    result = api.worst(
        scores,
        metric[0] if metric else None,
        count=count,
        systems=system or (),
        each=each,
        lower=lower or (),
        higher=higher or (),
        moved=files.list_moved(run),
        trust_origin=trust_origin,
    )
    if json:
        o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
        tell_json(result.to_json())
        return
    output.show_sheet(worst_sheet(result), latex=latex, html=html, markdown=markdown, json=False)
    if result.rows and not (latex or html or markdown):
        where = [*(word for file in run or [] for word in ("--run", file)), *files.list_words()]
        where += ["--trust-origin"] if trust_origin else []
        o.say(f"next: {_explain_command(str(scores), result.rows[0], result.column.metric, where)}")


def _explain_command(scores: str, row: WorstSummary, metric: str, where: list[str]) -> str:
    """The command line that shows why the worst one scores so; `where` are the options that say where its texts are."""
    words = ["gistmeter", "explain", scores, "--doc", row.doc_id, "--system", row.system]
    return shlex.join([*words, *(["-m", metric] if metric else []), *where])
