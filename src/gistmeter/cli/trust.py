"""`gistmeter trust`: how often do people rank two systems that far apart in the same way?"""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.errors import GistmeterError


def trust(
    what: Annotated[
        str | None,
        typer.Argument(metavar="METRIC|SCORES", help="A metric with --gap, or a file of scores and two systems."),
    ] = None,
    system_a: Annotated[str | None, typer.Argument(metavar="SYSTEM_A")] = None,
    system_b: Annotated[str | None, typer.Argument(metavar="SYSTEM_B")] = None,
    gap: Annotated[
        float | None, typer.Option(help="How far apart two systems are, as gistmeter prints scores: 0.005.")
    ] = None,
    points: Annotated[bool, typer.Option("--points", help="The gap is on a scale of 0 to 100: 0.5.")] = False,
    documents: Annotated[
        int | None, typer.Option(min=1, help="How many documents the gap is over; default as many as were judged.")
    ] = None,
    column: o.Columns = None,
    every: o.Every = False,
    significant: Annotated[
        bool, typer.Option("--significant", help="Only pairs of systems that people tell apart significantly.")
    ] = False,
    json: o.AsJson = False,
) -> None:
    """How often people agree with a gap between two systems; without arguments, what is calibrated."""
    from gistmeter.ranking import trust as trusts
    from gistmeter.ranking.columns import main_columns
    from gistmeter.report.sheets import trust as report
    from gistmeter.scores import Scores

    if what is None:
        o.console().print(report.available_view(trusts.available()))
        return
    people: trusts.People = "significant" if significant else "all"
    if system_a is None:
        if gap is None:
            raise GistmeterError(
                f"say how far apart (gistmeter trust {what} --gap 0.005), or name two systems of a file"
            )
        if column and len(column) > 1:
            raise GistmeterError("one gap has one score: give --column once")
        wanted = column[0].rpartition(".")[2] if column else None
        answer = trusts.trust(what, gap, column=wanted, documents=documents, points=points, people=people)
        if json:
            typer.echo(report.answer_json(answer))
        else:
            o.console().print(report.answer_view(answer))
        return
    if system_b is None or gap is not None or points or documents is not None:
        raise GistmeterError("a file of scores takes two systems; --gap, --points and --documents go with a metric")
    scores = Scores.read(what)
    columns = column or [main_column.name for main_column in main_columns(scores.columns, every=every)]
    pair = trusts.trust_pair(scores, system_a, system_b, columns=columns, people=people)
    if json:
        typer.echo(report.answer_json(pair))
    else:
        o.console().print(report.pair_view(pair))
