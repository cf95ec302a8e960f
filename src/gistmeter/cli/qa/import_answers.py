"""`gistmeter qa import`: what people answered, checked against the run, kept for scoring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.qa.export import Metric


def import_answers(
    answers: Annotated[
        list[str],
        typer.Option("--answers", "-a", metavar="FILE", help="A file that people filled in; repeat for more."),
    ],
    run: o.RunFiles = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the answers alone here, as JSON lines.")
    ] = None,
    metric: Metric = "qaeval",
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Check people's answers against the run, say how well the model agrees with them, and keep them for scoring.

    Several files are merged. Refuses answers to questions that the run does not ask, and files that contradict each
    other. Then score with -m 'qaeval(people=FILE)'.
    """
    from gistmeter.cli.output import show_sheet
    from gistmeter.io.writing import write_records
    from gistmeter.metrics.question.posing import parse_question_metric, pose_questions
    from gistmeter.qa.answer_files import read_human_answers
    from gistmeter.qa.export import check_human_answers, compare_with_people, make_answer_records
    from gistmeter.report.sheets.questions import answering_sheet

    people = read_human_answers(answers)
    opened = o.open_run_files(run, summaries, references, documents, language)
    asked = pose_questions(parse_question_metric(metric), opened.examples(), people=False)
    counts = check_human_answers(people, asked)
    o.say(counts.describe())
    if output is not None:
        write_records(make_answer_records(people), output, "a file of answers")
        o.say(f"written: {output}")
    if counts.answered:
        show_sheet(
            answering_sheet(compare_with_people(people, asked), metric), latex=latex, markdown=markdown, json=json
        )
