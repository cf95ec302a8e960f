"""The shortest question of meta-evaluation: how well one score agrees with people."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from gistmeter.arguments import outside_level
from gistmeter.errors import DataError, GistmeterWarning
from gistmeter.scores import Scores, ScoresLike

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.judgments import Judgments
    from gistmeter.stats.correlation import Coefficient, Correlation, Level, Undefined


def correlate(
    scores: ScoresLike,
    judgments: Judgments | str | Path,
    *,
    column: str,
    aspect: str,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
) -> Correlation:
    """How well one score agrees with people on one aspect, matched by document and system name.

    This is the shortest question of meta-evaluation; `gistmeter.meta` has the others. A score of which lower is better
    has its sign turned; of one of which neither is, the absolute value is given, with a warning.

    Parameters
    ----------
    scores, judgments
        The scores of the summaries, and what people said of them; or their files, or a frame of scores.
    column, aspect
        Which score, such as `rouge2.recall`, and which judgment.
    level, coefficient, undefined
        How they are correlated, as for `gistmeter.meta.correlate`.
    lower, higher
        The score or the aspect, where lower (or higher) is better and nothing says so.

    Returns
    -------
    Correlation
        The value, and what it rests on. Systems and documents that lack scores or judgments are left out.

    Raises
    ------
    DataError
        There is no such score or aspect, nothing that has both, or too little to correlate.
    """
    from gistmeter import meta
    from gistmeter.meta.sources import read_judgments

    scores, judgments = Scores.of(scores), read_judgments(judgments)
    # These two refuse a name that is not there, or a score that single summaries do not have.
    scores.matrix(column)
    judgments.means(aspect)
    study = meta.open_study(scores, judgments, lower=lower, higher=higher)
    if column in study.aspects:
        raise DataError(f"{column} is a score and a judgment: rename one of them")
    options = meta.CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    answer = meta.correlate(study, metrics=column, aspect=aspect, **options.keywords())
    if "neither" in (study.direction(column), study.direction(aspect)):
        warnings.warn("; ".join(answer.notes), GistmeterWarning, stacklevel=outside_level())
    return answer.rows[0].correlation
