"""SQuAD's format: passages with questions and their answers, versions 1.1 and 2.0."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.files import open_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Task(NamedTuple):
    """A question about a passage and its right answers; none where the passage has no answer."""

    question: str
    passage: str
    answers: tuple[str, ...]
    starts: tuple[int, ...] = ()
    """Where each answer starts in the passage; -1 where the file does not say."""


def read_squad(file: str) -> list[Task]:
    """The questions of a file in SQuAD's format, gzipped or not."""
    with open_bytes(file) as stream:
        try:
            found = msgspec.json.decode(stream.read().removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError, zlib.error, RecursionError) as error:
            raise DataError(f"{file} is not valid JSON: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("data"), list):
        raise DataError(f"{file} is not in SQuAD's format: an object with `data`, a list of articles with `paragraphs`")
    try:
        tasks = list(_tasks(found["data"]))
    except (KeyError, TypeError, AttributeError) as error:
        said = f"there is no `{error.args[0]}`" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{file} is not in SQuAD's format: {said}") from None
    if not tasks:
        raise DataError(f"{file} has no questions")
    return tasks


def sampled(tasks: Sequence[Task], limit: int | None, seed: int = 0) -> list[Task]:
    """So many of the questions at random, in their order; all when there are not more."""
    if limit is None or limit >= len(tasks):
        return list(tasks)
    chosen = np.random.default_rng(seed).choice(len(tasks), limit, replace=False)
    return [tasks[place] for place in sorted(chosen.tolist())]


def _tasks(articles: Sequence[Any]) -> Iterator[Task]:
    for article in articles:
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                given = [] if asked.get("is_impossible") else asked["answers"]
                places: dict[str, int] = {}
                for one in given:
                    places.setdefault(_text(one, "text"), one.get("answer_start", -1))
                question, passage = _text(asked, "question"), _text(paragraph, "context")
                yield Task(question, passage, tuple(places), tuple(places.values()))


def _text(record: Any, key: str) -> str:
    value = record[key]
    if not isinstance(value, str):
        raise TypeError(f"`{key}` is not a text: {value!r}")
    return value
