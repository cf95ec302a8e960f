"""Openings: pronouns that a sentence begins with, which a reader understands only after the sentence before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import people_words
from gistmeter.summarize.compression.agreeing import THIRD_PERSON, agrees, is_quoted, is_subject
from gistmeter.summarize.compression.modifiers import VERBS
from gistmeter.summarize.compression.words import list_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Doc, Token

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_CLAUSES = frozenset({"ccomp", "csubj", "xcomp", "advcl"})
_PARTED = frozenset({"them", "these", "those"})
_THINGS_OWNERS = frozenset({"its", "their"})
PERSONAL = frozenset({"he", "she", "his", "her"})
"""Pronouns that mean one person, as the subject of a sentence or the owner of it."""


def find_opening(doc: Doc, remaining: Collection[int]) -> Token | None:
    """The pronoun that is, or belongs to, the subject that the words which stay begin with; none where it is quoted.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> one, two, three = load_parser().parse(["She won.", "Its owners paid.", "It is true that Ann won."])
    >>> find_opening(one, range(3)), find_opening(two, range(4)), find_opening(three, range(7))
    (She, Its, None)
    """
    first = min((position for position in remaining if not doc[position].is_punct), default=None)
    if first is None or is_quoted(doc, first):
        return None
    word = _find_whole(doc[first])
    if word.i != first:
        return word
    if word.dep_ == "poss":
        return word if word.lower_ in THIRD_PERSON and word.head.dep_ in (*_SUBJECTS, "ROOT") else None
    takes_up = word.lower_ in THIRD_PERSON or word.lower_ in list_words("nouns", "pointing")
    return word if takes_up and word.dep_ in _SUBJECTS and not is_expletive(word) else None


def _find_whole(part: Token) -> Token:
    """`them` in `One of them`, where that is a subject; else the word itself."""
    if part.dep_ not in _SUBJECTS or part.lower_ not in list_words("nouns", "parts"):
        return part
    wholes = (noun for word in part.rights if word.lower_ == "of" for noun in word.rights if noun.dep_ == "pobj")
    return next((whole for whole in wholes if whole.lower_ in _PARTED and not list(whole.rights)), part)


def find_pointing(doc: Doc, remaining: Collection[int]) -> Token | None:
    """The `this` after a verb or preposition, or the `could` without a verb, which takes up what is said before its
    sentence; none where an earlier clause of the sentence may be meant.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> texts = ["We hope to fix this in May.", "Ann won, but Bo did not like this.", "Bo said that it could not."]
    >>> [find_pointing(doc, range(len(doc))) for doc in load_parser().parse(texts)]
    [this, None, could]
    """
    for position in sorted(remaining):
        word = doc[position]
        is_pronoun = word.lower_ in ("this", "that") and word.dep_ in ("dobj", "pobj") and not list(word.rights)
        if is_pronoun or _lacks_verb(word):
            above = _list_governors(word)
            verbs = (other for other in doc[:position] if other.pos_ == "VERB" and other.i in remaining)
            earlier = (other for other in verbs if other not in above)
            return None if is_quoted(doc, position) or any(earlier) else word
    return None


def _list_governors(word: Token) -> list[Token]:
    """The words that a word depends on within its clause: not those of a clause that this one is only joined to."""
    governors: list[Token] = []
    for governor in word.ancestors:
        governors.append(governor)
        if governor.dep_ == "conj" and any(child.dep_ in ("nsubj", "nsubjpass") for child in governor.lefts):
            break
    return governors


def _lacks_verb(word: Token) -> bool:
    """Whether a helping verb stands without its own, which was said before: `it could not`, `She did`."""
    if word.dep_ in ("aux", "auxpass"):
        return False
    is_doing = word.lower_ in ("do", "does", "did") and word.dep_ in ("ROOT", "ccomp", "conj")
    done = any(child.dep_ in ("dobj", "ccomp", "xcomp", "prep", "advmod", "attr", "acomp") for child in word.rights)
    return word.tag_ == "MD" or (is_doing and not done)


def opens_clause(pronoun: Token) -> bool:
    """Whether a pronoun is, or belongs to, the subject of a main clause."""
    subject = pronoun.head if pronoun.dep_ == "poss" else pronoun
    return subject.dep_ in _SUBJECTS and subject.head.dep_ == "ROOT" and pronoun.i == subject.left_edge.i


def is_expletive(word: Token) -> bool:
    """Whether `it` means nothing: `It rained`, `It is true that`, `It was Ann who`."""
    if word.lower_ != "it":
        return False
    verb = word.head
    if verb.lemma_.lower() in list_words("verbs", "of weather"):
        return True
    if any(child.dep_ in _CLAUSES and child.i > verb.i for child in verb.children):
        return verb.lemma_.lower() in list_words("verbs", "of being") or verb.dep_ == "auxpass" or verb.tag_ == "VBN"
    states = [child for child in verb.children if child.dep_ in ("attr", "acomp") and child.i > verb.i]
    below = [(state, word) for state in states for word in state.subtree]
    return any(
        (word.dep_ == "relcl" and word.tag_ != "VB")
        or (state.dep_ == "acomp" and word.dep_ in ("ccomp", "xcomp", "acl"))
        for state, word in below
    )


def may_explain(doc: Doc) -> bool:
    """Whether a sentence can stand before another to say what its pronoun means: a clause or an order, not quoted."""
    for root in (sent.root for sent in doc.sents):
        subjects = [child for child in root.children if child.dep_ in _SUBJECTS]
        if any(is_expletive(word) for word in subjects):
            continue
        if root.pos_ in VERBS and (subjects or root.tag_ == "VB"):
            return not any(is_quoted(doc, word.i) for word in subjects or [root])
    return False


def list_subjects(doc: Doc) -> frozenset[int]:
    """What a pronoun of the next sentence may mean: the nouns that are subjects of main clauses, else its objects; and
    the verbs of all main clauses, as the pronoun may mean what the last of them says."""
    nouns = [word for word in doc if word.pos_ != "PRON"]
    subjects = [word for word in nouns if word.dep_ in _SUBJECTS and "ROOT" in (word.head.dep_, word.head.head.dep_)]
    verbs = [word for word in doc if word.dep_ == "conj" and word.head.dep_ == "ROOT" and word.pos_ in VERBS]
    return frozenset(word.i for word in (*verbs, *(subjects or (word for word in nouns if word.dep_ == "dobj"))))


def find_main_subject(doc: Doc) -> Token | None:
    """The subject of the main clause."""
    return next((word for word in doc if is_subject(word) and word.head.dep_ == "ROOT"), None)


def find_topic(doc: Doc) -> Token | None:
    """What the first sentence of a text defines: `The stoat is a small animal`. None where that is a person.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> one, two = load_parser().parse(["The stoat is a small animal.", "The stoat eats mice."])
    >>> find_topic(one), find_topic(two)
    (stoat, None)
    """
    subject = find_main_subject(doc)
    if subject is None or subject.head.lemma_ != "be" or subject.tag_ not in ("NN", "NNP"):
        return None
    defined = (child for child in subject.head.rights if child.dep_ == "attr" and child.pos_ == "NOUN")
    is_defined = any(word.lower_ in ("a", "an") for child in defined for word in child.lefts)
    return subject if is_defined and subject.ent_type_ != "PERSON" else None


def find_named_person(doc: Doc, pronoun: Token) -> Token | None:
    """The last word of the name of a person who is the subject of a sentence, or who that is: `One of them, Ann Lee`.

    None where a pronoun of a later sentence cannot mean them.
    """
    subject = find_main_subject(doc)
    if subject is None or is_quoted(doc, subject.i):
        return None
    named = [subject, *(child for child in subject.children if child.dep_ == "appos")]
    people = (word for word in named if word.pos_ == "PROPN" and word.ent_type_ == "PERSON")
    return next((word for word in people if agrees(pronoun, word, _list_name(word))), None)


def speaks_of_itself(doc: Doc, position: int) -> bool:
    """Whether a pronoun is the subject of what the subject of its own sentence says or thinks: `Ann said she won`."""
    clause = doc[position].head
    says = clause.head
    is_main = says.dep_ == "ROOT" or (says.dep_ == "conj" and says.head.dep_ == "ROOT")
    return doc[position].dep_ in _SUBJECTS and clause.dep_ == "ccomp" and is_main


def is_owner(noun: Token, pronoun: Token) -> bool:
    """Whether `its` or `their` may mean a noun, as it names somebody or a group of people: `the company's director`."""
    if pronoun.dep_ != "poss":
        return False
    if pronoun.lower_ not in _THINGS_OWNERS or noun.pos_ == "PROPN":
        return True
    return noun.lemma_.lower() in people_words("nouns", "group") | people_words("nouns", "person")


def list_articles(doc: Doc, opening: Token | None) -> dict[int, str]:
    """`The` for `its` or `their` at the start of a sentence, where nobody says whose: `The owners paid`."""
    if opening is None or opening.dep_ != "poss" or opening.lower_ not in _THINGS_OWNERS:
        return {}
    if any(word.lower_ == "own" for word in doc[opening.i + 1 : opening.i + 2]):
        return {}
    return {opening.i: "the"}


def _list_name(word: Token) -> list[str]:
    return [token.lower_ for token in word.doc[word.left_edge.i : word.i + 1]]
