"""Frames from a dependency parse: the verbs of a sentence, and who each of them is said of.

The words of an argument are those of `arguments`. A verb without a subject of its own takes the one that
grammar gives it: of the verb it is joined to (`he came and saw`), of the clause above (`after seeing it`), the
object of that clause (`asked him to go`), or the noun it describes (`the man seen there`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.roles.arguments import (
    SUBJECTS,
    Argument,
    find_antecedent,
    find_arguments,
    find_verb_end,
    has_subject,
    make_phrase_argument,
    split_arguments,
)
from gistmeter.linguistics.roles.denials import is_denied
from gistmeter.linguistics.roles.words import role_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Token

OBJECTS = ("dobj", "dative")
MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb and its arguments as (start, end) spans of words; a negation straight after the verb is part of it."""

    verb: tuple[int, int]
    before: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]


def find_frames(doc: Doc) -> tuple[Frame, ...]:
    """The frames of all verbs that are not auxiliaries and not denied, in the order of the verbs."""
    return tuple(_make_frame(word) for word in doc if _is_predicate(word) and not is_denied(word))


def _is_predicate(word: Token) -> bool:
    """Whether a word is a verb with a frame of its own: no auxiliary, no modal, no verb that only colours the next."""
    if word.pos_ not in ("VERB", "AUX") or word.tag_ == "MD" or word.dep_ in ("aux", "auxpass", "compound"):
        return False
    if word.dep_ == "amod":
        return _is_hyphened(word)
    if word.lower_ == "aged" or (word.lemma_ == "be" and any(_is_participle(child) for child in word.rights)):
        return False
    return not (word.lower_ in role_words("light") and any(_is_infinitive(child) for child in word.rights))


def _is_infinitive(word: Token) -> bool:
    return word.dep_ == "xcomp" and any(child.dep_ == "aux" and child.tag_ == "TO" for child in word.lefts)


def _is_participle(word: Token) -> bool:
    """Whether a word is a participle that the parser took for an adjective after `be`: `is handcuffed`."""
    return word.dep_ == "acomp" and word.pos_ == "VERB"


def _is_hyphened(word: Token) -> bool:
    """Whether a word is a participle between a word with a hyphen and its noun: `rebel-held districts`."""
    return word.i >= 2 and word.nbor(-1).text == "-" and word.nbor(-1).tag_ == "HYPH" and word.head.i > word.i


def _make_frame(verb: Token) -> Frame:
    end = find_verb_end(verb)
    if verb.dep_ == "amod":
        noun = verb.head.i + 1
        return Frame((verb.i, end), ((verb.i - 2, verb.i - 1),), ((end, noun),) if noun > end else ())
    before, after = split_arguments([*_find_before(verb), *_find_after(verb)], verb.i, end)
    return Frame((verb.i, end), before, after)


def _find_before(verb: Token, depth: int = 0) -> list[Argument]:
    """The arguments before a verb: its own, and those it takes from elsewhere."""
    own = [argument for argument in find_arguments(verb) if argument.start < verb.i]
    if verb.dep_ == "relcl":
        return [*_find_described_noun(verb), *_find_strayed_arguments(verb), *own]
    if has_subject(verb) or depth > MAX_DEPTH:
        return own
    return [*_borrow_subject(verb, depth), *own]


def _find_described_noun(verb: Token) -> list[Argument]:
    """The noun of a relative clause, unless it belongs to a clause further in: `treatments they hope will work`."""
    return [] if any(_lacks_subject(child) for child in verb.rights) else find_antecedent(verb)


def _lacks_subject(word: Token) -> bool:
    """Whether a clause with a finite verb has no subject at all."""
    finite = word.tag_ in ("VBZ", "VBP", "VBD") or any(
        child.tag_ in ("MD", "VBZ", "VBP", "VBD") for child in word.lefts
    )
    return word.dep_ == "ccomp" and finite and not has_subject(word)


def _find_strayed_arguments(verb: Token) -> list[Argument]:
    """Words before the first of two joined verbs that the parser gave to the second: `where he lived and died`."""
    seconds = [second for second in verb.rights if second.dep_ == "conj"]
    return [argument for second in seconds for argument in find_arguments(second) if argument.end <= verb.i]


def _borrow_subject(verb: Token, depth: int) -> list[Argument]:
    if verb.dep_ == "conj":
        return _share_arguments(verb, depth)
    if verb.dep_ == "acl":
        return find_antecedent(verb)
    controller = _find_controller(verb, depth)
    return [argument for argument in controller if argument.end <= verb.i]


def _share_arguments(verb: Token, depth: int) -> list[Argument]:
    """What the first of two joined verbs has before it, except `not`, and its modal when the second has its own."""
    first = verb.head
    if first.pos_ not in ("VERB", "AUX"):
        return []
    left_out = {"neg", "ccomp"}
    if any(child.dep_ in ("aux", "auxpass") for child in verb.lefts):
        left_out.add("aux")
    return [
        argument
        for argument in _find_before(first, depth + 1)
        if argument.dep not in left_out and argument.end <= first.i
    ]


def _find_controller(verb: Token, depth: int) -> list[Argument]:
    """Who does what a clause without a subject of its own says: the object or the subject of the clause above."""
    above = verb.head
    if verb.dep_ == "pcomp" and above.dep_ == "prep":
        clause = above.head
        if clause.pos_ not in ("VERB", "AUX"):
            return []
        if above.lower_ in role_words("object_control") and (controller := _find_object(clause, verb)):
            return controller
        return _find_subject(clause, depth + 1)
    if verb.dep_ not in ("xcomp", "ccomp", "advcl", "acomp") or above.pos_ not in ("VERB", "AUX"):
        return []
    if _lacks_subject(verb):
        return find_antecedent(above) if above.dep_ == "relcl" else []
    if (
        verb.dep_ == "xcomp"
        and above.lemma_ not in role_words("subject_control")
        and (controller := _find_object(above, verb))
    ):
        return controller
    return _find_subject(above, depth + 1)


def _find_object(clause: Token, verb: Token) -> list[Argument]:
    return [make_phrase_argument(child) for child in clause.rights if child.dep_ in OBJECTS and child.i < verb.i][-1:]


def _find_subject(clause: Token, depth: int) -> list[Argument]:
    """The subject of a clause, its own or the one it borrows; of a relative clause the noun it describes."""
    own = [child for child in clause.lefts if child.dep_ in SUBJECTS]
    if own and own[-1].tag_ in ("WDT", "WP"):
        return find_antecedent(clause)
    if own:
        return [make_phrase_argument(own[-1])]
    if has_subject(clause):
        return []
    if depth > MAX_DEPTH:
        return []
    if clause.dep_ == "conj" and clause.head.pos_ in ("VERB", "AUX"):
        return _find_subject(clause.head, depth + 1)
    return find_antecedent(clause) if clause.dep_ == "acl" else _find_controller(clause, depth)


def _find_after(verb: Token) -> Iterator[Argument]:
    """The arguments after a verb, with those that joined verbs share: `was taken and sold in May`."""
    yield from (argument for argument in find_arguments(verb) if argument.end > verb.i)
    if verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        last = verb.right_edge.i
        yield from (
            argument for argument in find_arguments(verb.head) if argument.start > last and argument.dep != "ccomp"
        )
    for second in verb.conjuncts:
        if second.head == verb and second.i == verb.i + 2 and _is_passive(verb) and not _is_passive(second, own=True):
            yield from (argument for argument in find_arguments(second) if argument.start > second.i)


def _is_passive(verb: Token, *, own: bool = False) -> bool:
    return any(child.dep_ in ("aux", "auxpass") if own else child.dep_ == "auxpass" for child in verb.lefts)
