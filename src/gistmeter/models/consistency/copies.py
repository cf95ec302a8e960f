"""Copies: claims whose words the document has in a row, and the words before them that turn such words round.

"The mayor took bribes" stands in "It is not true that the mayor took bribes", word for word, and is no copy.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from gistmeter.linguistics.contrasts.statements import read_statement
from gistmeter.linguistics.contrasts.words import list_words
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.contrasts.statements import Statement, Token
    from gistmeter.models.consistency.features import DocumentWords

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)]*\s+")


def is_copied(document: DocumentWords, claim: str) -> bool:
    """Whether the words of a claim stand in the document, all of them and in a row, and no sentence ends within them.

    A claim of several sentences may be a copy of several. Words that a sentence of the document denies, doubts or makes
    a condition of are no copy.

    >>> from gistmeter.models.consistency.features import DocumentWords
    >>> from gistmeter.models.consistency.passages import split_document
    >>> words = DocumentWords.of(split_document("On Monday the dog slept. It is untrue that the cat slept."))
    >>> [is_copied(words, claim) for claim in ("The dog slept.", "On Monday the dog barked.", "The cat slept.")]
    [True, False, False]
    """
    if share_copied(split_words(claim), document) < 1.0:
        return False
    parts = [part for part in _SENTENCE_END.split(claim) if split_words(part)]
    return all(_is_stated(document, part) for part in parts)


def share_copied(words: Sequence[str], document: DocumentWords) -> float:
    """The longest stretch of words that a claim copies, as a share of the claim."""
    if not words:
        return 0.0
    longest, start = 0, 0
    while start < len(words) - longest:
        for position in document.positions.get(words[start], ()):
            longest = max(longest, _run_length(words, start, document.words, position))
            if longest >= len(words) - start:
                break
        start += 1
    return longest / len(words)


def _run_length(words: Sequence[str], start: int, others: Sequence[str], position: int) -> int:
    length = 0
    while (
        start + length < len(words)
        and position + length < len(others)
        and words[start + length] == others[position + length]
    ):
        length += 1
    return length


def _is_stated(document: DocumentWords, part: str) -> bool:
    """Whether a sentence of the document has these words in a row, and none before them that turns them round."""
    wanted = f" {' '.join(split_words(part))} "
    return any(
        wanted in words and not _is_turned(statement, part)
        for words, statement in zip(document.sentences, document.statements, strict=True)
    )


def _is_turned(sentence: Statement, part: str) -> bool:
    """Whether words of a sentence are told only under a condition, or after a negation or a doubt in their clause."""
    word_positions = [position for position, token in enumerate(sentence.tokens) if not token.is_break]
    spoken = [sentence.tokens[position].lower for position in word_positions]
    wanted = [token.lower for token in read_statement(part).tokens if not token.is_break]
    for start in range(len(spoken) - len(wanted) + 1):
        if spoken[start : start + len(wanted)] == wanted:
            before = sentence.tokens[: word_positions[start]] if wanted else ()
            return bool(_read_words("conditions") & set(spoken[:start])) or any(
                token.lower in list_words("negations") | _read_words("doubts") for token in _last_clause(before)
            )
    return False


def _last_clause(tokens: Sequence[Token]) -> Sequence[Token]:
    """The last of these tokens, from the punctuation or the word that starts a clause on."""
    starts = (
        position + 1 for position, token in enumerate(tokens) if token.is_break or token.lower in list_words("clauses")
    )
    return tokens[max(starts, default=0) :]


@functools.cache
def _read_words(name: Literal["conditions", "doubts"]) -> frozenset[str]:
    lists = tomllib.loads((files(__package__ or "") / "turning.toml").read_text(encoding="utf-8"))
    return frozenset(lists[name].split())
