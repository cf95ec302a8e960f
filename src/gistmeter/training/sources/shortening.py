"""Sentences without some of their modifiers: the same news told shorter, as a summary tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from spacy.tokens import Doc, Token

_LOOSE = frozenset({"prep", "advcl", "relcl", "acl", "appos", "amod", "advmod", "npadvmod", "conj"})
"""Relations of words that a sentence can do without."""

_MOST = 3
"""Modifiers that are taken out at most."""

_FEWEST = 3
"""Words that must be left."""

_NEGATIONS = frozenset({"not", "never", "no", "n't"})
_TIES = frozenset({",", "and", "or", "but"})
_SPACES = re.compile(r"\s+")
_COMMAS = re.compile(r"(?:\s*,)+(?=\s*[,.;:!?])|^[\s,;:]+")
_BEFORE = re.compile(r"\s+([,.;:!?])")


def shortened(doc: Doc, rng: np.random.Generator) -> str | None:
    """The sentence of a parse without one to three of its modifiers; None where it has none to lose.

    >>> import numpy as np
    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["On Monday, the small company sold its shares in London."])
    >>> sorted({shortened(doc, np.random.default_rng(seed)) for seed in range(9)})[-1]
    'The small company sold its shares.'
    """
    loose = [word for word in doc if _can_go(word)]
    if not loose:
        return None
    count = int(rng.integers(1, _MOST + 1))
    gone = {part.i for place in rng.permutation(len(loose))[:count] for part in _with_mark(loose[int(place)])}
    text = "".join(
        word.text_with_ws if word.i + 1 not in gone else word.text + " " for word in doc if word.i not in gone
    )
    text = _BEFORE.sub(r"\1", _COMMAS.sub("", _SPACES.sub(" ", text))).strip()
    return text[:1].upper() + text[1:] if len(text.split()) > 2 else None


def _can_go(word: Token) -> bool:
    return word.dep_ in _LOOSE and word.lower_ not in _NEGATIONS and word.head.i != word.i


def _with_mark(word: Token) -> list[Token]:
    """All that hangs on a word, and the comma or conjunction that ties it to what stands before."""
    parts = list(word.subtree)
    first = min(parts, key=lambda part: part.i)
    while (
        first.i > 0 and (before := first.nbor(-1)).dep_ in ("cc", "punct") and before.text in (",", "and", "or", "but")
    ):
        parts.append(before)
        first = before
    return parts
