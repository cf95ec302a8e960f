"""Where a study comes from: a study, scores and judgments in memory, or whichever files the user has."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gistmeter.errors import ArgumentError, DataError, GistmeterWarning
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.runs import Run, open_run, read_records
from gistmeter.judgments import Judgments
from gistmeter.meta.study import Study, is_matrix_file
from gistmeter.metrics.registry import parse_metrics
from gistmeter.scores import Scores
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

ScoreSource: TypeAlias = Study | Scores | str | Path
"""What the questions of `gistmeter.meta` take as `scores`: see `open_study`."""

JudgmentSource: TypeAlias = Judgments | str | Path | None
"""What they take as `judgments`: judgments, the file they are in, or None where `scores` has them."""


def open_study(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
    language: str | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
) -> Study:
    """Scores and judgments of the same summaries, joined by the names of system and document.

    Parameters
    ----------
    scores
        A `Study`, which is given back; `Scores`; or the path of

        - a matrix file (JSON with systems, documents, scores, human), which has its judgments in it;
        - a file of scores;
        - a run, whose summaries are scored first.
    judgments
        What people said: `Judgments`, or the path of a run whose records carry `human`, or of a long table of
        judgments. It may be left out for a run that carries them itself.
    metrics
        For a run, which scores to compute, such as `rouge2.recall`.
    units
        For a run, files of content units, where its records have none.
    language
        For a run, the language of records that do not name theirs.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise.

    Returns
    -------
    Study
        With `notes` on what was left out, as having no scores or no judgments.

    Raises
    ------
    ArgumentError
        An argument is missing, or does not go with the kind of file.
    DataError
        A file cannot be read, or scores and judgments have no system or document in common.

    Examples
    --------
    >>> from gistmeter.demo import demo_run
    >>> people = [
    ...     {"doc_id": "harbour-01", "system": system, "human": {"content": value}}
    ...     for system, value in (("lead3", 4), ("careful", 5), ("terse", 2))
    ... ]
    >>> study = open_study(demo_run(), Judgments.from_records(people), metrics="rouge1.f1")
    >>> study.systems, study.documents, study.aspects
    (('lead3', 'careful', 'terse'), ('harbour-01',), ('content',))
    >>> study["rouge1.f1"].round(2).tolist()
    [[0.49], [0.63], [0.4]]
    """
    study = _open_source(scores, judgments, name_list(metrics), units, language)
    return study.with_directions(lower=name_list(lower), higher=name_list(higher))


def _open_source(
    scores: ScoreSource,
    judgments: JudgmentSource,
    metrics: Sequence[str],
    units: Sequence[str | Path],
    language: str | None,
) -> Study:
    """The study that a source holds, with the directions that the source states."""
    if isinstance(scores, Study):
        if judgments is not None:
            raise ArgumentError("a study has its judgments in it: leave `judgments` out")
        return scores
    if isinstance(scores, Scores):
        if judgments is None:
            raise ArgumentError("there are scores only: say where people's judgments are with `judgments`")
        return Study.join(scores, read_judgments(judgments))
    path = Path(scores)
    if is_matrix_file(path):
        if units:
            raise _units_without_run(path)
        if judgments is not None:
            raise ArgumentError(f"{path} is a matrix file and has its judgments in it: leave `judgments` out")
        return Study.read(path)
    if is_run_file(path):
        if not metrics:
            raise ArgumentError(f"{path} is a run: say which scores to compute, for example `metrics=rouge2.recall`")
        run = open_run([path], language=language, units=units)
        return Study.join(
            score_columns(run, metrics), read_judgments(path if judgments is None else judgments), run=run
        )
    if units:
        raise _units_without_run(path)
    if judgments is None:
        raise ArgumentError(f"{path} has scores only: say where people's judgments are with `judgments`")
    return Study.join(Scores.read(path), read_judgments(judgments))


def study_of(
    scores: ScoreSource,
    judgments: JudgmentSource,
    *,
    metrics: Sequence[str],
    units: Sequence[str | Path] = (),
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
) -> Study:
    """The study that a question is asked of; what joining left out is a warning, unless the caller joined."""
    study = open_study(scores, judgments, metrics=metrics, units=units, lower=lower, higher=higher)
    if not isinstance(scores, Study):
        for note in study.notes:
            warnings.warn(note, GistmeterWarning, stacklevel=3)
    return study


def read_judgments(source: Judgments | str | Path) -> Judgments:
    """Judgments as they are, or from the file they are in."""
    return source if isinstance(source, Judgments) else Judgments.read(source)


def score_columns(run: Run, columns: Sequence[str]) -> Scores:
    """The scores of the metrics that these columns (`rouge2.recall`) belong to."""
    metrics = dict.fromkeys(column.rpartition(".")[0] or column for column in columns)
    return score_in_memory(run, parse_metrics(list(metrics)))


def is_run_file(path: str | Path) -> bool:
    """Whether a file holds summaries (rather than scores of them)."""
    record = next(read_records(str(path)), None)
    if not isinstance(record, dict):
        raise DataError(f"there is nothing in {path}, or it is not a file of records")
    return any(name in record for name in FIELD_NAMES["summary"])


def name_list(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names given as one, as several, or (empty) not at all."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def _units_without_run(path: Path) -> ArgumentError:
    return ArgumentError(f"{path} is not a run: `units` go with summaries that are still to be scored")
