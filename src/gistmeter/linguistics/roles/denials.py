"""What a sentence says did not happen, or may not have: `denied stealing it`, `doubts that he won`, `cleared of fraud`.

A verb in such words has no frame, since a frame says that somebody did it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.roles.words import role_words

if TYPE_CHECKING:
    from spacy.tokens import Token


def is_denied(verb: Token) -> bool:
    """Whether a verb is what another denies, with all that is joined to it or said in it.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["She denied that he paid and left."])
    >>> [word.text for word in doc if word.pos_ == "VERB" and is_denied(word)]
    ['paid', 'left']
    """
    above = verb.head
    if above == verb:
        return False
    if verb.i > above.i and (_is_denied_clause(verb) or _is_rejected_claim(verb) or _is_cleared_charge(verb)):
        return True
    return verb.dep_ in ("conj", "ccomp", "xcomp") and is_denied(above)


def _is_denied_clause(verb: Token) -> bool:
    """`denied that he paid`, `denied paying`; but not `did not deny that he paid`."""
    return verb.dep_ in ("ccomp", "xcomp") and _speaks_against(verb.head, "denials")


def _is_rejected_claim(verb: Token) -> bool:
    """`rejected claims that he paid`."""
    claim = verb.head
    return (
        verb.dep_ in ("acl", "ccomp")
        and claim.lemma_ in role_words("claims")
        and claim.dep_ == "dobj"
        and _speaks_against(claim.head, "rejections")
    )


def _is_cleared_charge(verb: Token) -> bool:
    """`was cleared of paying`."""
    return verb.dep_ == "pcomp" and verb.head.lower_ == "of" and _speaks_against(verb.head.head, "clearings")


def _speaks_against(verb: Token, words: str) -> bool:
    """Whether a verb is one of a list of words and not negated."""
    return verb.lemma_ in role_words(words) and not any(child.dep_ == "neg" for child in verb.children)
