"""Sentences without some of their modifiers: the same news told shorter, as a summary tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from spacy.tokens import Doc, Token

_MODIFIER_RELATIONS = frozenset({"prep", "advcl", "relcl", "acl", "appos", "amod", "advmod", "npadvmod", "conj"})
"""Relations of words that a sentence can do without."""

MAX_MODIFIERS = 3
"""Modifiers that are taken out at most."""

MIN_WORDS = 3
"""Words that must be left."""

_NEGATIONS = frozenset({"not", "never", "no", "n't"})
_CONJUNCTIONS = frozenset({",", "and", "or", "but"})
_SPACES = re.compile(r"\s+")
_LOOSE_COMMAS = re.compile(r"(?:\s*,)+(?=\s*[,.;:!?])|^[\s,;:]+")
_SPACE_BEFORE_MARK = re.compile(r"\s+([,.;:!?])")


def shorten_sentence(doc: Doc, rng: np.random.Generator) -> str | None:
    """The sentence of a parse without one to three of its modifiers; None where it has none to lose.

    >>> import numpy as np
    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["On Monday, the small company sold its shares in London."])
    >>> sorted({shorten_sentence(doc, np.random.default_rng(seed)) for seed in range(9)})[-1]
    'The small company sold its shares.'
    """
    modifiers = [word for word in doc if _is_modifier(word)]
    if not modifiers:
        return None
    count = int(rng.integers(1, MAX_MODIFIERS + 1))
    removed = {
        part.i for index in rng.permutation(len(modifiers))[:count] for part in _with_mark(modifiers[int(index)])
    }
    text = "".join(
        word.text_with_ws if word.i + 1 not in removed else word.text + " " for word in doc if word.i not in removed
    )
    text = _SPACE_BEFORE_MARK.sub(r"\1", _LOOSE_COMMAS.sub("", _SPACES.sub(" ", text))).strip()
    return text[:1].upper() + text[1:] if len(text.split()) >= MIN_WORDS else None


def _is_modifier(word: Token) -> bool:
    return word.dep_ in _MODIFIER_RELATIONS and word.lower_ not in _NEGATIONS and word.head.i != word.i


def _with_mark(word: Token) -> list[Token]:
    """All that hangs on a word, and the comma or conjunction that ties it to what stands before."""
    parts = list(word.subtree)
    first = min(parts, key=lambda part: part.i)
    while first.i > 0 and (before := first.nbor(-1)).dep_ in ("cc", "punct") and before.text in _CONJUNCTIONS:
        parts.append(before)
        first = before
    return parts
