"""Verbs in questions: their number, their plain form, and the auxiliary that stands before the subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gistmeter.models.asking.words import asking_word_pairs

if TYPE_CHECKING:
    from spacy.tokens import Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
AUXILIARIES = frozenset({"aux", "auxpass"})
_NEGATIONS = frozenset({"n't", "n’t", "nt"})
_PLURAL = frozenset({"NNS", "NNPS"})


class Inversion(NamedTuple):
    """What goes before the subject; which words are gone from where they stood; what the verb is written as."""

    text: str
    gone: frozenset[int]
    verb: str | None


def find_subject(verb: Token) -> Token | None:
    """A verb's own subject, before it."""
    return next((child for child in verb.lefts if child.dep_ in SUBJECTS), None)


def find_finite_verb(verb: Token) -> Token:
    """The word that carries the number of a verb: its first auxiliary, or itself."""
    return next((child for child in verb.lefts if child.dep_ in AUXILIARIES), verb)


def invert_clause(verb: Token, subject: Token) -> Inversion | None:
    """How a clause asks: its own auxiliary before the subject, or a form of `do`; none where neither can be."""
    helpers = [child for child in verb.lefts if child.dep_ in AUXILIARIES and child.i > subject.right_edge.i]
    if helpers or _is_be(verb):
        first = helpers[0] if helpers else verb
        if first.lower_ == "to":
            return None
        gone, text = {first.i}, expand_contraction(first)
        if first.i + 1 < len(verb.doc) and first.nbor(1).lower_ in _NEGATIONS:
            gone.add(first.i + 1)
            text = first.lower_ + first.nbor(1).lower_
        return Inversion(text, frozenset(gone), None)
    if verb.tag_ == "VBG":  # A headline: `Heroes assisting in relief efforts`.
        return Inversion("are" if is_plural(subject) else "is", frozenset(), None)
    by = any(child.dep_ == "agent" or child.lower_ == "by" for child in verb.rights)
    if verb.tag_ == "VBN" and (subject.dep_ == "nsubjpass" or by or verb.lower_.endswith("n")):
        return Inversion("were" if is_plural(subject) else "was", frozenset(), None)
    helper = {"VBD": "did", "VBN": "did", "VBZ": "does", "VBP": "do"}.get(verb.tag_)
    return None if helper is None else Inversion(helper, frozenset(), verb.lemma_.lower())


def expand_contraction(word: Token) -> str:
    """An auxiliary in lower case, without contraction."""
    text = word.lower_.replace("’", "'")
    if not text.startswith("'"):
        return {"wo": "will", "ca": "can", "sha": "shall"}.get(text, text)
    if text == "'d":
        return "would" if word.tag_ == "MD" else "had"
    if text == "'s":
        active = word.dep_ == "aux" or any(child.dep_ == "dobj" for child in word.head.rights)
        return "has" if active and word.head.tag_ == "VBN" else "is"
    return {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}.get(text, text)


def make_singular(word: Token) -> str | None:
    """A present or past form as it follows `who` or `what`; none if it is that already.

    Only verbs that show a number: `were`, `are`, `have`, `do` and plain present forms.
    """
    text = word.lower_.replace("’", "'")
    irregular = asking_word_pairs("verbs", "third")
    if text in irregular and (word.tag_ in ("VBP", "VBD") or text in ("am", "'re")):
        return irregular[text]
    return make_third_person(text) if word.tag_ == "VBP" else None


def make_third_person(verb: str) -> str:
    """The present tense that follows `he`.

    >>> [make_third_person(verb) for verb in ("try", "go", "pass", "play", "have")]
    ['tries', 'goes', 'passes', 'plays', 'has']
    """
    irregular = asking_word_pairs("verbs", "third").get(verb)
    if irregular is not None:
        return irregular
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "i", "o", "u"):
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def is_plural(noun: Token) -> bool:
    """Whether a noun takes a plural verb."""
    joined = any(child.dep_ == "conj" for child in noun.children)
    return joined or noun.tag_ in _PLURAL or noun.lower_ in ("they", "we", "these", "those", "police", "people")


def _is_be(verb: Token) -> bool:
    return bool(verb.lemma_ == "be" and verb.tag_ in ("VBD", "VBZ", "VBP")) or verb.lower_ in (
        "is",
        "are",
        "was",
        "were",
    )
