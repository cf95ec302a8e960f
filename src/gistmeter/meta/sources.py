"""Where a study comes from: a study, scores and judgments in memory, or whichever files the user has."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gistmeter.arguments import outside_level
from gistmeter.errors import ArgumentError, DataError, GistmeterWarning, MetricError, suggestion
from gistmeter.io.fields import JUDGMENT_FIELDS, RUN_FIELDS
from gistmeter.io.human.assignments import RELEASED_SCALE
from gistmeter.io.records import check_mapping, is_run_file, keep_present
from gistmeter.io.runs import Run, open_run, read_records
from gistmeter.io.score_tables import TABLE_SUFFIXES, read_table
from gistmeter.judgments import Judgments
from gistmeter.meta.study import Study, is_matrix_file
from gistmeter.meta.study.fields import add_groups
from gistmeter.metrics.registry import parse_metric, parse_metrics
from gistmeter.scores import KEYS, Scores
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.meta.study.labels import NameLabels

ScoreSource: TypeAlias = "Study | Scores | str | Path | Sequence[str | Path]"
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
    aspects: str | Sequence[str] | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    group: str | Sequence[str] | None = None,
    groups: Mapping[str, NameLabels] | None = None,
    fields: Mapping[str, str] | None = None,
) -> Study:
    """Scores and judgments of the same summaries, joined by the names of system and document.

    Parameters
    ----------
    scores
        A `Study`, which is given back; `Scores`; or the path of

        - a matrix file (JSON with systems, documents, scores, human), which has its judgments in it;
        - a file of scores;
        - a run, whose summaries are scored first.

        Several paths are files of scores of the same summaries, joined by name; one of them may hold the judgments.
    judgments
        What people said: `Judgments`, or the path of a run whose records carry `human`, or of a long or wide table of
        judgments. It may be left out for a run that carries them itself, and if `aspects` are in the file of scores.
    metrics
        For a run, which scores to compute, such as `rouge2.recall`.
    units
        For a run, files of content units, where its records have none.
    language
        For a run, the language of records that do not name theirs.
    aspects
        For scores without `judgments`, which of their columns are judgments of people.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise.
    group
        Fields that summaries are to be grouped by, such as `language`, `subset` or `system`: those of the records of
        the run, of the judgments or of the scores.
    groups
        Groups that no record states: for each field a mapping from names of documents, or of systems, to groups.
    fields
        In which columns of the run and of the judgments fields are, where they have other names than gistmeter knows:
        `{"rater": "worker_id", "value": "stars"}`.

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
    opening = _Opening(
        metrics=name_list(metrics),
        aspects=name_list(aspects),
        units=units,
        language=language,
        fields=fields or {},
    )
    sources = [*([scores] if isinstance(scores, Study | Scores | str | Path) else scores), judgments]
    check_mapping(fields, [str(source) for source in sources if isinstance(source, str | Path)])
    study = _open_source(scores, judgments, opening)
    study = study.with_directions(lower=name_list(lower), higher=name_list(higher))
    return add_groups(study, sources, fields=name_list(group), groups=groups, mapped=fields)


@dataclass(frozen=True, slots=True)
class _Opening:
    """What is asked of the files that a study is opened from."""

    metrics: tuple[str, ...]
    aspects: tuple[str, ...]
    units: Sequence[str | Path]
    language: str | None
    fields: Mapping[str, str]

    def read_judgments(self, source: Judgments | str | Path) -> Judgments:
        """Judgments as they are, or from their file, whose fields may have names of their own."""
        return read_judgments(source, self.fields)

    def open_run(self, path: Path) -> Run:
        """The run in a file, whose fields may have names of their own."""
        fields = keep_present(self.fields, str(path), RUN_FIELDS)
        return open_run([path], language=self.language, units=self.units, fields=fields)


def _open_source(scores: ScoreSource, judgments: JudgmentSource, opening: _Opening) -> Study:
    """The study that a source holds, with the directions that the source states."""
    if isinstance(scores, Study):
        if judgments is not None:
            raise ArgumentError("a study has its judgments in it: leave `judgments` out")
        return scores
    if isinstance(scores, Scores):
        return _join_people(scores, judgments, opening, "there are scores only")
    paths = [Path(scores)] if isinstance(scores, str | Path) else [Path(path) for path in scores]
    if not paths:
        raise ArgumentError("there are no scores: name at least one file")
    paths = list(dict.fromkeys(paths))  # a file that is named twice is one file
    notes: tuple[str, ...] = ()
    if judgments is None and len(paths) > 1:
        paths, judgments, notes = _split_off_judgments(paths)
    study = _open_paths(paths, judgments, opening)
    return replace(study, notes=(*notes, *study.notes)) if notes else study


def _open_paths(paths: Sequence[Path], judgments: JudgmentSource, opening: _Opening) -> Study:
    path, several = paths[0], len(paths) > 1
    if not several and is_matrix_file(path):
        if opening.units:
            raise _units_without_run(path)
        if judgments is not None:
            raise ArgumentError(f"{path} is a matrix file and has its judgments in it: leave `judgments` out")
        return Study.read(path)
    if not several and is_run_file(path, keep_present(opening.fields, str(path), RUN_FIELDS)):
        if not opening.metrics:
            raise ArgumentError(f"{path} is a run: say which scores to compute, for example `metrics=rouge2.recall`")
        run = opening.open_run(path)
        people = opening.read_judgments(path if judgments is None else judgments)
        return Study.join(score_columns(run, opening.metrics), people, run=run)
    if opening.units:
        raise _units_without_run(path)
    parts = {str(each): Scores.read(each) for each in paths}
    joined = Scores.join(parts) if several else parts[str(path)]
    have = "have" if len(parts) > 1 else "has"
    study = _join_people(joined, judgments, opening, f"{' and '.join(parts)} {have} scores only")
    of_parts = {note for part in parts.values() for note in part.notes}
    return replace(study, notes=(*(note for note in joined.notes if note not in of_parts), *study.notes))


def _join_people(scores: Scores, judgments: JudgmentSource, opening: _Opening, message: str) -> Study:
    """Scores with the judgments, or with those that are in columns of their own."""
    if judgments is not None:
        return Study.join(scores, opening.read_judgments(judgments))
    if opening.aspects and set(opening.aspects) & set(scores.table.columns):
        judgments = _read_aspect_columns(scores, opening.aspects)
        columns = tuple(column for column in scores.columns if column.name not in opening.aspects)
        return Study.join(replace(scores, columns=columns), judgments)
    raise ArgumentError(
        f"{message}: say where people's judgments are with `judgments`, or which columns they are with `aspect`"
    )


def _read_aspect_columns(scores: Scores, aspects: Sequence[str]) -> Judgments:
    """The judgments in columns of a table of scores; the columns may have been added to a file that gistmeter wrote."""
    others = [name for name in scores.table.columns if name not in KEYS]
    missing = next((aspect for aspect in aspects if aspect not in others), None)
    if missing is not None:
        hint = suggestion(missing, others)
        raise DataError(f"there is no column {missing!r}{hint} (there is {', '.join(others)})")
    records = [
        {**row, "aspect": aspect}
        for aspect in aspects
        for row in scores.table.select(*KEYS, value=aspect).iter_rows(named=True)
    ]
    return Judgments.from_records(records, name="the table of scores")


def _split_off_judgments(paths: list[Path]) -> tuple[list[Path], Path | None, tuple[str, ...]]:
    """Files of scores, the one that holds judgments if there is one, and a note if that is a guess."""
    with_people = [path for path in paths if holds_judgments(path)]
    if len(with_people) > 1 and with_people[0] == paths[0]:
        with_people = with_people[1:]  # a run that carries judgments, and other judgments of it
    if len(with_people) > 1:
        raise ArgumentError(f"{' and '.join(map(str, with_people))} both hold judgments: say which with `judgments`")
    if with_people:
        return [path for path in paths if path != with_people[0]], with_people[0], ()
    last = paths[-1]
    if is_described(last):
        return paths, None, ()
    return paths[:-1], last, (f"{last} is taken as judgments of people, as it is the last file",)


def study_of(
    scores: ScoreSource,
    judgments: JudgmentSource,
    *,
    metrics: Sequence[str],
    aspects: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
) -> Study:
    """The study that a question is asked of; what joining left out is a warning, unless the caller joined."""
    study = open_study(scores, judgments, metrics=metrics, aspects=aspects, units=units, lower=lower, higher=higher)
    warn_of_notes(study, scores)
    return study


def warn_of_notes(study: Study, scores: ScoreSource) -> None:
    """Warn of what joining left out, unless the caller joined."""
    if not isinstance(scores, Study):
        for note in study.notes:
            warnings.warn(note, GistmeterWarning, stacklevel=outside_level())


def read_judgments(source: Judgments | str | Path, fields: Mapping[str, str] | None = None) -> Judgments:
    """Judgments as they are, or from the file they are in, whose fields may have names of their own."""
    if isinstance(source, Judgments):
        return source
    return Judgments.read(source, fields=keep_present(fields or {}, str(source), JUDGMENT_FIELDS))


def score_columns(run: Run, columns: Sequence[str]) -> Scores:
    """The scores of the metrics that these columns (`rouge2.recall`) belong to."""
    metrics = dict.fromkeys(map(_metric_spelling, columns))
    return score_in_memory(run, parse_metrics(list(metrics)))


def _metric_spelling(name: str) -> str:
    """The metric that a column belongs to, or that the name is itself (`lite2.5pyramid`)."""
    try:
        parse_metric(name, imports=True)
    except MetricError:
        return name.rpartition(".")[0] or name
    return name


def holds_judgments(path: Path) -> bool:
    """Whether the first record of a file has judgments by their names (a wide table may still be one)."""
    record = next(read_records(str(path)), None) or {}
    return any(record.get(name) is not None for name in ("human", "annotators", "aspect", RELEASED_SCALE))


def is_described(path: Path) -> bool:
    """Whether a file is one of scores that says what its columns are, as gistmeter writes it."""
    return path.suffix in TABLE_SUFFIXES and read_table(path)[1] is not None


def name_list(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names given as one, as several, or (empty) not at all."""
    return (names,) if isinstance(names, str) else tuple(names or ())


def _units_without_run(path: Path) -> ArgumentError:
    return ArgumentError(f"{path} is not a run: `units` go with summaries that are still to be scored")
