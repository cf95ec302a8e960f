"""Verifying: sentences are shortened only where what is left reads as it did in the whole sentence.

A parser that finds other heads in the short sentence than in the whole one was wrong in one of them, or the sentence
lacks a word. Then less is left out of it, and at last nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.summarize.compression.pruning import drop_loose_ends, prune_sentence
from gistmeter.summarize.compression.words import list_words
from gistmeter.summarize.compression.writing import is_mark, write_sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from spacy.tokens import Doc, Token

_LOOSE = frozenset(
    {"prep", "advmod", "npadvmod", "cc", "mark", "preconj", "agent", "dep", "neg", "det", "predet", "case"}
)
"""What hangs now on this word and now on that, without a difference to what is said."""

_KEY = "gistmeter_compressed"


def compress_sentence(doc: Doc, marked: Collection[int]) -> list[int]:
    """The positions of the words that stay when only some must be said; all where less would not read as it did.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["On Monday, Ann Lee, a nurse, quietly opened a shop in Rome."], entities=True)
    >>> " ".join(doc[position].text for position in compress_sentence(doc, {12, 13}))
    'Ann Lee opened a shop in Rome .'
    """
    compressed: dict[frozenset[int], list[int]] = doc.user_data.setdefault(_KEY, {})
    marks = frozenset(marked)
    if marks not in compressed:
        compressed[marks] = _compress(doc, marks)
    return list(compressed[marks])


def keep_sentence(doc: Doc) -> list[int]:
    """The positions of all words, but for an `and` at either end and for where somebody stands in a picture."""
    sides = list_words("captions", "sides")
    pointing = {
        position
        for word in doc
        if word.text == "(" and (end := _find_bracket(doc, word.i)) is not None
        for position in range(word.i, end + 1)
        if all(doc[inside].lower_ in sides for inside in range(word.i + 1, end))
    }
    return drop_loose_ends(doc, [position for position in range(len(doc)) if position not in pointing])


def _find_bracket(doc: Doc, opened: int) -> int | None:
    return next((position for position in range(opened, min(opened + 5, len(doc))) if doc[position].text == ")"), None)


def _compress(doc: Doc, marks: frozenset[int]) -> list[int]:
    for gently in (False, True):
        remaining = prune_sentence(doc, marks, gently=gently)
        if len(remaining) == len(doc) or reads_alike(doc, remaining):
            return remaining
    return keep_sentence(doc)


def reads_alike(doc: Doc, remaining: Sequence[int]) -> bool:
    """Whether the words that stay hang on each other as in the whole sentence.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["The man who saw Ann in the old house by the river smiled."])
    >>> reads_alike(doc, [0, 1, 12, 13]), reads_alike(doc, [2, 3, 4, 12, 13])
    (True, False)
    """
    (short,) = load_parser().parse([write_sentence(doc, remaining)])
    positions = [position for position in remaining if not is_mark(doc[position]) and not doc[position].is_space]
    words = [word for word in short if not is_mark(word) and not word.is_space]
    if [word.lower_ for word in words] != [doc[position].lower_ for position in positions]:
        return False
    position_of = {word.i: position for word, position in zip(words, positions, strict=True)}
    tops = [position for position in positions if _find_head(doc[position], frozenset(positions)) == position]
    for word, position in zip(words, positions, strict=True):
        if word.dep_ in _LOOSE or doc[position].dep_ in _LOOSE:
            continue
        head = _find_head(doc[position], frozenset(positions))
        expected = tops[-1] if doc[position].dep_ in ("nsubj", "nsubjpass") and head == position else head
        if position_of.get(word.head.i, position) != expected:
            return False
    return True


def _find_head(word: Token, staying: frozenset[int]) -> int:
    """The nearest word above another that stays; the word itself where none does."""
    return next((ancestor.i for ancestor in word.ancestors if ancestor.i in staying), word.i)
