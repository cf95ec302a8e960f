"""Basic elements of a text: its content words, and pairs of a head and what depends on it, with the relation.

The pairs follow Hovy et al. (2006) and Tratz and Hovy (2008): who does what, what is done to whom, what a noun is said
to be, and what a preposition joins, which is then the relation. Pronouns and auxiliary verbs make no element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Token

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_NOMINAL = frozenset({"NOUN", "PROPN", "NUM"})
_RELATIONS = {
    "nsubj": "subj", "csubj": "subj", "agent": "subj", "nsubjpass": "obj", "dobj": "obj", "dative": "dative",
    "attr": "be", "acomp": "be", "oprd": "be", "appos": "be", "amod": "amod", "compound": "compound", "nmod": "nmod",
    "poss": "poss", "nummod": "num", "quantmod": "num", "advmod": "adv", "npadvmod": "adv", "acl": "acl",
    "relcl": "acl", "xcomp": "comp", "ccomp": "comp", "advcl": "advcl", "neg": "neg", "conj": "",
}  # fmt: skip
"""Relations of the parser, and what they are called in an element; those of conjuncts are their first one's."""


@dataclass(frozen=True, slots=True)
class ElementWord:
    """A word of an element: its lemma, its form as written, where it stands, and the name it ends, if any."""

    lemma: str
    form: str
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Element:
    """A content word alone (no modifier), or a head and a modifier in a relation."""

    head: ElementWord
    modifier: ElementWord | None = None
    relation: str = ""

    def __str__(self) -> str:
        if self.modifier is None:
            return self.head.lemma
        return f"{self.head.lemma} | {self.modifier.lemma} | {self.relation}"


def extract_elements(doc: Doc, *, unigrams: bool) -> list[Element]:
    """The elements of a parsed text, in the order of their modifiers.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["The old mayor of Porto opened a bridge."])
    >>> [str(element) for element in extract_elements(doc, unigrams=False)]
    ['mayor | old | amod', 'open | mayor | subj', 'mayor | porto | of', 'open | bridge | obj']
    """
    words = {token.i: _describe(token) for token in doc if _is_content(token)}
    elements = []
    for token in doc:
        if token.i not in words:
            continue
        if unigrams:
            elements.append(Element(words[token.i]))
        for head, relation in _find_heads(token):
            if head.i in words and head.i != token.i:
                elements.append(Element(words[head.i], words[token.i], relation))
    return elements


def _find_heads(token: Token) -> Iterator[tuple[Token, str]]:
    """The words that a word depends on in an element, with the relations."""
    first, relation = token, token.dep_
    while relation == "conj":  # apples and pears: both are what the first one is
        first = first.head
        relation = first.dep_
    head = first.head
    if relation == "pobj":
        if head.dep_ == "agent":
            yield head.head, "subj"
        elif head.dep_ in ("prep", "dative"):
            preposition = head.lower_
            if head.head.dep_ == "prep":  # because of, out of
                head, preposition = head.head, f"{head.head.lower_} {preposition}"
            yield head.head, preposition
    elif relation in ("attr", "acomp", "oprd") and token.head.lemma_ == "be":
        # Rain is likely: likely says something of rain.
        yield from ((child, "be") for child in head.children if child.dep_ in ("nsubj", "nsubjpass"))
    elif _RELATIONS.get(relation):
        yield head, _RELATIONS[relation]


def _is_content(token: Token) -> bool:
    return token.pos_ in _CONTENT and token.dep_ not in ("aux", "auxpass") and any(map(str.isalnum, token.text))


def _describe(token: Token) -> ElementWord:
    """A word with its lemma in lower case; the last word of a name carries the whole name."""
    name = ""
    if token.pos_ in _NOMINAL:
        parts = [child for child in token.lefts if child.dep_ == "compound" and child.is_title]
        if parts and token.is_title:
            name = " ".join(part.text for part in [*parts, token])
    return ElementWord(
        lemma=token.lemma_.lower(), form=token.text, start=token.idx, end=token.idx + len(token), name=name
    )
