"""Questions that people wrote about references, instead of those of a model (sections 4.5 and 4.6 of QAEval).

A record has the `doc_id`, the `question` and the `answer` that the reference gives, and where a document has several
references the number of the one it is about (`reference`, from 1). `units` may say which content units of the document
hold what it asks for, by their numbers from 1 or by their texts; an empty list says that none does.
"""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError, suggestion
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.files import check_readable
from gistmeter.io.records import describe_record, read_filled_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.models.asking.asker import Question

_NO_UNIT = ("none", "no", "-", "0")
"""What a cell says where no unit holds what is asked for; an empty cell says that nobody looked."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question by a person."""

    question: str
    answer: str
    reference: int | None
    """The number of the reference it is about, from 1; None where the file does not say."""

    units: tuple[str, ...] | None
    """The units that hold what it asks for, by number or text; None where nobody said."""

    source: str
    """The record it was read from, for errors."""


@dataclass(frozen=True, slots=True)
class WrittenQuestions:
    """Files of questions, by document."""

    digest: str
    by_document: Mapping[str, tuple[WrittenQuestion, ...]]

    def ask(self, doc_id: str, references: Sequence[str]) -> list[tuple[Question, ...]]:
        """The questions about each reference of a document, with the place of the answer where it is in the text."""
        asked: list[list[Question]] = [[] for _ in references]
        for written in self.by_document.get(doc_id, ()):
            number = self._choose_reference(written, doc_id, len(references))
            asked[number].append(locate_question(written, references[number]))
        return [tuple(questions) for questions in asked]

    def _choose_reference(self, written: WrittenQuestion, doc_id: str, count: int) -> int:
        if written.reference is None and count == 1:
            return 0
        if written.reference is None:
            raise DataError(
                f"{written.source} does not say which reference it is about, but {doc_id} has {count}: "
                "give `reference`, a number from 1"
            )
        if not 1 <= written.reference <= count:
            raise DataError(f"{written.source} is about reference {written.reference}, but {doc_id} has {count}")
        return written.reference - 1


def locate_question(written: WrittenQuestion, text: str) -> Question:
    """A written question with where its answer stands in the text, or at no characters where it has other words."""
    from gistmeter.models.asking.asker import Question

    lowered = text.lower()
    start = lowered.find(written.answer.lower()) if len(lowered) == len(text) else text.find(written.answer)
    span = (start, start + len(written.answer)) if start >= 0 else (0, 0)
    return Question(written.question, written.answer, *span)


def read_written_questions(files: Sequence[str]) -> WrittenQuestions:
    """The questions in files of records (.jsonl, .csv, .tsv, .parquet); read once while they do not change."""
    for file in files:
        check_readable(file)
    stats = [(file, Path(file).stat()) for file in files]
    return _read_all(tuple((file, status.st_mtime_ns, status.st_size) for file, status in stats))


@functools.lru_cache(maxsize=4)
def _read_all(files: tuple[tuple[str, int, int], ...]) -> WrittenQuestions:
    by_document: dict[str, tuple[WrittenQuestion, ...]] = {}
    digests = []
    for file, _, _ in files:
        count = 0
        for count, record in enumerate(read_filled_records(file), start=1):
            source = describe_record(record, count, file)
            doc_id = _read_document(record, source)
            by_document[doc_id] = (*by_document.get(doc_id, ()), _read_record(record, source))
        if not count:
            raise DataError(f"{file} has no questions")
        digests.append(hashlib.sha256(Path(file).read_bytes()).hexdigest())
    return WrittenQuestions(hashlib.sha256("".join(digests).encode()).hexdigest()[:12], by_document)


def _read_document(record: Mapping[str, Any], source: str) -> str:
    names = (name for name in FIELD_NAMES["doc_id"] if name != "id")  # which may be that of the question
    doc_id = next((record[name] for name in names if record.get(name) not in (None, "")), None)
    if doc_id is None:
        raise DataError(f"{source} has no `doc_id`: say which document's reference it asks about")
    return str(doc_id)


def _read_record(record: Mapping[str, Any], source: str) -> WrittenQuestion:
    question, answer = (_read_text(record, key, source) for key in ("question", "answer"))
    return WrittenQuestion(
        question=question,
        answer=answer,
        reference=_read_number(record.get("reference"), source),
        units=_read_units(record.get("units"), source),
        source=source,
    )


def _read_text(record: Mapping[str, Any], key: str, source: str) -> str:
    value = record.get(key)
    if isinstance(value, str) and value.strip():
        return value.strip()
    if value is not None and not isinstance(value, str):
        raise DataError(f"{source} has a `{key}` that is not a text: {value!r}")
    close = next((hint for name in record if (hint := suggestion(str(name), [key]))), "") if key not in record else ""
    raise DataError(f"{source} has no `{key}`{close}")


def _read_number(value: Any, source: str) -> int | None:
    text = "" if value is None else str(value).strip().removesuffix(".0")
    if not text:
        return None
    if not text.isdecimal():
        raise DataError(f"{source} has a `reference` that is not a number from 1: {value!r}")
    return int(text)


def _read_units(value: Any, source: str) -> tuple[str, ...] | None:
    """Units from a list of numbers or texts, or from a cell of numbers."""
    if isinstance(value, list):
        if not all(isinstance(unit, str | int) and not isinstance(unit, bool) for unit in value):
            raise DataError(f"{source} has `units` that are neither numbers nor texts: {value!r}")
        return tuple(str(unit).strip() for unit in value)
    text = "" if value is None else str(value).strip()
    if not text:
        return None
    if text.lower() in _NO_UNIT:
        return ()
    numbers = re.split(r"[\s,;]+", text.removesuffix(".0"))
    if not all(number.isdecimal() for number in numbers):
        raise DataError(f"{source} has `units` that are not numbers with commas between: {value!r}")
    return tuple(numbers)
