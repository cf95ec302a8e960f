"""One question, asked of each language, subset or type of system: the tables of papers on several datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, DataError
from gistmeter.meta.correlate import correlate
from gistmeter.meta.groups.answer import GroupedAnswer, GroupSize, collect_rows
from gistmeter.meta.groups.split import settle_signs, split_study
from gistmeter.meta.sources import name_list, open_study, warn_of_notes
from gistmeter.meta.test import test
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.meta.study import Study
    from gistmeter.meta.study.labels import NameLabels
    from gistmeter.result import Result


def by_group(
    question: Callable[..., Result],
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    group: str | Sequence[str],
    groups: Mapping[str, NameLabels] | None = None,
    metrics: str | Sequence[str] | None = None,
    aspect: str | Sequence[str] | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[Any] = (),
    **options: Any,
) -> GroupedAnswer:
    """Ask a question of each group of summaries: a column for each group, their mean, and the average rank of metrics.

    These are the tables of FFCI (Koto, Baldwin and Lau 2022, Tables 4, 5, 10 and 11) and of Koto, Lau and Baldwin
    (2021, Tables 2 and 6 to 8). A group with too little data is named in a note, and its column is empty.

    Parameters
    ----------
    question
        `meta.correlate`, `meta.interval` or `meta.test`.
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    group
        What to group by: `language`, `subset`, `system`, or any other field of the records. Several fields make a group
        of each combination.
    groups
        Groups that no record states: for each field a mapping from names of documents, or of systems, to groups.
    metrics, aspect, lower, higher, units
        As for the question; `meta.correlate` takes several aspects, and all by default.
    options
        What else the question takes, such as `level`.

    Returns
    -------
    GroupedAnswer
        A row for each metric, level and coefficient.

    Raises
    ------
    ArgumentError
        No field is named, or the question cannot be asked of groups.
    DataError
        There is no such field, score or judgment, or no group has an answer.

    Examples
    --------
    >>> from gistmeter import meta
    >>> tables = {"good": [[1, 2, 5, 1], [2, 3, 8, 4]], "poor": [[2, 1, 3, 4], [2, 4, 1, 3]]}
    >>> tables["rated"] = [[1, 3, 5, 2], [2, 4, 6, 3]]
    >>> study = meta.Study.from_tables(tables, aspects=["rated"], groups={"language": ["en", "en", "de", "de"]})
    >>> answer = meta.by_group(meta.correlate, study, group="language", level="pooled", coefficient="spearman")
    >>> answer.to_frame().select("metric", "en", "de", "mean", "rank").rows()
    [('good', 0.948..., 1.0, 0.974..., 1.0), ('poor', 0.316..., -0.948..., -0.316..., 2.0)]
    """
    fields = name_list(group)
    if not fields:
        raise ArgumentError("say what to group by: `group=language`, for example")
    study = open_study(
        scores,
        judgments,
        metrics=metrics,
        aspects=aspect,
        units=units,
        lower=lower,
        higher=higher,
        group=fields,
        groups=groups,
    )
    warn_of_notes(study, scores)
    every = study.aspects if question is correlate else ()
    aspects = tuple(map(study.choose_aspect, name_list(aspect) or every or (None,)))
    names = study.choose_metrics(name_list(metrics)) if metrics else ()
    asked = aspects[0] if len(aspects) == 1 else aspects
    parts = split_study(study, fields)
    notes: list[str] = [*parts.notes]
    if question is not test:  # which refuses a score without a direction
        parts, turned = settle_signs(parts, names or study.metrics, aspects)
        notes += turned
    answers: dict[str, Result] = {}
    for name, part in parts.studies.items():
        try:
            answers[name] = question(part, metrics=names or None, aspect=asked, **options)
        except DataError as error:
            notes.append(f"{name} is empty ({_describe_size(part)}): {error}")
    if not answers:
        raise DataError(f"no group by {' and '.join(fields)} has an answer; {notes[-1]}")
    notes += merge_notes({name: answer.notes for name, answer in answers.items()})
    return GroupedAnswer(
        fields=fields,
        aspects=aspects,
        sizes=tuple(GroupSize(name, len(part.systems), len(part.documents)) for name, part in parts.studies.items()),
        rows=collect_rows(answers, list(parts.studies)),
        answers=answers,
        notes=tuple(notes),
    )


def merge_notes(notes_by_name: Mapping[str, Sequence[str]]) -> list[str]:
    """The notes of several answers: one that not all have names those that do.

    >>> merge_notes({"en": ["small"], "de": ["small", "old"]})
    ['small', 'de: old']
    """
    groups_by_note: dict[str, list[str]] = {}
    for name, notes in notes_by_name.items():
        for note in notes:
            groups_by_note.setdefault(note, []).append(name)
    return [
        note if len(names) == len(notes_by_name) else f"{join_names(names)}: {note}"
        for note, names in groups_by_note.items()
    ]


def _describe_size(part: Study) -> str:
    systems, documents = len(part.systems), len(part.documents)
    return f"{format_count(systems, 'system')}, {format_count(documents, 'document')}"
