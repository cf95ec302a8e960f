"""How far do raters agree with each other?"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from gistmeter.human import rater_agreement
from gistmeter.meta.sources import name_list
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.human import RaterAgreement
    from gistmeter.human.alpha import Measurement
    from gistmeter.judgments import Judgments


@dataclass(frozen=True, slots=True)
class RaterAgreements(Result):
    """How far raters agree, on each judgment."""

    rows: tuple[RaterAgreement, ...]
    by: str | None = None
    """The field by which records were divided."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each judgment: Krippendorff's alpha, and the correlation of raters with the rest and in pairs."""
        return [
            {
                **({} if self.by is None else {self.by: row.group}),
                "judgment": row.name,
                "alpha": nan if row.alpha is None else row.alpha.value,
                "measurement": "" if row.alpha is None else row.alpha.measurement,
                "items": 0 if row.alpha is None else row.alpha.items,
                "ratings": 0 if row.alpha is None else row.alpha.ratings,
                "one against the rest": nan if row.rest is None else row.rest.value,
                "pairs of raters": nan if row.pairwise is None else row.pairwise.value,
            }
            for row in self.rows
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the agreement on a judgment is undefined, or what it has in it that a reader should know."""
        return tuple(f"{row.group} {row.name}".lstrip() + f": {row.note}" for row in self.rows if row.note)


def agreement(
    judgments: Judgments | str | Path,
    *,
    aspects: str | Sequence[str] | None = None,
    measurement: Measurement = "interval",
    by: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> RaterAgreements:
    """Agreement of raters on each judgment, and on content units where records carry votes on them.

    Parameters
    ----------
    judgments
        Judgments of single raters: in memory, or the file of records with `annotators`, `rater` or `votes`,
        or of assignments.
    aspects
        Which judgments to look at, all by default. Votes on content units of a file are called `units`.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`. Votes are nominal.
    by
        A field of the file's records, such as `language`: each of its values gets rows of its own.
    fields
        In which columns of the file fields are, where they have other names than gistmeter knows:
        `{"rater": "worker_id"}`.

    Returns
    -------
    RaterAgreements
        For each judgment Krippendorff's alpha (1 is perfect agreement, 0 what chance gives), the correlation of one
        rater with the mean of the rest, and the mean correlation of raters two by two. Where tasks are known, two
        raters are paired within a task.

    Raises
    ------
    DataError
        There are no judgments of single raters, or none of that name, or a record lacks the field.

    Examples
    --------
    >>> from gistmeter.judgments import Judgments
    >>> ratings = {"d1": [1, 1], "d2": [2, 3], "d3": [4, 4]}
    >>> people = Judgments.from_records(
    ...     {"doc_id": doc_id, "system": "s", "annotators": {"focus": values}} for doc_id, values in ratings.items()
    ... )
    >>> agreement(people).to_frame()["alpha"].round(3).to_list()
    [0.912]
    """
    rows = rater_agreement(judgments, aspects=name_list(aspects), measurement=measurement, by=by, fields=fields)
    return RaterAgreements(rows, by)
