"""The scores of all documents, for the systems of a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gistmeter.errors import DataError, suggestion
from gistmeter.meta.study.joining import split_columns
from gistmeter.scores import Scores
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.study import Study


Answer = TypeVar("Answer")


def read_scores(everything: Scores | str | Path) -> Scores:
    """Scores of all documents, in memory or from their file."""
    return Scores.of(everything)


def select_systems(everything: Scores, name: str, study: Study) -> FloatArray:
    """The table of a score on all documents, its rows the systems of a study, in their order.

    Raises
    ------
    DataError
        There is no such score, or a system has none.
    """
    names, _ = split_columns(everything)
    # By its whole name: a short one may stand for other settings there than among the judged documents.
    if name not in names:
        raise DataError(
            f"there is no such score of all documents{suggestion(name, names)} (there is {', '.join(names) or 'none'})"
        )
    matrix = everything.matrix(name)
    missing = [system for system in study.systems if system not in matrix.systems]
    if missing:
        raise DataError(f"there are no scores of all documents by {missing[0]}{suggestion(missing[0], matrix.systems)}")
    table: FloatArray = matrix.values[[matrix.systems.index(system) for system in study.systems]]
    return np.asarray(table)


@dataclass(frozen=True, slots=True)
class SystemTables:
    """What the means of systems are over: the judged documents of a study or, where given, all that were scored."""

    study: Study
    everything: Scores | None = None

    def measure(self, statistic: Callable[..., Answer], name: str, aspect: str, **options: Any) -> Answer:
        """A statistic of the means of systems by a metric and by people, which takes `paired`."""
        table = self.study.oriented(name)
        if self.everything is not None:
            sign = -1.0 if self.study.direction(name) == "lower" else 1.0
            table = sign * select_systems(self.everything, name, self.study)
        return statistic(table, self.study.oriented(aspect), paired=self.everything is None, **options)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is over all documents, and whether judged ones are missing there."""
        if self.everything is None:
            return ()
        judged, scored = format_count(len(self.study.documents), "judged document"), len(self.everything.documents)
        extent = f"close pairs by means over all {scored:,} documents; the accuracies over {judged}"
        return (extent, *note_documents(self.everything, self.study))


def note_documents(everything: Scores, study: Study) -> tuple[str, ...]:
    """That judged documents are missing among all, or that there are no others."""
    judged, scored = set(study.documents), set(everything.documents)
    missing = len(judged - scored)
    if missing:
        return (f"{missing} of {len(judged)} judged documents are not among all documents",)
    if judged == scored:
        return ("all documents that were scored are judged: there is nothing to gain",)
    return ()
