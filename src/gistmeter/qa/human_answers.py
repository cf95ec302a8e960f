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
from gistmeter.io.files import check_readable
from gistmeter.io.records import read_records

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gistmeter.models.answering.spans import Answer

    SummaryKey = tuple[str, str]

_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "1", "1.0"), True),
    **dict.fromkeys(("false", "no", "0", "0.0"), False),
}
"""Spreadsheets write 1.0 for true where other cells are empty."""


@dataclass(frozen=True, slots=True)
class HumanAnswer:
    """What people said to one question; None where they did not say."""

    id: str
    answer: str | None
    correct: bool | None
    predicted: str | None
    """The model's answer that they were shown."""

    source: str
    """The record it was read from, for errors."""

    summary: SummaryKey | None = None
    """The document and system it was exported for."""


@dataclass(frozen=True, slots=True)
class HumanAnswers:
    """A file of people's answers."""

    file: str
    digest: str
    by_id: Mapping[str, HumanAnswer]
    by_summary: Mapping[SummaryKey, tuple[HumanAnswer, ...]]
    """The answers by the document and system they were exported for."""

    def find(self, question: str, expected: str, text: str) -> HumanAnswer | None:
        """What people said to a question that expects an answer, put to a text; or None."""
        return self.by_id.get(question_id(question, expected, text))

    def check_asked(self, summary: SummaryKey, asked_ids: Collection[str]) -> None:
        """Refuse an answer to a question that a summary does not ask any more; `asked_ids` are those it asks."""
        for human in self.by_summary.get(summary, ()):
            if human.id not in asked_ids:
                doc_id, system = summary
                raise DataError(
                    f"{human.source} answers question {human.id} of {system}/{doc_id}, which is not asked there: "
                    "were texts or settings changed since `gistmeter qa export`?"
                )


def question_id(question: str, expected: str, text: str) -> str:
    """Twelve hexadecimal digits for a question to a text.

    >>> question_id("Who won?", "Ann", "Ann won.") == question_id("Who won?", "Ann", "Ann lost.")
    False
    """
    parts = "\0".join((question, expected, text))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def read_human_answers(file: str) -> HumanAnswers:
    """The answers in a file of records (.jsonl, .csv, .tsv, .parquet); read once while it does not change."""
    check_readable(file)
    status = Path(file).stat()
    return _read(file, status.st_mtime_ns, status.st_size)


def check_verified_answer(human: HumanAnswer, answer: Answer) -> Answer:
    """The model's answer that people verified; refused when the model now answers something else."""
    if human.correct is not None and human.predicted is not None and human.predicted != _answer_text(answer):
        raise DataError(
            f"{human.source} verifies the answer {human.predicted!r}, but the model now says {_answer_text(answer)!r}: "
            "export the questions again"
        )
    return answer


def locate_human_answer(human: HumanAnswer, text: str) -> Answer:
    """A person's answer to a question, marked in the text where it stands there."""
    from gistmeter.models.answering.spans import Answer

    answer = (human.answer or "").strip()
    start = text.lower().find(answer.lower()) if answer and len(text.lower()) == len(text) else -1
    span = (start, start + len(answer)) if start >= 0 else (0, 0)
    return Answer(answer, *span, float(bool(answer)), float(not answer), answered=bool(answer))


@functools.lru_cache(maxsize=4)
def _read(file: str, changed: int, size: int) -> HumanAnswers:  # noqa: ARG001  (what tells that a file is as it was)
    by_id: dict[str, HumanAnswer] = {}
    for number, record in enumerate(read_records(file), start=1):
        human = _read_record(record, f"record {number} of {file}")
        earlier = by_id.get(human.id)
        if earlier is not None and (earlier.answer, earlier.correct) != (human.answer, human.correct):
            raise DataError(
                f"{human.source} answers question {human.id} otherwise than {earlier.source}: keep one of them"
            )
        by_id[human.id] = human
    if not by_id:
        raise DataError(f"{file} has no answers")
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
    by_summary: dict[SummaryKey, tuple[HumanAnswer, ...]] = {}
    for human in by_id.values():
        if human.summary is not None:
            by_summary[human.summary] = (*by_summary.get(human.summary, ()), human)
    return HumanAnswers(file, digest, by_id, by_summary)


def _read_record(record: Any, source: str) -> HumanAnswer:
    """The answer in a record; `source` names the record in errors."""
    if not isinstance(record, dict):
        raise DataError(f"{source} is not a record with `id` and `answer`")
    name = record.get("id")
    if not isinstance(name, str) or not name.strip():
        close = next((s for key in record if (s := suggestion(str(key), ["id"]))), "")
        raise DataError(f"{source} has no `id`{close} (`gistmeter qa export` writes one for every question)")
    answer, predicted = record.get("answer"), record.get("predicted")
    for key, value in (("answer", answer), ("predicted", predicted)):
        if value is not None and not isinstance(value, str):
            raise DataError(f"{source} has an `{key}` that is not a text: {value!r}")
    answer = _check_answerable(answer, _read_boolean(record, "answerable", source), source)
    correct = _read_boolean(record, "correct", source)
    if correct and answer is not None and not answer.strip():
        raise DataError(f"{source} says that there is no answer and that it is correct")
    doc_id, system = record.get("doc_id"), record.get("system")
    return HumanAnswer(
        id=name.strip(),
        answer=answer,
        correct=correct,
        predicted=predicted,
        source=source,
        summary=None if doc_id is None or system is None else (str(doc_id), str(system)),
    )


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


def _answer_text(answer: Answer) -> str:
    return answer.text if answer.answered else ""
