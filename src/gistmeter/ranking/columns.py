"""The columns of scores that a ranking or comparison looks at: which, their parts, and how parts become a score."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.score_files.names import list_main_names
from gistmeter.metrics.column_names import find_columns, find_direction, is_part, is_reference_free
from gistmeter.scores import DIAGNOSTIC_MARK, note_assumed_directions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.scores import Better, ScoreColumn, Scores

    Pool = Callable[[FloatArray], FloatArray]

DIAGNOSTICS_PAGE = "docs/reference-free.md"
"""The page that says why a score without a reference is a diagnostic."""
_BEHIND_F1 = ("precision", "recall")


_EMBEDDED_BERTSCORE = re.compile(
    r"bertscore\|.*\|model:(?P<model>all-MiniLM-L6-v2|universal-sentence-encoder-multilingual)\|"
)


def choose_points_factor(values: Iterable[float]) -> int:
    """What scores are multiplied by where they are written in points: 100 where all lie between -1 and 1, otherwise 1.

    >>> choose_points_factor([0.2, -0.4, float("nan")]), choose_points_factor([31.5, 0.2])
    (100, 1)
    """
    return 100 if all(abs(value) <= 1 for value in values if not math.isnan(value)) else 1


def main_columns(columns: Iterable[ScoreColumn], *, every: bool = False) -> tuple[ScoreColumn, ...]:
    """The columns to show first: precision and recall wait behind an f1, parts behind the score itself.

    >>> from gistmeter.scores import ScoreColumn
    >>> names = ["rouge1.precision", "rouge1.recall", "rouge1.f1", "meteor.meteor", "meteor.recall"]
    >>> [column.name for column in main_columns(ScoreColumn(name, "") for name in names)]
    ['rouge1.f1', 'meteor.meteor']
    """
    given = tuple(columns)
    if every:
        return given
    names_by_metric: dict[str, set[str]] = {}
    for column in given:
        names_by_metric.setdefault(column.metric, set()).add(column.short)
    return tuple(
        column for column in given if column.parts or not _stands_behind(column, names_by_metric[column.metric])
    )


def choose_columns(
    scores: Scores,
    names: Iterable[str] | None,
    *,
    lower: str | Iterable[str] = (),
    higher: str | Iterable[str] = (),
) -> list[ScoreColumn]:
    """The columns of these names, all when None; that there is no column or no row is an error.

    Which way is good is what the user says (`lower`, `higher`), else what the table states. In a table that does not
    say what its columns are, a column that is called as one of a metric has that one's direction, and counts that a
    metric adds up are no scores. `note_columns` tells of the others.
    """
    if names is None:
        chosen = [column for column in scores.columns if column.stated or not is_part(column.name)]
    else:
        all_names = [column.name for column in scores.columns]
        asked = _list_names(names)
        chosen = [scores.column(column) for name in asked for column in find_columns(name, all_names) or [name]]
    if not chosen:
        raise DataError("there is no score to look at: no column was named, or the table has none")
    if not len(scores):
        raise DataError("there are no scores to look at: the table has no rows")
    by_user = _resolve_directions(scores, lower=lower, higher=higher)
    return [_state_references(_state_direction(column, by_user.get(column.name))) for column in chosen]


def note_columns(columns: Iterable[ScoreColumn]) -> tuple[str, ...]:
    """What a reader is told of chosen columns: which way was assumed to be good, and what compares with nothing."""
    chosen = list(columns)
    assumed = note_assumed_directions([column.name for column in chosen if not column.has_direction])
    return (*assumed, *_note_embedded_bertscore(chosen))


def _note_embedded_bertscore(columns: Iterable[ScoreColumn]) -> tuple[str, ...]:
    """That BERTScore by an embedded encoder is no number to put beside those of papers."""
    matches = {column.metric: match for column in columns if (match := _EMBEDDED_BERTSCORE.match(column.signature))}
    if not matches:
        return ()
    models = " and ".join(dict.fromkeys(match["model"] for match in matches.values()))
    verbs = ("reads", "does") if len(matches) == 1 else ("read", "do")
    note = (
        f"{', '.join(matches)} {verbs[0]} the embedded encoder ({models}) and {verbs[1]} not compare with published "
        "BERTScore; bertscore(preset=published) does: roberta-large, layer 17, rescaled"
    )
    return (note,)


def note_diagnostics(columns: Iterable[ScoreColumn]) -> tuple[str, ...]:
    """That scores which judge without a reference are diagnostics, if there are any.

    >>> from gistmeter.scores import ScoreColumn
    >>> print(*note_diagnostics([ScoreColumn("js.divergence", "js|v:0", "lower", reference_free=True)]))
    ° marks a diagnostic: js looks at no reference, so that summaries can be made to please it (docs/reference-free.md)
    """
    chosen = list(columns)
    partly = {column.metric for column in chosen if column.better != "neither" and not column.is_diagnostic}
    names = dict.fromkeys(
        column.name if column.metric in partly else column.metric for column in chosen if column.is_diagnostic
    )
    if not names:
        return ()
    what, verb, them = ("a diagnostic", "looks", "it") if len(names) == 1 else ("diagnostics", "look", "them")
    reason = f"{verb} at no reference, so that summaries can be made to please {them}"
    return (f"{DIAGNOSTIC_MARK} marks {what}: {', '.join(names)} {reason} ({DIAGNOSTICS_PAGE})",)


def _state_references(column: ScoreColumn) -> ScoreColumn:
    """A column that says whether its metric looks at references; one of unknown origin is as it was."""
    if column.reference_free is not None or not column.stated:
        return column
    return replace(column, reference_free=is_reference_free(column.name, column.signature))


def _list_names(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _resolve_directions(
    scores: Scores, *, lower: str | Iterable[str], higher: str | Iterable[str]
) -> dict[str, Better]:
    """The directions that the user states, by the name of the column; a name that is no score's is refused."""
    lower_names = [scores.column(name).name for name in _list_names(lower)]
    higher_names = [scores.column(name).name for name in _list_names(higher)]
    both = [name for name in lower_names if name in higher_names]
    if both:
        raise ArgumentError(f"{both[0]} is in `lower` and in `higher`: only one of them is better")
    return {**dict.fromkeys(lower_names, "lower"), **dict.fromkeys(higher_names, "higher")}


def _state_direction(column: ScoreColumn, by_user: Better | None) -> ScoreColumn:
    better = by_user or (None if column.has_direction else find_direction(column.name))
    return column if better is None else replace(column, better=better, direction_stated=True)


def finite_parts(scores: Scores, column: ScoreColumn) -> FloatArray:
    """The additive parts of a column, systems x documents x parts; infinite values are refused."""
    parts = scores.parts(column.name)
    refuse_infinite(parts, column)
    return parts


def refuse_infinite(numbers: FloatArray, column: ScoreColumn) -> None:
    """Refuse a score with infinite values."""
    if not np.isfinite(numbers).all():
        raise DataError(f"{column.name} has infinite values, which have no mean; make them missing to go on")


def present_documents(parts: FloatArray) -> BoolArray:
    """Which documents each system has: those whose parts are not all 0."""
    return np.asarray(parts.any(axis=-1))


def pool_for(column: ScoreColumn) -> Pool:
    """The function that makes the score of a system of the sums of its parts."""
    if not column.parts:
        return stats.ratio
    from gistmeter.metrics import parse_metric

    metric = parse_metric(column.metric)
    names = [pooled.name for pooled in metric.pooled_columns]
    if column.short not in names:
        raise DataError(f"{column.metric} has no pooled score {column.short!r} (it has {', '.join(names)})")
    index = names.index(column.short)

    def pool(sums: FloatArray) -> FloatArray:
        # Without any document there is no score, whatever the metric makes of zeros.
        return np.where(sums.any(axis=-1), metric.pool(sums)[..., index], np.nan)

    return pool


def _stands_behind(column: ScoreColumn, names: set[str]) -> bool:
    """Whether a column is shown only after another one of its metric, whose columns have these names."""
    own_name = column.metric.partition("(")[0]
    *own_names, _, comprehensive = list_main_names(own_name)
    for main in (*own_names, comprehensive):
        if main in names:
            return column.short != main
    return "f1" in names and column.short in _BEHIND_F1
