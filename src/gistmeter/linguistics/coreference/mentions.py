"""Mentions: the spans of words that may speak of a person or thing, and what each says of it.

Spans follow OntoNotes: a noun with all that hangs on it (relative clauses and appositions too), pronouns, possessives
with their ending, names inside a longer phrase, each part of `X and Y` and the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gistmeter.linguistics.coreference.syntax import classify_determiner, classify_role, find_speaker
from gistmeter.linguistics.people.attributes import (
    INNER_DEPENDENCIES,
    NAME_LABELS,
    classify_noun,
    infer_name_gender,
    is_age,
    possible_genders,
    possible_numbers,
    possible_pronoun_numbers,
)
from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Token

    Kind = Literal["pronoun", "name", "noun"]

_FIGURES = frozenset({"PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
_HEADS = frozenset({"NOUN", "PROPN"})
_PERSONAL = ("first_singular", "first_plural", "second", "male", "female", "neuter", "plural", "demonstrative")
_GENDERS = {"male": "m", "female": "f", "neuter": "n", "first_singular": "mf", "second": "mf"}


@dataclass(slots=True, eq=False)
class Mention:
    """A span over the words of all sentences, its head, and what it may stand for.

    `genders` are the letters of m, f and n that are possible; `numbers` likewise of s and p.
    """

    start: int
    end: int
    head: Token
    kind: Kind
    sentence: int
    type: str
    """The kind of name (PERSON, GPE ...) or of pronoun (male, neuter ...)."""

    genders: str
    numbers: str
    age: bool
    """Whether it names a person by age alone: `the 43-year-old`."""

    hint: str
    """m or f where the first name says so, though it may be wrong."""

    definite: str
    """The first word's kind: the, a, this, possessive, number, bare."""

    words: tuple[str, ...]
    """Its words in lower case, up to an apposition or clause, without articles, titles and possessive endings."""

    full: frozenset[str]
    """All its content words in lower case."""

    lower: str
    lemma: str
    role: str
    above: str
    """The lemma of the word its head hangs on."""

    first: bool
    """Whether it begins its sentence."""

    inner: bool
    """Whether it is part of a longer phrase."""

    rest: bool
    """Whether something is said of it after its head."""

    possessor: str
    quoted: int
    """The number of the quotation it stands in; 0 is none."""

    place: int = 0
    """Its number among all mentions."""

    name: int = -1
    """The first mention with the same name, by number."""

    seen: int = 0
    """How often its name was mentioned before."""

    speaker: Token | None = field(default=None)
    """Who says the quotation it stands in."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a pronoun."""
        return self.kind == "pronoun"

    @property
    def inner_name(self) -> bool:
        """Whether it is a name inside a longer name or phrase: `Clinton` in `the Clinton campaign`."""
        return self.head.dep_ in INNER_DEPENDENCIES

    def speaker_of(self, other: Mention) -> bool:
        """Whether it says the quotation that another mention stands in."""
        return other.speaker is not None and other.speaker == self.head


def find_mentions(docs: Sequence[Doc]) -> list[Mention]:
    """The mentions of a text, given as its parsed sentences, in the order of their starts, longer ones first."""
    found: list[Mention] = []
    offset = sentence = quotation = 0
    for doc in docs:
        quotes, quotation = _quotes(doc, quotation)
        numbers = _sentence_numbers(doc, sentence)
        spans: dict[tuple[int, int], Token] = {}
        for start, end, head in _spans(doc):
            spans.setdefault((start, end), head)
        for (start, end), head in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
            found.append(_mention(start, end, head, offset, numbers[head.i], quotes[head.i]))
        offset += len(doc)
        sentence = max(numbers, default=sentence - 1) + 1
    for place, mention in enumerate(found):
        mention.place = place
    return found


def _sentence_numbers(doc: Doc, first: int) -> list[int]:
    return [number for number, sent in enumerate(doc.sents, start=first) for _ in sent]


def _quotes(doc: Doc, last: int) -> tuple[list[int], int]:
    """For each word the number of the quotation it stands in. Single marks count only as a pair around words."""
    marks = [word.i for word in doc if word.text in ('"', "“", "”", "``", "''")]
    if len(marks) < 2:
        singles = [w.i for w in doc if w.text in ("'", "‘", "’") and w.tag_ != "POS" and w.dep_ != "case"]
        marks = singles if len(singles) == 2 else marks
    inside = [0] * len(doc)
    for start, end in zip(marks[::2], marks[1::2], strict=False):
        last += 1
        inside[start:end] = [last] * (end - start)
    return inside, last


def _spans(doc: Doc) -> Iterator[tuple[int, int, Token]]:
    for word in doc:
        if (
            word.tag_ in ("PRP", "PRP$")
            or (word.lower_ in people_words("pronouns", "possessive") and word.dep_ == "poss")
            or (
                word.lower_ in people_words("pronouns", "demonstrative")
                and word.tag_ == "DT"
                and word.dep_ not in ("det", "mark")
            )
        ):
            yield word.i, word.i + 1, word
        elif (word.pos_ in _HEADS and word.dep_ not in INNER_DEPENDENCIES) or _is_noun_like(word):
            yield from _phrases(word)
    for entity in doc.ents:
        if entity.label_ not in NAME_LABELS:
            continue
        start, end, root = entity.start, entity.end, entity.root
        if entity.label_ == "NORP" and root.pos_ == "ADJ":
            continue
        if root.pos_ not in _HEADS or root.dep_ in INNER_DEPENDENCIES:
            yield start, end, root


def _is_noun_like(word: Token) -> bool:
    """A word that stands for a noun: `the 43-year-old`, `the rich`."""
    return is_age(word) or (
        word.pos_ in ("ADJ", "NUM")
        and word.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj")
        and any(child.dep_ == "det" for child in word.lefts)
    )


def _phrases(head: Token) -> Iterator[tuple[int, int, Token]]:
    """The whole phrase of a noun; of joined nouns the first alone as well."""
    if head.ent_type_ in _FIGURES and head.ent_type_ != "CARDINAL":
        return
    joined = [child for child in head.rights if child.dep_ == "conj" and child.pos_ in (*_HEADS, "PRON")]
    start, end = _trimmed(head.doc, *_in_line(head))
    if joined:
        between = [
            child for child in head.rights if child.dep_ == "cc" or (child.dep_ == "punct" and child.text == ",")
        ]
        stop = min([word.i for word in between if word.i < joined[0].left_edge.i] or [joined[0].left_edge.i])
        left = _after_both(head)
        inner = _trimmed(head.doc, left, stop)
        if inner[0] <= head.i < inner[1]:
            yield *inner, head
        if head.dep_ != "conj":
            yield start, end, head
        return
    if start < end:
        yield start, end, head


def _in_line(head: Token) -> tuple[int, int]:
    """The words that hang on a noun, up to a colon or semicolon on either side."""
    start, end = head.left_edge.i, head.right_edge.i + 1
    breaks = [word.i for word in head.doc[start:end] if word.text in (":", ";", "--", "-LRB-")]
    start = max([place + 1 for place in breaks if place < head.i], default=start)
    return start, min([place for place in breaks if place > head.i], default=end)


def _after_both(head: Token) -> int:
    first = head.left_edge
    return first.i + 1 if first.dep_ == "preconj" else first.i


def _trimmed(doc: Doc, start: int, end: int) -> tuple[int, int]:
    """Without punctuation at the ends, nor a leading preposition or conjunction."""
    while start < end and (doc[start].is_punct or doc[start].is_space or doc[start].dep_ in ("cc", "mark", "preconj")):
        start += 1
    while end > start and (doc[end - 1].is_punct or doc[end - 1].is_space) and doc[end - 1].tag_ != "POS":
        end -= 1
    return start, end


def _mention(start: int, end: int, head: Token, offset: int, sentence: int, quoted: int) -> Mention:
    doc = head.doc
    lower = head.lower_
    pronoun = (
        next((name for name in _PERSONAL if lower in people_words("pronouns", name)), None)
        if end - start == 1
        else None
    )
    joined = pronoun is None and any(
        child.dep_ == "conj" and child.i < end and child.i > head.i for child in head.rights
    )
    kind: Kind = "pronoun" if pronoun else "name" if head.pos_ == "PROPN" and not joined else "noun"
    core = _core(doc, start, end, head, joined=joined)
    kept = tuple(word for word in core if word not in people_words("empty", "words"))
    if pronoun:
        genders, numbers = _GENDERS.get(pronoun, "mfn"), possible_pronoun_numbers(pronoun, lower)
    else:
        genders, numbers = ("mfn", "p") if joined else (possible_genders(head, core), possible_numbers(head))
    return Mention(
        start=start + offset,
        end=end + offset,
        head=head,
        kind=kind,
        sentence=sentence,
        type=pronoun or ("joined" if joined else classify_noun(head)),
        genders=genders,
        numbers=numbers,
        age=kind == "noun" and is_age(head),
        hint=infer_name_gender(core) if kind == "name" else "",
        definite=classify_determiner(doc[start]),
        words=kept or tuple(core) or (lower,),
        full=frozenset(word.lower_ for word in doc[start:end] if word.pos_ in (*_HEADS, "ADJ", "NUM", "VERB")),
        lower=lower,
        lemma=head.lemma_,
        role=classify_role(head),
        above=head.head.lemma_,
        first=head.left_edge.is_sent_start is True,
        inner=head.dep_ in ("poss", "compound", "appos", "pobj", "conj"),
        rest=any(child.dep_ not in ("case", "punct") for child in head.rights),
        possessor=next((child.lower_ for child in head.lefts if child.dep_ == "poss"), ""),
        quoted=quoted,
        speaker=find_speaker(head) if quoted else None,
    )


def _core(doc: Doc, start: int, end: int, head: Token, *, joined: bool) -> list[str]:
    """The words from the start up to the head; of joined nouns all."""
    last = end if joined else head.i + 1
    entity = next((one for one in doc.ents if one.start <= head.i < one.end), None)
    if entity is not None and not joined:
        last = min(max(last, entity.end), end)
    return [word.lower_ for word in doc[start:last] if not word.is_punct or word.text in ("'s", "’s")]
