"""What generators of errors read beside the text itself: its document, and names from outside."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from spacy.tokens import Doc, Span

    from gistmeter.linguistics.contrasts.clauses import TextChange

RuleErrorKind = Literal[
    "number",
    "quantity",
    "unit",
    "date",
    "name",
    "place",
    "role",
    "negation",
    "modality",
    "direction",
    "attribution",
    "comparison",
    "cause",
    "elsewhere",
    "outside",
    "merged",
]
RULE_ERROR_KINDS: tuple[RuleErrorKind, ...] = get_args(RuleErrorKind)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorContext:
    """The document of a text, parsed with its entities, and what draws among replacements."""

    document: Doc
    rng: np.random.Generator

    def draw(self, choices: Sequence[str]) -> str:
        """One of several texts."""
        return choices[int(self.rng.integers(len(choices)))]


@functools.cache
def outside_names() -> Mapping[str, tuple[str, ...]]:
    """Names that are in no document, by what they name: given and family names, places, organisations, peoples.

    >>> len(outside_names()["places"]) > 30
    True
    """
    return {name: tuple(words) for name, words in read_tables()["outside"].items()}


@functools.cache
def read_tables() -> Any:
    """The tables of `errors.toml`."""
    return tomllib.loads((files(__package__ or "") / "errors.toml").read_text(encoding="utf-8"))


def put_change(text: str, change: TextChange) -> str:
    """A text with one change made.

    >>> from gistmeter.linguistics.contrasts.clauses import TextChange
    >>> put_change("It rose.", TextChange(3, 7, "fell"))
    'It fell.'
    """
    return text[: change.start] + change.text + text[change.end :]


def fit_first_letter(phrase: str, replaced: Span) -> str:
    """A phrase with a capital where a sentence starts, and without one where an article stands within it.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["The dog bit the cat."])
    >>> fit_first_letter("a mouse", doc[0:2]), fit_first_letter("The mouse", doc[3:5])
    ('A mouse', 'the mouse')
    """
    if replaced[0].is_sent_start or replaced.start == 0:
        return phrase[:1].upper() + phrase[1:]
    first = phrase.split(maxsplit=1)[0]
    return phrase[:1].lower() + phrase[1:] if first in _ARTICLES else phrase


_ARTICLES = frozenset(["The", "A", "An", "His", "Her", "Its", "Their", "This", "That", "These", "Those", "Some"])
