"""Where ratings come from: judgments in memory, or a file of ratings, of votes on content units, or of both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.human.assignments import is_released_assignment
from gistmeter.io.human.wide_tables import find_aspects, may_be_wide
from gistmeter.io.records import read_records
from gistmeter.judgments import MEAN_RATER, Judgments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RatingSource: TypeAlias = Judgments | str | Path
"""What the functions of `gistmeter.human` take: judgments, or the file they are in."""

UNITS = "units"
"""The name under which votes on content units stand."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """What single raters gave, and whether it is votes on content units."""

    judgments: Judgments
    aspects: tuple[str, ...] | None
    """The aspects that were asked for, which `judgments` has; None for all."""
    votes: bool = False


@dataclass(frozen=True, slots=True)
class RaterRecords:
    """What the records of a file say: ratings of aspects, votes on content units; None where there are none."""

    ratings: Judgments | None
    votes: Judgments | None

    @property
    def names(self) -> list[str]:
        """The aspects that single raters judged, and `units` where there are votes."""
        units = [UNITS] if self.votes is not None else []
        if self.ratings is None:
            return units
        single = self.ratings.table.filter(self.ratings.table["rater"] != MEAN_RATER)
        return single["aspect"].unique(maintain_order=True).to_list() + units

    def check_names(self, label: str, aspects: Sequence[str]) -> list[str]:
        """The names, if there are any and the aspects are among them."""
        names = self.names
        if not names:
            raise DataError(
                f"{label} has no judgments by single raters: no record has `annotators`, `rater` or `votes`"
            )
        for aspect in aspects:
            if aspect not in names:
                raise DataError(f"no raters judged {aspect!r}{suggestion(aspect, names)} (there is {', '.join(names)})")
        return names


def open_ratings(source: RatingSource, aspects: str | Sequence[str] | None) -> Ratings:
    """The ratings of a source: of some aspects, or the votes on content units, called `units`.

    A file that has both ratings and votes must be told which of them is wanted.
    """
    wanted = None if aspects is None else (aspects,) if isinstance(aspects, str) else tuple(aspects)
    if isinstance(source, Judgments):
        return Ratings(source, wanted)
    file = str(source)
    content = read_raters(read_records(file), file)
    names = content.check_names(file, wanted or ())
    chosen = list(wanted or names)
    if UNITS in chosen and len(chosen) > 1:
        raise ArgumentError(
            f"{file} has ratings and votes on content units, which do not go together ({', '.join(chosen)}): "
            "choose with `aspects`"
        )
    if content.votes is not None and chosen == [UNITS]:
        return Ratings(content.votes, None, votes=True)
    if content.ratings is None:
        raise DataError(f"{file} has no ratings of aspects, only votes on content units (`{UNITS}`)")
    return Ratings(content.ratings, wanted)


def read_raters(records: Iterable[Mapping[str, Any]], file: str) -> RaterRecords:
    """The ratings of single raters, and their votes on content units."""
    every = list(records)
    rated = [
        record for record in every if record.get("annotators") or record.get("aspect") or is_released_assignment(record)
    ]
    if not rated:  # a wide table has a column for each aspect, and none of the fields above
        rated = [record for record in every if may_be_wide(record) and any(map(record.get, FIELD_NAMES["rater"]))]
        rated = rated if find_aspects(rated) else []
    voted = [record for record in every if any(record.get(name) is not None for name in FIELD_NAMES["votes"])]
    return RaterRecords(
        ratings=Judgments.from_records(rated, name=file) if rated else None,
        votes=Judgments.from_votes(voted, name=file) if voted else None,
    )
