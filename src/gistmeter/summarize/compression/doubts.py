"""Doubts: sentences whose parse cannot be trusted, so that nothing is left out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.modifiers import SUBJECTS, VERBS
from gistmeter.summarize.compression.words import list_words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_FINITE = ("VBD", "VBZ", "VBP")
_NO_CLAUSES = frozenset({"amod", "acl", "compound", "nmod", "pobj", "dobj", "appos", "npadvmod", "nsubj"})
_CLAUSES = frozenset({"ROOT", "ccomp", "advcl", "relcl", "acl"})
_HELPERS = frozenset({"aux", "auxpass"})
_NO_SUBJECTS = ("VB", "UH", "RB", "IN", "MD")
MOST_WORDS = 75
"""Words of a sentence beyond which the parse of an article is most often wrong, since it is several sentences."""


def is_doubtful(sent: Span) -> bool:
    """Whether a parse has what English has not, such as a verb with two subjects.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> title, plain = load_parser().parse(["A hole in the wall of the town.", "Ann ripped a hole."])
    >>> [is_doubtful(next(doc.sents)) for doc in (title, plain)]
    [True, False]
    """
    if len(sent) > MOST_WORDS or not _is_clause(sent.root):
        return True
    return any(_is_odd(word) for word in sent)


def _is_clause(root: Token) -> bool:
    """Whether the root is a finite verb, or an order; captions and titles have none."""
    if root.pos_ not in VERBS:
        return False
    if root.tag_ in ("VBN", "VBG"):
        return any(child.dep_ in ("aux", "auxpass") for child in root.children)
    return True


def _is_odd(word: Token) -> bool:
    if word.pos_ in VERBS:
        subjects = [child for child in word.lefts if child.dep_ in SUBJECTS and child.dep_ != "expl"]
        if len(subjects) > 1 and not all(child.dep_ == "csubj" for child in subjects):
            return True
    if word.tag_ in _FINITE and word.dep_ in _NO_CLAUSES and not _has_subject(word):
        return True
    if word.dep_ == "conj" and word.tag_ in _FINITE and word.head.tag_ in _FINITE and not _is_joined(word):
        return True
    if word.dep_ in ("nsubj", "nsubjpass") and word.tag_ in _NO_SUBJECTS:
        return True
    if word.dep_ in _CLAUSES and _is_finite(word) and not _has_subject(word):
        return True
    root = word.sent.root
    if word.dep_ == "appos" and root.pos_ in VERBS and word.head.i < root.i < word.i:
        return True  # `She married twice: first Ann, then Bo`
    if word.dep_ == "conj" and word.head.dep_ != "advcl" and any(_is_subordinate(child) for child in word.lefts):
        return True  # `by accident or before he knew`
    if word.dep_ == "prep" and word.n_lefts + word.n_rights == 0 and _precedes_clause(word):
        return True  # `locked the door before 'quietly' leaving`
    if sum(child.dep_ == "relcl" for child in word.children) > 1:
        return True
    if word.dep_ in ("ccomp", "advcl") and word.i < word.head.i and _opens_with_preposition(word):
        return True
    if word.lower_ == "as" and word.head.dep_ == "pobj" and _is_governed(word):
        return True  # `described her at the time as a nurse`
    return word.dep_ == "prep" and word.head.pos_ == "PROPN" and word.tag_ == "RB"


def _is_governed(word: Token) -> bool:
    """Whether a verb above a preposition demands it, though the parse lets it hang on a noun between them."""
    verbs = (ancestor for ancestor in word.ancestors if ancestor.pos_ in VERBS)
    verb = next(verbs, None)
    return verb is not None and f"{verb.lemma_.lower()} {word.lower_}" in list_words("verbs", "governed")


def _is_subordinate(word: Token) -> bool:
    return word.dep_ == "mark" and word.lower_ not in ("that", "to", "whether", "if")


def _precedes_clause(word: Token) -> bool:
    """Whether a clause begins after a word and the marks that follow it, and hangs on the same verb."""
    following = next((token for token in word.doc[word.i + 1 :] if not token.is_punct), None)
    return following is not None and any(
        clause.dep_ == "advcl" and clause.left_edge.i <= following.i <= clause.right_edge.i
        for clause in word.head.rights
    )


def _is_finite(word: Token) -> bool:
    return word.tag_ in _FINITE or any(child.tag_ in (*_FINITE, "MD") for child in word.lefts if child.dep_ in _HELPERS)


def _has_subject(word: Token) -> bool:
    return any(child.dep_ in SUBJECTS for child in word.children)


def _is_joined(word: Token) -> bool:
    """Whether a conjunction stands between a verb and the one that it is joined to, or a comma before a new subject."""
    between = word.doc[word.head.i + 1 : word.i]
    if any(token.tag_ == "CC" or token.text in (";", "–", "—", "--", ":") for token in between):
        return True
    in_list = any(child.dep_ in ("conj", "cc") for child in word.children)
    return any(token.text == "," for token in between) and (in_list or _has_subject(word))


def _opens_with_preposition(clause: Token) -> bool:
    """Whether a clause before its verb begins with a preposition before its own `that`: `Despite talk that she`."""
    subject = next((child.i for child in clause.lefts if child.dep_ in SUBJECTS), clause.i)
    return any(
        child.dep_ == "prep"
        and child.i < subject
        and any(word.lower_ == "that" for word in clause.doc[child.i : subject])
        for child in clause.lefts
    )
