"""Documents to learn from, out of JSONL files: what may be used, without what evaluations use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.text.languages import language_code
from gistmeter.training.next_sentence.pairs import Text, text_from

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELDS = ("paragraphs", "document", "text", "context")


@dataclass(frozen=True, slots=True)
class Source:
    """What one file gave: its documents by language, and what was left out of it."""

    name: str
    texts: tuple[Text, ...]
    languages: tuple[str, ...]
    unlicensed: int
    """Records marked non-commercial (`nc`) or whose `licence` is not stated."""

    removed: int
    """Sentences that an evaluation uses."""

    @property
    def sentences(self) -> int:
        """How many sentences there are to draw from."""
        return sum(len(text.known) for text in self.texts)

    def of(self, language: str) -> tuple[Text, ...]:
        """The documents of one language."""
        both = zip(self.texts, self.languages, strict=True)
        return tuple(text for text, code in both if code == language)


def read_source(path: str, *, without: frozenset[str] = frozenset()) -> Source:
    """The documents of a JSONL file, each from `paragraphs`, `document`, `text` or `context`; the same text once."""
    texts: list[Text] = []
    languages: list[str] = []
    left_out: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    for number, record in read_json_lines(path):
        paragraphs = _paragraphs(record)
        if not paragraphs:
            raise DataError(f"line {number} of {path} has no text (one of {', '.join(_FIELDS)})")
        if licence_problem(record):
            left_out["unlicensed"] += 1
            continue
        if paragraphs in seen:
            continue
        seen.add(paragraphs)
        code = language_code(str(record.get("language") or "en"))
        whole = text_from(f"{path}:{number}", paragraphs, language=code)
        text = text_from(f"{path}:{number}", paragraphs, language=code, without=without)
        left_out["removed"] += len(whole.known) - len(text.known)
        texts.append(text)
        languages.append(code)
    if not texts:
        raise DataError(f"{path} has no document that may be used for training")
    name = path.replace("\\", "/").rpartition("/")[2]
    return Source(name, tuple(texts), tuple(languages), left_out["unlicensed"], left_out["removed"])


def licence_problem(record: Mapping[str, Any]) -> str | None:
    """Why weights learned from a record may not be shipped, if so.

    >>> licence_problem({"nc": True}), licence_problem({"licence": "CC BY 4.0"})
    ('non-commercial licence', None)
    """
    if record.get("nc"):
        return "non-commercial licence"
    return "no licence stated" if str(record.get("licence", "")).startswith("not stated") else None


def _paragraphs(record: dict[str, Any]) -> tuple[str, ...]:
    value = next((record[field] for field in _FIELDS if record.get(field)), ())
    return tuple(value.split("\n")) if isinstance(value, str) else tuple(map(str, value))
