"""Plain features: what can be said of a claim and its document without reading both together.

How many of its n-grams, content words, numbers, names and dates the document does not have, how long the stretches are
that it copies, and where it is at odds with its passages (`gistmeter.linguistics.contrasts`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS, weigh_conflicts
from gistmeter.linguistics.contrasts.statements import read_statement
from gistmeter.linguistics.contrasts.words import meanings_of
from gistmeter.models.consistency.copies import share_copied
from gistmeter.models.consistency.misplaced import weigh_misplaced_names
from gistmeter.models.consistency.rarity import measure_rarity
from gistmeter.models.presence.premises import content_stems
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.linguistics.contrasts.statements import Number, Statement
    from gistmeter.models.consistency.passages import SplitDocument

MISSING_CONTENT = "content not in document"
UNMATCHED_TOKENS = "tokens not matched"
"""The one plain feature that needs the encoder: `token_match` measures it."""

PLAIN_FEATURES = (
    "novel words",
    "novel 2-grams",
    "novel 3-grams",
    MISSING_CONTENT,
    "content not in passages",
    "rarest word not in document",
    "numbers not in document",
    "names not in document",
    "dates not in document",
    "names elsewhere",
    "copied stretch",
    *(f"conflict: {kind}" for kind in CONFLICT_KINDS),
    UNMATCHED_TOKENS,
)
_MAX_ORDER = 3


@dataclass(frozen=True, slots=True, eq=False)
class DocumentWords:
    """What plain features look up in a document: its words, n-grams, stems, numbers and dates."""

    words: tuple[str, ...]
    ngrams: tuple[frozenset[tuple[str, ...]], ...]
    stems: frozenset[str]
    numbers: tuple[Number, ...]
    dates: frozenset[str]
    positions: dict[str, list[int]]
    sentences: tuple[str, ...]
    """The words of each sentence, with a blank before, between and after them."""

    statements: tuple[Statement, ...]
    """Each sentence as contrasts read it."""

    sentence_stems: tuple[frozenset[str], ...]
    """The stems of each sentence."""

    names: frozenset[str]
    """The stems of words that are names."""

    @classmethod
    def of(cls, document: SplitDocument) -> DocumentWords:
        """The words of a document."""
        words_of = [split_words(sentence) for sentence in document.sentences]
        words = tuple(word for of_sentence in words_of for word in of_sentence)
        statements = [read_statement(sentence) for sentence in document.sentences]
        sentence_stems = tuple(frozenset(token.stem for token in statement.tokens) for statement in statements)
        names = (token.stem for statement in statements for token in statement.tokens if token.is_name)
        positions: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            positions.setdefault(word, []).append(position)
        return cls(
            words=words,
            ngrams=tuple(_ngrams(words, order) for order in range(1, _MAX_ORDER + 1)),
            stems=frozenset().union(*document.stems, *sentence_stems),
            numbers=tuple(number for statement in statements for number in statement.numbers),
            dates=frozenset(name for sentence in document.sentences for name in _date_names(sentence)),
            positions=positions,
            statements=tuple(statements),
            sentence_stems=sentence_stems,
            names=frozenset(names),
            sentences=tuple(f" {' '.join(of_sentence)} " for of_sentence in words_of),
        )


def measure_plain(document: DocumentWords, passages: str, claim: str) -> FloatArray:
    """The plain features of a claim beside its document and the passages chosen for it, in the order of the names.

    What needs the encoder (the tokens that are not matched) is left 0.

    >>> from gistmeter.models.consistency.passages import split_document
    >>> words = DocumentWords.of(split_document("The work cost 8.6 million crowns in May."))
    >>> features = measure_plain(words, "The work cost 8.6 million crowns in May.", "It cost 6.8 million crowns.")
    >>> named = dict(zip(PLAIN_FEATURES, features.tolist(), strict=True))
    >>> named["novel 3-grams"], named["numbers not in document"], named["conflict: number"]
    (1.0, 1.0, 1.0)
    """
    words = split_words(claim)
    novel = [_share_novel(words, document.ngrams[order - 1], order) for order in range(1, _MAX_ORDER + 1)]
    missing = find_unsupported(document, claim)
    conflicts = weigh_conflicts(passages, claim)
    return np.array(
        [
            *novel,
            _share_missing(claim, document.stems),
            _share_missing(claim, content_stems(passages)),
            max((measure_rarity(word) for word in words if word in missing.words), default=0.0),
            float(min(len(missing.numbers), 2)),
            float(min(len(missing.names), 2)),
            float(min(len(missing.dates), 2)),
            weigh_misplaced_names(document, claim),
            share_copied(words, document),
            *(conflicts.get(kind, 0.0) ** 2 for kind in CONFLICT_KINDS),
            0.0,
        ]
    )


@dataclass(frozen=True, slots=True)
class Unsupported:
    """What of a claim its document does not have: content words, numbers, names and dates, as they are written."""

    words: frozenset[str]
    """In lower case."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    dates: tuple[str, ...]


def find_unsupported(document: DocumentWords, claim: str) -> Unsupported:
    """What of a claim its document does not have.

    >>> from gistmeter.models.consistency.passages import split_document
    >>> words = DocumentWords.of(split_document("Ann Lee opened 3 bridges in May."))
    >>> missing = find_unsupported(words, "In June, Ann Lee and Bo Ek opened four bridges.")
    >>> missing.numbers, missing.names, missing.dates, sorted(missing.words)
    (('four',), ('Bo', 'Ek'), ('June',), ['bo', 'ek', 'four', 'june'])
    """
    statement = read_statement(claim)
    content = [token for token in statement.tokens if token.is_content and token.stem not in document.stems]
    return Unsupported(
        words=frozenset(token.lower for token in content),
        numbers=tuple(
            number.text
            for number in statement.numbers
            if not any(number.agrees_with(other) for other in document.numbers)
        ),
        names=tuple(token.text for token in content if token.is_name and not _date_names(token.text)),
        dates=tuple(
            token.text
            for token in statement.tokens
            if (names := _date_names(token.text)) and not names & document.dates
        ),
    )


def _share_novel(words: Sequence[str], present: frozenset[tuple[str, ...]], order: int) -> float:
    ngrams = [tuple(words[start : start + order]) for start in range(len(words) - order + 1)]
    return sum(ngram not in present for ngram in ngrams) / len(ngrams) if ngrams else 0.0


def _ngrams(words: Sequence[str], order: int) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


def _share_missing(claim: str, stems: frozenset[str]) -> float:
    """The share of the claim's content words that are not among these, rare ones counting more."""
    rarities = {stem: 1.0 + measure_rarity(stem) for stem in sorted(content_stems(claim))}
    total = sum(rarities.values())
    return sum(rarity for stem, rarity in rarities.items() if stem not in stems) / total if total else 0.0


@functools.lru_cache(maxsize=65536)
def _date_names(text: str) -> frozenset[str]:
    """The weekdays, months and seasons that a text names; `may` and `march` only with a capital."""
    words = text.split()
    cleaned = (word.strip(".,;:!?\"'()") for word in words)
    return frozenset(
        meaning.name
        for word in cleaned
        if word and (word[0].isupper() or word not in ("may", "march", "second", "fall", "spring"))
        for meaning in meanings_of(word.lower())
        if meaning.kind == "date" and meaning.section in ("weekday", "month")
    )
