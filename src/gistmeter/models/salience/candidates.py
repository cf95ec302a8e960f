"""Candidates: the noun phrases of a document that can be salient, in their parsed sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.phrases import find_phrases
from gistmeter.models.asking.asker import ask_by_rules, says_more
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    from spacy.tokens import Span


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A noun phrase of a document: its characters, its parse, and which sentence it is of, counted from 0."""

    start: int
    end: int
    phrase: Span
    sentence: int

    @property
    def question(self) -> str:
        """The question that its sentence asks and it answers."""
        return ask_by_rules(self.phrase)


@dataclass(frozen=True, slots=True, eq=False)
class CandidateDocument:
    """A document with its sentences and the noun phrases that questions can be asked about."""

    text: str
    sentences: tuple[tuple[int, int], ...]
    candidates: tuple[Candidate, ...]


def find_candidates(document: str) -> CandidateDocument:
    """The noun phrases of a document that the asker asks about, in their order.

    >>> [candidate.question for candidate in find_candidates("Ann Lee won in Rome.").candidates]
    ['Who won in Rome?', 'Where did Ann Lee win?']
    """
    sentences = find_sentences(document)
    docs = load_parser().parse([document[start:end] for start, end in sentences], entities=True)
    candidates = [
        Candidate(start=start + phrase.start_char, end=start + phrase.end_char, phrase=phrase, sentence=number)
        for number, ((start, _), doc) in enumerate(zip(sentences, docs, strict=True))
        for phrase in find_phrases(doc)
        if says_more(phrase)
    ]
    return CandidateDocument(document, tuple(sentences), tuple(candidates))
