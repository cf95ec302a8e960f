"""Text that gistmeter is evaluated on, so that nothing is learned from it.

It is told by sentence where single sentences are learned from, and by runs of ten words where whole passages are.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from gistmeter.io.json_lines import read_json_lines
from gistmeter.text.sentences import split_sentences
from gistmeter.training.next_sentence.pairs import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RUN_OF_WORDS = 10
_WORD = re.compile(r"\w+")
_TELLING = 20
"""Letters from which on a sentence found elsewhere is the same sentence, and not just a common phrase."""


def evaluated_sentences(files: Iterable[str]) -> frozenset[str]:
    """The fingerprints of all sentences that stand anywhere in these files."""
    found = {fingerprint(sentence) for text in _texts(files) for sentence in split_sentences(text)}
    return frozenset(one for one in found if len(one) > _TELLING)


def evaluated_runs(files: Iterable[str]) -> frozenset[int]:
    """The runs of ten words that stand anywhere in these files."""
    long = (text for text in _texts(files) if len(_WORD.findall(text)) >= RUN_OF_WORDS)
    return frozenset(run for text in long for run in runs_of_words(text))


def runs_of_words(text: str) -> Iterator[int]:
    """A number for every run of ten words, whatever its case and punctuation; a shorter text is one run.

    >>> len(list(runs_of_words("The cat sat on the mat and then it went to sleep.")))
    3
    >>> list(runs_of_words("A short one.")) == list(runs_of_words("a SHORT one"))
    True
    """
    words = _WORD.findall(text.lower())
    for at in range(max(1, len(words) - RUN_OF_WORDS + 1)):
        run = " ".join(words[at : at + RUN_OF_WORDS])
        if run:
            yield int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest())


def _texts(files: Iterable[str]) -> set[str]:
    return {text for file in files for _, record in read_json_lines(file) for text in _strings(record)}


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
