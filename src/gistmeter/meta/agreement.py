"""How far do raters agree with each other?"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from gistmeter.human import rater_agreement
from gistmeter.meta.sources import name_list
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.human import RaterAgreement
    from gistmeter.human.agreement import Measurement
    from gistmeter.judgments import Judgments


@dataclass(frozen=True, slots=True)
class RaterAgreements(Result):
    """How far raters agree, on each judgment."""

    rows: tuple[RaterAgreement, ...]

    def records(self) -> list[dict[str, Any]]:
        """A row for each judgment: Krippendorff's alpha, and the correlation of one rater with the rest."""
        return [
            {
                "judgment": row.name,
                "alpha": nan if row.alpha is None else row.alpha.value,
                "measurement": "" if row.alpha is None else row.alpha.measurement,
                "items": 0 if row.alpha is None else row.alpha.items,
                "ratings": 0 if row.alpha is None else row.alpha.ratings,
                "one against the rest": nan if row.rest is None else row.rest.value,
            }
            for row in self.rows
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the agreement on a judgment is undefined."""
        return tuple(f"{row.name}: {row.note}" for row in self.rows if row.note)


def agreement(
    judgments: Judgments | str | Path,
    *,
    aspects: str | Sequence[str] | None = None,
    measurement: Measurement = "interval",
) -> RaterAgreements:
    """Agreement of raters on each judgment, and on content units where records carry votes on them.

    Parameters
    ----------
    judgments
        Judgments of single raters: in memory, or the file of records with `annotators`, `rater` or `votes`.
    aspects
        Which judgments to look at, all by default. Votes on content units of a file are called `units`.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`. Votes are nominal.

    Returns
    -------
    RaterAgreements
        For each judgment Krippendorff's alpha (1 is perfect agreement, 0 what chance gives), and the correlation of
        one rater with the rest.

    Raises
    ------
    DataError
        There are no judgments of single raters, or none of that name.

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
    return RaterAgreements(rater_agreement(judgments, aspects=name_list(aspects), measurement=measurement))
