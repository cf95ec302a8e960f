"""An overview of a file of judgments: how far its raters agree on each aspect, and on content units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError, suggestion
from gistmeter.human.agreement import KrippendorffAlpha, Measurement, OneVersusRest, krippendorff_alpha, one_vs_rest
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.records import read_records
from gistmeter.judgments import MEAN_RATER, Judgments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

UNITS = "units"
"""The name under which votes on content units stand."""


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far raters agree on an aspect, or on content units; None, with a note that says why, where undefined."""

    name: str
    alpha: KrippendorffAlpha | None
    rest: OneVersusRest | None
    note: str = ""


def rater_agreement(
    source: Judgments | str | Path, *, aspects: Sequence[str] = (), measurement: Measurement = "interval"
) -> tuple[RaterAgreement, ...]:
    """The agreement on each aspect that single raters judged, then on content units if records carry votes.

    `source` is a table of judgments, or a file of records, which may carry votes on content units too. Votes are
    nominal, and all units are items of one table. `aspects` (default: all) may name `units` too.
    """
    label = "the table of judgments" if isinstance(source, Judgments) else str(source)
    judgments, votes = (source, None) if isinstance(source, Judgments) else _read_raters(label)
    names = _aspects_of_raters(judgments) + ([UNITS] if votes is not None else [])
    if not names:
        raise DataError(f"{label} has no judgments by single raters: no record has `annotators`, `rater` or `votes`")
    for aspect in aspects:
        if aspect not in names:
            raise DataError(f"no raters judged {aspect!r}{suggestion(aspect, names)} (there is {', '.join(names)})")
    agreements = []
    for name in aspects or names:
        if name == UNITS and votes is not None:
            agreements.append(_agreement(name, votes, None, "nominal"))
        elif judgments is not None:
            agreements.append(_agreement(name, judgments, name, measurement))
    return tuple(agreements)


def _read_raters(file: str) -> tuple[Judgments | None, Judgments | None]:
    """The judgments of single raters on aspects, and their votes on content units; None where a file has none."""
    records = list(read_records(file))
    rated = [record for record in records if record.get("annotators") or "aspect" in record]
    voted = [record for record in records if any(record.get(name) is not None for name in FIELD_NAMES["votes"])]
    judgments = Judgments.from_records(rated, name=file) if rated else None
    return judgments, Judgments.from_votes(voted, name=file) if voted else None


def _aspects_of_raters(judgments: Judgments | None) -> list[str]:
    """The aspects that single raters judged."""
    if judgments is None:
        return []
    single = judgments.table.filter(judgments.table["rater"] != MEAN_RATER)
    return single["aspect"].unique(maintain_order=True).to_list()


def _agreement(name: str, judgments: Judgments, aspect: str | None, measurement: Measurement) -> RaterAgreement:
    try:
        alpha = krippendorff_alpha(judgments, aspects=aspect, measurement=measurement)
        rest = one_vs_rest(judgments, aspects=aspect) if aspect else None
    except DataError as error:
        return RaterAgreement(name, None, None, str(error))
    return RaterAgreement(name, alpha, rest)
