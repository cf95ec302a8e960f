"""Judged summaries: a run, what people said of each summary, and the groups in which the two are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.runs import open_run, read_records
from gistmeter.judgments import Judgments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.example import Example

_GROUP_FIELDS = ("subset", "language", "system")


@dataclass(frozen=True, slots=True)
class Judged:
    """A summary, what people said of it, and the group it is correlated in."""

    example: Example
    human: float
    group: str


def read_judged(
    files: Sequence[str | Path],
    *,
    human: str,
    judgments: str | Path | None = None,
    groups: Sequence[str] | None = None,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    language: str | None = None,
) -> list[Judged]:
    """The judged summaries of a run, those without a judgment left out.

    Judgments are the records' own `human`, or a file's. Groups are the fields named, by default `subset`, `language`
    and `system`; `none` takes all summaries together.
    """
    elsewhere = None if judgments is None else _values(judgments, human)
    fields = _GROUP_FIELDS if groups is None else tuple(name for name in groups if name != "none")
    found: list[tuple[Example, float, tuple[str, ...]]] = []
    known: set[str] = set()
    for file in map(str, files):
        run = open_run([file], references=references, documents=documents, language=language)
        for record, example in zip(read_records(file), run.examples(), strict=True):
            own = record.get("human") or {}
            known.update(own)
            value = own.get(human) if elsewhere is None else elsewhere.get((example.doc_id, example.system))
            if value is not None:
                found.append((example, float(value), tuple(_field(record, example, name) for name in fields)))
    if not found:
        hint = f" (there is {', '.join(sorted(known))})" if known else ": no record has `human`"
        raise DataError(f"there are no judgments of {human!r}{hint}")
    if groups is not None:
        for place, name in enumerate(fields):
            if not any(of[place] for _, _, of in found):
                raise DataError(f"no record has the field {name!r} to group by")
    varying = [place for place in range(len(fields)) if len({of[place] for _, _, of in found}) > 1]
    return [
        Judged(example, value, " ".join(of[place] for place in varying if of[place]) or "all")
        for example, value, of in found
    ]


def _values(path: str | Path, human: str) -> dict[tuple[str, str], float]:
    table = Judgments.read(path).means(human)
    return {(doc_id, system): value for doc_id, system, value in table.iter_rows()}


def _field(record: Mapping[str, Any], example: Example, name: str) -> str:
    if name in ("system", "language", "doc_id"):
        return str(getattr(example, name))
    value = record.get(name)
    return "" if value is None else str(value)
