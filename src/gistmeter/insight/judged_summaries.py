"""Judged summaries: a run, people's judgment of each summary, and the group in which it is compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.fields import JUDGMENT_FIELDS, RUN_FIELDS
from gistmeter.io.records import check_mapping, keep_present
from gistmeter.io.runs import open_run, read_records
from gistmeter.judgments import Judgments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.example import Example

_GROUP_FIELDS = ("subset", "language", "system")


@dataclass(frozen=True, slots=True)
class JudgedSummary:
    """A summary, people's judgment of it, and the group it is correlated in."""

    example: Example
    human: float
    group: str


def read_judged_summaries(
    files: Sequence[str | Path],
    *,
    human: str,
    judgments: str | Path | None = None,
    groups: Sequence[str] | None = None,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    language: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> list[JudgedSummary]:
    """The judged summaries of a run, those without a judgment left out.

    `human` names the judgment. Judgments are the records' own `human`, or those of the file `judgments`. Groups are
    the fields named, by default `subset`, `language` and `system`; `none` takes all summaries together.
    `fields` says in which columns of the run and of the judgments fields are, where they have other names than
    gistmeter knows.
    """
    mapped = fields or {}
    check_mapping(mapped, [*map(str, files), *([] if judgments is None else [str(judgments)])])
    from_file = None if judgments is None else _read_means(judgments, human, mapped)
    grouped_by = _GROUP_FIELDS if groups is None else tuple(name for name in groups if name != "none")
    judged: list[tuple[Example, float, tuple[str, ...]]] = []
    aspects: set[str] = set()
    for file in map(str, files):
        own_fields = keep_present(mapped, file, RUN_FIELDS)
        run = open_run([file], references=references, documents=documents, language=language, fields=own_fields)
        for record, example in zip(read_records(file), run.examples(), strict=True):
            in_record = record.get("human") or {}
            aspects.update(in_record)
            value = in_record.get(human) if from_file is None else from_file.get((example.doc_id, example.system))
            if value is not None:
                judged.append((example, float(value), tuple(_read_field(record, example, name) for name in grouped_by)))
    if not judged:
        hint = f" (there is {', '.join(sorted(aspects))})" if aspects else ": no record has `human`"
        raise DataError(f"there are no judgments of {human!r}{hint}")
    if groups is not None:
        for index, name in enumerate(grouped_by):
            if not any(texts[index] for _, _, texts in judged):
                raise DataError(f"no record has the field {name!r} to group by")
    varying = [index for index in range(len(grouped_by)) if len({texts[index] for _, _, texts in judged}) > 1]
    return [
        JudgedSummary(example, value, " ".join(texts[index] for index in varying if texts[index]) or "all")
        for example, value, texts in judged
    ]


def _read_means(path: str | Path, human: str, fields: Mapping[str, str]) -> dict[tuple[str, str], float]:
    """The mean judgment of each summary, by document and system."""
    table = Judgments.read(path, fields=keep_present(fields, str(path), JUDGMENT_FIELDS)).means(human)
    return {(doc_id, system): value for doc_id, system, value in table.iter_rows()}


def _read_field(record: Mapping[str, Any], example: Example, name: str) -> str:
    """A field to group by, as text; empty when there is none."""
    if name in ("system", "language", "doc_id"):
        return str(getattr(example, name))
    value = record.get(name)
    return "" if value is None else str(value)
