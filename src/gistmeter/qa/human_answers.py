"""People's answers: questions given to people to answer or to verify, and what they said (section 4.7.2 of QAEval).

A question has an id made from what it is: the question, the answer expected and the text that answers it. A file of
answers names ids and, for each, `answer` (a text, empty where the text does not answer) or `correct` (true or false),
or both. Where only `correct` is given, it speaks of the answer that the model gave (`predicted`). In a table an empty
cell says nothing: there `answerable` (false) says that the text does not answer.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError, suggestion
from gistmeter.io.decoding import read_records
from gistmeter.io.files import check_readable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gistmeter.models.answering.spans import Answer

_YES = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}
"""Spreadsheets write 1.0 for true where other cells are empty."""


@dataclass(frozen=True, slots=True)
class Said:
    """What people said to one question; None where they did not say."""

    id: str
    answer: str | None
    correct: bool | None
    predicted: str | None
    """The model's answer that they were shown."""

    place: str
    owner: tuple[str, str] | None = None
    """The document and system it was exported for."""


@dataclass(frozen=True, slots=True)
class Peoples:
    """A file of people's answers, by id."""

    file: str
    digest: str
    said: Mapping[str, Said]
    owned: Mapping[tuple[str, str], tuple[Said, ...]]
    """What was said, by the document and system it was exported for."""

    def of(self, question: str, expected: str, text: str) -> Said | None:
        """What people said to a question, or None."""
        return self.said.get(question_id(question, expected, text))

    def check(self, owner: tuple[str, str], known: Collection[str]) -> None:
        """Refuse an answer to a question that a summary does not ask any more (`known` are the ids it asks)."""
        for one in self.owned.get(owner, ()):
            if one.id not in known:
                doc_id, system = owner
                raise DataError(
                    f"{one.place} answers question {one.id} of {system}/{doc_id}, which is not asked there: "
                    "were texts or settings changed since `gistmeter qa export`?"
                )


def question_id(question: str, expected: str, text: str) -> str:
    """Twelve hexadecimal digits for a question to a text.

    >>> question_id("Who won?", "Ann", "Ann won.") == question_id("Who won?", "Ann", "Ann lost.")
    False
    """
    parts = "\0".join((question, expected, text))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def read_peoples(file: str) -> Peoples:
    """The answers in a file of records (.jsonl, .csv, .tsv, .parquet); read once while it does not change."""
    check_readable(file)
    changed = Path(file).stat()
    return _read(file, changed.st_mtime_ns, changed.st_size)


def checked_answer(said: Said, answer: Answer) -> Answer:
    """The model's answer that people verified; refused when the model now answers something else."""
    if said.correct is not None and said.predicted is not None and said.predicted != _shown(answer):
        raise DataError(
            f"{said.place} verifies the answer {said.predicted!r}, but the model now says {_shown(answer)!r}: "
            "export the questions again"
        )
    return answer


def peoples_answer(said: Said, text: str) -> Answer:
    """A person's answer to a question, marked in the text where it stands there."""
    from gistmeter.models.answering.spans import Answer

    answer = (said.answer or "").strip()
    start = text.lower().find(answer.lower()) if answer and len(text.lower()) == len(text) else -1
    place = (start, start + len(answer)) if start >= 0 else (0, 0)
    return Answer(answer, *place, float(bool(answer)), float(not answer), answered=bool(answer))


@functools.lru_cache(maxsize=4)
def _read(file: str, changed: int, size: int) -> Peoples:  # noqa: ARG001  (what tells that a file is as it was)
    said: dict[str, Said] = {}
    for position, record in enumerate(read_records(file), start=1):
        place = f"record {position} of {file}"
        one = _said(record, place)
        if (before := said.get(one.id)) is not None and (before.answer, before.correct) != (one.answer, one.correct):
            raise DataError(f"{place} answers question {one.id} otherwise than {before.place}: keep one of them")
        said[one.id] = one
    if not said:
        raise DataError(f"{file} has no answers")
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
    owned: dict[tuple[str, str], tuple[Said, ...]] = {}
    for one in said.values():
        if one.owner is not None:
            owned[one.owner] = (*owned.get(one.owner, ()), one)
    return Peoples(file, digest, said, owned)


def _said(record: Any, place: str) -> Said:
    if not isinstance(record, dict):
        raise DataError(f"{place} is not a record with `id` and `answer`")
    name = record.get("id")
    if not isinstance(name, str) or not name.strip():
        close = next((s for key in record if (s := suggestion(str(key), ["id"]))), "")
        raise DataError(f"{place} has no `id`{close} (`gistmeter qa export` writes one for every question)")
    answer, predicted = record.get("answer"), record.get("predicted")
    for key, value in (("answer", answer), ("predicted", predicted)):
        if value is not None and not isinstance(value, str):
            raise DataError(f"{place} has an `{key}` that is not a text: {value!r}")
    answer = _answerable(answer, _said_yes(record, "answerable", place), place)
    correct = _said_yes(record, "correct", place)
    if correct and answer is not None and not answer.strip():
        raise DataError(f"{place} says that there is no answer and that it is correct")
    doc_id, system = record.get("doc_id"), record.get("system")
    owner = None if doc_id is None or system is None else (str(doc_id), str(system))
    return Said(name.strip(), answer, correct, predicted, place, owner)


def _answerable(answer: str | None, can: bool | None, place: str) -> str | None:
    """The answer; empty where people only say that there is none."""
    if can is False and (answer or "").strip():
        raise DataError(f"{place} says that the text does not answer, and has an answer: {answer!r}")
    if can and not (answer or "").strip():
        raise DataError(f"{place} says that the text answers, but has no `answer`")
    return "" if can is False else answer


def _said_yes(record: dict[str, Any], key: str, place: str) -> bool | None:
    value = record.get(key)
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if not word:
        return None
    if word not in _YES:
        raise DataError(f"{place} says `{key}`, but neither true nor false: {value!r}")
    return _YES[word]


def _shown(answer: Answer) -> str:
    return answer.text if answer.answered else ""
