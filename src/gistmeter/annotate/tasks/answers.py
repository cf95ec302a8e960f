"""Answers to questions: people answer what QAEval asks, or verify what a model answered (Deutsch et al. 2021, 4.7.2).

The study is made from a file that `gistmeter qa export` wrote, and its product is such a file, filled in: what most
raters said. `gistmeter qa import`, `gistmeter qa people` and `qaeval(people=FILE)` read it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.answering import GivenAnswerEntry, ShortAnswers, Verdicts
from gistmeter.annotate.forms import Block, Passage
from gistmeter.annotate.tasks.task import Answer, GivenAnswer, Judgment, Task, make_item
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.io.files import check_readable
from gistmeter.io.records import describe_record, read_filled_records

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.annotate.study import Item
    from gistmeter.human.alpha import Measurement

SCREEN_QUESTIONS = 6
"""Questions on one screen at most."""
ANSWERED, CORRECT = "answered", "correct answers"
_KEPT_FIELDS = ("id", "doc_id", "system", "question", "expected", "predicted", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSheet(Example):
    """The questions to the texts of one summary."""

    questions: tuple[dict[str, Any], ...] = ()


class Answers(Task):
    """A text, and questions to it: answered in a few words, or with answers that are called right or not."""

    name: ClassVar = "answers"
    scale: ClassVar = "0-1"
    measurement: ClassVar[Measurement] = "nominal"
    item_seconds: ClassVar = 75.0
    least_seconds: ClassVar = 6.0
    products: ClassVar = ("answers",)

    def read_source(self, files: Sequence[str], language: str | None) -> list[Example]:
        """The questions of files that `gistmeter qa export` wrote and that are open still, by summary."""
        by_summary: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        for file in files:
            check_readable(file)
            for number, record in enumerate(read_filled_records(file), start=1):
                source = describe_record(record, number, file)
                question = _check_record(record, source)
                if question["open"]:
                    by_summary[question["doc_id"], question["system"]].append(question)
        if not by_summary:
            raise DataError(f"{', '.join(files)}: no question is open; `gistmeter qa export` writes questions")
        return [
            QuestionSheet(doc_id=doc_id, system=system, summary="", language=language or "en", questions=tuple(asked))
            for (doc_id, system), asked in by_summary.items()
        ]

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """The questions to each text, a few on a screen."""
        items = []
        for sheet in examples:
            by_screen: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
            for question in getattr(sheet, "questions", ()):
                by_screen[question["text"], question["aspect"]].append(question)
            for (text, aspect), questions in by_screen.items():
                for start in range(0, len(questions), SCREEN_QUESTIONS):
                    shown_questions = [
                        {key: question[key] for key in _KEPT_FIELDS if key in question}
                        for question in questions[start : start + SCREEN_QUESTIONS]
                    ]
                    items.append(make_item(sheet, aspect, text=text, questions=shown_questions))
        return items

    def make_blocks(self, item: Item) -> list[Block]:
        """The text, and its questions."""
        questions = item.shown["questions"]
        passage = Passage(label="text", text=item.shown["text"], language=item.language, long=True)
        if item.aspect == CORRECT:
            entries = tuple(
                GivenAnswerEntry(each["question"], each["expected"], each.get("predicted") or each.get("answer") or "")
                for each in questions
            )
            language = item.language
            return [
                passage,
                Verdicts(
                    name="verdicts", question="verify", entries=entries, yes="right", no="wrong", language=language
                ),
            ]
        entries_asked = tuple(each["question"] for each in questions)
        return [
            passage,
            ShortAnswers(
                name="answers", question="question", entries=entries_asked, absent="absent", language=item.language
            ),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """For each question whether the text answers it, or whether the answer is right."""
        values = answer["verdicts"] if item.aspect == CORRECT else [int(bool(text)) for text in answer["answers"]]
        return [
            Judgment(
                item.doc_id, item.system, aspect=f"{item.aspect}: {question['id']}", value=float(value), detail=True
            )
            for question, value in zip(item.shown["questions"], values, strict=True)
        ]

    def describe_part(self, item: Item, aspect: str) -> str:
        """The question."""
        name = aspect.partition(": ")[2]
        return next((str(question["question"]) for question in item.shown["questions"] if question["id"] == name), "")

    def combine(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """Each rater's share of a summary's questions that are answered, or answered right, beside the single ones."""
        groups: dict[tuple[str, str, str, str, str], list[float]] = defaultdict(list)
        for judgment in judgments:
            aspect = judgment.aspect.partition(": ")[0]
            key = (judgment.doc_id, judgment.system, aspect, judgment.rater, judgment.task)
            groups[key].append(judgment.value)
        shares = [
            Judgment(doc_id, system, aspect=aspect, value=fmean(values), rater=rater, task=task)
            for (doc_id, system, aspect, rater, task), values in groups.items()
        ]
        return [*judgments, *shares]

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The questions as `gistmeter qa export` wrote them, with what most raters said."""
        replies: dict[str, list[Any]] = defaultdict(list)
        records: dict[str, dict[str, Any]] = {}
        for question, text, value in _list_said(given):
            records[question["id"]] = {**question, "text": text}
            replies[question["id"]].append(value)
        filled = []
        for question_id, record in records.items():
            is_verdict = isinstance(replies[question_id][0], int)
            value = (
                2 * sum(replies[question_id]) > len(replies[question_id])
                if is_verdict
                else _choose_text(replies[question_id])
            )
            filled.append({**record, "correct" if is_verdict else "answer": value})
        return filled


def _list_said(given: Sequence[GivenAnswer]) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Each question with its text, and what a rater said to it."""
    for answer in given:
        shown = answer.item.shown
        values = answer.value["verdicts"] if "verdicts" in answer.value else answer.value["answers"]
        for question, value in zip(shown["questions"], values, strict=True):
            yield question, shown["text"], value


def _choose_text(texts: list[str]) -> str:
    """The answer that most gave, whatever its capitals; the first of those given equally often."""
    counts = Counter(text.casefold() for text in texts)
    most = max(counts.values())
    return next(text for text in texts if counts[text.casefold()] == most)


def _check_record(record: Any, source: str) -> dict[str, Any]:
    """A question with what is to be asked about it (`aspect`), and whether nobody did so yet (`open`)."""
    fields: Mapping[str, Any] = record if isinstance(record, dict) else {}
    for key in ("id", "text", "question"):
        if not isinstance(fields.get(key), str) or not fields[key].strip():
            raise DataError(
                f"{source} has no `{key}`: the task answers takes a file of `gistmeter qa export` (.jsonl, .csv)"
            )
    is_verdict = "correct" in fields
    if is_verdict and not isinstance(fields.get("expected"), str):
        raise DataError(f"{source} has `correct`, but not the answer that is `expected`")
    if is_verdict:
        is_open = fields["correct"] in (None, "") and bool(fields.get("predicted") or fields.get("answer"))
    else:
        is_open = fields.get("answer") is None and fields.get("answerable") is None
    return {
        **fields,
        "doc_id": str(fields.get("doc_id", "")),
        "system": str(fields.get("system", "")),
        "aspect": CORRECT if is_verdict else ANSWERED,
        "open": is_open,
    }
