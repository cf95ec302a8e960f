"""The words of an argument: which children of a verb are arguments, and where each begins and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gistmeter.linguistics.roles.words import role_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spacy.tokens import Doc, Token

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass"})
_NON_ARGUMENTS = frozenset({"auxpass", "conj", "dep", "expl", "mark", "meta", "preconj", "prt", "punct", "case"})
"""Children of a verb that are no arguments: joined verbs, `there`, `that`, particles, punctuation."""

_SIGNS = frozenset("%‰#§")
"""Marks that are punctuation to Unicode and part of a number or a name to a reader: `rose 17 %`."""

_CLOSING_MARKS = {")": "(", "]": "[", "”": "“", "’": "‘", '"': '"', "'": "'"}


class Argument(NamedTuple):
    """A span of words and the dependency it comes from."""

    start: int
    end: int
    dep: str


def find_arguments(verb: Token) -> list[Argument]:
    """The arguments among a verb's own children, in their order: modals, adverbs, subjects, objects, clauses."""
    end = find_verb_end(verb)
    arguments: list[Argument] = []
    for child in verb.children:
        if not _is_argument(child, verb) or verb.i < child.i < end:
            continue
        if arguments and _continues(arguments[-1], child, verb):
            arguments[-1] = Argument(arguments[-1].start, child.right_edge.i + 1, arguments[-1].dep)
        else:
            arguments += [part for run in _make_arguments(child, verb) for part in _split_argument(run, child, verb)]
    return arguments


def has_subject(verb: Token) -> bool:
    """Whether a verb has a subject of its own, `there` included."""
    return any(child.dep_ in SUBJECTS or child.dep_ == "expl" for child in verb.children)


def find_verb_end(verb: Token) -> int:
    """The index after a verb and a negation that follows it directly: `was n't`."""
    following = verb.i + 1
    return following + any(child.dep_ == "neg" and child.i == following for child in verb.rights)


def make_phrase_argument(word: Token) -> Argument:
    """A word with all words below it, as an argument."""
    return trim_argument(word.doc, Argument(word.left_edge.i, word.right_edge.i + 1, word.dep_))


def find_antecedent(clause: Token) -> list[Argument]:
    """The noun that a clause describes, with all that is said of it up to the clause."""
    noun = clause.head
    if noun.i >= clause.i:
        return []
    start = noun.left_edge.i
    if noun.lemma_ in role_words("counts") and (counted_noun := _find_counted_noun(noun, clause)) is not None:
        start = counted_noun.left_edge.i
    elif noun.dep_ == "conj" and noun.head.dep_ == "ROOT":  # A headline: `Actors and their families now living there`.
        start = noun.head.left_edge.i
    argument = trim_argument(clause.doc, Argument(start, max(clause.left_edge.i, noun.i + 1), "antecedent"))
    return [argument] if argument.end > argument.start else []


def split_arguments(
    arguments: Iterable[Argument], start: int, end: int
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Arguments before and after a verb, each in the order of the words, none twice and none inside another."""
    before: list[tuple[int, int]] = []
    after: list[tuple[int, int]] = []
    for argument in sorted(set(arguments), key=lambda argument: (argument.start, -argument.end)):
        side = before if argument.end <= start else after if argument.start >= end else None
        if side is not None and not (side and argument.start < side[-1][1]):
            side.append((argument.start, argument.end))
    return tuple(before), tuple(after)


def trim_argument(doc: Doc, argument: Argument) -> Argument:
    """An argument without the punctuation around it; a bracket or quotation mark stays with its other half."""
    start, end, dep = argument
    while start < end and _is_loose(doc[start]) and not _opens_pair(doc, start, end):
        start += 1
    while end > start and _is_loose(doc[end - 1]) and not _closes_pair(doc, start, end):
        end -= 1
    return Argument(start, end, dep)


def _is_argument(child: Token, verb: Token) -> bool:
    """Whether a child of a verb is one of its arguments."""
    if child.dep_ == "aux":
        return bool(child.tag_ == "MD")
    if child.dep_ == "cc":
        return bool(child.i < verb.i and child.i == child.sent.start)
    if child.dep_ == "prt":
        return child.lower_ in role_words("directions") and not any(other.dep_ == "dobj" for other in verb.rights)
    if child.dep_ == "ccomp" and child.i < verb.i and verb.lemma_ not in role_words("reports"):
        return not any(other.dep_ in ("dobj", "attr", "acomp", "oprd", "ccomp") for other in verb.rights)
    return child.dep_ not in _NON_ARGUMENTS


def _find_counted_noun(noun: Token, clause: Token) -> Token | None:
    """The noun that another counts: the women in `the number of women`."""
    of = [child for child in noun.rights if child.lower_ == "of" and child.i < clause.i]
    return next((word for child in of for word in child.rights if word.dep_ == "pobj" and word.i < clause.i), None)


def _continues(last: Argument, child: Token, verb: Token) -> bool:
    """Whether a bare noun goes on with the phrase before it, which the parser cut: `her husband` `Tom`."""
    if _ends_score(last, child):
        return True
    if last.end != child.i or last.start < verb.i or child.left_edge != child or _is_time(child):
        return False
    if child.lower_ == "to" and last.dep == "prep":
        return _ends_range(last, child, verb)
    if last.dep in ("dobj", "dative"):
        is_name = child.dep_ in ("dobj", "npadvmod", "appos") and child.pos_ == "PROPN"
        return is_name and verb.lemma_ not in role_words("two_objects")
    return last.dep == "prep" and child.dep_ in ("dobj", "npadvmod") and child.pos_ in ("NOUN", "PROPN", "VERB")


def _ends_score(last: Argument, child: Token) -> bool:
    """Whether a number is the second half of a result such as `3-1`, whose halves the parser took apart."""
    doc = child.doc
    is_joined = last.end == child.i - 1 and doc[last.end].text in ("-", "–") and not doc[last.end].whitespace_
    return is_joined and child.like_num and doc[last.end - 1].like_num


def _ends_range(last: Argument, child: Token, verb: Token) -> bool:
    """Whether `to` goes on with a span of time or the count of a vote: `in the months to June`, `by 5 to 4`."""
    end = next((noun for noun in child.rights if noun.dep_ == "pobj"), None)
    first = child.doc[last.start]
    if end is None or first.lower_ == "from":
        return False
    if _is_time(end):
        return any(_is_time(word) for word in child.doc[last.start + 1 : last.end])
    return first.lower_ == "by" and verb.lemma_ in role_words("votes") and any(word.like_num for word in end.subtree)


def _split_argument(argument: Argument, child: Token, verb: Token) -> list[Argument]:
    """An argument after the verb, cut before a time or circumstance that the parser took for a part of it."""
    if child.i < verb.i or child.dep_ not in ("dobj", "attr", "acomp", "oprd", "prep", "xcomp"):
        return [argument]
    for word in child.subtree:
        if word.i > child.i and word.right_edge == child.right_edge and _is_circumstance(word, child):
            first = trim_argument(child.doc, Argument(argument.start, word.left_edge.i, argument.dep))
            return [first, trim_argument(child.doc, Argument(word.left_edge.i, argument.end, word.dep_))]
    return [argument]


def _is_circumstance(word: Token, child: Token) -> bool:
    """Whether a phrase inside an argument speaks of the verb: a time, or what follows some prepositions."""
    above = word.head
    while above != child and above.dep_ in ("prep", "pobj", "dobj", "attr", "conj"):
        above = above.head
    if above != child:
        return False
    if child.dep_ == "xcomp":  # `vowed to fight, after being elected`
        return word.dep_ in ("prep", "advcl") and word.left_edge.nbor(-1).text == ","
    if word.dep_ == "prep" and child.dep_ != "prep":
        has_time = any(_is_time(noun) for noun in word.rights if noun.dep_ == "pobj")
        return word.lower_ in role_words("circumstances") or (has_time and word.lower_ in role_words("before_times"))
    return word.dep_ == "npadvmod" and _is_time(word)


def _is_time(word: Token) -> bool:
    year = word.is_digit and len(word.text) == 4 and word.text[0] in "12"
    return bool(year or word.lower_ in role_words("times") or word.lemma_.lower() in role_words("times"))


def _make_arguments(child: Token, verb: Token) -> Iterator[Argument]:
    """The words of a child, in two parts where the verb stands among them: `It is, he said, over`."""
    start, end = child.left_edge.i, child.right_edge.i + 1
    spans = [(start, verb.i), (verb.i + 1, end)] if start < verb.i < end else [(start, end)]
    for span in spans:
        argument = trim_argument(child.doc, Argument(*span, child.dep_))
        if argument.end > argument.start:
            yield argument


def _is_loose(word: Token) -> bool:
    return bool(word.is_punct or word.is_space or word.is_quote) and word.text not in _SIGNS


def _opens_pair(doc: Doc, start: int, end: int) -> bool:
    closing = [mark for mark, opening in _CLOSING_MARKS.items() if opening == doc[start].text]
    return any(word.text in closing for word in doc[start + 1 : end])


def _closes_pair(doc: Doc, start: int, end: int) -> bool:
    opening = _CLOSING_MARKS.get(doc[end - 1].text)
    return opening is not None and any(word.text.startswith(opening) for word in doc[start : end - 1])
