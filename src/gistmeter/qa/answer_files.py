"""Files of people's answers: what they filled in, as records, a table or the download of a sheet, read and merged.

A record names the `id` of a question and, for it, `answer` (a text, empty where the text does not answer) or `correct`
(true or false), or both. `correct` speaks of the `answer` beside it; where there is none, of the answer that the model
gave (`predicted`). In a table an empty cell says nothing: there `answerable` (no) says that the text does not answer.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError, suggestion
from gistmeter.io.files import check_readable
from gistmeter.io.records import describe_record, read_filled_records
from gistmeter.qa.human_answers import HumanAnswer, HumanAnswers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.qa.human_answers import HumanPart

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}
"""Spreadsheets write 1.0 for true where other cells are empty."""


def read_human_answers(files: str | Sequence[str], part: HumanPart = "all") -> HumanAnswers:
    """The answers in files of records (.jsonl, .csv, .tsv, .parquet), merged; read once while they do not change.

    `part` says what of them counts. Files that contradict each other are refused.
    """
    names = (files,) if isinstance(files, str) else tuple(files)
    for name in names:
        check_readable(name)
    stats = [(name, Path(name).stat()) for name in names]
    return _merge(tuple((name, status.st_mtime_ns, status.st_size) for name, status in stats), part)


@functools.lru_cache(maxsize=8)
def _merge(files: tuple[tuple[str, int, int], ...], part: HumanPart) -> HumanAnswers:
    """The answers of files, each with what tells that it is as it was: when it changed, and its size."""
    contents = [_read(*file) for file in files]
    humans = [human.take(part) for answers in contents for human in answers.by_id.values()]
    digests = sorted({answers.digest for answers in contents})
    digest = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()[:12]
    return HumanAnswers.of(humans, digest)


@functools.lru_cache(maxsize=8)
def _read(file: str, changed: int, size: int) -> HumanAnswers:  # noqa: ARG001  (what tells that a file is as it was)
    humans = [
        _read_record(record, describe_record(record, number, file))
        for number, record in enumerate(read_filled_records(file), start=1)
    ]
    if not humans:
        raise DataError(f"{file} has no answers")
    return HumanAnswers.of(humans, hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12])


def _read_record(record: Any, source: str) -> HumanAnswer:
    """The answer in a record; `source` names the record in errors."""
    if not isinstance(record, dict):
        raise DataError(f"{source} is not a record with `id` and `answer`")
    name = record.get("id")
    if not isinstance(name, str) or not name.strip():
        close = next((s for key in record if (s := suggestion(str(key), ["id"]))), "")
        raise DataError(f"{source} has no `id`{close} (`gistmeter qa export` writes one for every question)")
    answer, predicted = (_read_text(record, key, source) for key in ("answer", "predicted"))
    answer = _check_answerable(answer, _read_boolean(record, "answerable", source), source)
    correct = _read_boolean(record, "correct", source)
    if correct and answer is not None and not answer.strip():
        raise DataError(f"{source} says that there is no answer and that it is correct")
    doc_id, system = record.get("doc_id"), record.get("system")
    is_verdict = answer is None and correct is not None
    return HumanAnswer(
        id=name.strip(),
        source=source,
        answer=answer,
        correct=None if is_verdict else correct,
        predicted=predicted if is_verdict else None,
        predicted_correct=correct if is_verdict else None,
        summary=None if doc_id is None or system is None else (str(doc_id), str(system)),
    )


def _read_text(record: dict[str, Any], key: str, source: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    raise DataError(f"{source} has an `{key}` that is not a text: {value!r}")


def _check_answerable(answer: str | None, answerable: bool | None, source: str) -> str | None:
    """The answer; empty where people only say that there is none."""
    if answerable is False and (answer or "").strip():
        raise DataError(f"{source} says that the text does not answer, and has an answer: {answer!r}")
    if answerable and not (answer or "").strip():
        raise DataError(f"{source} says that the text answers, but has no `answer`")
    return "" if answerable is False else answer


def _read_boolean(record: dict[str, Any], key: str, source: str) -> bool | None:
    value = record.get(key)
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if not word:
        return None
    if word not in _BOOLEANS:
        raise DataError(f"{source} says `{key}`, but neither true nor false: {value!r}")
    return _BOOLEANS[word]
