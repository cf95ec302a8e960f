"""Pruning: which words of a parsed sentence stay when only some of its phrases must be said.

What a marked word hangs on stays, up to the verb of the sentence, and with each word that stays what it cannot do
without: its subject and objects, articles, negation, conditions. Modifiers without a mark go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.words import list_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from spacy.tokens import Doc, Span, Token

_CLAUSES = frozenset({"advcl", "relcl", "acl", "parataxis"})
_GONE = frozenset({"intj", "meta"})
_VERBS = frozenset({"VERB", "AUX"})
_COMPLEMENTS = frozenset({"dobj", "attr", "acomp", "oprd", "ccomp", "xcomp", "agent", "prt"})
_MEASURES = frozenset({"MONEY", "PERCENT", "QUANTITY", "CARDINAL"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_HYPHENS = ("-", "/", "–")


def prune_sentence(doc: Doc, marked: Collection[int]) -> list[int]:
    """The positions of the words that stay, in order; without a mark, those of the bare main clause.

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
        remaining |= _prune_tree(sent, marks)
    return drop_loose_ends(doc, sorted(_complete_words(doc, remaining)))


def drop_loose_ends(doc: Doc, remaining: list[int]) -> list[int]:
    """The words that stay without an `and` at either end, which joined them to something else."""
    words = [position for position in remaining if not doc[position].is_punct and not doc[position].is_space]
    while words and doc[words[0]].tag_ == "CC":
        remaining.remove(words.pop(0))
    while words and doc[words[-1]].tag_ == "CC":
        remaining.remove(words.pop())
    return remaining


def _complete_words(doc: Doc, remaining: set[int]) -> set[int]:
    """The words that stay, with all that is one with them: the whole of `over-prescribed`, `can't`, `9 to 4`."""
    whole = set(remaining)
    for position in range(1, len(doc)):
        if _is_glued(doc, position) and position - 1 in whole:
            whole.add(position)
    for position in range(len(doc) - 1, 0, -1):
        if _is_glued(doc, position) and position in whole:
            whole.add(position - 1)
    return whole


def _is_glued(doc: Doc, position: int) -> bool:
    """Whether a token is one with that before it: a part of the same word, or of two numbers that a `to` joins."""
    before, word = doc[position - 1], doc[position]
    if _joins_numbers(doc, position) or _joins_numbers(doc, position - 1):
        return True
    if before.whitespace_ or before.is_space or word.is_space:
        return False
    return all(not token.is_punct or token.text in _HYPHENS for token in (before, word))


def _joins_numbers(doc: Doc, position: int) -> bool:
    """Whether a token is the `to` of a result or a range: without its end, `9 to 4` would be another number."""
    if not 0 < position < len(doc) - 1 or doc[position].lower_ != "to":
        return False
    return bool(doc[position - 1].like_num and doc[position + 1].like_num)


def _prune_tree(sent: Span, marks: frozenset[int]) -> set[int]:
    """The shortest of the ways to begin: with the main verb, or with one that is joined to it."""
    needed = _find_needed(sent, marks)
    ways = []
    for head in _list_heads(sent.root):
        if all(
            _is_below(position, head, sent.doc) or position in _shared_words(head) for position in marks & _all(sent)
        ):
            remaining: set[int] = set()
            _keep_word(head, needed, remaining, is_top=True)
            for word in _list_shared(head):
                _keep_word(word, needed, remaining)
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
    if root.pos_ not in _VERBS or any(child.dep_ == "ccomp" and child.i < root.i for child in root.children):
        return
    for child in root.children:
        if child.dep_ == "conj" and child.pos_ in _VERBS and child.tag_ in ("VBD", "VBZ", "VBP"):
            yield child


def _list_shared(head: Token) -> list[Token]:
    """The subject that a joined verb has from the verb before it, where it has none of its own."""
    if head.dep_ != "conj" or any(child.dep_ in _SUBJECTS for child in head.children):
        return []
    return [child for child in head.head.children if child.dep_ in _SUBJECTS]


def _shared_words(head: Token) -> frozenset[int]:
    return frozenset(word.i for subject in _list_shared(head) for word in subject.subtree)


def _is_below(position: int, head: Token, doc: Doc) -> bool:
    word = doc[position]
    return word == head or head in word.ancestors


def _keep_word(word: Token, needed: Collection[int], remaining: set[int], *, is_top: bool = False) -> None:
    """Keep a word with all that it needs."""
    remaining.add(word.i)
    for child in word.children:
        if child.i in remaining:
            continue
        if child.i in needed or _stays(child, needed, is_top=is_top):
            _keep_word(child, needed, remaining)


def _stays(child: Token, needed: Collection[int], *, is_top: bool) -> bool:
    """Whether a word without a mark below it stays with the word that it hangs on."""
    dep, head = child.dep_, child.head
    if dep in _GONE:
        return False
    if dep == "punct":
        return is_top and child.tag_ == "."
    if dep in ("cc", "preconj"):
        return _joins_kept(child, needed)
    if dep == "conj":
        return _conjunct_stays(child)
    if dep in _CLAUSES:
        return _clause_stays(child)
    if dep == "appos":
        return False
    if dep in ("advmod", "npadvmod"):
        return _adverb_stays(child)
    if dep in ("prep", "agent"):
        return _preposition_stays(child, needed)
    return not (dep == "dep" and head.pos_ in _VERBS and child.pos_ in ("VERB", "ADV", "INTJ"))


def _joins_kept(joint: Token, needed: Collection[int]) -> bool:
    """Whether what an `and` joins stays."""
    others = [other for other in joint.head.children if other.dep_ == "conj"]
    return any(other.i in needed or _conjunct_stays(other) for other in others)


def _conjunct_stays(child: Token) -> bool:
    """Whether a joined word stays without a mark: in a subject, where verbs agree with all of it, or in a name."""
    first = child.head
    while first.dep_ == "conj":
        first = first.head
    if first.dep_ in _SUBJECTS or first.dep_ in ("compound", "nummod", "quantmod", "amod", "poss"):
        return True
    return bool(child.ent_iob_ == "I" and child.ent_type_ == first.ent_type_)


def _clause_stays(child: Token) -> bool:
    """Conditions stay; so do clauses that end what a bare verb or an `it is` would leave open."""
    if child.dep_ == "advcl":
        opening = next((word.lower_ for word in child.children if word.dep_ in ("mark", "advmod")), "")
        if opening in list_words("clauses", "binding"):
            return True
        return child.tag_ == "VB" and not _has_complement(child.head) and child.i > child.head.i
    if child.dep_ == "relcl":
        return bool(
            child.head.tag_ in ("PRP", "DT", "WP", "EX", "PRON") or child.head.lower_ in ("one", "those", "people")
        )
    return child.dep_ == "acl" and child.tag_ == "VB" and child.head.dep_ in ("dobj", "attr", "nsubj", "nsubjpass")


def _has_complement(verb: Token) -> bool:
    return any(child.dep_ in _COMPLEMENTS for child in verb.children)


def _adverb_stays(child: Token) -> bool:
    """Adverbs of degree and number stay, and those without which more would be claimed."""
    if child.head.pos_ not in _VERBS:
        return not (child.head.dep_ in ("advcl",) and child.lower_ in list_words("adverbs", "loose"))
    if child.dep_ == "npadvmod":
        return child.ent_type_ in _MEASURES or not _is_of_time(child)
    lower = child.lower_
    if child.tag_ == "WRB" or lower in list_words("adverbs", "binding"):
        return True
    if lower in list_words("adverbs", "loose") or lower.endswith("ly"):
        return False
    return child.i > child.head.i or child.i == child.head.i - 1


def _is_of_time(child: Token) -> bool:
    return any(word.ent_type_ in ("DATE", "TIME") for word in child.subtree)


def _preposition_stays(child: Token, needed: Collection[int]) -> bool:
    """`of` stays with nouns; with a verb stays what directly follows it and ends what it would leave open."""
    head, lower = child.head, child.lower_
    if lower in list_words("prepositions", "binding"):
        return True
    if head.pos_ in _VERBS:
        if lower in list_words("prepositions", "directions") and child.i > head.i and not _is_of_time(child):
            return True
        if child.dep_ == "agent" or child.i < head.i or _has_complement(head):
            return False
        others = [other for other in head.children if other.dep_ == "prep" and other.i > head.i]
        return child == others[0] and not any(other.i in needed for other in others) and not _is_of_time(child)
    if head.pos_ in ("ADJ", "ADV"):
        return not _is_of_time(child)
    return lower in ("of", "between") or head.pos_ in ("NUM", "ADP", "PRON") or head.dep_ == "prep"
