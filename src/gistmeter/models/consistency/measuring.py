"""What the combination reads of claims: the logits of the network beside their passages, and plain features.

A document is split and its words are looked up once for all claims about it. The network, which costs the most, is
asked only where its answer counts.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.models.consistency.combination import MAX_LOGIT, measure_closeness
from gistmeter.models.consistency.copies import is_copied
from gistmeter.models.consistency.features import (
    PLAIN_FEATURES,
    UNMATCHED_TOKENS,
    DocumentWords,
    measure_plain,
)
from gistmeter.models.consistency.passages import SplitDocument, choose_passages, join_passages, split_document
from gistmeter.models.consistency.spelling import list_spellings, spell_as, strip_list_mark
from gistmeter.models.consistency.token_match import measure_unmatched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.consistency.spelling import Spellings

    MarginsOf = Callable[[Sequence[tuple[str, str]]], FloatArray]

CACHED_DOCUMENTS = 64


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """A document as the judge reads it, once for all its summaries."""

    text: str
    split: SplitDocument
    words: DocumentWords
    spellings: Spellings
    """How it writes numbers, dates and times."""


@functools.lru_cache(maxsize=CACHED_DOCUMENTS)
def read_document(document: str, language: str = "en") -> ReadDocument:
    """A document as the judge reads it."""
    split = split_document(document, language)
    spellings = list_spellings(document) if language == "en" else {}
    return ReadDocument(text=document, split=split, words=DocumentWords.of(split), spellings=spellings)


def spell_claim(document: ReadDocument, claim: str) -> str:
    """A claim as it is read beside a document: numbers, dates and times as there, and no mark of a list before it.

    >>> spell_claim(read_document("It cost $6.8m."), "- It cost 6.8 million dollars.")
    'It cost $6.8m.'
    """
    return spell_as(document.spellings, strip_list_mark(claim))


@dataclass(frozen=True, slots=True, eq=False)
class LaidClaim:
    """A claim, its document, and the numbers of the document's sentences that are laid beside it."""

    document: ReadDocument
    text: str
    read: str
    """The claim in the document's spelling."""

    passages: tuple[int, ...]

    @property
    def pair(self) -> tuple[str, str]:
        """The text of the passages, and the claim as it stands."""
        return join_passages(self.document.split, self.passages), self.text

    @property
    def read_pair(self) -> tuple[str, str]:
        """The text of the passages, and the claim in the document's spelling."""
        return join_passages(self.document.split, self.passages), self.read


def lay_claims(claims: Sequence[tuple[str, str]], language: str = "en") -> list[LaidClaim]:
    """Each claim of (document, claim) beside the passages chosen for it."""
    laid = []
    for text, claim in claims:
        document = read_document(text, language)
        read = spell_claim(document, claim)
        passages = choose_passages(document.split, read, language)
        laid.append(LaidClaim(document=document, text=claim, read=read, passages=passages))
    return laid


class MeasuredPairs(NamedTuple):
    """Of each claim the network's logit, and the plain features by column."""

    margins: FloatArray
    plain: FloatArray


def measure_laid(laid: Sequence[LaidClaim], margins_of: MarginsOf, *, ask_always: bool = False) -> MeasuredPairs:
    """The network's logits and the plain features of claims, each of which depends on that claim alone.

    A claim that is copied has the highest logit, and one for which the combination does not count the network has 0:
    neither is laid before it, unless `ask_always`. Tokens are matched only where the combination counts that.
    """
    pairs = [claim.read_pair for claim in laid]
    plain = np.array(
        [measure_plain(claim.document.words, *pair) for claim, pair in zip(laid, pairs, strict=True)]
    ).reshape(len(laid), len(PLAIN_FEATURES))
    copied = np.array([not ask_always and is_copied(claim.document.words, claim.read) for claim in laid], dtype=bool)
    margins = np.where(copied, MAX_LOGIT, 0.0)
    close = measure_closeness(plain)
    far = np.flatnonzero(~copied & (close < 1)).tolist()
    unmatched = measure_unmatched([(laid[row].document.text, laid[row].read) for row in far])
    plain[far, PLAIN_FEATURES.index(UNMATCHED_TOKENS)] = unmatched
    asked = np.flatnonzero(~copied & (ask_always | (close > 0))).tolist()
    if asked:
        margins[asked] = margins_of([pairs[row] for row in asked])
    return MeasuredPairs(margins=margins, plain=plain)
