"""What a noun, name or pronoun says of the person or thing it stands for: its kind, gender and number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

NAME_LABELS = frozenset({"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"})
"""The labels of named entities that are names of people, groups, places and works."""

INNER_DEPENDENCIES = frozenset({"compound", "amod", "nmod", "nummod"})
"""Dependencies of words inside a noun phrase, which are no phrases of their own."""


def possible_pronoun_numbers(pronoun: str, lower: str) -> str:
    """How many a pronoun may stand for: the letters s (singular) and p (plural) that are possible.

    `pronoun` is its list of `people_words`, `lower` the pronoun itself in lower case.
    """
    if pronoun == "second":
        return "sp"
    return "p" if pronoun in ("plural", "first_plural") or lower in ("these", "those") else "s"


def classify_noun(head: Token) -> str:
    """The kind of a name (PERSON, GPE ...) or of a noun (male, person, group ...)."""
    if head.pos_ != "PROPN" and is_age(head):
        return "person"
    if head.ent_type_ in NAME_LABELS or head.ent_type_ in ("DATE", "TIME", "CARDINAL"):
        return str(head.ent_type_)
    lemma = head.lemma_.lower()
    for kind in ("male", "female", "person", "group", "time"):
        if lemma in people_words("nouns", kind) or head.lower_ in people_words("nouns", kind):
            return kind
    if lemma.endswith(("-old", "man", "woman", "ist", "ian")):
        return "person"
    return "-"


def possible_genders(head: Token, core: Sequence[str]) -> str:
    """The genders that a noun or name may have: the letters of m, f and n that its title, first name or noun allow.

    `core` are the words of its phrase up to the head, in lower case.
    """
    lemma = head.lemma_.lower()
    if head.pos_ != "PROPN":
        if is_age(head):
            return "mf"
        if lemma in people_words("nouns", "male"):
            return "m"
        if lemma in people_words("nouns", "female"):
            return "f"
        if lemma in people_words("nouns", "person") or lemma.endswith(("-old", "person")):
            return "mf"
        return "n" if lemma in people_words("nouns", "time") or head.ent_type_ in ("DATE", "TIME") else "mfn"
    if head.ent_type_ in ("DATE", "TIME"):
        return "n"
    gender = infer_name_gender(core) if len(core) > 1 else ""  # One word may be a last name: `Taylor`.
    if gender:
        return gender if head.ent_type_ == "PERSON" else f"{gender}n"
    if head.ent_type_ in ("GPE", "LOC") and not infer_name_gender(core):
        return "n"
    return "mf" if head.ent_type_ == "PERSON" else "mfn"


def infer_name_gender(core: Sequence[str]) -> str:
    """The letter m or f where a title, a noun before the name or the first name says so, else an empty text.

    `core` are the words of the name in lower case.
    """
    for word in core[:-1] if len(core) > 1 else ():
        for gender, letter in (("male", "m"), ("female", "f")):
            if word in people_words("titles", gender) or word in people_words("nouns", gender):
                return letter
    for word in core:
        if word in people_words("titles", "person") or word in people_words("empty", "words"):
            continue
        male, female = word in people_words("names", "male"), word in people_words("names", "female")
        if male != female:
            return "m" if male else "f"
        if word not in people_words("nouns", "person"):
            return ""
    return ""


def possible_numbers(head: Token) -> str:
    """How many a noun may stand for: the letters s (singular) and p (plural) that are possible."""
    if is_age(head):
        return "s"
    if head.tag_ in ("NNS", "NNPS") or head.lemma_.lower() in ("people", "police"):
        return "p"
    if head.lemma_.lower() in people_words("nouns", "group") or head.ent_type_ in ("ORG", "NORP", "GPE"):
        return "sp"
    return "s" if head.tag_ in ("NN", "NNP") else "sp"


def is_age(word: Token) -> bool:
    """Whether a word ends `the 43-year-old`, in one word or in several, and so stands for a person."""
    if (
        word.dep_ in INNER_DEPENDENCIES
        or word.dep_ in ("acomp", "advmod")
        or (word.ent_type_ == "DATE" and word.dep_ == "attr")
    ):
        return False
    if word.lower_.endswith("-year-old"):
        return True
    return word.lower_ == "old" and word.i > 1 and word.nbor(-1).text in ("-", "–") and "year" in word.nbor(-2).lower_
