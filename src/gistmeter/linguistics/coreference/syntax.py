"""What the syntax of a sentence says of a mention: its determiner, its role at the verb, who speaks its quotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.coreference.words import coreference_words
from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "dative", "iobj")
_OTHER_ROLES = {"pobj": "after", "poss": "possessor", "attr": "attribute", "appos": "appos", "ROOT": "root"}


def classify_determiner(first: Token) -> str:
    """What the first word of a phrase says of it: the, a, this, possessive, number, another determiner, or bare."""
    lower = first.lower_
    if lower == "the":
        return "the"
    if lower in ("a", "an"):
        return "a"
    if lower in people_words("pronouns", "demonstrative"):
        return "this"
    if first.dep_ == "poss":
        return "possessive"
    if first.pos_ == "NUM":
        return "number"
    return str(lower) if first.dep_ == "det" else "bare"


def find_speaker(word: Token) -> Token | None:
    """The subject of the nearest verb of saying above a word, or of the sentence."""
    for verb in (*word.ancestors, word.sent.root):
        if verb.lemma_ in coreference_words("reporting_verbs"):
            subjects = [child for child in verb.children if child.dep_ in SUBJECTS]
            if subjects and subjects[0] != word:
                return subjects[0]
    return None


def classify_role(head: Token) -> str:
    """What a phrase is to its verb: subject, object, after a preposition, possessor, other."""
    word = head
    while word.dep_ == "conj" and word.head != word:
        word = word.head
    if word.dep_ in SUBJECTS:
        return "subject" if word.head.dep_ in ("ROOT", "conj") else "inner subject"
    if word.dep_ in _OBJECTS:
        return "object"
    return _OTHER_ROLES.get(word.dep_, "other")
