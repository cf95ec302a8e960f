"""Systems by a field of their run, such as their type: the sections of a leaderboard."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.meta.study.fields import open_records
from gistmeter.meta.study.labels import read_labels
from gistmeter.scores import Scores
from gistmeter.scoring.inputs import find_scored_run

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.ranking.rank import Ranking


def add_sections(ranking: Ranking, scores: Scores | str | Path, by: str, *, trust_origin: bool = False) -> Ranking:
    """A ranking that is shown section by section.

    Parameters
    ----------
    ranking
        The ranking of the systems.
    scores
        The scores that it came from, or their file; the field is looked up in their table and in the run.
    by
        The field, such as `system_type`: it has one value for all summaries of a system.
    trust_origin
        Whether scores that were read from a file may name a run outside its folder and the working directory.

    Returns
    -------
    Ranking
        The same, with the section of each system; those that have none come in a section without a name.

    Raises
    ------
    DataError
        If no record has the field or the run may not be read, or a system has two values of it.

    >>> import polars as pl
    >>> from gistmeter.ranking.rank import rank
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": ["1", "1"], "system": ["lead", "bart"], "kind": ["extractive", "abstractive"],
    ...                       "rouge2.f1": [0.1, 0.2]})
    >>> scores = Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))
    >>> dict(add_sections(rank(scores), scores, "kind").sections)
    {'lead': 'extractive', 'bart': 'abstractive'}
    """
    scores = Scores.of(scores)
    records = [*open_records(scores)]
    if by not in scores.table.columns:
        scored_run = find_scored_run(scores, trust_origin=trust_origin)
        if scored_run.untrusted_files:
            raise DataError(f"{by!r} is no column of the scores, and {scored_run.describe_absence()}")
        files = () if scored_run.run is None else scored_run.run.files
        records += [pair for file in files for pair in open_records(file)]
    labels = read_labels([by], scores.systems, scores.documents, records)[by]
    sections: dict[str, str] = {}
    for system, row in zip(scores.systems, labels.tolist(), strict=True):
        values = list(dict.fromkeys(label for label in row if label is not None))
        if len(values) > 1:
            raise DataError(
                f"system {system} has two values of {by!r}, {values[0]} and {values[1]}: it has one section"
            )
        if values:
            sections[system] = values[0]
    return replace(ranking, by=by, sections=sections)
