"""Elementary discourse units: the clauses a text is made of, as spans of it.

For English a small network over the spaCy parse decides which words begin a unit (`gistmeter train edus` made it). In
other languages the units are the sentences. A new line always begins a new unit.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.linguistics.edus import RULES_VERSION
from gistmeter.linguistics.edus.features import describe_words, shift_rows
from gistmeter.linguistics.network_file import NetworkFormat
from gistmeter.linguistics.parser import load_parser
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from spacy.tokens import Doc

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.edus.features import WordFeatures


WINDOW = 2
"""Words before and after a word whose vectors count for it."""

_LINE = re.compile(r"[^\n]+")
MAX_LINE_CHARACTERS = 50_000
BATCH_CHARACTERS = 30_000
MAX_CACHED_LINES = 20_000
BLOCK_ROWS = 1024

WEIGHTS = Path(__file__).parent / "weights.safetensors"
_FORMAT = NetworkFormat("segmenter", "gistmeter train edus", ("table", "around", "bias", "out", "out_bias"))


class UnitSpan(NamedTuple):
    """A discourse unit of a text, by characters; the end is not part of it."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BoundaryNetwork:
    """The network: one layer over hashed templates and word vectors, and one number out of it."""

    table: SingleArray
    """A row for each bucket of hashes."""

    around: SingleArray
    """For each of the words around, what its vector adds."""

    bias: SingleArray
    out: SingleArray
    out_bias: float
    digest: str

    @property
    def bits(self) -> int:
        """How many bits of a hash choose the row of the table."""
        return len(self.table).bit_length() - 1

    def find_starts(self, docs: Sequence[Doc]) -> list[NDArray[np.bool_]]:
        """For each text: which of its words begin a unit; white space never does."""
        features = describe_words(docs)
        is_start = self.logits(features)[features.word] > 0
        starts_of_texts = []
        row = 0
        for doc in docs:
            text_starts = is_start[row : row + len(doc)] & ~np.fromiter(
                (word.is_space for word in doc), np.bool_, len(doc)
            )
            starts_of_texts.append(text_starts)
            row += len(doc)
        return starts_of_texts

    def logits(self, features: WordFeatures) -> SingleArray:
        """The logit of a unit beginning at each row."""
        hidden = np.empty((len(features.word), len(self.bias)), np.float32)
        for start in range(0, len(hidden), BLOCK_ROWS):
            self._sum_rows(features.hashes[start : start + BLOCK_ROWS], hidden[start : start + BLOCK_ROWS])
        if features.vectors.shape[1]:
            for offset, weight in zip(range(-WINDOW, WINDOW + 1), self.around, strict=True):
                hidden += shift_rows(features.vectors @ weight, offset)
        logits: SingleArray = np.maximum(hidden, 0) @ self.out + np.float32(self.out_bias)
        return logits

    def _sum_rows(self, hashes: NDArray[np.uint64], hidden: SingleArray) -> None:
        """The sum of the table's rows for all templates of each word, into `hidden`."""
        hidden[:] = self.bias
        rows = np.ascontiguousarray((hashes >> np.uint64(64 - self.bits)).T).astype(np.int64)
        row = np.empty_like(hidden)
        for template in rows:
            np.take(self.table, template, axis=0, out=row, mode="clip")  # `clip` spares a copy; no row is beyond
            hidden += row


def segment(
    texts: Sequence[str], language: str = "en", *, network: BoundaryNetwork | None = None
) -> list[list[UnitSpan]]:
    """The units of each text as spans of it: in order, apart, with every character that is no white space.

    `network` is for English alone, the shipped one by default.

    >>> text = "He left because it rained."
    >>> [text[start:end] for start, end in segment([text])[0]]
    ['He left', 'because it rained.']
    >>> segment([""]), [len(units) for units in segment(["Er kam. Sie ging."], "de")]
    ([[]], [2])
    """
    code = language_code(language)
    if code != "en":
        return [_sentence_spans(text, code) for text in texts]
    lines = [list(_find_lines(text)) for text in texts]
    line_texts = [
        text[line.start : line.end] for text, text_lines in zip(texts, lines, strict=True) for line in text_lines
    ]
    spans_of_line = _segment_cached(line_texts) if network is None else _segment_lines(line_texts, network)
    return [
        [
            UnitSpan(line.start + start, line.start + end)
            for line in text_lines
            for start, end in spans_of_line[text[line.start : line.end]]
        ]
        for text, text_lines in zip(texts, lines, strict=True)
    ]


def segmenter_identity(language: str = "en") -> str:
    """What decides the units of a language: the version of the rules, the network and the parser, or `sentences`."""
    if language_code(language) != "en":
        return "sentences"
    return f"{RULES_VERSION}+{load_boundaries().digest}+{load_parser().digest}"


@functools.lru_cache(maxsize=2)
def load_boundaries(path: str | Path | None = None) -> BoundaryNetwork:
    """The network that comes with gistmeter, or one from a file."""
    file = WEIGHTS if path is None else Path(path).expanduser()
    stored = _FORMAT.read(file)
    return make_boundary_network(stored.arrays, stored.digest)


def make_boundary_network(arrays: Mapping[str, SingleArray], digest: str) -> BoundaryNetwork:
    """A network from its arrays by name, and the digest of their file."""
    return BoundaryNetwork(
        table=arrays["table"],
        around=arrays["around"],
        bias=arrays["bias"],
        out=arrays["out"],
        out_bias=float(arrays["out_bias"][0]),
        digest=digest,
    )


def cut_units(doc: Doc, starts: NDArray[np.bool_]) -> list[UnitSpan]:
    """The units of a parsed line, from the words that begin one. A unit has a letter or a digit, if the line has."""
    text = doc.text
    first_character = len(text) - len(text.lstrip())
    starts_of_units = [offset for word in np.flatnonzero(starts) if (offset := doc[int(word)].idx) > first_character]
    units: list[UnitSpan] = []
    start_of_piece = 0
    for end in (*starts_of_units, len(text)):
        piece = text[start_of_piece:end]
        if end < len(text) and not any(map(str.isalnum, piece)):
            continue  # such as an opening quote: it goes with what follows
        start = start_of_piece + len(piece) - len(piece.lstrip())
        if units and not any(map(str.isalnum, piece)):
            start = units.pop().start
        if piece.strip():
            units.append(UnitSpan(start, start_of_piece + len(piece.rstrip())))
        start_of_piece = end
    return units


_span_cache: dict[str, list[UnitSpan]] = {}


def _segment_cached(lines: Sequence[str]) -> dict[str, list[UnitSpan]]:
    """The units of each distinct line, by the shipped network; those of recent lines are found in a cache."""
    distinct = dict.fromkeys(lines)
    cached = {line: _span_cache[line] for line in distinct if line in _span_cache}
    segmented = _segment_lines([line for line in distinct if line not in cached], load_boundaries())
    if len(_span_cache) + len(segmented) > MAX_CACHED_LINES:
        _span_cache.clear()
    _span_cache.update(islice(segmented.items(), MAX_CACHED_LINES))
    return {**cached, **segmented}


def _segment_lines(lines: Sequence[str], network: BoundaryNetwork) -> dict[str, list[UnitSpan]]:
    """The units of each distinct line."""
    spans_of_line = {}
    for batch in _batch_lines(list(dict.fromkeys(lines))):
        docs = load_parser().parse(batch)
        for line, doc, starts in zip(batch, docs, network.find_starts(docs), strict=True):
            spans_of_line[line] = cut_units(doc, starts)
    return spans_of_line


def _batch_lines(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines in groups of bounded size, so that memory does not grow with their number."""
    group: list[str] = []
    size = 0
    for line in lines:
        if group and size + len(line) > BATCH_CHARACTERS:
            yield group
            group, size = [], 0
        group.append(line)
        size += len(line)
    if group:
        yield group


def _find_lines(text: str) -> Iterator[UnitSpan]:
    """The lines of a text without the space around them; a very long one is taken in parts, by its sentences."""
    for match in _LINE.finditer(text):
        line = match.group()
        stripped = line.strip()
        if not stripped:
            continue
        start = match.start() + len(line) - len(line.lstrip())
        if len(stripped) <= MAX_LINE_CHARACTERS:
            yield UnitSpan(start, start + len(stripped))
            continue
        part_start = 0
        spans = _sentence_spans(stripped, "en")
        for span, next_span in zip(spans, [*spans[1:], None], strict=True):
            if next_span is None or next_span.end - part_start > MAX_LINE_CHARACTERS:
                yield UnitSpan(start + part_start, start + span.end)
                part_start = next_span.start if next_span else 0


def _sentence_spans(text: str, language: str) -> list[UnitSpan]:
    """The sentences of a text as spans of it, with nothing but space between them."""
    starts = [start for start, _ in find_sentences(text, language)]
    if not text.strip():
        return []
    first_character = len(text) - len(text.lstrip())
    inner_starts = [first_character, *(start for start in starts if start > first_character)]
    spans = zip(inner_starts, [*inner_starts[1:], len(text)], strict=True)
    return [UnitSpan(start, start + len(text[start:end].rstrip())) for start, end in spans]
