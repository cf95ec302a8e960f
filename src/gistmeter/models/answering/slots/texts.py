"""Questions and texts as the slot answerer reads them: words with their states, and the place of each slot.

A slot is where something can stand: the wh-phrase of a question, a noun phrase of a text. What surrounds it is told by
the parse: how many steps every word of the sentence is away from it, the word it hangs on, its part in the clause.
"""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.phrases import find_phrases
from gistmeter.models.answering.slots.kinds import classify_phrase, classify_question, find_wh_phrase
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import load_background
from gistmeter.text.stems import get_stemmer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc, Span, Token

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.answering.slots.kinds import Kind
    from gistmeter.models.runtime.states import Encoded, StateArray
    from gistmeter.text.background import Background


LAYER = 3
"""Whose states of words are compared."""

FAR_STEPS = 99
"""Steps to a word of another sentence, or of the same one but further away than this."""

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_LIGHT = frozenset({"be", "have", "do"})
_SUBJECTS = frozenset({"nsubj", "csubj"})
_OBJECTS = frozenset({"dobj", "nsubjpass", "attr", "oprd", "dative"})
_TIMES = frozenset({"npadvmod", "advmod"})


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """Where something stands: the words `first` to `last` (exclusive), and what is around it."""

    first: int
    last: int
    root: int
    start: int
    """Its first character."""

    end: int
    governor: int
    """The verb or noun it hangs on, over a preposition; -1 at the root."""

    preposition: str
    parts: frozenset[str]
    """What it can be in its clause: subject, object, circumstance ..."""

    steps: IntArray
    """From it to each word, along the parse; `FAR_STEPS` in other sentences."""

    kind: Kind
    counts: bool
    """Whether it has a figure in it."""


@dataclass(frozen=True, slots=True, eq=False)
class SlottedText:
    """A text or question: its words, and the slots in it (one in a question)."""

    stems: IntArray
    """The stem of each word as a number; words without content have -1."""

    weights: FloatArray
    """How rare each content word is in general; 0 for the others."""

    states: StateArray
    slots: tuple[Slot, ...]
    way: str = ""
    """How a question asks."""

    @property
    def size(self) -> int:
        """Bytes, nearly."""
        return self.states.nbytes + sum(slot.steps.nbytes for slot in self.slots)


def describe_questions(questions: Sequence[str]) -> list[SlottedText]:
    """Questions, each with the slot of its wh-phrase (none without one)."""
    return _describe(questions, question=True)


def describe_passages(texts: Sequence[str]) -> list[SlottedText]:
    """Texts, each with the slots of its noun phrases."""
    return _describe(texts, question=False)


def _describe(texts: Sequence[str], *, question: bool) -> list[SlottedText]:
    docs = load_parser().parse(texts, entities=not question)
    encoded = load_encoder().encode(texts, [LAYER])
    return [describe_doc(doc, encoding, question=question) for doc, encoding in zip(docs, encoded, strict=True)]


def describe_doc(doc: Doc, encoded: Encoded, *, question: bool) -> SlottedText:
    """A parsed and encoded text as the answerer reads it."""
    if question:
        wh = find_wh_phrase(doc)
        spans, way = ([wh] if len(wh) else []), classify_question(wh)
    else:
        spans, way = find_phrases(doc, "chunks"), ""
    frequencies, stem = _word_frequencies(), get_stemmer("porter")
    content = [word.pos_ in _CONTENT and word.lemma_.lower() not in _LIGHT and word.text.isalnum() for word in doc]
    return SlottedText(
        stems=np.array([_hash_stem(stem(w.lower_)) if c else -1 for w, c in zip(doc, content, strict=True)], np.int64),
        weights=np.array([frequencies.idf(w.lower_) if c else 0.0 for w, c in zip(doc, content, strict=True)]),
        states=_word_states(doc, encoded),
        slots=tuple(_slot(span) for span in spans),
        way=way,
    )


def _slot(span: Span) -> Slot:
    root = span.root
    governor, preposition, parts = _place_in_clause(root)
    return Slot(
        first=span.start,
        last=span.end,
        root=root.i,
        start=span.start_char,
        end=span.end_char,
        governor=governor,
        preposition=preposition,
        parts=parts,
        steps=count_steps(span),
        kind=classify_phrase(span),
        counts=any(word.like_num for word in span),
    )


def _place_in_clause(root: Token) -> tuple[int, str, frozenset[str]]:
    """The word that a phrase hangs on, the preposition between, and its part in the clause."""
    above, preposition, parts = root.head, "", set[str]()
    if above == root:
        return -1, "", frozenset({"root"})
    if above.pos_ == "ADP" and root.dep_ in ("pobj", "pcomp", "prep"):
        preposition = above.lower_
        parts.add("subject" if above.dep_ == "agent" else "oblique")
        if above.dep_ != "agent":
            parts.add("circumstance")
        above = above.head
    elif root.dep_ in _SUBJECTS:
        parts.add("subject")
    elif root.dep_ in _OBJECTS:
        parts.add("object")
    elif root.dep_ in _TIMES:
        parts.add("circumstance")
    else:
        parts.add(root.dep_)
    return above.i, preposition, frozenset(parts)


def count_steps(span: Span) -> IntArray:
    """Steps along the parse from a phrase to each word of its sentence, as far as they are below `FAR_STEPS`."""
    steps = np.full(len(span.doc), FAR_STEPS, dtype=np.int64)
    edge = list(span)
    steps[span.start : span.end] = 0
    for far in range(1, FAR_STEPS):
        edge = [n for w in edge for n in (*w.children, w.head) if steps[n.i] == FAR_STEPS]
        if not edge:
            break
        steps[[word.i for word in edge]] = far
    return steps


def _word_states(doc: Doc, encoded: Encoded) -> StateArray:
    """The mean state of the tokens of each word, of length 1; nothing where a word has no token."""
    inner = ~encoded.special
    states = encoded.states[LAYER][inner]
    starts = np.array([word.idx for word in doc], dtype=np.int64)
    sums = np.zeros((len(doc), states.shape[1]), dtype=np.float32)
    if len(doc) and len(states):
        owner = np.maximum(np.searchsorted(starts, encoded.ends[inner] - 1, side="right") - 1, 0)
        np.add.at(sums, owner, states)
    return scale_to_unit_length(sums)


def _hash_stem(stem: str) -> int:
    """A stem as a number, the same in every process."""
    return zlib.crc32(stem.encode())


@functools.cache
def _word_frequencies() -> Background:
    return load_background(Analysis(tokenizer="unicode", language="en"))
