"""The wh-phrase that stands for a phrase, and which words of the sentence it takes the place of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.linguistics.people.attributes import classify_noun, infer_name_gender
from gistmeter.linguistics.people.words import people_words
from gistmeter.models.asking.verbs import is_plural
from gistmeter.models.asking.words import asking_words

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_YEAR = re.compile(r"(?:in )?(?:early |late )?(?:1[0-9]|20)\d\d")
_AGE = re.compile(r"(?:1[01])?\d\d?")
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_PEOPLE = frozenset({"PERSON", "NORP", "male", "female", "person"})
_GROUPS = frozenset({"ORG", "group"})
_BEFORE_NOUN = frozenset({"compound", "amod", "nmod", "nummod", "quantmod"})
_AGENTS = frozenset({"nsubj", "nsubjpass"})
_QUOTES = frozenset({"'", '"', "‘", "’", "“", "”", "''", "``", "`"})


class Gap(NamedTuple):
    """The words from `start` up to `end` give way to `wh`; `plural` says that a verb agrees with it in the plural."""

    start: int
    end: int
    wh: str
    plural: bool = False


def find_gap(phrase: Span) -> Gap:
    """What asks for a phrase, and in the place of which words."""
    for rule in (_modifier_gap, _time_gap, _number_gap, _place_gap, _being_gap):
        gap = rule(phrase)
        if gap is not None:
            return _without_quotes(phrase, gap)
    raise AssertionError(phrase.text)  # the last rule always answers


def is_before_noun(phrase: Span) -> bool:
    """Whether a phrase says something of a noun after it: `[Paris] mayor`, `[Ann]'s sister`, `[two] goals`."""
    root = phrase.root
    return bool(root.dep_ in (*_BEFORE_NOUN, "poss") and root.head.i >= phrase.end)


def _modifier_gap(phrase: Span) -> Gap | None:
    root, doc = phrase.root, phrase.doc
    if not is_before_noun(phrase):
        return None
    start, end = phrase.start, phrase.end
    if root.dep_ == "poss":
        while end < root.head.i and doc[end].dep_ == "case":
            end += 1
        return Gap(start, end, "whose", plural=True)
    if start > root.sent.start and doc[start - 1].dep_ == "det" and doc[start - 1].head == root.head:
        start -= 1
    counted = root.dep_ in ("nummod", "quantmod") and root.head.tag_ in ("NNS", "NNPS")
    return Gap(start, end, "how many" if counted else "which", plural=True)


def _time_gap(phrase: Span) -> Gap | None:
    """Dates, times of day, ages and stretches of time."""
    root = phrase.root
    lemma = root.lemma_.lower()
    dated = phrase[-1].ent_type_ in ("DATE", "TIME") and root.ent_type_ in ("DATE", "TIME", "")
    if not dated and lemma not in asking_words("times", "days"):
        return None
    if lemma.endswith("old") or (root.pos_ == "NOUN" and root.ent_type_ not in ("DATE", "TIME")):
        return None
    if _AGE.fullmatch(phrase.text) and root.dep_ in ("attr", "acomp", "appos", "npadvmod", "pobj", "nummod"):
        return Gap(phrase.start, phrase.end, "how old") if root.dep_ != "pobj" else None
    if lemma in asking_words("times", "units") and any(_is_count(word) for word in phrase):
        return _duration_gap(phrase)
    if lemma in asking_words("times", "units") and _following(phrase) == "of":
        return Gap(phrase.start, phrase.end, f"which {lemma}")
    before = _preposition(phrase)
    if before is not None and _says_of_verb(before):
        if before.lower_ in asking_words("prepositions", "when"):
            return Gap(before.i, phrase.end, "when")
        if before.lower_ in asking_words("prepositions", "before_when"):
            return Gap(phrase.start, phrase.end, "when")
    if root.dep_ in ("npadvmod", "advmod") or (root.dep_ == "ROOT" and phrase.start == root.sent.start):
        return Gap(phrase.start, phrase.end, "when")
    return Gap(phrase.start, phrase.end, _name_time(phrase))


def _duration_gap(phrase: Span) -> Gap:
    end, following = phrase.end, _following(phrase)
    if following == "old":
        return Gap(phrase.start, end + 1, "how old")
    before = _preposition(phrase)
    if before is not None and before.lower_ == "in" and _says_of_verb(before):
        return Gap(before.i, end, "when")
    if following in asking_words("times", "after_stretch"):
        return Gap(phrase.start, end + 1, f"how long {following}")
    if phrase.root.dep_ in _AGENTS:
        return Gap(phrase.start, end, "how much time")
    return Gap(phrase.start, end, "how long")


def _name_time(phrase: Span) -> str:
    text = phrase.text.lower()
    if _YEAR.fullmatch(text):
        return "which year"
    if phrase.root.lower_ in asking_words("times", "days"):
        return "which day"
    if text in asking_words("times", "months"):
        return "which month"
    return "what date" if any(map(str.isdigit, text)) else "what time"


def _number_gap(phrase: Span) -> Gap | None:
    """Money, shares and counts."""
    root, start, end = phrase.root, phrase.start, phrase.end
    following = _following(phrase)
    if start > root.sent.start and phrase.doc[start - 1].is_currency and root.pos_ == "NUM":
        return Gap(start - 1, end, "how much")
    if root.ent_type_ == "MONEY" or (root.pos_ in ("NUM", "SYM") and any(word.is_currency for word in phrase)):
        return Gap(start, end, "how much")
    if root.ent_type_ == "PERCENT":
        by = root.dep_ in ("pobj", "npadvmod") and following != "of"
        return Gap(start, end, "how much" if by else "what percentage", plural=following == "of")
    if root.lower_ in asking_words("numbers", "of") and (many := _many_of_gap(phrase)) is not None:
        return many
    if root.pos_ == "NUM" and root.dep_ != "ROOT" and root.lower_ != "one" and len(phrase) < 4:
        whole = root.text.replace(",", "").isdigit() or root.text.isalpha()
        return Gap(start, end, "how many" if whole else "how much", plural=whole)
    return _count_gap(phrase)


def _many_of_gap(phrase: Span) -> Gap | None:
    """`thousands of letters` as `how many letters`."""
    below = [noun for word in phrase for of in word.rights if of.lower_ == "of" for noun in of.rights]
    noun = next((word for word in below if word.dep_ == "pobj" and word.tag_ in ("NNS", "NNPS")), None)
    if noun is None or noun.left_edge.nbor(-1).lower_ != "of":
        return None
    counted = phrase.doc[noun.left_edge.i : noun.i + 1].text
    return Gap(phrase.start, max(noun.i + 1, phrase.end), f"how many {counted}", plural=True)


def _count_gap(phrase: Span) -> Gap | None:
    """`how many` with the rest of a phrase that begins with a count: `about 20 young women`."""
    root = phrase.root
    if root.tag_ not in ("NNS", "NNPS") or root.i != phrase.end - 1:
        return None
    number = next((word for word in phrase if word.dep_ == "nummod" and word.head == root), None)
    if number is None or number.lower_ == "one" or _YEAR.fullmatch(number.text):
        return None
    lead = phrase.doc[phrase.start : number.i]
    if any(word.dep_ == "poss" or word.lower_ == "the" or word.pos_ in ("PROPN", "NOUN") for word in lead):
        return None
    rest = phrase.doc[number.i + 1 : phrase.end].text
    return Gap(phrase.start, phrase.end, f"how many {rest}", plural=True)


def _place_gap(phrase: Span) -> Gap | None:
    root = phrase.root
    name = phrase.text.lower().removeprefix("the ").replace(" ", "_")
    before, country = _preposition(phrase), name in asking_words("places", "countries")
    named = country or (root.ent_type_ in _PLACES and not _has_person(phrase))
    common = root.pos_ == "NOUN" and root.lemma_.lower() in asking_words("places", "common")
    if before is not None and (named or common) and _says_of_verb(before):
        if before.lower_ in asking_words("prepositions", "where" if named else "where_common"):
            return Gap(before.i, phrase.end, "where")
        if before.lower_ in ("to", "from") and before.head.pos_ in ("VERB", "AUX"):
            return Gap(phrase.start, phrase.end, "where")
    if not named or root.ent_type_ == "FAC":
        return None
    if root.dep_ == "appos" and root.head.ent_type_ in _PLACES:  # `Perth, [Australia]`
        return Gap(phrase.start, phrase.end, "in what place")
    if country:
        return Gap(phrase.start, phrase.end, "which country")
    if before is not None and before.lower_ in asking_words("prepositions", "spatial"):
        return Gap(phrase.start, phrase.end, "what place")
    # A town does little; the reader of names takes some people and clubs for towns.
    return Gap(phrase.start, phrase.end, "who" if root.dep_ in _AGENTS else "what")


def _being_gap(phrase: Span) -> Gap:
    """`who` for people, for groups too where they act, else `what`."""
    root = phrase.root
    sort = classify_noun(root)
    if root.lower_ in people_words("nouns", "group"):
        sort = "group"
    if root.pos_ == "NOUN" and root.lemma_.lower() in asking_words("people", "nouns"):
        sort = "person"
    who = (sort in _PEOPLE or _has_person(phrase)) and not (root.dep_ == "pobj" and root.head.lower_ == "as")
    who = who or (sort in _GROUPS and (root.dep_ in _AGENTS or root.head.dep_ == "agent"))
    wh = "who" if who else "what"
    if _following(phrase) in ("who", "whom", "whose", "that", "which") and phrase.doc[phrase.end].pos_ == "PRON":
        noun = ("people" if who else "things") if is_plural(root) else ("person" if who else "thing")
        return Gap(phrase.start, phrase.end, f"which {noun}", plural=is_plural(root))
    return Gap(phrase.start, phrase.end, wh)


def _has_person(phrase: Span) -> bool:
    """Whether a name is a person's by the reader of names, or by its first name."""
    root = phrase.root
    if root.lower_ in people_words("nouns", "group"):
        return False
    if any(word.ent_type_ == "PERSON" for word in (root, *root.rights) if word == root or word.dep_ == "appos"):
        return True
    if root.pos_ != "PROPN" or root.ent_type_ in ("DATE", "TIME", "GPE", "LOC", "FAC", "ORG", "EVENT"):
        return False
    name = [word.lower_ for word in phrase if word.pos_ == "PROPN"]
    if not root.ent_type_ and root.dep_ in _AGENTS:
        return True
    return len(name) > 1 and bool(infer_name_gender(name)) and not people_words("nouns", "time") & set(name)


def _preposition(phrase: Span) -> Token | None:
    """The preposition straight before a phrase that is its object."""
    head = phrase.root.head
    return (
        head if phrase.root.dep_ == "pobj" and head.i == phrase.start - 1 and head.dep_ in ("prep", "agent") else None
    )


def _says_of_verb(preposition: Token) -> bool:
    """Whether a time or place is the verb's; the parser often hangs it on the noun after the verb."""
    return find_circumstance_verb(preposition) is not None or preposition.dep_ == "ROOT"


def find_circumstance_verb(preposition: Token) -> Token | None:
    """The verb that a preposition of time or place speaks of."""
    above = preposition.head
    if above.pos_ in ("NOUN", "PROPN") and above.dep_ in ("dobj", "attr", "pobj") and above.i < preposition.i:
        above = above.head.head if above.dep_ == "pobj" else above.head
    if above.pos_ == "ADJ" and above.head.pos_ in ("VERB", "AUX"):
        above = above.head
    return above if (above.pos_ in ("VERB", "AUX") and above.i < preposition.i) or above == preposition.head else None


def _following(phrase: Span) -> str:
    """The word after a phrase in lower case."""
    return str(phrase.doc[phrase.end].lower_) if phrase.end < len(phrase.doc) else ""


def _is_count(word: Token) -> bool:
    return bool(word.like_num or word.lower_ in ("a", "an", "several", "few", "many", "half", "couple"))


def _without_quotes(phrase: Span, gap: Gap) -> Gap:
    """A gap that takes the marks with it that are around the phrase, or half in it."""
    doc, sentence = phrase.doc, phrase.sent
    if "," in phrase.text and _following(phrase) == "," and gap.end == phrase.end:  # `[Ann, a nurse], left`
        return gap._replace(end=gap.end + 1)
    opened = sum(word.text in _QUOTES and word.tag_ != "POS" for word in doc[gap.start : gap.end]) % 2 == 1
    closes = gap.end < sentence.end and doc[gap.end].text in _QUOTES and doc[gap.end].tag_ != "POS"
    if opened and closes:
        return gap._replace(end=gap.end + 1)
    if closes and gap.start > sentence.start and doc[gap.start - 1].text in _QUOTES:
        return gap._replace(start=gap.start - 1, end=gap.end + 1)
    return gap
