"""`gistmeter gate`: may a new version of a summarizer go out? For build servers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS, WRITES_FILE

WORSE = 1


def gate(
    base: Annotated[Path, typer.Argument(metavar="BASE", help="Scores of the version before."), READS],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Scores of the new version."), READS],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", "--column", metavar="NAME", help="Gate by this score; repeat for more."),
    ] = None,
    margin: Annotated[float, typer.Option(min=0, help="How much worse the new version may be.")] = 0.0,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.4999, help="The level of the one-sided tests.")] = 0.05,
    strict: Annotated[
        bool, typer.Option("--strict", help="Shut also when it cannot be shown that the new version is no worse.")
    ] = False,
    lower: Annotated[
        list[str] | None, typer.Option("--lower", metavar="NAME", help="Lower values of this score are better.")
    ] = None,
    seed: o.Seed = 0,
    resamples: o.Resamples = 2000,
    permutations: o.Permutations = 10_000,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations for GitHub, and write the job's summary page.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write a JUnit file."), WRITES_FILE
    ] = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Shut (exit code 1) when the new scores are worse than the base's by more than a margin.

    Systems are paired by name, documents by id. A score counts as worse when a one-sided test shows it; what the test
    cannot decide goes through, unless --strict. Exit code 2 says that the files or options are wrong.
    """
    from gistmeter import api
    from gistmeter.cli import output as out
    from gistmeter.cli.door.terminal import tell
    from gistmeter.io.atomic import append_text, write_bytes
    from gistmeter.report import build_server
    from gistmeter.report.sheets.gate import gate_sheet
    from gistmeter.scores import Scores

    result = api.gate(
        Scores.read(base),
        Scores.read(new),
        columns=metric,
        margin=margin,
        alpha=alpha,
        strict=strict,
        lower=lower or (),
        permutations=permutations,
        resamples=resamples,
        seed=seed,
    )
    out.show_sheet(gate_sheet(result), latex=latex, html=html, markdown=markdown, json=json)
    if junit is not None:
        write_bytes(junit, build_server.junit_xml(result).encode("utf-8"))
    if github:
        tell(build_server.github_annotations(result))
        if page := os.environ.get("GITHUB_STEP_SUMMARY"):
            append_text(Path(page), build_server.github_summary(result))
    if not result.passed:
        raise typer.Exit(WORSE)
