"""`gistmeter qa export`: what a metric asks, for people to answer or to verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE

Metric = Annotated[
    str, typer.Option("--metric", "-m", help="The metric whose questions they are, with its settings.", metavar="M")
]


def export(
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Write the questions here: .jsonl, .csv, .tsv, or .html to fill in."),
        WRITES_FILE,
    ],
    run: o.RunFiles = None,
    metric: Metric = "qaeval",
    verify: Annotated[
        bool, typer.Option("--verify", help="With the answers that were given, to be called correct or not.")
    ] = False,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
) -> None:
    """Write the questions of a metric for people to answer, or with --verify the answers for people to judge.

    Each line has an `id`, the `text` and the `question`. People fill in `answer`: words of the text, or "" where it has
    no answer (in a table: `answerable` no); or `correct`: true or false. Lines may be left as they are: there the model
    answers. A page (.html) is filled in in a browser, which downloads such a file. Then score with
    -m 'qaeval(people=FILE)', or check the file first with `gistmeter qa import`.
    """
    from gistmeter import api
    from gistmeter.report.page.question_sheet import check_question_file
    from gistmeter.report.tables.numbers import format_count

    check_question_file(output)
    opened = o.open_run_files(run, summaries, references, documents, language, fields=fields)
    count = api.export_questions(opened, output, metric=metric, verify=verify)
    o.say(f"{format_count(count, 'question')} to {'verify' if verify else 'answer'} written: {output}")
