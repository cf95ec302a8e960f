"""The worst summaries of a file of scores, of a run that has not changed since."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.ranking.worst import WorstSummaries, find_worst
from gistmeter.scores import Scores, ScoresLike
from gistmeter.scoring.contents import check_contents
from gistmeter.scoring.inputs import as_run, find_scored_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.io.score_files.origin import Origin
    from gistmeter.scoring.inputs import RunLike


def worst(
    scores: ScoresLike,
    metric: str | None = None,
    *,
    count: int = 10,
    systems: Sequence[str] = (),
    each: bool = False,
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
    run: RunLike | None = None,
    moved: Origin | None = None,
    trust_origin: bool = False,
) -> WorstSummaries:
    """The summaries that score worst, and how far they lie below the mean of their system.

    Parameters
    ----------
    scores
        The scores, the file that they are in, or a frame.
    metric
        The score, such as `rouge2` or `rouge2.recall`; None takes the first that judges.
    count
        How many summaries.
    systems
        Only summaries by these systems; by default by all.
    each
        Whether there are so many of each system.
    lower, higher
        Scores of which lower, or higher, values are better, where the table does not say so.
    run
        The summaries that were scored; by default the files that the scores name, where they are there.
    moved
        Files of the run that are elsewhere now.
    trust_origin
        Whether scores that were read from a file may name files outside its folder and the working directory.

    Returns
    -------
    WorstSummaries
        The summaries, the worst first; a note where it could not be checked that the run is as it was.

    Raises
    ------
    ArgumentError
        If `count` is less than 1.
    DataError
        If there is no such score or system, the score does not judge single summaries, or the run has changed.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn
    >>> table = pl.DataFrame({"doc_id": [*"123"], "system": ["bart"] * 3, "rouge2.f1": [0.3, 0.0, 0.6]})
    >>> worst_rows = worst(Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),)), "rouge2", count=1)
    >>> [(row.doc_id, row.score, round(row.below, 2)) for row in worst_rows.rows]
    [('2', 0.0, 0.3)]
    """
    table = Scores.of(scores)
    worst_rows = find_worst(table, metric, count=count, systems=systems, each=each, lower=lower, higher=higher)
    notes: tuple[str, ...]
    if run is not None:
        opened = as_run(run)
        notes = check_contents(table, opened.examples(), whole=opened.origin.has_same_names(table.origin))
    else:
        scored = find_scored_run(table, moved=moved, trust_origin=trust_origin)
        if scored.run is not None:
            whole = scored.run.origin.has_same_names(table.origin)
            notes = check_contents(table, scored.run.examples(), whole=whole)
        else:
            notes = (f"whether the run is as it was when it was scored is not known: {scored.describe_absence()}",)
    return replace(worst_rows, notes=(*worst_rows.notes, *notes))
