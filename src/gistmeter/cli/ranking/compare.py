"""`gistmeter compare`: is one system better than another, and on which documents do they differ most?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_systems


def compare(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="SCORES [NEW_SCORES] [SYSTEM_A SYSTEM_B]",
            autocompletion=complete_systems,
            help="A file of scores and two of its systems; or two files, and a system of both where they have several.",
        ),
    ],
    column: o.Columns = None,
    lower: o.Lower = None,
    higher: o.Higher = None,
    every: o.Every = False,
    largest: Annotated[int, typer.Option(min=0, help="How many documents to show per score.")] = 5,
    seed: o.Seed = 0,
    resamples: o.Resamples = 1000,
    permutations: o.Permutations = 10_000,
    confidence: o.Confidence = 0.95,
    table: o.TrustTable = None,
    points: o.Points = False,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Compare two systems: difference, interval and p-value per score, and the documents that differ most.

    `compare scores.parquet bart lead` compares two systems of a file, `compare base.parquet new.parquet` two versions.
    """
    from gistmeter import api
    from gistmeter.ranking.stacking import choose_two, read_stacked
    from gistmeter.ranking.trust import add_trust_to_comparison, read_tables
    from gistmeter.report.console import comparison_table
    from gistmeter.report.tables.board import BoardStyle

    tables = () if table is None else read_tables(table)
    files, systems = _split_names(names)
    scores = read_stacked(files)
    comparison = api.compare(
        scores,
        *choose_two(scores, systems, files=len(files)),
        columns=column,
        lower=lower or (),
        higher=higher or (),
        resamples=resamples,
        permutations=permutations,
        confidence=confidence,
        seed=seed,
        largest=largest,
    )
    every = every or bool(column)
    o.show(
        add_trust_to_comparison(comparison, every=every, tables=tables, points=points and not json),
        comparison_table,
        BoardStyle(every=every, points=points),
        latex=latex,
        html=html,
        markdown=markdown,
        json=json,
    )


def _split_names(names: list[str]) -> tuple[list[str], list[str]]:
    """The files and the systems: the first name is a file, and so is the second if it is called like a table.

    >>> _split_names(["s.parquet", "bart", "lead"]), _split_names(["base.parquet", "new.csv"])
    ((['s.parquet'], ['bart', 'lead']), (['base.parquet', 'new.csv'], []))
    """
    from gistmeter.io.score_tables import TABLE_SUFFIXES

    files = 2 if len(names) > 1 and Path(names[1]).suffix in TABLE_SUFFIXES else 1
    return names[:files], names[files:]
