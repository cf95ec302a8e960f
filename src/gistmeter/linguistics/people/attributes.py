"""What a mention says of the thing it stands for: its kind, gender and number, its place in the sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

NAMED = frozenset({"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"})
INNER = frozenset({"compound", "amod", "nmod", "nummod"})
"""Dependencies of words inside a noun phrase, which are no phrases of their own."""

_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "dative", "iobj")


def pronoun_numbers(pronoun: str, lower: str) -> str:
    """What a pronoun may stand for: one (s), several (p)."""
    if pronoun == "second":
        return "sp"
    return "p" if pronoun in ("plural", "first_plural") or lower in ("these", "those") else "s"


def sort_of(head: Token) -> str:
    """The kind of a name (PERSON, GPE ...) or of a noun (male, person, group ...)."""
    if head.pos_ != "PROPN" and is_age(head):
        return "person"
    if head.ent_type_ in NAMED or head.ent_type_ in ("DATE", "TIME", "CARDINAL"):
        return str(head.ent_type_)
    lemma = head.lemma_.lower()
    for name in ("male", "female", "person", "group", "time"):
        if lemma in words("nouns", name) or head.lower_ in words("nouns", name):
            return name
    if lemma.endswith(("-old", "man", "woman", "ist", "ian")):
        return "person"
    return "-"


def genders_of(head: Token, core: Sequence[str]) -> str:
    """What a noun or name may be, by its title, first name or noun."""
    lemma = head.lemma_.lower()
    if head.pos_ != "PROPN":
        if is_age(head):
            return "mf"
        if lemma in words("nouns", "male"):
            return "m"
        if lemma in words("nouns", "female"):
            return "f"
        if lemma in words("nouns", "person") or lemma.endswith(("-old", "person")):
            return "mf"
        return "n" if lemma in words("nouns", "time") or head.ent_type_ in ("DATE", "TIME") else "mfn"
    if head.ent_type_ in ("DATE", "TIME"):
        return "n"
    gender = named_gender(core) if len(core) > 1 else ""  # One word may be a last name: `Taylor`.
    if gender:
        return gender if head.ent_type_ == "PERSON" else f"{gender}n"
    if head.ent_type_ in ("GPE", "LOC") and not named_gender(core):
        return "n"
    return "mf" if head.ent_type_ == "PERSON" else "mfn"


def named_gender(core: Sequence[str]) -> str:
    """m or f where a title, a noun before the name or the first name says so, else nothing."""
    for word in core[:-1] if len(core) > 1 else ():
        for name, letter in (("male", "m"), ("female", "f")):
            if word in words("titles", name) or word in words("nouns", name):
                return letter
    for word in core:
        if word in words("titles", "person") or word in words("empty", "words"):
            continue
        male, female = word in words("names", "male"), word in words("names", "female")
        if male != female:
            return "m" if male else "f"
        if word not in words("nouns", "person"):
            return ""
    return ""


def numbers_of(head: Token) -> str:
    """What a noun may stand for: one (s), several (p)."""
    if is_age(head):
        return "s"
    if head.tag_ in ("NNS", "NNPS") or head.lemma_.lower() in ("people", "police"):
        return "p"
    if head.lemma_.lower() in words("nouns", "group") or head.ent_type_ in ("ORG", "NORP", "GPE"):
        return "sp"
    return "s" if head.tag_ in ("NN", "NNP") else "sp"


def definite_of(first: Token) -> str:
    """What the first word of a phrase says of it."""
    lower = first.lower_
    if lower == "the":
        return "the"
    if lower in ("a", "an"):
        return "a"
    if lower in words("pronouns", "demonstrative"):
        return "this"
    if first.dep_ == "poss":
        return "possessive"
    if first.pos_ == "NUM":
        return "number"
    return str(lower) if first.dep_ == "det" else "bare"


def speaker_of(word: Token) -> Token | None:
    """The subject of the nearest verb of saying above a word, or of the sentence."""
    for verb in (*word.ancestors, word.sent.root):
        if verb.lemma_ in words("empty", "reports"):
            subjects = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
            if subjects and subjects[0] != word:
                return subjects[0]
    return None


def role(head: Token) -> str:
    """What a phrase is to its verb: subject, object, after a preposition, possessor, other."""
    word = head
    while word.dep_ == "conj" and word.head != word:
        word = word.head
    if word.dep_ in _SUBJECTS:
        return "subject" if word.head.dep_ in ("ROOT", "conj") else "inner subject"
    if word.dep_ in _OBJECTS:
        return "object"
    return {"pobj": "after", "poss": "possessor", "attr": "attribute", "appos": "appos", "ROOT": "root"}.get(
        word.dep_, "other"
    )


def is_age(word: Token) -> bool:
    """The end of `the 43-year-old`, in one word or in several, that stands for a person."""
    if word.dep_ in INNER or word.dep_ in ("acomp", "advmod") or (word.ent_type_ == "DATE" and word.dep_ == "attr"):
        return False
    if word.lower_.endswith("-year-old"):
        return True
    return word.lower_ == "old" and word.i > 1 and word.nbor(-1).text in ("-", "–") and "year" in word.nbor(-2).lower_
