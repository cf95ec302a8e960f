"""Do more references make a metric agree better with people?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.fields import RUN_FIELDS
from gistmeter.io.records import check_mapping, keep_present
from gistmeter.io.runs import Run, open_run
from gistmeter.meta.options import combine_options
from gistmeter.meta.sources import name_list, read_judgments, score_columns
from gistmeter.meta.study import Study
from gistmeter.meta.study.directions import note_columns
from gistmeter.result import Result
from gistmeter.scores import Scores
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.judgments import Judgments
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.scores import Better
    from gistmeter.stats import ReferenceCurve
    from gistmeter.stats.tables import Coefficient, Level, Undefined


@dataclass(frozen=True, slots=True)
class ReferenceCounts(Result):
    """The correlation of a metric with people by the number of references."""

    metric: str
    aspect: str
    levels: tuple[ReferenceCurve, ...]
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each level and number of references."""
        return [
            {
                "level": curve.level,
                "references": point.references,
                "value": point.value,
                "low": point.low,
                "high": point.high,
                "trials": point.trials,
            }
            for curve in self.levels
            for point in curve.points
        ]


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceScores:
    """A study of one score against each reference alone."""

    study: Study
    column: str
    """The whole name of the score."""
    by_reference: FloatArray
    """Systems x documents x references, NaN where a document has fewer."""


def references(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metric: str,
    aspect: str | None = None,
    combine: Literal["mean", "max"] = "mean",
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: Coefficient = "pearson",
    trials: int = 30,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
    fields: Mapping[str, str] | None = None,
) -> ReferenceCounts:
    """Correlation against the number of references (Deutsch 2022, Fig. 35), for a run whose records have several.

    Parameters
    ----------
    scores
        The path of a run, or a study that was opened from one: summaries are scored against each reference alone.
    judgments
        What people said, if the run does not carry it.
    metric
        The score to compute, such as `rouge2.recall`.
    aspect
        The judgment to compare with; by default the only one there is.
    combine
        How scores against several references become one: their `mean`, or the best (`max`, which is the least where
        lower is better).
    level
        What is correlated, one level or several: `system`, `summary`, `pooled`, `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    trials
        How many random choices of references for each number.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says which references are chosen.
    workers
        How many threads; the result is the same for any number.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        Files of content units.
    fields
        In which columns of the run and of the judgments fields are, where they have other names than gistmeter knows:
        `{"summary": "output"}`.

    Returns
    -------
    ReferenceCounts
        For each level, the correlation for 1, 2, 3 ... references.

    Raises
    ------
    ArgumentError
        There are scores only, without the texts that they were computed from.
    DataError
        There is one reference for each document only; or as for `correlate`.

    Examples
    --------
    >>> import gistmeter as gm
    >>> from gistmeter.demo import demo_run
    >>> from gistmeter import meta
    >>> grades = {"careful": 5, "lead3": 4, "dreamer": 3, "terse": 2, "looper": 1}
    >>> people = gm.Judgments.from_records(
    ...     {"doc_id": example.doc_id, "system": example.system, "human": {"grade": grades[example.system]}}
    ...     for example in gm.read_run(demo_run())
    ... )
    >>> answer = meta.references(demo_run(), people, metric="rouge1.f1", level="summary", trials=5)
    >>> answer.to_frame()["references"].to_list()
    [1, 2]
    """
    against_each = _score_each_reference(_find_texts(scores, judgments, units, fields or {}), metric)
    metric = against_each.column
    study = against_each.study.with_directions(lower=name_list(lower), higher=name_list(higher))
    chosen = study.choose_aspect(aspect)
    mean_over_references = _average_references(against_each.by_reference)
    curves = [
        stats.reference_curve(
            study.sign_toward(metric, chosen, options, table=mean_over_references) * against_each.by_reference,
            study.oriented(chosen),
            combine=combine,
            trials=trials,
            seed=seed,
            workers=workers,
            **options.keywords(),
        )
        for options in combine_options(level, coefficient, undefined)
    ]
    left_out = curves[0].left_out
    notes = (
        *note_columns(study, (metric, chosen)),
        *((f"left out {format_count(left_out, 'document')} with fewer references",) if left_out else ()),
    )
    return ReferenceCounts(metric=metric, aspect=chosen, levels=tuple(curves), notes=notes)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Summaries with their references, what people said of them, and what to call them in a message."""

    run: Run
    judgments: Judgments
    label: str
    better: Mapping[str, Better] = field(default_factory=dict)
    """Directions that a study states."""


def _find_texts(
    scores: ScoreSource, judgments: JudgmentSource, units: Sequence[str | Path], fields: Mapping[str, str]
) -> _Texts:
    if isinstance(scores, Study):
        if scores.run is None or scores.judgments is None:
            raise ArgumentError("the study has no texts: references are counted in a run, given as `scores`")
        return _Texts(run=scores.run, judgments=scores.judgments, label="the run", better=scores.better)
    if isinstance(scores, Scores):
        raise ArgumentError("there are scores only: references are counted in a run, given as `scores`")
    paths = [scores] if isinstance(scores, str | Path) else list(scores)
    if len(paths) > 2 or (len(paths) == 2 and judgments is not None):
        raise ArgumentError("references are counted in one run: name it, and its `judgments` if it carries none")
    people = judgments if judgments is not None else paths[-1]
    file = str(paths[0])
    check_mapping(fields, [file, *([str(people)] if isinstance(people, str | Path) else [])])
    run = open_run([file], units=units, fields=keep_present(fields, file, RUN_FIELDS))
    return _Texts(run, read_judgments(people, fields), file)


def _score_each_reference(texts: _Texts, column: str) -> ReferenceScores:
    """A run's judgments, and one score against each single reference."""
    examples = list(texts.run.examples())
    most = max((len(example.references) for example in examples), default=0)
    if most < 2:
        raise DataError(
            f"{texts.label} has one reference for each document: there is nothing to compare by their number"
        )
    studies = []
    for index in range(most):
        with_one_reference = [
            replace(example, references=example.references[index : index + 1])
            for example in examples
            if len(example.references) > index
        ]
        studies.append(Study.join(score_columns(Run(memory=with_one_reference), [column]), texts.judgments))
    column = studies[0].resolve(column)
    # Every document that has a second reference has a first: the first study has all.
    tables = [_place_table(study, column, studies[0]) for study in studies]
    base = replace(studies[0], better={**studies[0].better, **texts.better})
    return ReferenceScores(base, column, np.stack(tables, axis=-1))


def _average_references(by_reference: FloatArray) -> FloatArray:
    """The mean over the references that there are; NaN where there is none."""
    counts = (~np.isnan(by_reference)).sum(axis=-1)
    return np.where(counts > 0, np.nansum(by_reference, axis=-1) / np.maximum(counts, 1), np.nan)


def _place_table(study: Study, column: str, base: Study) -> FloatArray:
    """A table of some systems and documents in one of all, NaN elsewhere."""
    table = np.full((len(base.systems), len(base.documents)), np.nan)
    rows = [base.systems.index(system) for system in study.systems]
    columns = [base.documents.index(doc_id) for doc_id in study.documents]
    table[np.ix_(rows, columns)] = study[column]
    return table
