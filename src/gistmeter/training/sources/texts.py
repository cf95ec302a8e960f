"""Documents to learn from, out of JSONL files: what may be used, without what evaluations use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.text.languages import language_code
from gistmeter.training.licences import licence_problem
from gistmeter.training.sources.records import read_records
from gistmeter.training.sources.sentences import split_text

if TYPE_CHECKING:
    from gistmeter.training.sources.sentences import SentenceText

_FIELDS = ("paragraphs", "document", "text", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The documents of one file by language, and what was left out of it."""

    name: str
    texts: tuple[SentenceText, ...]
    languages: tuple[str, ...]
    unlicensed: int
    """Records marked non-commercial (`nc`) or whose `licence` is not stated."""

    removed: int
    """Sentences that an evaluation uses."""

    @property
    def sentences(self) -> int:
        """How many sentences there are to draw from."""
        return sum(len(text.positions) for text in self.texts)

    def in_language(self, language: str) -> tuple[SentenceText, ...]:
        """The documents of one language."""
        with_codes = zip(self.texts, self.languages, strict=True)
        return tuple(text for text, code in with_codes if code == language)


def read_source(path: str, *, without: frozenset[str] = frozenset(), language: str = "en") -> Source:
    """The documents of a JSONL file, each from `paragraphs`, `document`, `text` or `context`; the same text once.

    `language` is that of documents that name none.
    """
    texts: list[SentenceText] = []
    languages: list[str] = []
    left_out: Counter[str] = Counter()
    read_before: set[tuple[str, ...]] = set()
    for record in read_records(path):
        paragraphs = _paragraphs(record.fields)
        if not paragraphs:
            raise DataError(f"{record.position} has no text (one of {', '.join(_FIELDS)})")
        if licence_problem(record.fields):
            left_out["unlicensed"] += 1
            continue
        if paragraphs in read_before:
            continue
        read_before.add(paragraphs)
        code = language_code(str(record.fields.get("language") or language))
        complete = split_text(record.position, paragraphs, language=code)
        text = complete.without(without)
        left_out["removed"] += len(complete.positions) - len(text.positions)
        texts.append(text)
        languages.append(code)
    if not texts:
        raise DataError(f"{path} has no document that may be used for training")
    return Source(
        name=PurePath(path.replace("\\", "/")).name,
        texts=tuple(texts),
        languages=tuple(languages),
        unlicensed=left_out["unlicensed"],
        removed=left_out["removed"],
    )


def _paragraphs(record: dict[str, Any]) -> tuple[str, ...]:
    value = next((record[field] for field in _FIELDS if record.get(field)), ())
    return tuple(value.split("\n")) if isinstance(value, str) else tuple(map(str, value))
