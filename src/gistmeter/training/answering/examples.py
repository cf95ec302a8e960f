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
from gistmeter.io.json_lines import read_json_lines
from gistmeter.qa.squad import read_squad
from gistmeter.training.sources.evaluated import runs_of_words
from gistmeter.training.sources.named_sets import content_key, drawn, known_sets
from gistmeter.training.sources.texts import licence_problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_TESTED = "in_squad_v2_dev_half"


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
    return known_sets(Path(__file__).parent / "sets.toml")


def read_questions(
    files: Sequence[str],
    *,
    most: Mapping[str, int] | None = None,
    refused: frozenset[int] = frozenset(),
    seed: int = 1,
) -> QaExamples:
    """The questions of these files: JSONL with question, context, answers and source, or SQuAD's own format."""
    groups: dict[str, list[QaExample]] = defaultdict(list)
    seen: set[bytes] = set()
    clean: dict[bytes, bool] = {}
    left_out: Counter[str] = Counter()
    for record, place in (both for file in files for both in _records(file)):
        example = _example(record, place)
        key = content_key(f"{example.question}\n{example.context}")
        reason = _reason(record, example) or ("seen before" if key in seen else None)
        seen.add(key)
        if reason is None and refused:
            text = content_key(example.context)
            if text not in clean:
                clean[text] = refused.isdisjoint(runs_of_words(example.context))
            reason = None if clean[text] else "evaluation text"
        if reason is not None:
            left_out[reason] += 1
        else:
            groups[example.source].append(example)
    limits = {source: known["most"] for source, known in qa_sets().items() if "most" in known} | dict(most or {})
    train, left_out["more than asked for"] = drawn(groups, limits.get, seed=seed)
    if not train:
        raise DataError(f"no question to learn from in {', '.join(files)} (left out: {dict(+left_out)})")
    return QaExamples(tuple(train), dict(+left_out))


def _records(file: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The records of a file with their places."""
    name = PurePath(file).name
    if ".json" in PurePath(file).suffixes:
        for number, task in enumerate(read_squad(file), start=1):
            answers = [{"text": text, "start": at} for text, at in zip(task.answers, task.starts, strict=True)]
            record = {"question": task.question, "context": task.passage, "answers": answers, "source": "squad"}
            yield record, f"question {number} of {name}"
        return
    for number, record in read_json_lines(file):
        yield record, f"line {number} of {name}"


def _example(record: Mapping[str, Any], place: str) -> QaExample:
    question, context, source = (record.get(field) for field in ("question", "context", "source"))
    if not all(isinstance(field, str) and field.strip() for field in (question, context, source)):
        raise DataError(f"{place} lacks a question, a context or a source")
    if source not in qa_sets():
        raise DataError(f"{place} is of the set {source!r}, whose licence answering/sets.toml does not give")
    answers = record.get("answers") or []
    if not record.get("answerable", bool(answers)):
        return QaExample(str(question).strip(), str(context), 0, 0, str(source))
    if not answers:
        raise DataError(f"{place} is answerable but has no answer")
    text, start = answers[0]["text"], answers[0]["start"]
    if str(context)[start : start + len(text)] != text:
        raise DataError(f"{place} says that its answer {text[:40]!r} starts at {start}, where other text stands")
    return QaExample(str(question).strip(), str(context), start, start + len(text), str(source))


def _reason(record: Mapping[str, Any], example: QaExample) -> str | None:
    if qa_sets()[example.source].get("nc"):
        return "non-commercial licence"
    if record.get(_TESTED):
        return "in the tested half of SQuAD 2"
    return licence_problem(record)
