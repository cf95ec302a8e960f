"""What the segmenter of discourse units looks at: numbers for every word, from its spaCy parse.

Each template gives one number per word: a hash of, say, the tag of the word before and of the word. Most of the
knowledge is in the largest phrase, and the largest clause, that begins at a word, or that ended just before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from spacy.tokens import Doc

    from gistmeter.arrays import BoolArray, IntArray, SingleArray

    HashArray = NDArray[np.uint64]

_Number = TypeVar("_Number", bound=np.generic)

BLANK = 3
"""Blank rows before every text and after the last, so that no window looks into another text."""

_CLAUSES = ("ROOT", "advcl", "ccomp", "xcomp", "acl", "relcl", "conj", "pcomp", "csubj", "csubjpass", "parataxis")
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_FAR = 30
_MULTIPLIER = np.uint64(0xFF51AFD7ED558CCD)
_HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class WordFeatures:
    """The rows of some texts one after another; `word` tells the words from the blank rows."""

    hashes: HashArray
    """A row for each word, a column for each template."""

    vectors: SingleArray
    """The vector that spaCy's own network gives the word."""

    word: BoolArray
    lengths: tuple[int, ...]
    """How many words each text has."""


def describe_words(docs: Sequence[Doc]) -> WordFeatures:
    """What is to be known of every word of some parsed texts."""
    return _Rows(docs).features()


def shift_rows(values: NDArray[_Number], by: int) -> NDArray[_Number]:
    """What stands `by` rows further on, in every row; zero beyond the ends.

    >>> shift_rows(np.array([1, 2, 3]), 1).tolist(), shift_rows(np.array([1, 2, 3]), -1).tolist()
    ([2, 3, 0], [0, 1, 2])
    """
    found = np.zeros_like(values)
    if by >= 0:
        found[: len(values) - by] = values[by:]
    else:
        found[-by:] = values[:by]
    return found


class _Rows:
    """The columns of some texts, and the tree over them."""

    def __init__(self, docs: Sequence[Doc]) -> None:
        from spacy import attrs, symbols

        asked = [
            attrs.LOWER, attrs.TAG, attrs.POS, attrs.DEP, attrs.LEMMA, attrs.SHAPE, attrs.SUFFIX, attrs.SPACY,
            attrs.IS_PUNCT, attrs.SENT_START, attrs.HEAD,
        ]  # fmt: skip
        self.lengths = tuple(len(doc) for doc in docs)
        size = sum(self.lengths) + BLANK * (len(docs) + 1)
        table = np.zeros((size, len(asked)), np.uint64)
        width = next((doc.tensor.shape[1] for doc in docs if len(doc)), 0)
        self.vectors = np.zeros((size, width), np.float32)
        self.word = np.zeros(size, np.bool_)
        self.first = ~self.word
        at = BLANK
        for doc in docs:
            rows = slice(at, at + len(doc))
            if len(doc):
                table[rows] = doc.to_array(asked)
                self.vectors[rows] = doc.tensor
                self.first[at + 1 : at + len(doc)] = table[at + 1 : at + len(doc), -2] == 1
            self.word[rows] = True
            at += len(doc) + BLANK
        self.low, self.tag, self.pos, self.dep, self.lemma, self.shape, self.suffix, self.space, punct = table.T[:9]
        self.place = np.arange(size)
        self.head = self.place + table[:, -1].view(np.int64)
        self.punct = punct > 0
        self.verb = np.isin(self.pos, np.array([symbols.VERB, symbols.AUX], np.uint64))
        named = (*_CLAUSES, *_FINITE, "(", "[", ")", "]")
        number = {word: np.uint64(docs[0].vocab.strings[word]) for word in named} if docs else {}
        self.clause = self.verb & _among(self.dep, number, _CLAUSES)
        self.finite = _among(self.tag, number, _FINITE)
        self.opening = _among(self.low, number, ("(", "["))
        self.closing = _among(self.low, number, (")", "]"))
        self._columns: list[HashArray] = []

    def features(self) -> WordFeatures:
        self._around()
        self._above()
        self._phrases()
        self._distances()
        return WordFeatures(np.stack(self._columns, axis=1), self.vectors, self.word, self.lengths)

    def _add(self, *columns: NDArray[np.generic]) -> None:
        """One more template: a hash of its number and of the values it joins."""
        mixed = np.full(len(self.place), len(self._columns) + 1, np.uint64)
        for column in columns:
            mixed = (mixed * _MULTIPLIER) ^ column.astype(np.uint64)
            mixed ^= mixed >> _HALF
        self._columns.append(mixed * _MULTIPLIER)

    def _around(self) -> None:
        """The word and its neighbours."""
        low, tag, dep, shape = self.low, self.tag, self.dep, self.shape
        for by in range(-BLANK, BLANK + 1):
            for column in (low, tag, dep):
                self._add(shift_rows(column, by))
        for by in (-1, 0, 1):
            self._add(shift_rows(tag, by), shift_rows(dep, by))
        for by in (-2, -1, 0, 1):
            self._add(shift_rows(tag, by), shift_rows(tag, by + 1))
        before = shift_rows(low, -1)
        self._add(before, low)
        self._add(low, shift_rows(low, 1))
        self._add(before, tag)
        self._add(shift_rows(tag, -1), tag, shift_rows(tag, 1))
        for column in (self.lemma, shape, self.suffix, shift_rows(shape, -1), shift_rows(shape, 1)):
            self._add(column)
        self._add(shift_rows(shape, -1), shape, self.first)
        self._add(shift_rows(self.space, -1), tag)
        self._add(self.first)
        self._add(self.first, low)
        self._add(self.first, before)

    def _above(self) -> None:
        """The word's place in the tree."""
        head, tag, dep = self.head, self.tag, self.dep
        for column in (self.low, tag, dep, self.lemma):
            self._add(column[head])
        self._add(dep, tag[head])
        self._add(dep[head], tag[head[head]])
        self._add(self.low, dep)
        self._add(np.sign(head - self.place) + 1, _step(np.abs(head - self.place)))
        self.depth = _depths(head)
        self._add(_step(self.depth))

    def _phrases(self) -> None:
        """The largest phrase and clause that begin here, and those that ended with the word before."""
        left, right = _edges(self.head, self.depth)
        upwards = np.argsort(-self.depth, kind="stable")
        clauses = upwards[self.clause[upwards]]
        for nodes in (upwards, clauses):
            self._phrase(_last_at(left, nodes, len(left)), left, right)
            self._phrase(_last_at(right + 1, nodes, len(left)), left, right)

    def _phrase(self, top: IntArray, left: IntArray, right: IntArray) -> None:
        """Templates on one phrase for each word; -1 where there is none."""
        there, node = top >= 0, np.maximum(top, 0)
        above = self.head[node]
        dep, tag, lemma = (np.where(there, column[node], 0) for column in (self.dep, self.tag, self.lemma))
        size = _step(np.where(there, right[node] - left[node] + 1, 0))
        self._add(dep)
        self._add(tag)
        self._add(lemma)
        self._add(np.where(there, self.lemma[above], 0))
        self._add(dep, tag, np.where(there, self.tag[above], 0))
        self._add(dep, np.where(there, self.dep[above], 0), np.where(there, np.sign(above - node) + 1, 0))
        self._add(dep, tag, shift_rows(self.pos, -1))
        self._add(dep, shift_rows(self.low, -1))
        self._add(dep, self.low)
        self._add(size)
        self._add(dep, size)
        self._add(dep, _step(np.where(there, np.abs(self.place - node), _FAR)))

    def _distances(self) -> None:
        """How far verbs, punctuation and the ends of the sentence are."""
        place, size = self.place, len(self.place)
        start = np.maximum.accumulate(np.where(self.first, place, 0))
        end = _next(self.first, size)
        verb_next = np.minimum(np.minimum.accumulate(np.where(self.verb, place, size)[::-1])[::-1], end)
        verb_before = shift_rows(np.maximum.accumulate(np.where(self.verb, place, -1)), -1)
        verbs, finite = _counts(self.verb), _counts(self.finite)
        to_verb = _step(np.where(verb_next < end, verb_next - place, _FAR))
        since_punct = shift_rows(np.maximum.accumulate(np.where(self.punct | self.first, place, 0)), -1)
        to_punct = np.minimum(_next(self.punct, size), end)
        brackets = np.cumsum(self.opening.astype(np.int64) - self.closing)
        inside = np.clip(brackets - np.where(start > 0, brackets[start - 1], 0), -1, 2) + 1
        self._add(to_verb)
        self._add(to_verb, self.tag, shift_rows(self.tag, -1))
        self._add(_step(np.where(verb_before >= start, place - verb_before, _FAR)))
        self._add(_step(place - start))
        self._add(_step(end - place))
        self._add(_step(np.maximum(place - np.maximum(since_punct, start), 0)))
        self._add(np.minimum(verbs[place] - verbs[start], 3), np.minimum(verbs[end] - verbs[place], 3))
        self._add(np.minimum(finite[end] - finite[place], 3))
        self._add(np.minimum(verbs[to_punct] - verbs[place], 3), shift_rows(self.low, -1))
        self._add(inside)
        self._add(inside, self.low)


def _among(column: HashArray, number: dict[str, np.uint64], words: Sequence[str]) -> BoolArray:
    return np.isin(column, np.array([number[word] for word in words if word in number], np.uint64))


def _step(distance: IntArray) -> IntArray:
    """A distance in steps that widen: 0 to 5 as they are, then about two to each doubling."""
    near = np.minimum(distance, _FAR)
    return np.where(near < 6, near, 6 + np.floor(2 * np.log2(np.maximum(near, 1) / 5)).astype(np.int64))


def _next(marked: BoolArray, size: int) -> IntArray:
    """The next marked place after each place, or the number of places."""
    here = np.minimum.accumulate(np.where(marked, np.arange(size), size)[::-1])[::-1]
    return np.append(here[1:], size)


def _counts(marked: BoolArray) -> IntArray:
    """How many are marked before each place, and in all."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(marked)])


def _depths(head: IntArray) -> IntArray:
    """How many steps each word is from the root of its sentence; paths double, as a tree can be as deep as long."""
    depth: IntArray = (head != np.arange(len(head))).astype(np.int64)
    up = head
    while (further := depth[up]).any():
        depth = depth + further
        up = up[up]
    return depth


def _edges(head: IntArray, depth: IntArray) -> tuple[IntArray, IntArray]:
    """The first and the last word of the phrase under each word."""
    left = np.arange(len(head))
    right = left.copy()
    order = np.argsort(depth, kind="stable")
    levels = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
    for rows in levels[:0:-1]:
        np.minimum.at(left, head[rows], left[rows])
        np.maximum.at(right, head[rows], right[rows])
    return left, right


def _last_at(key: IntArray, nodes: IntArray, size: int) -> IntArray:
    """For each place, the last of `nodes` whose key it is; -1 where there is none."""
    found = np.full(size + 1, -1, np.int64)
    found[key[nodes]] = nodes
    return found[:size]
