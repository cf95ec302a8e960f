"""Text that gistmeter is evaluated on, so that nothing is learned from it.

It is told by sentence where single sentences are learned from, and by runs of ten words where whole passages are.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from gistmeter.text.sentences import split_sentences
from gistmeter.training.sources.records import read_records
from gistmeter.training.sources.sentences import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RUN_WORDS = 10
MIN_FINGERPRINT_LETTERS = 20
"""A shorter sentence may be a common phrase, and is not taken for the same sentence elsewhere."""

_WORD = re.compile(r"\w+")


def collect_sentences(files: Iterable[str]) -> frozenset[str]:
    """The fingerprints of all sentences that stand anywhere in these files."""
    fingerprints = {fingerprint(sentence) for text in _read_texts(files) for sentence in split_sentences(text)}
    return frozenset(letters for letters in fingerprints if len(letters) > MIN_FINGERPRINT_LETTERS)


def collect_runs(files: Iterable[str]) -> frozenset[int]:
    """The runs of ten words that stand anywhere in these files."""
    long_texts = (text for text in _read_texts(files) if len(_WORD.findall(text)) >= RUN_WORDS)
    return frozenset(run for text in long_texts for run in word_runs(text))


def word_runs(text: str) -> Iterator[int]:
    """A number for every run of ten words, whatever its case and punctuation; a shorter text is one run.

    >>> len(list(word_runs("The cat sat on the mat and then it went to sleep.")))
    3
    >>> list(word_runs("A short one.")) == list(word_runs("a SHORT one"))
    True
    """
    words = _WORD.findall(text.lower())
    for start in range(max(1, len(words) - RUN_WORDS + 1)):
        run = " ".join(words[start : start + RUN_WORDS])
        if run:
            yield int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest())


def shares_run(text: str, refused: frozenset[int]) -> bool:
    """Whether a text has one of these runs of ten words."""
    return bool(refused) and not refused.isdisjoint(word_runs(text))


def _read_texts(files: Iterable[str]) -> set[str]:
    return {text for file in files for record in read_records(file) for text in _strings(record.fields)}


def _strings(value: Any) -> Iterator[str]:
    """All strings in a decoded record, however deep; those of a list also as one text.

    >>> list(_strings({"summary": {"sentences": ["It rained.", "All day."]}, "n": 2}))
    ['It rained.', 'All day.', 'It rained. All day.']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
        if value and all(isinstance(part, str) for part in value):
            yield " ".join(value)
