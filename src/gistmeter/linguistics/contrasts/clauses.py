"""Clauses turned into their contrary: negated or no longer so, and with who and whom exchanged; by the parse.

Every place where a text can be changed is given, so that a caller may choose; the text itself stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Span, Token

_AUXILIARY_OF = {"VBD": "did", "VBZ": "does", "VBP": "do"}
_SHORTENED = {"ca": "can", "wo": "will", "sha": "shall"}
_SUBJECTS, _OBJECTS = ("nsubj", "nsubjpass"), ("dobj", "obj")
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_CAUSATIVES = frozenset(["help", "let", "make", "see", "hear", "watch", "have"])
_SWAPPED_NAMES = ("PERSON", "ORG", "GPE", "NORP")
_MAX_PHRASE_WORDS = 6


@dataclass(frozen=True, slots=True)
class TextChange:
    """Characters of a text and what is to take their place."""

    start: int
    end: int
    text: str
    first_length: int = 0
    last_length: int = 0
    """Characters of `text` at its start and at its end that are phrases exchanged; 0 for names, which fit as well."""


def find_negations(doc: Doc) -> list[TextChange]:
    """For each clause with a finite verb: `not` put in, or taken out where it stands.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> text = "The mayor opened the bridge, which was not safe."
    >>> (doc,) = load_parser().parse([text])
    >>> [text[: change.start] + change.text + text[change.end :] for change in find_negations(doc)]
    ['The mayor did not open the bridge, which was not safe.', 'The mayor opened the bridge, which was safe.']
    """
    return [change for word in doc if (change := _negate(word)) is not None]


def find_role_swaps(doc: Doc) -> list[TextChange]:
    """For each verb whose subject and object are phrases of the same sort: both exchanged.

    Where named entities were looked for, so are two names of one kind with a verb between them.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> text = "On Monday the police arrested the workers."
    >>> (doc,) = load_parser().parse([text])
    >>> [text[: change.start] + change.text + text[change.end :] for change in find_role_swaps(doc)]
    ['On Monday the workers arrested the police.']
    """
    chunks = {chunk.root.i: chunk for chunk in doc.noun_chunks}
    swaps = [change for verb in doc for change in _swap_roles(verb, chunks)]
    spans = {(change.start, change.end) for change in swaps}
    return swaps + [change for change in _swap_names(doc) if (change.start, change.end) not in spans]


def _negate(verb: Token) -> TextChange | None:
    """The contrary of a clause by its verb, or nothing for other words."""
    if verb.pos_ not in ("VERB", "AUX") or verb.dep_ in ("aux", "auxpass", "amod"):
        return None
    negations = [child for child in verb.children if child.dep_ == "neg"]
    if negations:
        return _drop_negation(negations[0])
    auxiliaries = [child for child in verb.lefts if child.dep_ in ("aux", "auxpass") and child.tag_ in _FINITE]
    if auxiliaries or (verb.pos_ == "AUX" and verb.tag_ in _FINITE):
        word = auxiliaries[0] if auxiliaries else verb
        if word.text[0] in "'’":  # he's, they'll
            return TextChange(word.idx + len(word), word.idx + len(word), " not")
        return TextChange(word.idx, word.idx + len(word), f"{word.text} not")
    if verb.dep_ == "ccomp" and verb.head.lemma_ in _CAUSATIVES:  # helped Brazil beat Chile
        return None
    if verb.tag_ in _AUXILIARY_OF and verb.lemma_.isalpha() and any(child.dep_ in _SUBJECTS for child in verb.lefts):
        return TextChange(verb.idx, verb.idx + len(verb), f"{_AUXILIARY_OF[verb.tag_]} not {verb.lemma_}")
    return None


def _drop_negation(negation: Token) -> TextChange:
    """`not` or `never` and the space before it taken out; can't becomes can."""
    before = negation.nbor(-1) if negation.i else None
    if before is not None and before.idx + len(before) == negation.idx:
        whole = _SHORTENED.get(before.lower_, before.text)
        return TextChange(before.idx, negation.idx + len(negation), whole)
    start = before.idx + len(before) if before is not None else negation.idx
    return TextChange(start, negation.idx + len(negation), "")


def _swap_roles(verb: Token, chunks: dict[int, Span]) -> Iterator[TextChange]:
    if verb.pos_ != "VERB":
        return
    subjects = [child for child in verb.lefts if child.dep_ in _SUBJECTS]
    objects = [child for child in verb.rights if child.dep_ in _OBJECTS]
    objects += [noun for child in verb.rights if child.dep_ == "agent" for noun in child.rights if noun.dep_ == "pobj"]
    for subject in subjects:
        for other in objects:
            first, second = chunks.get(subject.i), chunks.get(other.i)
            if first is not None and second is not None and _may_swap(first, second, verb):
                middle = _text_between(first, second)
                before, after = _start_phrase(second, first), _start_phrase(first, second)
                yield TextChange(
                    start=first.start_char,
                    end=second.end_char,
                    text=f"{before}{middle}{after}",
                    first_length=len(before),
                    last_length=len(after),
                )


def _swap_names(doc: Doc) -> Iterator[TextChange]:
    for first, second in pairwise(doc.ents):
        between = doc[first.end : second.start]
        words = {word.lower_ for word in first} & {word.lower_ for word in second}
        is_like = first.label_ == second.label_ and first.label_ in _SWAPPED_NAMES and not words
        if is_like and first.sent == second.sent and any(word.pos_ == "VERB" for word in between):
            yield TextChange(
                first.start_char, second.end_char, f"{second.text}{_text_between(first, second)}{first.text}"
            )


def _text_between(first: Span, second: Span) -> str:
    return first.doc.text[first.end_char : second.start_char]


def _may_swap(first: Span, second: Span, verb: Token) -> bool:
    """Whether two phrases can stand for each other: names or nouns both, of one number where the verb shows it."""
    heads = first.root, second.root
    if any(head.pos_ not in ("NOUN", "PROPN") for head in heads) or heads[0].pos_ != heads[1].pos_:
        return False
    if first.text.lower() == second.text.lower() or max(len(first), len(second)) > _MAX_PHRASE_WORDS:
        return False
    if any(word.tag_ == "PRP$" for word in (*first, *second)) or first.doc[first.end].tag_ == "POS":
        return False  # "their video" is the video of the subject
    shows_number = verb.tag_ in ("VBZ", "VBP") or any(
        child.dep_ in ("aux", "auxpass") and child.tag_ != "MD" for child in verb.lefts
    )
    return not shows_number or heads[0].morph.get("Number", []) == heads[1].morph.get("Number", [])


def _start_phrase(phrase: Span, replaced: Span) -> str:
    """A phrase with the first letter that its new place asks for."""
    text = phrase.text
    if replaced[0].is_sent_start:
        return text[0].upper() + text[1:]
    keeps_capital = phrase[0].pos_ == "PROPN" or (phrase[0].is_upper and len(phrase[0]) > 1)
    return text if keeps_capital else text[0].lower() + text[1:]
