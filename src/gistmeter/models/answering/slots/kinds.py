"""What a question asks for, and what a noun phrase is: person, group, place, time, number, thing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from gistmeter.linguistics.people.attributes import classify_noun, infer_name_gender
from gistmeter.models.asking.words import asking_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spacy.tokens import Doc, Span, Token

Kind = Literal["person", "group", "place", "time", "number", "thing", "-"]
"""A dash where nothing is known."""

WH = frozenset({"who", "whom", "whose", "what", "when", "where", "which", "how"})
_SORTS: dict[str, Kind] = {
    **dict.fromkeys(("PERSON", "NORP", "male", "female", "person"), "person"),
    **dict.fromkeys(("ORG", "group"), "group"),
    **dict.fromkeys(("GPE", "LOC", "FAC"), "place"),
    **dict.fromkeys(("DATE", "TIME", "time"), "time"),
    **dict.fromkeys(("CARDINAL", "MONEY", "PERCENT", "QUANTITY", "ORDINAL"), "number"),
    **dict.fromkeys(("PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"), "thing"),
}
_WANTED: dict[str, frozenset[Kind]] = {
    "who": frozenset({"person", "group", "place"}),
    "when": frozenset({"time"}),
    "where": frozenset({"place"}),
    "number": frozenset({"number", "time"}),
    "what": frozenset({"thing", "group", "place"}),
}
"""The kinds that suit each way to ask; what suits none of them may still be of an unknown kind."""

Fit = Literal["suits", "clashes", "unknown"]


def find_wh_phrase(question: Doc) -> Span:
    """The words of a question that stand for the answer; without a wh-word, nothing.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> asked = ["On Monday, who left?", "How many people saw the man who fell?", "The man who fell saw what?"]
    >>> [find_wh_phrase(doc).text for doc in load_parser().parse(asked)]
    ['who', 'How many people', 'what']
    """
    wh_words = [word for word in question if word.lower_ in WH]
    own = [word for word in wh_words if not _is_relative(word)]
    if not wh_words:
        return question[:0]
    first = (own or wh_words)[0]
    end = first.i + 1
    if first.lower_ in ("which", "how", "what", "whose"):
        while end < len(question) and _goes_on(question, first.i, end):
            end += 1
    return question[first.i : end]


def classify_question(wh: Iterable[Token]) -> str:
    """How the words of a wh-phrase ask: who, when, where, number, what."""
    wh_words = [word.lower_ for word in wh]
    if not wh_words:
        return "what"
    times = asking_words("times", "units") | {"time", "date", "day", "old", "long"}
    first, second = wh_words[0], wh_words[1] if len(wh_words) > 1 else None
    if first == "when" or (first in ("which", "what", "how") and second in times):
        return "when"
    if first == "how" or second == "percentage":
        return "number"
    if wh_words[0] == "where" or (wh_words[-1] in ("country", "place") and len(wh_words) > 1):
        return "where"
    return "who" if wh_words[0] in ("who", "whom", "whose") or wh_words[-1] in ("person", "people") else "what"


def classify_phrase(phrase: Span) -> Kind:
    """What a noun phrase is, by the reader of names, by its noun, by its figures.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["The teacher met 30 pupils in Paris on Monday."], entities=True)
    >>> [classify_phrase(chunk) for chunk in doc.noun_chunks]
    ['person', 'number', 'place', 'time']
    """
    root = phrase.root
    named = phrase[-1].ent_type_ if root.ent_type_ == "" else root.ent_type_
    kind = _SORTS.get(named) or _SORTS.get(classify_noun(root))
    counted = any(word.like_num and word.dep_ in ("nummod", "pobj", "dobj") for word in phrase)
    if counted and kind in (None, "person", "group", "thing") and root.pos_ != "PROPN":
        return "number"
    name = [word.lower_ for word in phrase if word.pos_ == "PROPN"]
    if kind is None and root.pos_ == "PROPN" and infer_name_gender(name):
        return "person"
    return kind or "-"


def judge_fit(way: str, kind: Kind, *, counts: bool) -> Fit:
    """Whether a phrase of a kind can answer a way to ask; `counts` says that it has a figure in it.

    >>> [judge_fit(way, kind, counts=False) for way, kind in (("when", "time"), ("who", "time"), ("who", "-"))]
    ['suits', 'clashes', 'unknown']
    """
    if way == "number":
        return "suits" if counts or kind == "number" else "clashes"
    if kind == "-":
        return "unknown"
    return "suits" if kind in _WANTED[way] else "clashes"


def _is_relative(word: Token) -> bool:
    """Whether a wh-word opens a clause that says something of the noun before it."""
    above = word
    while above.head != above and above.i >= word.i - 1:
        if above.dep_ == "relcl":
            return word.i > word.sent.start
        above = above.head
    return above.dep_ == "relcl" and word.i > word.sent.start


def _goes_on(question: Doc, first: int, end: int) -> bool:
    """Whether the word at `end` still belongs to `which year`, `how many young women`."""
    word, opening = question[end], question[first].lower_
    if end == first + 1:
        if opening == "how":
            return word.pos_ in ("ADJ", "ADV") or word.lower_ in ("many", "much", "long", "old")
        return word.pos_ in ("NOUN", "PROPN", "ADJ") and opening != "whose"
    return question[end - 1].pos_ in ("ADJ", "NUM") and word.pos_ in ("ADJ", "NOUN", "PROPN") and opening != "whose"
