"""An overview of a file of judgments: how far its raters agree on each aspect, and on content units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.human.agreement import OneVersusRest, PairwiseAgreement, one_vs_rest, pairwise_agreement
from gistmeter.human.alpha import KrippendorffAlpha, Measurement, krippendorff_alpha
from gistmeter.human.raters import repeated_work
from gistmeter.human.sources import UNITS, RaterRecords, read_raters
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.records import check_mapping, describe_record, name_mapped, read_records
from gistmeter.judgments import Judgments
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """How far raters agree on an aspect, or on content units; None, with a note that says why, where undefined."""

    name: str
    alpha: KrippendorffAlpha | None
    rest: OneVersusRest | None
    note: str = ""
    pairwise: PairwiseAgreement | None = None
    group: str = ""
    """Which of the groups of records it is about, where they were divided by a field."""


def rater_agreement(
    source: Judgments | str | Path,
    *,
    aspects: Sequence[str] = (),
    measurement: Measurement = "interval",
    by: str | Sequence[str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> tuple[RaterAgreement, ...]:
    """The agreement on each aspect that single raters judged, then on content units if records carry votes.

    Parameters
    ----------
    source
        A table of judgments, or a file of records, which may carry votes on content units too. Votes are nominal, and
        all units are items of one table.
    aspects
        Which aspects to look at, all by default; votes are called `units`.
    measurement
        What differences between ratings mean: `nominal`, `ordinal` or `interval`.
    by
        A field of the file's records, such as `language`, or several: each of its values is looked at by itself. One
        without judgments by single raters has a note that says so.
    fields
        In which columns of the file fields are, where they have other names than gistmeter knows:
        `{"rater": "worker_id"}`.

    Returns
    -------
    tuple[RaterAgreement, ...]
        For each group and aspect alpha, one rater against the rest, and pairs of raters. `gistmeter.meta.agreement` is
        the same as a result that becomes a frame and JSON.

    Raises
    ------
    ArgumentError
        `by` or `fields` is given for judgments in memory, or there is no such field or column to map.
    DataError
        There are no judgments of single raters, or none of that name, or a record lacks the field.

    Examples
    --------
    >>> from gistmeter.demo import demo_judgments
    >>> [row] = rater_agreement(demo_judgments())
    >>> row.name, round(row.alpha.value, 2)
    ('content', 0.77)
    """
    if isinstance(source, Judgments):
        if by is not None:
            raise ArgumentError("judgments in memory have no fields to divide them `by`: give the file they are in")
        if fields:
            raise ArgumentError("judgments in memory were read already: give `fields` where they are read")
        return _group_agreement(RaterRecords(source, None), "the table of judgments", aspects, measurement)
    file = str(source)
    check_mapping(fields, [file])
    divided = divide_records(read_records(file, fields=fields), name_mapped(by, fields), file)
    contents = {group: read_raters(records, file) for group, records in divided.items()}
    names = list(dict.fromkeys(name for content in contents.values() for name in content.names))
    agreements: list[RaterAgreement] = []
    for group, content in contents.items():
        if names and not content.names and group:
            reason = "there are no judgments by single raters"
            agreements += [
                RaterAgreement(name=name, alpha=None, rest=None, note=reason, group=group) for name in aspects or names
            ]
        else:
            agreements += _group_agreement(content, file, aspects, measurement, group)
    if not agreements:  # there is no record at all
        return _group_agreement(RaterRecords(None, None), file, aspects, measurement)
    return tuple(agreements)


def divide_records(
    records: Iterable[Mapping[str, Any]], by: str | Sequence[str] | None, name: str
) -> dict[str, list[Mapping[str, Any]]]:
    """Records by the value of a field, in the order the values first appear; all in one group without a field.

    Several fields make a group of each combination of values.

    >>> list(divide_records([{"language": "en"}, {"language": "de"}, {"language": "en"}], "language", "x.jsonl"))
    ['en', 'de']
    """
    fields = [by] if isinstance(by, str) else list(by or ())
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for number, record in enumerate(records, start=1):
        values = []
        for field in fields:
            value = next((record[key] for key in FIELD_NAMES.get(field, (field,)) if record.get(key) is not None), None)
            if value is None:
                hint = suggestion(field, list(record))
                where = describe_record(record, number, name)
                raise DataError(f"{where} has no `{field}` to divide it by{hint}")
            values.append(str(value))
        groups.setdefault(" ".join(values), []).append(record)
    return groups


def _group_agreement(
    content: RaterRecords, label: str, aspects: Sequence[str], measurement: Measurement, group: str = ""
) -> tuple[RaterAgreement, ...]:
    """The agreement on each aspect, and on units, of one group of records."""
    agreements = []
    names = content.check_names(label, aspects)
    for name in aspects or names:
        if name == UNITS and content.votes is not None:
            agreements.append(_agreement(name, content.votes, None, "nominal", group))
        elif content.ratings is not None:
            agreements.append(_agreement(name, content.ratings, name, measurement, group))
    return tuple(agreements)


def _agreement(
    name: str, judgments: Judgments, aspect: str | None, measurement: Measurement, group: str
) -> RaterAgreement:
    try:
        alpha = krippendorff_alpha(judgments, aspects=aspect, measurement=measurement)
        rest = one_vs_rest(judgments, aspects=aspect) if aspect else None
    except DataError as error:
        return RaterAgreement(name=name, alpha=None, rest=None, note=str(error), group=group)
    return RaterAgreement(
        name=name,
        alpha=alpha,
        rest=rest,
        note=_repeats(judgments, aspect),
        pairwise=_pairwise(judgments, aspect) if aspect else None,
        group=group,
    )


def _pairwise(judgments: Judgments, aspect: str) -> PairwiseAgreement | None:
    """The correlation of raters two by two; None where no two have enough items in common."""
    try:
        return pairwise_agreement(judgments, aspects=aspect)
    except DataError:
        return None


def _repeats(judgments: Judgments, aspect: str | None) -> str:
    """That people stand beside themselves, where they do."""
    repeated = repeated_work(judgments, aspects=aspect)
    if not repeated:
        return ""
    counted = "counts" if repeated == 1 else "count"
    repeats = f"{format_count(repeated, 'judgment')} of an item that the same rater has in another task"
    return f"{repeats}, which {counted} as another rater's"
