"""Pruning: which words of a parsed sentence stay when only some of its phrases must be said.

What a marked word hangs on stays, up to the verb of the sentence, and with each word that stays what it cannot do
without: its subject and objects, articles, negation, conditions. Modifiers without a mark go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.attributes import NAME_LABELS
from gistmeter.summarize.compression.doubts import is_doubtful
from gistmeter.summarize.compression.modifiers import SUBJECTS, VERBS, is_set_off, modifier_stays
from gistmeter.summarize.compression.quotations import keep_quotations, list_quotations
from gistmeter.summarize.compression.words import list_words
from gistmeter.summarize.compression.writing import is_mark

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from spacy.tokens import Doc, Span, Token

_HYPHENS = frozenset({"-", "/", "–"})
LONGEST_NAME = 9
"""Words of a name of which none is left out."""


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
    whole = _complete_words(doc, remaining)
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


def _complete_words(doc: Doc, remaining: set[int]) -> set[int]:
    """The words that stay, with all that is one with them: `over-prescribed`, `can't`, `9 to 4`, names, quotations."""
    whole = set(remaining)
    for name in doc.ents:
        positions = range(name.start, name.end)
        if name.label_ in NAME_LABELS and len(positions) <= LONGEST_NAME and whole.intersection(positions):
            whole.update(positions)
    for position in range(1, len(doc)):
        if _is_glued(doc, position) and position - 1 in whole:
            whole.add(position)
    for position in range(len(doc) - 1, 0, -1):
        if _is_glued(doc, position) and position in whole:
            whole.add(position - 1)
    for word in doc:
        if word.i in whole and word.dep_ == "relcl" and word.head.i in whole:
            whole.update(range(word.head.i + 1, word.left_edge.i))  # what stands between would be what is meant
    for word in doc:
        if word.i in whole and word.lower_ == "from" and word.head.lemma_.lower() in list_words("verbs", "spanning"):
            whole |= _find_other_end(word)
    for position in range(1, len(doc)):
        if position - 1 in whole and position not in whole and _ends_phrase(doc, position):
            whole.add(position)
    return keep_quotations(doc, whole)


def _find_other_end(start: Token) -> set[int]:
    """The words from `to` on, after `ranging from`."""
    ends = (word for word in start.doc[start.i :] if word.lower_ == "to" and word.dep_ == "prep")
    end = next(ends, None)
    return set() if end is None else {word.i for word in end.subtree}


def _ends_phrase(doc: Doc, position: int) -> bool:
    """Whether a noun directly follows words that describe it, though the parse parts them: `the new kit`."""
    before, word = doc[position - 1], doc[position]
    if word.pos_ == "ADJ" and word.head == before and before.pos_ == "PROPN":
        return True  # `the Youth Cup final`
    if word.pos_ not in ("NOUN", "PROPN") or word.ent_type_ in ("DATE", "TIME") or before.dep_ == "ROOT":
        return False
    if before.tag_ in ("JJ", "PRP$", "DT", "POS"):
        return before.dep_ not in ("acomp", "oprd")
    return (
        before.pos_ in ("NOUN", "PROPN")
        and before.ent_type_ not in ("DATE", "TIME")
        and not _is_subject_of_dropped(word)
    )


def _is_subject_of_dropped(word: Token) -> bool:
    """Whether a noun begins a clause of its own: `the car officers found`."""
    return word.dep_ in SUBJECTS


def _is_glued(doc: Doc, position: int) -> bool:
    """Whether a token is one with that before it: a part of the same word, or of two numbers that a `to` joins."""
    before, word = doc[position - 1], doc[position]
    if _joins_numbers(doc, position) or _joins_numbers(doc, position - 1):
        return True
    if before.whitespace_ or before.is_space or word.is_space:
        return False
    return all(not is_mark(token) or token.text in _HYPHENS for token in (before, word))


def _joins_numbers(doc: Doc, position: int) -> bool:
    """Whether a token is the `to` of a result or a range: without its end, `9 to 4` would be another number."""
    if not 0 < position < len(doc) - 1 or doc[position].lower_ != "to":
        return False
    return bool(doc[position - 1].like_num and doc[position + 1].like_num)


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
    if root.pos_ not in VERBS or any(child.dep_ == "ccomp" and child.i < root.i for child in root.children):
        return
    for child in root.children:
        if (
            child.dep_ == "conj"
            and child.pos_ in VERBS
            and child.tag_ in ("VBD", "VBZ", "VBP")
            and _stands_alone(child)
        ):
            yield child


def _stands_alone(verb: Token) -> bool:
    """Whether a joined clause is understood without the one before it: not `theirs respond`, nor `it shows how`."""
    taking_up = list_words("nouns", "taking up")
    if any(word.lower_ in taking_up for word in verb.children if word.dep_ in SUBJECTS):
        return False
    return not any(
        word.tag_ == "WRB" and word.i > verb.i and word.n_lefts + word.n_rights == 0 for word in verb.children
    )


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
