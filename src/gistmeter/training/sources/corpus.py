"""Reading training text: passages of running English from records, without what must not be learned from.

Left out are records marked `nc` (a non-commercial licence) or without a stated licence, records marked as a copy of
evaluation data, passages seen before, and passages that share a run of ten words with a text that gistmeter is
evaluated on.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.training.licences import licence_problem
from gistmeter.training.sources.evaluated import shares_run
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MIN_WORDS = 4
_WORD = re.compile(r"\w+")
_FIELDS = ("context", "premise", "document", "text")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of running text and the set it comes from."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """The passages to learn from, and how many were left out for which reason."""

    passages: tuple[Passage, ...]
    left_out: Mapping[str, int]


def read_corpus(files: Sequence[str], *, refused: frozenset[int] = frozenset(), skip: Iterable[str] = ()) -> Corpus:
    """The passages of these files (JSONL, also gzipped), without the sources in `skip` and the runs in `refused`."""
    skipped = frozenset(skip)
    passages: list[Passage] = []
    keys: set[bytes] = set()
    left_out: Counter[str] = Counter()
    for file in files:
        stem = PurePath(file).name.partition(".")[0]
        for record in read_records(file):
            passage = _passage(record.fields, stem=stem)
            reason = _reason(record.fields, passage, skipped)
            if reason is None:
                key = hashlib.blake2b(" ".join(_WORD.findall(passage.text.lower())).encode(), digest_size=16).digest()
                if key in keys:
                    reason = "seen before"
                elif shares_run(passage.text, refused):
                    reason = "evaluation text"
                keys.add(key)
            if reason is None:
                passages.append(passage)
            else:
                left_out[reason] += 1
    if not passages:
        raise DataError(f"no passage to learn from in {', '.join(files)} (left out: {dict(left_out)})")
    return Corpus(passages=tuple(passages), left_out=dict(left_out))


def _reason(record: Mapping[str, Any], passage: Passage, skipped: frozenset[str]) -> str | None:
    """Why a record is not learned from."""
    if problem := licence_problem(record):
        return problem
    if record.get("in_squad_v2_dev_half"):
        return "evaluation text"
    if record.get("language", "en") != "en" or passage.source in skipped:
        return "not asked for"
    if len(_WORD.findall(passage.text)) < MIN_WORDS:
        return "too short"
    return None


def _passage(record: Mapping[str, Any], *, stem: str) -> Passage:
    """The running text of a record: an article's paragraphs, a question's context, a pair's premise, or a text."""
    source = str(record.get("source", stem))
    if "paragraphs" in record:
        text = " ".join(record["paragraphs"])
    else:
        text = next((record[field] for field in _FIELDS if isinstance(record.get(field), str)), "")
    return Passage(source=source, text=_SPACE.sub(" ", text).strip())
