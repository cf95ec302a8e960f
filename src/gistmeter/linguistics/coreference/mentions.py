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

_FIGURE_LABELS = frozenset({"PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
_NOUN_TAGS = frozenset({"NOUN", "PROPN"})
_PRONOUN_LISTS = ("first_singular", "first_plural", "second", "male", "female", "neuter", "plural", "demonstrative")
_PRONOUN_GENDERS = {"male": "m", "female": "f", "neuter": "n", "first_singular": "mf", "second": "mf"}


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
    """The kind of name (PERSON, GPE ...), of noun (male, person, group ...) or of pronoun (male, neuter ...)."""

    genders: str
    numbers: str
    is_age: bool
    """Whether it names a person by age alone: `the 43-year-old`."""

    gender_hint: str
    """m or f where the first name says so, though it may be wrong."""

    determiner: str
    """The first word's kind: the, a, this, possessive, number, bare."""

    words: tuple[str, ...]
    """Its words in lower case, up to an apposition or clause, without articles, titles and possessive endings."""

    content_words: frozenset[str]
    """All its content words in lower case."""

    lower: str
    lemma: str
    role: str
    head_lemma: str
    """The lemma of the word its head hangs on."""

    starts_sentence: bool
    """Whether it begins its sentence."""

    is_nested: bool
    """Whether it is part of a longer phrase."""

    has_postmodifier: bool
    """Whether something is said of it after its head."""

    possessor: str
    quotation: int
    """The number of the quotation it stands in; 0 is none."""

    number: int = 0
    """Its number among all mentions."""

    first_named: int = -1
    """The first mention with the same name, by number."""

    earlier_names: int = 0
    """How often its name was mentioned before."""

    speaker: Token | None = field(default=None)
    """Who says the quotation it stands in."""

    @property
    def is_pronoun(self) -> bool:
        """Whether it is a pronoun."""
        return self.kind == "pronoun"

    @property
    def is_inner_name(self) -> bool:
        """Whether it is a name inside a longer name or phrase: `Clinton` in `the Clinton campaign`."""
        return self.head.dep_ in INNER_DEPENDENCIES

    def is_speaker_of(self, other: Mention) -> bool:
        """Whether it says the quotation that another mention stands in."""
        return other.speaker is not None and other.speaker == self.head


def find_mentions(docs: Sequence[Doc]) -> list[Mention]:
    """The mentions of a text, given as its parsed sentences, in the order of their starts, longer ones first."""
    mentions: list[Mention] = []
    first_word = first_sentence = last_quotation = 0
    for doc in docs:
        quotations, last_quotation = _number_quotations(doc, last_quotation)
        sentence_numbers = _number_sentences(doc, first_sentence)
        spans: dict[tuple[int, int], Token] = {}
        for start, end, head in _find_spans(doc):
            spans.setdefault((start, end), head)
        for (start, end), head in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
            mentions.append(
                _describe_mention(
                    start,
                    end,
                    head,
                    first_word=first_word,
                    sentence=sentence_numbers[head.i],
                    quotation=quotations[head.i],
                )
            )
        first_word += len(doc)
        first_sentence = max(sentence_numbers, default=first_sentence - 1) + 1
    for number, mention in enumerate(mentions):
        mention.number = number
    return mentions


def _number_sentences(doc: Doc, first: int) -> list[int]:
    """For each word the number of its sentence; that of the first sentence is `first`."""
    return [number for number, sent in enumerate(doc.sents, start=first) for _ in sent]


def _number_quotations(doc: Doc, last_number: int) -> tuple[list[int], int]:
    """For each word the number of the quotation it stands in (0 is none), and the last number given.

    Single marks count only as a pair around words.
    """
    marks = [word.i for word in doc if word.text in ('"', "“", "”", "``", "''")]
    if len(marks) < 2:
        singles = [
            word.i for word in doc if word.text in ("'", "‘", "’") and word.tag_ != "POS" and word.dep_ != "case"
        ]
        marks = singles if len(singles) == 2 else marks
    numbers = [0] * len(doc)
    for start, end in zip(marks[::2], marks[1::2], strict=False):
        last_number += 1
        numbers[start:end] = [last_number] * (end - start)
    return numbers, last_number


def _find_spans(doc: Doc) -> Iterator[tuple[int, int, Token]]:
    """The spans of pronouns, noun phrases and names inside them, each with its head; a span may come twice."""
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
        elif (word.pos_ in _NOUN_TAGS and word.dep_ not in INNER_DEPENDENCIES) or _is_noun_like(word):
            yield from _find_noun_phrases(word)
    for entity in doc.ents:
        if entity.label_ not in NAME_LABELS:
            continue
        start, end, root = entity.start, entity.end, entity.root
        if entity.label_ == "NORP" and root.pos_ == "ADJ":
            continue
        if root.pos_ not in _NOUN_TAGS or root.dep_ in INNER_DEPENDENCIES:
            yield start, end, root


def _is_noun_like(word: Token) -> bool:
    """Whether a word stands for a noun: `the 43-year-old`, `the rich`."""
    return is_age(word) or (
        word.pos_ in ("ADJ", "NUM")
        and word.dep_ in ("nsubj", "nsubjpass", "dobj", "pobj")
        and any(child.dep_ == "det" for child in word.lefts)
    )


def _find_noun_phrases(head: Token) -> Iterator[tuple[int, int, Token]]:
    """The whole phrase of a noun; of joined nouns the first alone as well."""
    if head.ent_type_ in _FIGURE_LABELS and head.ent_type_ != "CARDINAL":
        return
    joined_nouns = [child for child in head.rights if child.dep_ == "conj" and child.pos_ in (*_NOUN_TAGS, "PRON")]
    start, end = _trim_span(head.doc, *_find_phrase_bounds(head))
    if joined_nouns:
        separators = [
            child for child in head.rights if child.dep_ == "cc" or (child.dep_ == "punct" and child.text == ",")
        ]
        stop = min(
            [word.i for word in separators if word.i < joined_nouns[0].left_edge.i] or [joined_nouns[0].left_edge.i]
        )
        inner_start = _skip_both(head)
        inner_span = _trim_span(head.doc, inner_start, stop)
        if inner_span[0] <= head.i < inner_span[1]:
            yield *inner_span, head
        if head.dep_ != "conj":
            yield start, end, head
        return
    if start < end:
        yield start, end, head


def _find_phrase_bounds(head: Token) -> tuple[int, int]:
    """The words that hang on a noun, up to a colon or semicolon on either side."""
    start, end = head.left_edge.i, head.right_edge.i + 1
    breaks = [word.i for word in head.doc[start:end] if word.text in (":", ";", "--", "-LRB-")]
    start = max([index + 1 for index in breaks if index < head.i], default=start)
    return start, min([index for index in breaks if index > head.i], default=end)


def _skip_both(head: Token) -> int:
    """The first word of a phrase, after the `both` or `either` that may open it."""
    first = head.left_edge
    return first.i + 1 if first.dep_ == "preconj" else first.i


def _trim_span(doc: Doc, start: int, end: int) -> tuple[int, int]:
    """A span without punctuation at its ends, nor a conjunction at its start."""
    while start < end and (doc[start].is_punct or doc[start].is_space or doc[start].dep_ in ("cc", "mark", "preconj")):
        start += 1
    while end > start and (doc[end - 1].is_punct or doc[end - 1].is_space) and doc[end - 1].tag_ != "POS":
        end -= 1
    return start, end


def _describe_mention(start: int, end: int, head: Token, *, first_word: int, sentence: int, quotation: int) -> Mention:
    """The mention of a span of words in its own sentence; `first_word` is the number of that sentence's first word."""
    doc = head.doc
    lower = head.lower_
    pronoun = (
        next((name for name in _PRONOUN_LISTS if lower in people_words("pronouns", name)), None)
        if end - start == 1
        else None
    )
    is_joined = pronoun is None and any(
        child.dep_ == "conj" and child.i < end and child.i > head.i for child in head.rights
    )
    kind: Kind = "pronoun" if pronoun else "name" if head.pos_ == "PROPN" and not is_joined else "noun"
    core = _core_words(doc, start, end, head, is_joined=is_joined)
    telling_words = tuple(word for word in core if word not in people_words("empty", "words"))
    if pronoun:
        genders, numbers = _PRONOUN_GENDERS.get(pronoun, "mfn"), possible_pronoun_numbers(pronoun, lower)
    else:
        genders, numbers = ("mfn", "p") if is_joined else (possible_genders(head, core), possible_numbers(head))
    return Mention(
        start=start + first_word,
        end=end + first_word,
        head=head,
        kind=kind,
        sentence=sentence,
        type=pronoun or ("joined" if is_joined else classify_noun(head)),
        genders=genders,
        numbers=numbers,
        is_age=kind == "noun" and is_age(head),
        gender_hint=infer_name_gender(core) if kind == "name" else "",
        determiner=classify_determiner(doc[start]),
        words=telling_words or tuple(core) or (lower,),
        content_words=frozenset(
            word.lower_ for word in doc[start:end] if word.pos_ in (*_NOUN_TAGS, "ADJ", "NUM", "VERB")
        ),
        lower=lower,
        lemma=head.lemma_,
        role=classify_role(head),
        head_lemma=head.head.lemma_,
        starts_sentence=head.left_edge.is_sent_start is True,
        is_nested=head.dep_ in ("poss", "compound", "appos", "pobj", "conj"),
        has_postmodifier=any(child.dep_ not in ("case", "punct") for child in head.rights),
        possessor=next((child.lower_ for child in head.lefts if child.dep_ == "poss"), ""),
        quotation=quotation,
        speaker=find_speaker(head) if quotation else None,
    )


def _core_words(doc: Doc, start: int, end: int, head: Token, *, is_joined: bool) -> list[str]:
    """The words from the start up to the head; of joined nouns all."""
    stop = end if is_joined else head.i + 1
    entity = next((entity for entity in doc.ents if entity.start <= head.i < entity.end), None)
    if entity is not None and not is_joined:
        stop = min(max(stop, entity.end), end)
    return [word.lower_ for word in doc[start:stop] if not word.is_punct or word.text in ("'s", "’s")]
