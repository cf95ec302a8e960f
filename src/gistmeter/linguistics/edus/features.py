"""What the segmenter of discourse units reads: numbers for every word, from its spaCy parse.

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

BLANK_ROWS = 3
"""Blank rows before every text and after the last, so that no window looks into another text."""

_CLAUSE_DEPENDENCIES = (
    "ROOT",
    "advcl",
    "ccomp",
    "xcomp",
    "acl",
    "relcl",
    "conj",
    "pcomp",
    "csubj",
    "csubjpass",
    "parataxis",
)
_FINITE_TAGS = ("VBD", "VBZ", "VBP", "MD")
MAX_DISTANCE = 30
_MULTIPLIER = np.uint64(0xFF51AFD7ED558CCD)
_HALF_BITS = np.uint64(32)


@dataclass(frozen=True, slots=True)
class WordFeatures:
    """The features of the words of several texts, one after another; `word` tells words from blank rows."""

    hashes: HashArray
    """A row for each word, a column for each template."""

    vectors: SingleArray
    """The vector that spaCy's own network gives the word."""

    word: BoolArray
    lengths: tuple[int, ...]
    """How many words each text has."""


def describe_words(docs: Sequence[Doc]) -> WordFeatures:
    """The features of every word of parsed texts."""
    return _WordTable(docs).features()


def shift_rows(values: NDArray[_Number], offset: int) -> NDArray[_Number]:
    """The values `offset` rows further on, in every row; zero beyond the ends.

    >>> shift_rows(np.array([1, 2, 3]), 1).tolist(), shift_rows(np.array([1, 2, 3]), -1).tolist()
    ([2, 3, 0], [0, 1, 2])
    """
    shifted = np.zeros_like(values)
    if offset >= 0:
        shifted[: len(values) - offset] = values[offset:]
    else:
        shifted[-offset:] = values[:offset]
    return shifted


class _WordTable:
    """The words of several texts as columns of numbers, the dependency tree over them, and the templates made of it."""

    def __init__(self, docs: Sequence[Doc]) -> None:
        from spacy import attrs, symbols

        attributes = [
            attrs.LOWER, attrs.TAG, attrs.POS, attrs.DEP, attrs.LEMMA, attrs.SHAPE, attrs.SUFFIX, attrs.SPACY,
            attrs.IS_PUNCT, attrs.SENT_START, attrs.HEAD,
        ]  # fmt: skip
        self.lengths = tuple(len(doc) for doc in docs)
        size = sum(self.lengths) + BLANK_ROWS * (len(docs) + 1)
        table = np.zeros((size, len(attributes)), np.uint64)
        width = next((doc.tensor.shape[1] for doc in docs if len(doc)), 0)
        self.vectors = np.zeros((size, width), np.float32)
        self.word = np.zeros(size, np.bool_)
        self.first = ~self.word
        row = BLANK_ROWS
        for doc in docs:
            rows = slice(row, row + len(doc))
            if len(doc):
                table[rows] = doc.to_array(attributes)
                self.vectors[rows] = doc.tensor
                self.first[row + 1 : row + len(doc)] = table[row + 1 : row + len(doc), -2] == 1
            self.word[rows] = True
            row += len(doc) + BLANK_ROWS
        self.lower, self.tag, self.pos, self.dep, self.lemma, self.shape, self.suffix, self.space, punct = table.T[:9]
        self.index = np.arange(size)
        self.head = self.index + table[:, -1].view(np.int64)
        self.punct = punct > 0
        self.verb = np.isin(self.pos, np.array([symbols.VERB, symbols.AUX], np.uint64))
        names = (*_CLAUSE_DEPENDENCIES, *_FINITE_TAGS, "(", "[", ")", "]")
        hash_of = {word: np.uint64(docs[0].vocab.strings[word]) for word in names} if docs else {}
        self.clause = self.verb & _is_among(self.dep, hash_of, _CLAUSE_DEPENDENCIES)
        self.finite = _is_among(self.tag, hash_of, _FINITE_TAGS)
        self.opening = _is_among(self.lower, hash_of, ("(", "["))
        self.closing = _is_among(self.lower, hash_of, (")", "]"))
        self._columns: list[HashArray] = []

    def features(self) -> WordFeatures:
        self._add_neighbours()
        self._add_ancestors()
        self._add_phrases()
        self._add_distances()
        return WordFeatures(
            hashes=np.stack(self._columns, axis=1), vectors=self.vectors, word=self.word, lengths=self.lengths
        )

    def _add(self, *columns: NDArray[np.generic]) -> None:
        """Add a template: a hash of its number and of the values it joins."""
        hashes = np.full(len(self.index), len(self._columns) + 1, np.uint64)
        for column in columns:
            hashes = (hashes * _MULTIPLIER) ^ column.astype(np.uint64)
            hashes ^= hashes >> _HALF_BITS
        self._columns.append(hashes * _MULTIPLIER)

    def _add_neighbours(self) -> None:
        """Add templates on the word and its neighbours."""
        lower, tag, dep, shape = self.lower, self.tag, self.dep, self.shape
        for offset in range(-BLANK_ROWS, BLANK_ROWS + 1):
            for column in (lower, tag, dep):
                self._add(shift_rows(column, offset))
        for offset in (-1, 0, 1):
            self._add(shift_rows(tag, offset), shift_rows(dep, offset))
        for offset in (-2, -1, 0, 1):
            self._add(shift_rows(tag, offset), shift_rows(tag, offset + 1))
        previous = shift_rows(lower, -1)
        self._add(previous, lower)
        self._add(lower, shift_rows(lower, 1))
        self._add(previous, tag)
        self._add(shift_rows(tag, -1), tag, shift_rows(tag, 1))
        for column in (self.lemma, shape, self.suffix, shift_rows(shape, -1), shift_rows(shape, 1)):
            self._add(column)
        self._add(shift_rows(shape, -1), shape, self.first)
        self._add(shift_rows(self.space, -1), tag)
        self._add(self.first)
        self._add(self.first, lower)
        self._add(self.first, previous)

    def _add_ancestors(self) -> None:
        """Add templates on the words above the word in the tree."""
        head, tag, dep = self.head, self.tag, self.dep
        for column in (self.lower, tag, dep, self.lemma):
            self._add(column[head])
        self._add(dep, tag[head])
        self._add(dep[head], tag[head[head]])
        self._add(self.lower, dep)
        self._add(np.sign(head - self.index) + 1, _bucket_distance(np.abs(head - self.index)))
        self.depth = _measure_depths(head)
        self._add(_bucket_distance(self.depth))

    def _add_phrases(self) -> None:
        """Add templates on the largest phrase and clause that begin at the word, and that ended just before it."""
        left, right = _find_edges(self.head, self.depth)
        upwards = np.argsort(-self.depth, kind="stable")
        clauses = upwards[self.clause[upwards]]
        for nodes in (upwards, clauses):
            self._add_phrase(_find_last(left, nodes, len(left)), left, right)
            self._add_phrase(_find_last(right + 1, nodes, len(left)), left, right)

    def _add_phrase(self, tops: IntArray, left: IntArray, right: IntArray) -> None:
        """Add templates on one phrase for each word; its head is in `tops`, -1 where there is none."""
        exists, node = tops >= 0, np.maximum(tops, 0)
        head = self.head[node]
        dep, tag, lemma = (np.where(exists, column[node], 0) for column in (self.dep, self.tag, self.lemma))
        size = _bucket_distance(np.where(exists, right[node] - left[node] + 1, 0))
        self._add(dep)
        self._add(tag)
        self._add(lemma)
        self._add(np.where(exists, self.lemma[head], 0))
        self._add(dep, tag, np.where(exists, self.tag[head], 0))
        self._add(dep, np.where(exists, self.dep[head], 0), np.where(exists, np.sign(head - node) + 1, 0))
        self._add(dep, tag, shift_rows(self.pos, -1))
        self._add(dep, shift_rows(self.lower, -1))
        self._add(dep, self.lower)
        self._add(size)
        self._add(dep, size)
        self._add(dep, _bucket_distance(np.where(exists, np.abs(self.index - node), MAX_DISTANCE)))

    def _add_distances(self) -> None:
        """Add templates on how far verbs, punctuation and the ends of the sentence are."""
        index, size = self.index, len(self.index)
        start = np.maximum.accumulate(np.where(self.first, index, 0))
        end = _next_marked(self.first, size)
        verb_next = np.minimum(np.minimum.accumulate(np.where(self.verb, index, size)[::-1])[::-1], end)
        verb_before = shift_rows(np.maximum.accumulate(np.where(self.verb, index, -1)), -1)
        verbs, finite = _count_before(self.verb), _count_before(self.finite)
        to_verb = _bucket_distance(np.where(verb_next < end, verb_next - index, MAX_DISTANCE))
        since_punct = shift_rows(np.maximum.accumulate(np.where(self.punct | self.first, index, 0)), -1)
        to_punct = np.minimum(_next_marked(self.punct, size), end)
        brackets = np.cumsum(self.opening.astype(np.int64) - self.closing)
        depth_in_brackets = np.clip(brackets - np.where(start > 0, brackets[start - 1], 0), -1, 2) + 1
        self._add(to_verb)
        self._add(to_verb, self.tag, shift_rows(self.tag, -1))
        self._add(_bucket_distance(np.where(verb_before >= start, index - verb_before, MAX_DISTANCE)))
        self._add(_bucket_distance(index - start))
        self._add(_bucket_distance(end - index))
        self._add(_bucket_distance(np.maximum(index - np.maximum(since_punct, start), 0)))
        self._add(np.minimum(verbs[index] - verbs[start], 3), np.minimum(verbs[end] - verbs[index], 3))
        self._add(np.minimum(finite[end] - finite[index], 3))
        self._add(np.minimum(verbs[to_punct] - verbs[index], 3), shift_rows(self.lower, -1))
        self._add(depth_in_brackets)
        self._add(depth_in_brackets, self.lower)


def _is_among(column: HashArray, hash_of: dict[str, np.uint64], words: Sequence[str]) -> BoolArray:
    return np.isin(column, np.array([hash_of[word] for word in words if word in hash_of], np.uint64))


def _bucket_distance(distance: IntArray) -> IntArray:
    """A distance in steps that widen: 0 to 5 as they are, then about two to each doubling."""
    near = np.minimum(distance, MAX_DISTANCE)
    return np.where(near < 6, near, 6 + np.floor(2 * np.log2(np.maximum(near, 1) / 5)).astype(np.int64))


def _next_marked(marked: BoolArray, size: int) -> IntArray:
    """The next marked row after each row, or the number of rows."""
    next_at = np.minimum.accumulate(np.where(marked, np.arange(size), size)[::-1])[::-1]
    return np.append(next_at[1:], size)


def _count_before(marked: BoolArray) -> IntArray:
    """How many rows are marked before each row, and in all."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(marked)])


def _measure_depths(head: IntArray) -> IntArray:
    """How many steps each word is from the root of its sentence; paths double, as a tree can be as deep as long."""
    depth: IntArray = (head != np.arange(len(head))).astype(np.int64)
    ancestor = head
    while (added := depth[ancestor]).any():
        depth = depth + added
        ancestor = ancestor[ancestor]
    return depth


def _find_edges(head: IntArray, depth: IntArray) -> tuple[IntArray, IntArray]:
    """The first and the last word of the phrase under each word."""
    left = np.arange(len(head))
    right = left.copy()
    order = np.argsort(depth, kind="stable")
    levels = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
    for rows in levels[:0:-1]:
        np.minimum.at(left, head[rows], left[rows])
        np.maximum.at(right, head[rows], right[rows])
    return left, right


def _find_last(key: IntArray, nodes: IntArray, size: int) -> IntArray:
    """For each row, the last of `nodes` whose key it is; -1 where there is none."""
    last = np.full(size + 1, -1, np.int64)
    last[key[nodes]] = nodes
    return last[:size]
