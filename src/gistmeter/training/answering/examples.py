"""Questions with their texts and answers to learn answering from; without what must not be learned from.

Left out are sets and records under a non-commercial licence, questions seen before, those marked as standing in the
half of SQuAD 2's development set that answering is tested on, and those whose text shares a run of ten words with a
text that gistmeter is evaluated on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.qa.squad import read_squad
from gistmeter.training.licences import check_set, licence_problem
from gistmeter.training.sources.evaluated import shares_run
from gistmeter.training.sources.named_sets import content_key, draw_from_sets, read_sets
from gistmeter.training.sources.records import Record, read_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TESTED_FLAG = "in_squad_v2_dev_half"


@dataclass(frozen=True, slots=True)
class QaExample:
    """A question and a text; the answer stands from `start` to `end` in it, or nowhere when `end` is 0."""

    question: str
    context: str
    start: int
    end: int
    source: str

    @property
    def answerable(self) -> bool:
        """Whether the text answers the question."""
        return self.end > 0


@dataclass(frozen=True, slots=True)
class QaExamples:
    """Questions to learn from, and what was left out and why."""

    train: tuple[QaExample, ...]
    left_out: Mapping[str, int]
    ready: tuple[QaExample, ...] = ()
    """Questions that are learned from as they are, without variants."""


def qa_sets() -> Mapping[str, Mapping[str, Any]]:
    """What is known of each set: licence, citation, whether it may be learned from and how many to take at most."""
    return read_sets(Path(__file__).parent / "sets.toml")


def read_questions(
    files: Sequence[str],
    *,
    limits: Mapping[str, int] | None = None,
    refused: frozenset[int] = frozenset(),
    seed: int = 1,
) -> QaExamples:
    """The questions of these files: JSONL with question, context, answers and source, or SQuAD's own format."""
    groups: dict[str, list[QaExample]] = defaultdict(list)
    keys: set[bytes] = set()
    is_evaluated: dict[bytes, bool] = {}
    left_out: Counter[str] = Counter()
    for record in (record for file in files for record in _read_file(file)):
        example = _example(record)
        key = content_key(f"{example.question}\n{example.context}")
        reason = _reason(record.fields, example) or ("seen before" if key in keys else None)
        keys.add(key)
        if reason is None and refused:
            text_key = content_key(example.context)
            if text_key not in is_evaluated:
                is_evaluated[text_key] = shares_run(example.context, refused)
            reason = "evaluation text" if is_evaluated[text_key] else None
        if reason is not None:
            left_out[reason] += 1
        else:
            groups[example.source].append(example)
    all_limits = {source: facts["most"] for source, facts in qa_sets().items() if "most" in facts} | dict(limits or {})
    train, left_out["more than asked for"] = draw_from_sets(groups, all_limits.get, seed=seed)
    if not train:
        raise DataError(f"no question to learn from in {', '.join(files)} (left out: {dict(+left_out)})")
    return QaExamples(tuple(train), dict(+left_out))


def _read_file(file: str) -> Iterator[Record]:
    """The questions of a file of records, or of one in SQuAD's format."""
    if ".json" not in PurePath(file).suffixes:
        yield from read_records(file)
        return
    for number, task in enumerate(read_squad(file), start=1):
        answers = [{"text": text, "start": start} for text, start in zip(task.answers, task.starts, strict=True)]
        fields = {"question": task.question, "context": task.passage, "answers": answers, "source": "squad"}
        yield Record(fields, f"question {number} of {PurePath(file).name}")


def _example(record: Record) -> QaExample:
    fields, position = record
    question, context, source = (fields.get(field) for field in ("question", "context", "source"))
    if not all(isinstance(field, str) and field.strip() for field in (question, context, source)):
        raise DataError(f"{position} lacks a question, a context or a source")
    check_set(str(source), qa_sets(), fields, position=position, table_file="answering/sets.toml")
    answers = fields.get("answers") or []
    if not fields.get("answerable", bool(answers)):
        return QaExample(question=str(question).strip(), context=str(context), start=0, end=0, source=str(source))
    if not answers:
        raise DataError(f"{position} is answerable but has no answer")
    text, start = answers[0]["text"], answers[0]["start"]
    if str(context)[start : start + len(text)] != text:
        raise DataError(f"{position} says that its answer {text[:40]!r} starts at {start}, where other text stands")
    return QaExample(
        question=str(question).strip(), context=str(context), start=start, end=start + len(text), source=str(source)
    )


def _reason(record: Mapping[str, Any], example: QaExample) -> str | None:
    """Why a question is not learned from."""
    if problem := licence_problem(record, qa_sets().get(example.source)):
        return problem
    return "in the tested half of SQuAD 2" if record.get(_TESTED_FLAG) else None
