"""`gistmeter trust`: how often do people rank two systems that far apart in the same way?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from rich.console import RenderableType


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
    from gistmeter.report.sheets import trust as report

    people: trusts.People = "significant" if significant else "all"
    if what is None:
        o.console().print(report.available_view(trusts.available()))
    elif system_a is None:
        if gap is None:
            raise GistmeterError(
                f"say how far apart (gistmeter trust {what} --gap 0.005), or name two systems of a file"
            )
        if column and len(column) > 1:
            raise GistmeterError("one gap has one score: give --column once")
        answer = trusts.trust(
            what, gap, column=column[0] if column else None, documents=documents, points=points, people=people
        )
        _show(report.answer_view(answer), report.answer_json(answer) if json else None)
    else:
        if system_b is None or gap is not None or points or documents is not None:
            raise GistmeterError("a file of scores takes two systems; --gap, --points and --documents go with a metric")
        pair = trusts.trust_pair(what, system_a, system_b, columns=column, every=every, people=people)
        _show(report.pair_view(pair), report.answer_json(pair) if json else None)


def _show(view: RenderableType, json: str | None) -> None:
    if json is None:
        o.console().print(view)
    else:
        typer.echo(json)
