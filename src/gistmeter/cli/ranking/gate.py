"""`gistmeter gate`: may a new version of a summarizer go out? For build servers."""

from __future__ import annotations

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_systems
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.errors import ArgumentError, GistmeterError

if TYPE_CHECKING:
    from gistmeter.ranking.gate import GateResult

WORSE = 1


def gate(
    base: Annotated[Path, typer.Argument(metavar="BASE", help="Scores of the version before."), READS],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Scores of the new version."), READS],
    metric: o.Columns = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system", metavar="NAME", autocompletion=complete_systems, help="Gate this system alone; repeat for more."
        ),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]NUMBER", help="How much worse the new version may be; default 0. NAME= for one score."
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.4999, help="The level of the one-sided tests.")] = 0.05,
    strict: Annotated[
        bool, typer.Option("--strict", help="Shut also when it cannot be shown that the new version is no worse.")
    ] = False,
    lower: o.Lower = None,
    higher: o.Higher = None,
    missing: Annotated[
        Literal["refuse", "drop"],
        typer.Option("--missing", help="Systems and documents that NEW lacks: refuse to go on, or leave them out."),
    ] = "refuse",
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
    from gistmeter.cli.door.terminal import tell, tell_json
    from gistmeter.io.atomic import write_bytes
    from gistmeter.metrics.spelling import split_list
    from gistmeter.report import build_server
    from gistmeter.report.sheets.gate import gate_json, gate_sheet
    from gistmeter.scores import Scores

    margins = _read_margins(margin or [])
    form = o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
    try:
        result = api.gate(
            Scores.read(base),
            Scores.read(new),
            columns=[name for names in metric for name in split_list(names)] if metric else None,
            systems=system,
            margin=margins.pop("", 0.0),
            margins=margins,
            alpha=alpha,
            strict=strict,
            lower=lower or (),
            higher=higher or (),
            missing=missing,
            permutations=permutations,
            resamples=resamples,
            seed=seed,
        )
    except GistmeterError as error:
        if github:
            o.say(build_server.write_annotation("error", o.use_flags(error)))
        raise
    if github:
        _annotate(result, on_stdout=form is None)
    with build_server.ignore_commands(tell) if github and form is None else nullcontext():
        if json:
            tell_json(gate_json(result))
        else:
            out.show_sheet(gate_sheet(result), latex=latex, html=html, markdown=markdown, json=False)
    if junit is not None:
        write_bytes(junit, build_server.junit_xml(result).encode("utf-8"))
    if not result.passed:
        raise typer.Exit(WORSE)


def _annotate(result: GateResult, *, on_stdout: bool) -> None:
    """Annotations, on standard error where another form has standard output, and the job's page if there is one."""
    from gistmeter.cli.door.terminal import tell
    from gistmeter.io.atomic import append_text
    from gistmeter.report import build_server

    (tell if on_stdout else o.say)(build_server.github_annotations(result))
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        append_text(Path(page), build_server.github_summary(result))


def _read_margins(texts: list[str]) -> dict[str, float]:
    """Margins by the name of the score; that of all others has no name.

    >>> _read_margins(["0.005", "bleu.bleu=0.5"])
    {'': 0.005, 'bleu.bleu': 0.5}
    """
    margins: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            margins[name] = float(number)
        except ValueError:
            raise ArgumentError(f"`margin` is a number, or NAME=NUMBER, not {text!r}") from None
    return margins
