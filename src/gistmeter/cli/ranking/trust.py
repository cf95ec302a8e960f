"""`gistmeter trust`: how often do people rank two systems that far apart in the same way?

`gistmeter trust rouge1 --gap 0.005` asks, and so does `gistmeter trust ask ...`; `gistmeter trust fit` makes a table.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_systems
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.door.terminal import draw, tell_json
from gistmeter.cli.meta.options import single_human, with_option_names
from gistmeter.errors import GistmeterError
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from rich.console import RenderableType

_DEFAULT_COMMAND = "ask"


class _AskByDefault(TyperGroup):
    """Commands of which `ask` need not be named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in self.commands
        return super().parse_args(ctx, args if named else [_DEFAULT_COMMAND, *args])


app = typer.Typer(cls=_AskByDefault, help="How often people agree with a gap; tables from your own judgments.")


@app.command(_DEFAULT_COMMAND)
def ask(
    what: Annotated[
        str | None,
        typer.Argument(metavar="METRIC|SCORES", help="A metric with --gap, or a file of scores and two systems."),
    ] = None,
    system_a: Annotated[
        str | None, typer.Argument(metavar="SYSTEM_A", help="One of its systems.", autocompletion=complete_systems)
    ] = None,
    system_b: Annotated[
        str | None, typer.Argument(metavar="SYSTEM_B", help="The other system.", autocompletion=complete_systems)
    ] = None,
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
    table: o.TrustTable = None,
    json: o.AsJson = False,
) -> None:
    """How often people agree with a gap between two systems; without arguments, what is calibrated.

    `gistmeter trust fit SCORES JUDGMENTS -o my.json` makes a table from judgments of your own.
    """
    from gistmeter.ranking import trust as trusts
    from gistmeter.report.sheets import trust as report

    people: trusts.People = "significant" if significant else "all"
    tables = () if table is None else trusts.read_tables(table)
    if what is None:
        answers = trusts.available(tables or None)
        _show(report.available_view(answers), report.available_json(answers) if json else None)
    elif system_a is None:
        if gap is None:
            raise GistmeterError(
                f"say how far apart (gistmeter trust {what} --gap 0.005), or name two systems of a file"
            )
        if column and len(column) > 1:
            raise GistmeterError("one gap has one score: give --metric once")
        answer = trusts.trust(
            what,
            gap,
            column=column[0] if column else None,
            documents=documents,
            points=points,
            people=people,
            tables=tables,
        )
        _show(report.answer_view(answer), report.answer_json(answer) if json else None)
    else:
        if system_b is None or gap is not None or points or documents is not None:
            raise GistmeterError("a file of scores takes two systems; --gap, --points and --documents go with a metric")
        pair = trusts.trust_pair(what, system_a, system_b, columns=column, every=every, people=people, tables=tables)
        _show(report.pair_view(pair), report.answer_json(pair) if json else None)


@app.command()
@with_option_names
def fit(
    scores: o.ScoreFile,
    judgments: Annotated[
        Path, typer.Argument(metavar="JUDGMENTS", help="What people said of the same summaries."), READS
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write the tables here, as JSON."), WRITES_FILE
    ],
    human: Annotated[
        list[str] | None,
        typer.Option(
            "--human", "--aspect", metavar="NAME", help="The judgment that stands for people, if there are several."
        ),
    ] = None,
    fields: o.FieldMap = None,
    column: o.Columns = None,
    lower: o.Lower = None,
    higher: o.Higher = None,
    every: o.Every = False,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="What answers call the dataset; default the file of judgments.")
    ] = None,
    about: Annotated[str, typer.Option(metavar="TEXT", help="What a reader should know of the dataset.")] = "",
    date: Annotated[str | None, typer.Option(metavar="DAY", help="The date to write into the tables; today's.")] = None,
    resamples: o.Resamples = 2000,
    confidence: o.Confidence = 0.95,
    seed: o.Seed = 0,
) -> None:
    """Make tables from scores and judgments of your own, for --table of trust, rank and compare."""
    from gistmeter.io.files import file_stem
    from gistmeter.judgments import Judgments
    from gistmeter.ranking import trust as trusts
    from gistmeter.report.sheets import trust as report

    fitted = trusts.fit(
        scores,
        Judgments.read(judgments, fields=o.parse_fields(fields)),
        output=output,
        aspect=single_human(human),
        columns=column,
        lower=lower or (),
        higher=higher or (),
        every=every,
        name=name or file_stem(str(judgments)),
        about=about,
        date=date,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    draw(report.available_view(trusts.available(fitted.tables)))
    for note in (*fitted.notes, *fitted.skipped):
        o.say(f"note: {o.use_flags(note)}")
    o.say(f"{format_count(len(fitted.tables), 'table')} written: {output}")


def _show(view: RenderableType, json: str | None) -> None:
    if json is None:
        draw(view)
    else:
        tell_json(json)
