"""Verbs by position, without a parse: which words may be verbs, who stands before and after them, the passive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.words import list_words, meanings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.contrasts.statements import Token

_SIDE = 8
"""How many words before and after a verb are looked at for who did it to whom."""
_AUXILIARIES = frozenset(["be", "been", "being", "is", "are", "was", "were", "am", "get", "gets", "got"])


def may_be_verb(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word may be a verb: no name, no possessive, and no word before it that announces a noun."""
    before = tokens[position - 1].lower if position else ""
    is_noun = tokens[position].is_name or tokens[position].lower.endswith("'s") or before in list_words("before_nouns")
    return tokens[position].is_content and not is_noun


def takes_object(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word may be a verb and what follows is an object, or `by`."""
    if position + 1 >= len(tokens) or not may_be_verb(tokens, position):
        return False
    after = tokens[position + 1]
    is_linked = after.lower in ("to", "from", "against") and bool(
        meanings_of(tokens[position].lower)
    )  # lost to, bought from
    return after.is_name or after.lower in list_words("before_objects") or is_linked


def list_sides(tokens: Sequence[Token], position: int) -> tuple[set[str], set[str]]:
    """The stems of content words shortly before a verb, and of those in its object, which ends at a preposition."""
    before, after = tokens[max(0, position - _SIDE) : position], tokens[position + 1 : position + 1 + _SIDE]
    ends = list_words("prepositions")
    end = next((number for number, token in enumerate(after) if number and token.lower in ends), len(after))
    left, right = ({token.stem for token in side if token.is_content} for side in (before, after[:end]))
    return left, right


def is_passive(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word is in the passive with its agent: `by` right after it, or a form of `be` before and `by` soon."""
    before = {token.lower for token in tokens[max(0, position - 3) : position]}
    after = [token.lower for token in tokens[position + 1 : position + 3]]
    return after[:1] == ["by"] or ("by" in after and bool(_AUXILIARIES & before))
