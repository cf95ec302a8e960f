"""Agreeing: whether a noun or name can be what a third-person pronoun means, and be said in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.attributes import possible_genders, possible_numbers
from gistmeter.summarize.compression.modifiers import SUBJECTS
from gistmeter.summarize.compression.quotations import list_quotations

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Doc, Token

THIRD_PERSON = frozenset({"he", "she", "they", "him", "her", "them", "his", "hers", "their", "theirs", "it", "its"})
_POSSESSIVE = frozenset({"his", "her", "their", "its", "hers", "theirs"})
_PLURAL = frozenset({"they", "them", "their", "theirs"})
_NEUTER = frozenset({"it", "its"})
_MALE = frozenset({"he", "him", "his"})
_NO_PEOPLE = frozenset({"FAC", "GPE", "LOC", "ORG", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW"})
_ENDINGS = {"'re": " are", "’re": " are", "'ve": " have", "’ve": " have", "'ll": " will", "’ll": " will"}


def agrees(pronoun: Token, noun: Token, core: Collection[str]) -> bool:
    """Whether a pronoun can stand for a noun, by number and gender; `core` is its phrase up to it, in lower case.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["Jurors saw Ann Lee when she spoke."], entities=True)
    >>> agrees(doc[5], doc[0], ["jurors"]), agrees(doc[5], doc[3], ["ann", "lee"])
    (False, True)
    """
    lower, numbers = pronoun.lower_, possible_numbers(noun)
    joined = any(child.dep_ == "conj" for child in noun.children)
    if lower in _PLURAL:
        return joined or ("p" in numbers and not (noun.tag_ in ("NN", "NNP") and _has_plural_verb(pronoun)))
    if joined or "s" not in numbers:
        return False
    genders = possible_genders(noun, list(core))
    if lower in _NEUTER:
        return "n" in genders and noun.ent_type_ != "PERSON"
    if noun.ent_type_ in _NO_PEOPLE:
        return False
    if genders == "mfn":
        return False  # a thing, as far as anybody can tell
    return ("m" if lower in _MALE else "f") in genders


def _has_plural_verb(pronoun: Token) -> bool:
    """Whether the verb of a subject is a plural: `they do`, in whose place nobody says `the company do`."""
    verbs = [pronoun.head, *(child for child in pronoun.head.children if child.dep_ in ("aux", "auxpass"))]
    return pronoun.dep_ in SUBJECTS and any(verb.tag_ == "VBP" or verb.lower_ == "were" for verb in verbs)


def is_subject(word: Token) -> bool:
    """Whether a word is the subject of a clause, which pronouns most often mean."""
    return word.dep_ in SUBJECTS


def _may_speak(word: Token) -> bool:
    """Whether a word is the subject of a clause, or says who that is: `One of them, Ann Lee, said`."""
    return is_subject(word) or (word.dep_ == "appos" and word.ent_type_ == "PERSON" and is_subject(word.head))


def is_quoted(doc: Doc, position: int) -> bool:
    """Whether a word stands in a quotation, where a name would put words into somebody's mouth."""
    return any(position in quotation.words for quotation in list_quotations(doc))


def has_near_subject(doc: Doc, position: int, remaining: Collection[int]) -> bool:
    """Whether a pronoun can be of a subject before it: `The soldier scrambled to his feet`, `Ann says she left`."""
    pronoun = doc[position]
    nouns = [
        word
        for word in doc[:position]
        if word.i in remaining and _may_speak(word) and word.dep_ != "expl" and word.pos_ != "PRON"
    ]
    if pronoun.dep_ == "poss" and nouns:
        return True
    return any(agrees(pronoun, noun, [word.lower_ for word in doc[noun.left_edge.i : noun.i + 1]]) for noun in nouns)


def _expand_ending(word: Token) -> str | None:
    """What follows a name in the place of a pronoun with a short verb: `he's won` becomes `Bo has won`."""
    if word.pos_ not in ("AUX", "VERB") or not word.text.startswith(("'", "’")):
        return None
    if word.lower_ in ("'s", "’s"):
        passive = any(child.dep_ == "auxpass" and child.i > word.i for child in word.head.children)
        done = word.head.tag_ in ("VBN", "VBD") and (
            word.dep_ == "aux" or any(child.dep_ == "dobj" for child in word.head.children)
        )
        return " has" if word.head != word and (done or passive) else " is"
    return _ENDINGS.get(word.lower_)


def replace_pronoun(name: str, doc: Doc, position: int) -> dict[int, str]:
    """A name in the place of a pronoun, and what becomes of the short verb after it."""
    replaced = {position: _inflect(name, doc[position])}
    if position + 1 < len(doc) and doc[position].dep_ != "poss":
        ending = _expand_ending(doc[position + 1])
        if ending is not None:
            replaced[position + 1] = ending
    return replaced


def _inflect(name: str, pronoun: Token) -> str:
    """A name in the form of the pronoun that it stands for."""
    if pronoun.lower_ in _POSSESSIVE and pronoun.dep_ == "poss":
        name = f"{name}'" if name.endswith("s") else f"{name}'s"
    first = pronoun.i == 0
    return name[:1].upper() + name[1:] if first else name
