"""Questions for people: written to a file to fill in, what came back, and people in the place of models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.writing import check_records_path, write_records
from gistmeter.judgments import Judgments
from gistmeter.scoring.inputs import as_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.insight.people import HumanSetups
    from gistmeter.qa.evaluate import AnsweringFigures
    from gistmeter.qa.export import AnswerCounts
    from gistmeter.scoring.inputs import RunLike
    from gistmeter.stats.correlation import Level, Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAnswers:
    """What people answered and verified, and how well the model agrees with them."""

    counts: AnswerCounts
    figures: AnsweringFigures | None
    """The model's answers against people's; None where people answered nothing."""


def export_questions(run: RunLike, path: str | Path, *, metric: str = "qaeval", verify: bool = False) -> int:
    """Write the questions that a metric asks about a run, for people to answer or to verify.

    Parameters
    ----------
    run
        Examples, a file or files of records, or an opened `Run`.
    path
        The file to write: .jsonl, .csv, .tsv, or .html to be filled in in a browser.
    metric
        The metric whose questions they are, with its settings.
    verify
        Whether to write the answers that the model gave, for people to call correct or not.

    Returns
    -------
    How many questions were written.

    Raises
    ------
    MetricError
        If there is no such metric, or it asks no questions.
    DataError
        If the file cannot be written, or the run cannot be read or lacks what the metric needs.
    """
    from gistmeter.metrics.question.posing import parse_question_metric, pose_questions
    from gistmeter.report.page.question_sheet import check_question_file, write_questions

    file = Path(path)
    opened = as_run(run)
    check_question_file(file, opened.input_files)
    questions = pose_questions(parse_question_metric(metric), opened.examples(), answer=verify)
    if not questions:
        raise DataError(f"there are no questions to write: {metric} asks none about this run")
    return write_questions(questions, file, verify=verify)


def import_answers(
    answers: Sequence[str | Path], run: RunLike, *, metric: str = "qaeval", output: str | Path | None = None
) -> ImportedAnswers:
    """Check what people answered against the run that they were asked about, and keep it for scoring.

    Parameters
    ----------
    answers
        Files that people filled in; several are merged.
    run, metric
        What `export_questions` was given.
    output
        Where to write the answers alone, as JSON lines; they are not written when None.

    Returns
    -------
    ImportedAnswers
        How many questions people answered and verified, and how well the model agrees with them.

    Raises
    ------
    MetricError
        If there is no such metric, or it asks no questions.
    DataError
        If a file cannot be read, files contradict each other, or an answer is to a question that the run does not ask.
    """
    from gistmeter.metrics.question.posing import parse_question_metric, pose_questions
    from gistmeter.qa.answer_files import read_human_answers
    from gistmeter.qa.export import check_human_answers, compare_with_people, make_answer_records

    opened = as_run(run)
    if output is not None:
        check_records_path(output, "a file of answers", [*answers, *opened.input_files])
    people = read_human_answers([str(file) for file in answers])
    questions = pose_questions(parse_question_metric(metric), opened.examples(), people=False)
    counts = check_human_answers(people, questions)
    if output is not None:
        write_records(make_answer_records(people), output, "a file of answers")
    figures = compare_with_people(people, questions) if counts.answered else None
    return ImportedAnswers(counts=counts, figures=figures)


def compare_answerers(
    run: RunLike,
    *,
    metric: str = "qaeval",
    answers: Sequence[str | Path] = (),
    judgments: Judgments | str | Path | None = None,
    aspect: str | None = None,
    level: Level = "summary",
    undefined: Undefined = "drop",
) -> HumanSetups:
    """Score with a model or people answering, and the metric or people verifying: four ways.

    Parameters
    ----------
    run
        Examples, a file or files of records, or an opened `Run`.
    metric
        The metric whose questions they are, with its settings.
    answers
        Files with what people answered and verified; by default those that the metric names (`people`).
    judgments
        What people said of the summaries, or the file that it is in. Where this is None and `aspect` is not, the files
        of the run carry the judgments; where both are, there are scores and no correlations.
    aspect
        The judgment to compare with; by default the only one there is.
    level, undefined
        As for `gistmeter.meta.correlate`.

    Raises
    ------
    ArgumentError
        If no file of answers is named.
    MetricError
        If there is no such metric, or it asks no questions.
    DataError
        If a file cannot be read, people judged no question of the run, or there is too little to correlate.
    """
    from gistmeter.insight.people import compare_human_setups
    from gistmeter.metrics.question.posing import parse_question_metric

    asking = parse_question_metric(metric)
    if answers:
        asking = replace(asking, people=tuple(map(str, answers)))
    opened = as_run(run)
    if judgments is None and aspect is not None:
        judgments = Judgments.from_files(opened.files)
    elif isinstance(judgments, str | Path):
        judgments = Judgments.read(judgments)
    return compare_human_setups(asking, opened.examples(), judgments, aspect=aspect, level=level, undefined=undefined)
