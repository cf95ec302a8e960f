"""Modifiers: which words without a mark stay with the word that they hang on, so that it says the same, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.words import list_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Token

VERBS = frozenset({"VERB", "AUX"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_CLAUSES = frozenset({"advcl", "relcl", "acl", "parataxis"})
_GONE = frozenset({"intj", "meta"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_COMPLEMENTS = frozenset({"dobj", "attr", "acomp", "oprd", "ccomp", "xcomp", "agent", "prt"})
_LIMITS = frozenset({"prep", "agent", "advmod", "npadvmod", "advcl"})
_MEASURES = frozenset({"MONEY", "PERCENT", "QUANTITY", "CARDINAL"})
_INSIDE = frozenset({"amod", "compound", "nmod", "nummod", "quantmod"})
_OPENING_MARKS = (",", "(", "[", "-", "–", "—", "--", ";")


def modifier_stays(child: Token, needed: Collection[int]) -> bool:
    """Whether a word without a mark below it stays with the word that it hangs on."""
    dep, head = child.dep_, child.head
    if dep in _GONE:
        return False
    if dep == "punct":
        return head.dep_ == "ROOT" and child.tag_ == "."
    if dep in ("cc", "preconj"):
        return _joins_kept(child, needed)
    if dep in (*_LIMITS, "relcl", "acl") and child.i > head.i and not is_set_off(child) and _is_in_condition(head):
        return True
    if dep in _LIMITS and child.i > head.i and not is_set_off(child) and _is_negated(head):
        return not _is_reason(child)
    if dep == "conj":
        return _conjunct_stays(child)
    if dep in _CLAUSES:
        return _clause_stays(child)
    if dep == "appos":
        return not is_set_off(child) or _is_list(child)
    if dep in ("advmod", "npadvmod"):
        return _adverb_stays(child)
    if dep in ("prep", "agent"):
        return _preposition_stays(child)
    return not (dep == "dep" and head.pos_ in VERBS and child.pos_ in ("VERB", "ADV", "INTJ"))


def _is_negated(verb: Token) -> bool:
    """Whether a clause denies something, so that without where and when it would deny more."""
    if verb.pos_ not in VERBS:
        return False
    denying = list_words("nouns", "denying")
    for word in verb.children:
        if word.dep_ == "neg" or word.lower_ in denying:
            return True
        if word.dep_ in (*SUBJECTS, "dobj", "attr") and any(other.lower_ in denying for other in word.lefts):
            return True
    return False


def _is_in_condition(word: Token) -> bool:
    """Whether a word stands in a condition, which without all of its limits would be another."""
    for clause in (word, *word.ancestors):
        if clause.dep_ == "advcl" and _find_conjunction(clause) in list_words("clauses", "conditions"):
            return True
    return False


def _find_conjunction(clause: Token) -> str:
    """What a clause begins with: `if`, `when`; nothing where it has no conjunction."""
    return next((word.lower_ for word in clause.children if word.dep_ in ("mark", "advmod")), "")


def _is_reason(clause: Token) -> bool:
    """Whether a clause says why, and does not limit what another says."""
    return any(word.dep_ == "mark" and word.lower_ in list_words("clauses", "reasons") for word in clause.lefts)


def is_set_off(word: Token) -> bool:
    """Whether a comma, a dash or a bracket parts a phrase or clause from its head."""
    doc, edge = word.doc, word.left_edge.i
    if word.i < word.head.i:
        after = word.right_edge.i + 1
        return after < len(doc) and doc[after].text == ","
    return doc[edge].text in _OPENING_MARKS or (edge > 0 and doc[edge - 1].text in _OPENING_MARKS)


def _joins_kept(joint: Token, needed: Collection[int]) -> bool:
    """Whether what an `and` joins stays."""
    others = [other for other in joint.head.children if other.dep_ == "conj" and other.i > joint.i]
    if not others and joint.i > joint.sent.start:
        return True  # what it joins was parsed as something else, and stays
    return any(other.i in needed or _conjunct_stays(other) for other in others)


def _conjunct_stays(child: Token) -> bool:
    """Whether a joined word stays without a mark.

    It does in a subject, where verbs agree with all of it, in a name, in alternatives and pairs, of which half would
    claim more, after another joined word that stays, which would lack its `and`, and where it takes back what the first
    says.
    """
    first = child.head
    if first.dep_ == "conj" or _takes_back(child):
        return True
    if any(word.dep_ == "mark" and word.lower_ in list_words("clauses", "conditions") for word in child.lefts):
        return True  # `but only if the town pays`
    if first.dep_ in SUBJECTS or first.dep_ in (*_INSIDE, "poss", "acomp", "appos", "attr", "pcomp"):
        return True
    if any(word.dep_ == "preconj" or word.lower_ in ("or", "nor") for word in first.children):
        return True
    if first.dep_ == "pobj" and any(word.lower_ in list_words("prepositions", "of all") for word in first.ancestors):
        return True
    if first.pos_ in _NOUNS and not any(word.dep_ == "cc" for word in (*first.children, *child.children)):
        return True  # what only a comma joins may be one: `streetwise, literate lyrics`
    if first.pos_ in _NOUNS and child.pos_ not in _NOUNS:
        return True  # a parse that joins unlike words is doubtful
    return bool(child.ent_iob_ == "I" and child.ent_type_ == first.ent_type_)


def _takes_back(verb: Token) -> bool:
    """Whether a joined clause says that what the first says is no longer so: `won but was later disqualified`."""
    if verb.pos_ not in VERBS or not any(word.lower_ in ("but", "yet") for word in verb.head.rights if word.i < verb.i):
        return False
    return any(word.lower_ in list_words("adverbs", "afterwards") for word in verb.children)


def _is_list(child: Token) -> bool:
    """Whether an apposition names several, of which its head may be one: `Ann, 33, Bo, 23, and Cy`."""
    return child.head.dep_ in SUBJECTS and any(word.dep_ == "conj" for word in child.children)


def _clause_stays(child: Token) -> bool:
    """Conditions stay; so do clauses that end what would be left open, and those that limit what is said."""
    if _introduces_speech(child):
        return True
    if child.dep_ == "advcl":
        return _adverb_clause_stays(child)
    if child.dep_ == "parataxis":
        return not is_set_off(child)
    head = child.head
    if child.tag_ == "VB" and any(word.lower_ == "to" for word in child.lefts):
        return head.dep_ in ("dobj", "attr", "nsubj", "nsubjpass", "pobj", "appos")
    if child.dep_ == "acl" and any(word.dep_ == "mark" for word in child.lefts) and not list(head.lefts):
        return True  # `for fear that`, `on condition that`
    if child.tag_ == "VBG" and child.dep_ == "acl" and head.dep_ in ("pobj", "dobj"):
        return not is_set_off(child)  # `led to the wall falling`
    if child.dep_ == "acl" and head.dep_ == "dobj" and head.head.lemma_.lower() in list_words("verbs", "causing"):
        return True
    if child.dep_ == "relcl" and any(word.lower_ == "what" for word in child.lefts):
        return True  # `twice what we had planned`
    if child.dep_ == "relcl" and head.dep_ in SUBJECTS and head.tag_ == "NNS":
        return not is_set_off(child)  # `the shops that will close`: the others do not
    return not is_set_off(child) and _is_open(head)


def _adverb_clause_stays(child: Token) -> bool:
    opening = _find_conjunction(child)
    if opening in list_words("clauses", "binding") or _is_inverted(child) or _is_likened(child):
        return True
    if child.lower_ in list_words("clauses", "subjecting"):
        return True
    if child.i < child.head.i:
        return not is_set_off(child) or (opening in list_words("clauses", "cases") and _is_negated(child.head))
    if is_set_off(child):
        return False
    lemma = child.head.lemma_.lower()
    if lemma in list_words("verbs", "causing") or (child.tag_ == "VB" and lemma in list_words("verbs", "steering")):
        return True
    return child.tag_ == "VB" and not _has_complement(child.head)


def _is_likened(clause: Token) -> bool:
    """Whether a clause ends a comparison: `as many boats as we hoped`."""
    if not any(word.lower_ == "as" and word.dep_ == "mark" for word in clause.lefts):
        return False
    return any(word.lower_ == "as" and word.dep_ == "advmod" and word.i < clause.i for word in clause.head.subtree)


def _is_inverted(clause: Token) -> bool:
    """Whether a clause is a condition by its order of words: `Were Ann to go`, `Had Bo known`."""
    opening = clause.doc[clause.left_edge.i]
    subject = next((word.i for word in clause.children if word.dep_ in SUBJECTS), opening.i)
    return (
        opening.lower_ in list_words("verbs", "inverted")
        and opening in (clause, *clause.children)
        and subject > opening.i
    )


def _introduces_speech(child: Token) -> bool:
    """Whether a clause says whose words follow a colon: `telling the paper: 'I hope so'`."""
    after = child.right_edge.i + 1
    return after < len(child.doc) and child.doc[after].text == ":" and child.i > child.head.i


def _is_open(noun: Token) -> bool:
    """Whether a noun without what limits it would claim more: `the first woman to`, `people with`, `children who`."""
    if (
        noun.tag_ in ("PRP", "DT", "WP", "EX", "PRON")
        or noun.pos_ == "PRON"
        or noun.lower_ in list_words("nouns", "open")
    ):
        return True
    if noun.lower_ in list_words("nouns", "limiting"):
        return True  # `the first to`
    before = [word for word in noun.lefts if word.dep_ in ("det", "poss", "amod", "nummod", "predet", "neg")]
    if noun.dep_ == "attr" and noun.tag_ in ("NN", "NNP") and not before:
        return True  # `was member for Leeds`
    limiting = list_words("nouns", "limiting")
    if any(word.lower_ in limiting or word.tag_ in ("JJS", "RBS") for phrase in before for word in phrase.subtree):
        return True
    return noun.tag_ == "NNS" and not any(word.dep_ in ("det", "poss", "nummod") for word in before)


def _has_complement(verb: Token) -> bool:
    return any(child.dep_ in _COMPLEMENTS for child in verb.children)


def _adverb_stays(child: Token) -> bool:
    """Adverbs of degree and number stay, and those without which more would be claimed."""
    head = child.head
    if head.pos_ not in VERBS or head.dep_ in _INSIDE:
        return not (head.dep_ in ("advcl",) and child.lower_ in list_words("adverbs", "loose"))
    if child.dep_ == "npadvmod" and is_set_off(child) and child.i > head.i:
        return False
    if child.dep_ == "npadvmod":
        is_object = child.i > head.i and not _has_complement(head)  # `will spend the next years`
        return child.ent_type_ in _MEASURES or is_object or not is_of_time(child)
    lower = child.lower_
    if lower == "even" and child.i + 1 < len(child.doc) and child.nbor(1).lower_ in ("if", "though", "when"):
        return True
    if child.tag_ == "WRB" or lower in list_words("adverbs", "binding"):
        return True
    if any(word.tag_ == "WRB" for word in child.subtree):  # `how hard she worked`
        return True
    if lower in list_words("adverbs", "loose") or lower.endswith("ly"):
        return False
    if lower in ("late", "early"):
        return False  # it goes with what follows it: `late at night`
    return child.i > head.i or child.i == head.i - 1


def is_of_time(child: Token) -> bool:
    """Whether a phrase says when or how long: `on Monday`, `at the latest`."""
    objects = [word for word in child.children if word.dep_ in ("pobj", "pcomp")] or [child]
    return any(
        word.ent_type_ in ("DATE", "TIME") or word.lower_ in ("earliest", "latest")
        for noun in objects
        for word in (noun, *noun.lefts)
    )


def _preposition_stays(child: Token) -> bool:
    """`of` stays with nouns; with a verb stays what it is governed by, and what ends what it would leave open."""
    head, lower = child.head, child.lower_
    if any(word.lower_ in ("then", "now") for word in child.rights):
        return False  # `Until then`
    if any(word.lower_ in list_words("nouns", "conditions") for word in child.children):
        return True
    if child.i > 0 and child.nbor(-1).lower_ in list_words("prepositions", "narrowing"):
        return True  # `available only to members`
    if lower in list_words("prepositions", "binding") or not any(
        word.dep_ in ("pobj", "pcomp", "prep") for word in child.children
    ):
        return True
    if head.pos_ in VERBS:
        return _stays_with_verb(child)
    if head.pos_ in ("ADJ", "ADV"):
        return head.pos_ == "ADV" or not is_of_time(child)  # `back in 1977`
    if lower in ("of", "between") or head.pos_ in ("NUM", "ADP", "PRON") or head.dep_ == "prep":
        return True
    if head.pos_ == "PROPN" and any(word.text == "The" and word.i > word.sent.start for word in head.lefts):
        return True  # a name such as The Mail on Sunday
    if is_set_off(child):
        return False
    if is_of_time(child):
        return head.tag_ == "NNS" and _is_open(head)  # `children in years 1 to 3`
    if head.dep_ in SUBJECTS and head.tag_ == "NNS":
        return True  # `the rooms on the upper floors`: the others do not
    return _is_open(head) or _is_denied(head) or _is_singled_out(head)


def _is_singled_out(noun: Token) -> bool:
    """Whether a noun stands in what makes another the only or the most: `one of the last keepers in Scotland`."""
    for word in noun.ancestors:
        if word.pos_ in VERBS and word.dep_ not in ("relcl", "acl"):
            return False
        parts = [word, *(noun for part in word.rights if part.lower_ == "of" for noun in part.children)]
        if any(_is_unique(part) for part in parts):
            return True
    return False


def _is_unique(noun: Token) -> bool:
    """Whether a noun has a superlative, or a word such as `first` or `only`, before it."""
    if noun.ent_type_ in ("DATE", "TIME"):
        return False
    unique = list_words("nouns", "unique")
    return any(word.lower_ in unique or word.tag_ in ("JJS", "RBS") for phrase in noun.lefts for word in phrase.subtree)


def _is_denied(noun: Token) -> bool:
    """Whether a noun stands in a clause that denies something."""
    verb = next((word for word in noun.ancestors if word.pos_ in VERBS), None)
    return verb is not None and _is_negated(verb)


def _is_bare(child: Token) -> bool:
    """Whether a preposition has a noun alone after it, with which it means one thing: `in front`, `by mistake`."""
    nouns = [word for word in child.rights if word.dep_ == "pobj"]
    return any(
        word.tag_ == "NN" and word.i == child.i + 1 and not word.ent_type_ and word.n_lefts + word.n_rights == 0
        for word in nouns
    )


def _stays_with_verb(child: Token) -> bool:
    head, lower = child.head, child.lower_
    if child.i < head.i:
        return not is_set_off(child)
    if lower in list_words("prepositions", "directions") and not is_of_time(child):
        return True
    if f"{head.lemma_.lower()} {lower}" in list_words("verbs", "governed") and not is_of_time(child):
        return True
    if child.dep_ == "agent":
        return True  # `was prompted by the reports`
    if lower == "for" and is_of_time(child) and head.lemma_.lower() in list_words("verbs", "lasting"):
        return True
    if _is_bare(child) or (lower in ("from", "off", "above", "below") and child.nbor(-1).ent_type_ == "QUANTITY"):
        return True
    if any(word.lower_ in ("way", "ways") for word in head.children if word.dep_ == "dobj"):
        return not is_of_time(child)  # they made their way through
    if _has_complement(head):
        return False
    others = [word for word in head.rights if word.dep_ == "prep" and not is_of_time(word)]
    return child in others[:1]
