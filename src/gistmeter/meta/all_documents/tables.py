"""The scores of all documents, for the systems of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError, suggestion
from gistmeter.scores import Scores

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.study import Study


def read_scores(everything: Scores | str | Path) -> Scores:
    """Scores of all documents, in memory or from their file."""
    return everything if isinstance(everything, Scores) else Scores.read(everything)


def select_systems(everything: Scores, name: str, study: Study) -> FloatArray:
    """The table of a score on all documents, its rows the systems of a study, in their order.

    Raises
    ------
    DataError
        There is no such score, or a system has none.
    """
    names = [column.name for column in everything.columns if not column.parts]
    # By its whole name: a short one may stand for other settings there than among the judged documents.
    if name not in names:
        raise DataError(
            f"there is no such score of all documents{suggestion(name, names)} (there is {', '.join(names)})"
        )
    matrix = everything.matrix(name)
    missing = [system for system in study.systems if system not in matrix.systems]
    if missing:
        raise DataError(f"there are no scores of all documents by {missing[0]}{suggestion(missing[0], matrix.systems)}")
    table: FloatArray = matrix.values[[matrix.systems.index(system) for system in study.systems]]
    return np.asarray(table)


def note_documents(everything: Scores, study: Study) -> tuple[str, ...]:
    """That judged documents are missing among all, or that there are no others."""
    judged, scored = set(study.documents), set(everything.documents)
    missing = len(judged - scored)
    if missing:
        return (f"{missing} of {len(judged)} judged documents are not among all documents",)
    if judged == scored:
        return ("all documents that were scored are judged: there is nothing to gain",)
    return ()
