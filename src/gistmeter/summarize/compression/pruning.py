"""Pruning: which words of a parsed sentence stay when only some of its phrases must be said.

What a marked word hangs on stays, up to the verb of the sentence, and with each word that stays what it cannot do
without: its subject and objects, articles, negation, conditions. Modifiers without a mark go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.agreeing import agrees
from gistmeter.summarize.compression.completing import complete_words
from gistmeter.summarize.compression.doubts import is_doubtful
from gistmeter.summarize.compression.modifiers import SUBJECTS, VERBS, is_set_off, modifier_stays
from gistmeter.summarize.compression.quotations import list_quotations
from gistmeter.summarize.compression.words import list_words
from gistmeter.summarize.compression.writing import is_mark

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from spacy.tokens import Doc, Span, Token


def prune_sentence(doc: Doc, marked: Collection[int], *, gently: bool = False) -> list[int]:
    """The positions of the words that stay, in order; without a mark, those of the bare main clause.

    A sentence whose parse is doubtful stays whole, and so does every quotation of which a word stays. `gently` leaves
    out only clauses and appositions that commas set off.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["On Monday, Ann Lee, a nurse, quietly opened a shop in Rome."], entities=True)
    >>> " ".join(doc[position].text for position in prune_sentence(doc, {12, 13}))
    'Ann Lee opened a shop in Rome .'
    """
    marks = frozenset(marked)
    remaining: set[int] = set()
    sentences = list(doc.sents)
    holding = [sent for sent in sentences if any(word.i in marks for word in sent)]
    for sent in holding or sentences[:1]:
        remaining |= _all(sent) if is_doubtful(sent) else _prune_tree(sent, marks, gently=gently)
    whole = complete_words(doc, remaining)
    return drop_loose_ends(doc, sorted(whole - _find_asides(doc, marks)))


def _find_asides(doc: Doc, marks: frozenset[int]) -> set[int]:
    """What stands in round brackets, unless something of it is marked or quoted."""
    quoted = frozenset().union(*(quotation.words for quotation in list_quotations(doc)))
    asides: set[int] = set()
    opened: int | None = None
    for word in doc:
        if word.text == "(":
            opened = word.i
        elif word.text == ")" and opened is not None:
            inside = range(opened, word.i + 1)
            asides.update(inside if not marks.intersection(inside) and not quoted.intersection(inside) else ())
            opened = None
    return asides


def drop_loose_ends(doc: Doc, remaining: list[int]) -> list[int]:
    """The words that stay without an `and` at either end, which joined them to something else."""
    words = [position for position in remaining if not is_mark(doc[position]) and not doc[position].is_space]
    while words and _is_joint(doc[words[0]]):
        remaining.remove(words.pop(0))
    while words and _is_joint(doc[words[-1]]):
        remaining.remove(words.pop())
    return remaining


def _is_joint(word: Token) -> bool:
    """Whether a word joins others, and does not announce two: `Neither Ann nor Bo`."""
    return word.tag_ == "CC" and word.lower_ not in list_words("nouns", "announcing")


def _prune_tree(sent: Span, marks: frozenset[int], *, gently: bool) -> set[int]:
    """The shortest of the ways to begin: with the main verb, or with one that is joined to it."""
    needed = _find_needed(sent, marks)
    ways = []
    for head in [sent.root] if gently else _list_heads(sent.root):
        if all(
            _is_below(position, head, sent.doc) or position in _shared_words(head) for position in marks & _all(sent)
        ):
            remaining: set[int] = set()
            stays = _stays_gently if gently else modifier_stays
            _keep_word(head, needed, remaining, stays)
            for word in _list_shared(head):
                _keep_word(word, needed, remaining, stays)
            ways.append(remaining)
    return min(ways, key=len)


def _all(sent: Span) -> frozenset[int]:
    return frozenset(word.i for word in sent)


def _find_needed(sent: Span, marks: frozenset[int]) -> set[int]:
    """The marked words and all that they hang on."""
    needed: set[int] = set()
    for word in sent:
        if word.i in marks:
            needed.add(word.i)
            needed.update(ancestor.i for ancestor in word.ancestors)
    return needed


def _list_heads(root: Token) -> Iterator[Token]:
    """The main verb, and the verbs joined to it that can stand without it."""
    yield root
    if root.pos_ not in VERBS or any(_holds_for_all(child) for child in root.lefts):
        return
    is_passive = any(child.dep_ == "auxpass" for child in root.lefts)
    for child in root.children:
        if (
            child.dep_ == "conj"
            and child.pos_ in VERBS
            and child.tag_ in ("VBD", "VBZ", "VBP")
            and _stands_alone(child)
            and not (is_passive and child.tag_ == "VBD" and not _has_own(child))  # `was sent but returned`
        ):
            yield child


def _holds_for_all(child: Token) -> bool:
    """Whether what stands before the main verb belongs to the verbs joined to it, too: what was said, `According to`,
    conditions."""
    if child.dep_ == "ccomp":
        return True
    return child.dep_ in ("prep", "advcl") and is_set_off(child) and modifier_stays(child, ())


def _has_own(verb: Token) -> bool:
    """Whether a joined verb has a subject, an object or a helping verb of its own."""
    return any(child.dep_ in (*SUBJECTS, "aux", "auxpass", "dobj") for child in verb.children)


def _stands_alone(verb: Token) -> bool:
    """Whether a joined clause is understood without the one before it: not `theirs respond`, nor `it shows how`."""
    taking_up = list_words("nouns", "taking up")
    if any(word.lower_ in taking_up for word in verb.children if word.dep_ in SUBJECTS):
        return False
    if any(word.lower_ in ("this", "that") and word.tag_ == "DT" and word.dep_ != "det" for word in verb.subtree):
        return False
    if any(word.lower_ in ("it", "its", "they", "them", "their") and _means_other(word, verb) for word in verb.subtree):
        return False
    return not any(
        word.tag_ == "WRB" and word.i > verb.i and word.n_lefts + word.n_rights == 0 for word in verb.children
    )


def _means_other(pronoun: Token, verb: Token) -> bool:
    """Whether a pronoun after a joined verb means nothing that stands in its clause, nor its subject."""
    before = [word for word in verb.subtree if word.i < pronoun.i and word.dep_ in (*SUBJECTS, "dobj")]
    nouns = [word for word in (*_list_shared(verb), *before) if word.pos_ in ("NOUN", "PROPN")]
    return not any(agrees(pronoun, word, [word.lower_]) for word in nouns)


def _list_shared(head: Token) -> list[Token]:
    """The subject that a joined verb has from the verb before it, where it has none of its own."""
    if head.dep_ != "conj" or any(child.dep_ in SUBJECTS for child in head.children):
        return []
    return [child for child in head.head.children if child.dep_ in SUBJECTS]


def _shared_words(head: Token) -> frozenset[int]:
    return frozenset(word.i for subject in _list_shared(head) for word in subject.subtree)


def _is_below(position: int, head: Token, doc: Doc) -> bool:
    word = doc[position]
    return word == head or head in word.ancestors


def _keep_word(
    word: Token, needed: Collection[int], remaining: set[int], stays: Callable[[Token, Collection[int]], bool]
) -> None:
    """Keep a word with all that it needs."""
    remaining.add(word.i)
    for child in word.children:
        if child.i in remaining:
            continue
        if child.i in needed or stays(child, needed):
            _keep_word(child, needed, remaining, stays)


def _stays_gently(child: Token, needed: Collection[int]) -> bool:
    """Whether a word stays where only what commas set off is left out."""
    return not is_set_off(child) or modifier_stays(child, needed)
