"""SQuAD's format: passages with questions and their answers, versions 1.1 and 2.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class SquadQuestion(NamedTuple):
    """A question about a passage and its right answers; none where the passage has no answer."""

    question: str
    passage: str
    answers: tuple[str, ...]
    starts: tuple[int, ...] = ()
    """Where each answer starts in the passage; -1 where the file does not say."""


def read_squad(file: str) -> list[SquadQuestion]:
    """The questions of a file in SQuAD's format, gzipped or not."""
    content = read_json(file)
    if not isinstance(content, dict) or not isinstance(content.get("data"), list):
        raise DataError(f"{file} is not in SQuAD's format: an object with `data`, a list of articles with `paragraphs`")
    try:
        questions = list(_read_questions(content["data"]))
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"there is no `{error.args[0]}`" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{file} is not in SQuAD's format: {reason}") from None
    if not questions:
        raise DataError(f"{file} has no questions")
    return questions


def sample_questions(questions: Sequence[SquadQuestion], limit: int | None, seed: int = 0) -> list[SquadQuestion]:
    """At most `limit` of the questions, drawn at random, in their order."""
    if limit is None or limit >= len(questions):
        return list(questions)
    drawn = np.random.default_rng(seed).choice(len(questions), limit, replace=False)
    return [questions[number] for number in sorted(drawn.tolist())]


def _read_questions(articles: Sequence[Any]) -> Iterator[SquadQuestion]:
    for article in articles:
        for paragraph in article["paragraphs"]:
            for record in paragraph["qas"]:
                answers = [] if record.get("is_impossible") else record["answers"]
                starts: dict[str, int] = {}
                for answer in answers:
                    starts.setdefault(_read_text(answer, "text"), answer.get("answer_start", -1))
                yield SquadQuestion(
                    question=_read_text(record, "question"),
                    passage=_read_text(paragraph, "context"),
                    answers=tuple(starts),
                    starts=tuple(starts.values()),
                )


def _read_text(record: Any, key: str) -> str:
    value = record[key]
    if not isinstance(value, str):
        raise TypeError(f"`{key}` is not a text: {value!r}")
    return value
