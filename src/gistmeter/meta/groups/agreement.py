"""How far raters agree in each language, subset or other group: a column for each, and their mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.human import rater_agreement
from gistmeter.meta.sources import name_list
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.human import RaterAgreement
    from gistmeter.human.alpha import Measurement

_MEASURES = ("alpha", "one against the rest", "pairs of raters")


@dataclass(frozen=True, slots=True)
class GroupedAgreement(Result):
    """How far raters agree on each judgment, group by group."""

    fields: tuple[str, ...]
    """What the groups are by."""
    rows: tuple[RaterAgreement, ...]

    @property
    def groups(self) -> list[str]:
        """The groups, in the order in which they first appear."""
        return list(dict.fromkeys(row.group for row in self.rows))

    def records(self) -> list[dict[str, Any]]:
        """A row for each judgment and measure of agreement, a column for each group, and their mean."""
        measured = {(row.name, row.group): _measure(row) for row in self.rows}
        records = []
        for judgment in dict.fromkeys(row.name for row in self.rows):
            for measure in _MEASURES:
                values = [measured.get((judgment, group), {}).get(measure, nan) for group in self.groups]
                defined = [value for value in values if not isnan(value)]
                if defined:
                    columns = dict(zip(self.groups, values, strict=True))
                    mean = float(np.mean(defined))
                    records.append({"judgment": judgment, "measure": measure, **columns, "mean": mean})
        return records

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the agreement of a group is undefined, or what it has in it that a reader should know."""
        judgments = list(dict.fromkeys(row.name for row in self.rows))
        names_by_note: dict[tuple[str, str], list[str]] = {}
        for row in self.rows:
            if row.note:
                names_by_note.setdefault((row.group, row.note), []).append(row.name)
        return tuple(
            f"{group}: {note}" if names == judgments else f"{group}, {' and '.join(names)}: {note}"
            for (group, note), names in names_by_note.items()
        )


def agreement_by_group(
    judgments: str | Path,
    *,
    group: str | Sequence[str],
    aspects: str | Sequence[str] | None = None,
    measurement: Measurement = "interval",
    fields: Mapping[str, str] | None = None,
) -> GroupedAgreement:
    """Agreement of raters in each group, as in Koto, Lau and Baldwin (2021, Table 1 and the last row of Table 2).

    A group with too few judgments by single raters is named in a note, and its column is empty.

    Parameters
    ----------
    judgments
        The file of records with `annotators`, `rater` or `votes`, or of assignments.
    group
        A field of the records, such as `language`, or several: each combination of values is a group.
    aspects
        Which judgments to look at, all by default. Votes on content units are called `units`.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`. Votes are nominal.
    fields
        In which columns of the file fields are, where they have other names than gistmeter knows:
        `{"rater": "worker_id"}`.

    Returns
    -------
    GroupedAgreement
        For each judgment Krippendorff's alpha, the correlation of one rater with the mean of the rest, and the mean
        correlation of raters two by two.

    Raises
    ------
    ArgumentError
        No field is named.
    DataError
        There are no judgments of single raters, or none of that name, or a record lacks the field.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> rows = [("en", 1, 2), ("en", 2, 2), ("en", 4, 5), ("de", 1, 1), ("de", 3, 3), ("de", 5, 4)]
    >>> lines = [
    ...     f'{{"doc_id": "{number}", "system": "s", "language": "{code}", "annotators": {{"focus": [{x}, {y}]}}}}'
    ...     for number, (code, x, y) in enumerate(rows)
    ... ]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ratings.jsonl"
    ...     written = path.write_text("\\n".join(lines))
    ...     answer = agreement_by_group(path, group="language")
    >>> answer.to_frame().select("measure", "en", "de").rows()[0]
    ('alpha', 0.852..., 0.935...)
    """
    grouped_by = name_list(group)
    if not grouped_by:
        raise ArgumentError("say what to group by: `group=language`, for example")
    rows = rater_agreement(judgments, aspects=name_list(aspects), measurement=measurement, by=grouped_by, fields=fields)
    return GroupedAgreement(grouped_by, rows)


def _measure(row: RaterAgreement) -> dict[str, float]:
    """The measures of agreement by name, those that are defined."""
    answers = (row.alpha, row.rest, row.pairwise)
    return {name: answer.value for name, answer in zip(_MEASURES, answers, strict=True) if answer is not None}
