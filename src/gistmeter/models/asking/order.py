"""The order of a question: the wh-phrase in the place of its phrase, or at the front with the verb turned round.

A subject is asked for in its place (`On Monday, who filed a lawsuit?`). Other phrases go to the front of their clause
where English lets them (`what did Rossi file on Monday`): not out of relative and adverbial clauses, nor out of one of
two joined phrases. There the wh-phrase stays in its place and the sentence keeps its order (`He left after who won?`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gistmeter.models.asking.verbs import (
    AUXILIARIES,
    SUBJECTS,
    find_finite_verb,
    find_subject,
    invert_clause,
    is_plural,
    make_singular,
    make_third_person,
)
from gistmeter.models.asking.wh import find_circumstance_verb
from gistmeter.models.asking.words import asking_words
from gistmeter.models.asking.writing import lower_first_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc, Span, Token

    from gistmeter.models.asking.wh import Gap
    from gistmeter.models.asking.writing import Piece

_MOVED = frozenset({"dobj", "attr", "oprd", "dative", "prep", "agent", "npadvmod", "advmod", "pobj"})
_INSIDE = frozenset({"pobj", "prep", "poss", "compound", "nmod", "amod", "nummod", "quantmod"})
_VERBS = frozenset({"VERB", "AUX"})
_QUOTES = frozenset({"'", '"', "‘", "’", "“", "”", "''", "``"})
_DESCRIBED = frozenset({"which person", "which people", "which thing", "which things"})
"""What stands before `who` or `that`, and is not taken away from it."""
_LEFT_OUT = {"VBG": ("is", "are"), "VBN": ("was", "were")}
"""What a headline leaves out before a participle, in the singular and the plural."""
_TAKE_PREPOSITION = frozenset({"when", "how long", "how much"})
"""Wh-phrases that take their preposition to the front with them."""
_MAX_MOVED_WORDS = 9
"""What is longer than this would be hard to follow at the front."""


class Site(NamedTuple):
    """Where a gap stands: the child of a verb that holds it, the verb, and whether it is deep inside it."""

    top: Token
    verb: Token
    deep: bool


def order_pieces(phrase: Span, gap: Gap) -> list[Piece]:
    """The words of the question, those of the sentence as they are and new ones as text."""
    pieces = _choose_order(phrase, gap)
    if sum(map(_is_quote, phrase.doc[gap.start : gap.end])) % 2:  # half a quotation is gone: the other half goes too
        after = (piece for piece in pieces if not isinstance(piece, str) and piece.i >= gap.end)
        lone = next((piece for piece in after if _is_quote(piece)), None)
        pieces = [piece for piece in pieces if piece is not lone]
    return pieces


def _choose_order(phrase: Span, gap: Gap) -> list[Piece]:
    site = _site(phrase.doc, gap)
    if site is not None and not _is_odd(phrase.sent, gap):
        fronted = _front(phrase.sent, gap, site)
        if fronted is not None:
            return fronted
    return _in_place(phrase, gap, site)


def _in_place(phrase: Span, gap: Gap, site: Site | None) -> list[Piece]:
    sentence, root = phrase.sent, phrase.root
    changed: dict[int, str] = {}
    wh = "whom" if gap.wh == "who" and root.dep_ == "pobj" else gap.wh
    if root.dep_ == "appos" and root.head.i < gap.start - 1:
        wh = _apposition(root, wh)
    if site is not None and site.top.dep_ in SUBJECTS and not site.deep:
        if not gap.plural and not any(child.dep_ == "conj" and child.i >= gap.end for child in root.children):
            changed = _agree_with_wh(site.verb)
        if (left_out := _auxiliary_left_out(site.verb, plural=gap.plural)) is not None:
            wh = f"{wh} {left_out}"
    for clause in root.rights:  # A headline read as a noun: `Boxer given a year's ban`.
        if root.dep_ == "ROOT" and clause.dep_ == "acl" and clause.i == gap.end and clause.tag_ in _LEFT_OUT:
            wh = f"{wh} {_LEFT_OUT[clause.tag_][gap.plural]}"
    return _replace_gap(sentence.doc, sentence, gap, wh, changed)


def _front(sentence: Span, gap: Gap, site: Site) -> list[Piece] | None:
    """The question with the wh-phrase before its verb's subject; none where English does not let it go there."""
    subject_asked = site.top.dep_ in SUBJECTS
    if gap.wh in _DESCRIBED or (site.top.dep_ not in _MOVED and not (subject_asked and not site.deep)):
        return None
    if any(
        child.dep_ in ("conj", "cc", "appos") and child.i >= gap.end for child in sentence.doc[gap.end - 1].children
    ):
        return None
    verb, dropped = _highest(site.verb, subject_asked=subject_asked)
    if verb is None or (subject_asked and (verb == site.verb or site.top.right_edge.i >= gap.end)):
        return None
    subject = find_subject(verb)
    if (
        subject is None
        or subject.tag_ in ("WP", "WDT", "WRB")
        or subject.left_edge.i <= site.top.i <= subject.right_edge.i
    ):
        return None
    turned = invert_clause(verb, subject)
    moved = _movable_words(sentence.doc, gap, site)
    if turned is None or moved is None:
        return None
    start, end, lead = moved
    gone = {*turned.gone, *range(start, end), *dropped}
    changed = {} if turned.verb is None else {verb.i: turned.verb}
    if subject_asked and not gap.plural:
        changed |= _agree_with_wh(site.verb)
    helper = turned.text
    if subject.dep_ == "expl" and site.top.dep_ == "attr" and not gap.plural:
        helper = {"were": "was", "are": "is", "'re": "is", "have": "has"}.get(helper, helper)
    first, last = subject.left_edge.i, subject.right_edge.i
    before = [word for word in sentence.doc[sentence.start : first] if word.i not in gone]
    if start < first and before and before[-1].text == "," and end < first:
        before.pop()
    after = [word for word in sentence.doc[last + 1 : sentence.end] if word.i not in gone]
    held = list(sentence.doc[first : last + 1])
    return [*before, *lead, helper, *lower_first_word(held, first == sentence.start), *_apply_changes(after, changed)]


def _site(doc: Doc, gap: Gap) -> Site | None:
    top = doc[gap.start : gap.end].root
    deep = False
    if (
        top.dep_ == "prep" and (verb := find_circumstance_verb(top)) is not None
    ):  # `when` and `where` with their preposition
        return Site(top, verb, deep)
    while top.head.pos_ not in _VERBS or top.head.dep_ in AUXILIARIES:
        if top.dep_ not in _INSIDE or top.head == top:
            return None
        deep = deep or top.dep_ != "pobj" or top.head.dep_ == "pobj"
        top = top.head
        if top.dep_ == "prep" and top.head.pos_ == "ADJ" and top.head.dep_ in ("acomp", "ROOT"):
            return Site(top, top.head.head, deep)
    return None if top.head == top else Site(top, top.head, deep)


def _movable_words(doc: Doc, gap: Gap, site: Site) -> tuple[int, int, list[Piece]] | None:
    """Which words go to the front, and as what."""
    top = site.top
    if site.deep and top.dep_ == "attr":
        return None
    if site.deep:
        start, end = top.left_edge.i, top.right_edge.i + 1
        inside = [word for word in doc[start:end] if not gap.start <= word.i < gap.end]
        if end - start > _MAX_MOVED_WORDS or any(
            word.pos_ in _VERBS or word.dep_ in ("conj", "appos") for word in inside
        ):
            return None
        lead = [*lower_first_word(list(doc[start : gap.start]), start == top.sent.start), gap.wh, *doc[gap.end : end]]
        return start, end, lead
    if top.dep_ in ("prep", "agent") and top.i < gap.start:
        takes_preposition = top.lower_ in asking_words("prepositions", "taken_along") or gap.wh in _TAKE_PREPOSITION
        follows_another = any(word.dep_ == "prep" for word in doc[top.head.i + 1 : top.i])
        if takes_preposition or follows_another or gap.end <= top.head.i:
            wh = "whom" if gap.wh == "who" else gap.wh
            middle = list(doc[top.i : gap.start])
            return top.i, gap.end, [*lower_first_word(middle, top.i == top.sent.start), wh]
    return gap.start, gap.end, [gap.wh]


def _highest(verb: Token, *, subject_asked: bool) -> tuple[Token | None, set[int]]:
    """The verb before whose subject the wh-phrase may stand, and the words lost on the way (`that`)."""
    dropped: set[int] = set()
    while True:
        if any(child.dep_ == "conj" and child.pos_ in _VERBS for child in verb.children):
            return None, dropped
        above = verb.head
        if verb.dep_ == "xcomp" or (verb.dep_ == "ccomp" and above.i < verb.i):
            marks = [child for child in verb.lefts if child.dep_ in ("mark", "advmod") and child.i == verb.left_edge.i]
            if verb.dep_ == "ccomp" and not _is_infinitive(verb):
                if above.lemma_ not in asking_words("verbs", "bridges") or any(mark.lower_ != "that" for mark in marks):
                    return None, dropped
                if subject_asked:
                    dropped |= {mark.i for mark in marks}
                    if any(word.text in (":", ",", *_QUOTES) for word in verb.doc[above.i + 1 : verb.left_edge.i + 1]):
                        return None, dropped
            verb = above.head if above.pos_ == "ADJ" else above
        elif (
            verb.dep_ == "pcomp"
            and above.head.pos_ in _VERBS
            and above.dep_ == "prep"
            and above.lower_ in ("of", "for")
        ):
            verb = above.head
        else:
            break
        if verb.pos_ not in _VERBS:
            return None, dropped
    return (verb if _may_turn(verb) else None), dropped


def _is_infinitive(verb: Token) -> bool:
    return any(child.dep_ == "aux" and child.lower_ == "to" for child in verb.lefts)


def _may_turn(verb: Token) -> bool:
    if verb.dep_ == "ROOT":
        return True
    if verb.dep_ == "ccomp" and verb.i < verb.head.i:  # `It rained, he said`
        return verb.head.dep_ == "ROOT"
    return bool(verb.dep_ == "conj" and verb.head.dep_ == "ROOT" and find_subject(verb) is not None)


def _is_odd(sentence: Span, gap: Gap) -> bool:
    """Whether a sentence asks already, or the gap stands in a quotation that is not all of it."""
    if any(word.text == "?" for word in sentence):
        return True
    return sum(map(_is_quote, sentence.doc[sentence.start : gap.start])) % 2 == 1


def _is_quote(word: Token) -> bool:
    return word.text in _QUOTES and word.tag_ != "POS"


def _agree_with_wh(verb: Token) -> dict[int, str]:
    """A verb and those joined to it as they follow `who`; a copula keeps the number of what follows it."""
    if any(child.dep_ == "attr" and is_plural(child) for child in verb.rights):
        return {}
    joined = [
        child for child in verb.rights if child.dep_ == "conj" and child.pos_ in _VERBS and not find_subject(child)
    ]
    finite = [find_finite_verb(coordinate) for coordinate in (verb, *joined)]
    changed = {word.i: text for word in finite if (text := make_singular(word)) is not None}
    if verb.i in changed:  # The parser takes the second of two present forms for a plain one.
        plain = [child for child in joined if child.tag_ == "VB" and find_finite_verb(child) == child]
        changed |= {child.i: make_third_person(child.lower_) for child in plain}
    return changed


def _auxiliary_left_out(verb: Token, *, plural: bool) -> str | None:
    """The auxiliary that a headline leaves out: `Heroes assisting in relief efforts`."""
    if verb.dep_ != "ROOT" or find_finite_verb(verb) != verb:
        return None
    return _LEFT_OUT[verb.tag_][plural] if verb.tag_ in _LEFT_OUT else None


def _apposition(root: Token, wh: str) -> str:
    """What asks for an apposition: `Rossi, who is what, ...`."""
    if wh in ("how old", "when", "where", "in what place"):
        return wh
    relative = "who" if wh == "who" or root.head.ent_type_ == "PERSON" else "which"
    shown = "what" if wh == "who" and root.pos_ != "PROPN" else wh
    return f"{relative} {'are' if is_plural(root.head) else 'is'} {shown}"


def _replace_gap(doc: Doc, sentence: Span, gap: Gap, wh: str, changed: dict[int, str]) -> list[Piece]:
    before = _apply_changes(doc[sentence.start : gap.start], changed)
    return [*before, wh, *_apply_changes(doc[gap.end : sentence.end], changed)]


def _apply_changes(tokens: Iterable[Token], changed: dict[int, str]) -> list[Piece]:
    return [changed.get(word.i, word) for word in tokens]
