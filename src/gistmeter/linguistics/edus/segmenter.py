"""Elementary discourse units: the clauses a text is made of, as stretches of it.

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

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.linguistics.edus import RULES_VERSION
from gistmeter.linguistics.edus.features import describe_words, shift_rows
from gistmeter.linguistics.parser import load_parser
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import sentence_spans
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from spacy.tokens import Doc

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.edus.features import WordFeatures


WINDOW = 2
"""The vectors of so many words before and after are looked at."""

_LINE = re.compile(r"[^\n]+")
_LONG = 50_000
_AT_ONCE = 30_000
_REMEMBERED = 20_000
_ROWS = 1024

WEIGHTS = Path(__file__).parent / "weights.safetensors"


class UnitSpan(NamedTuple):
    """A stretch of a text, by characters; the end is not part of it."""

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

    def starts(self, docs: Sequence[Doc]) -> list[NDArray[np.bool_]]:
        """For each text: which of its words begin a unit; white space never does."""
        known = describe_words(docs)
        chosen = self.logits(known)[known.word] > 0
        found = []
        at = 0
        for doc in docs:
            starts = chosen[at : at + len(doc)] & ~np.fromiter((word.is_space for word in doc), np.bool_, len(doc))
            found.append(starts)
            at += len(doc)
        return found

    def logits(self, known: WordFeatures) -> SingleArray:
        """How much speaks for a boundary before each row."""
        hidden = np.empty((len(known.word), len(self.bias)), np.float32)
        for start in range(0, len(hidden), _ROWS):
            self._looked_up(known.hashes[start : start + _ROWS], hidden[start : start + _ROWS])
        if known.vectors.shape[1]:
            for by, weight in zip(range(-WINDOW, WINDOW + 1), self.around, strict=True):
                hidden += shift_rows(known.vectors @ weight, by)
        logits: SingleArray = np.maximum(hidden, 0) @ self.out + np.float32(self.out_bias)
        return logits

    def _looked_up(self, hashes: NDArray[np.uint64], hidden: SingleArray) -> None:
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
    """The units of each text as stretches of it: in order, apart, with every character that is no white space.

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
    lines = [list(_lines(text)) for text in texts]
    asked = [text[one.start : one.end] for text, ones in zip(texts, lines, strict=True) for one in ones]
    known = _remembered(asked) if network is None else _line_spans(asked, network)
    return [
        [
            UnitSpan(line.start + start, line.start + end)
            for line in ones
            for start, end in known[text[line.start : line.end]]
        ]
        for text, ones in zip(texts, lines, strict=True)
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
    if not file.is_file():
        raise MetricError(f"there is no segmenter {file.name} in {file.parent}: `gistmeter train edus` writes one")
    safetensors = require("safetensors", "the segmenter of discourse units")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
    except safetensors.SafetensorError:
        raise MetricError(f"{file.name} in {file.parent} is not a safetensors file") from None
    if set(arrays) != {"table", "around", "bias", "out", "out_bias"}:
        raise MetricError(f"{file.name} in {file.parent} is not a segmenter that `gistmeter train edus` wrote")
    return make_boundary_network(arrays, files_digest([file]))


def make_boundary_network(arrays: Mapping[str, SingleArray], digest: str) -> BoundaryNetwork:
    """A network from its weights."""
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
    first = len(text) - len(text.lstrip())
    places = [place for word in np.flatnonzero(starts) if (place := doc[int(word)].idx) > first]
    found: list[UnitSpan] = []
    at = 0
    for end in (*places, len(text)):
        piece = text[at:end]
        if end < len(text) and not any(map(str.isalnum, piece)):
            continue  # such as an opening quote: it goes with what follows
        start = at + len(piece) - len(piece.lstrip())
        if found and not any(map(str.isalnum, piece)):
            start = found.pop().start
        if piece.strip():
            found.append(UnitSpan(start, at + len(piece.rstrip())))
        at = end
    return found


_known: dict[str, list[UnitSpan]] = {}


def _remembered(lines: Sequence[str]) -> dict[str, list[UnitSpan]]:
    """The units of each distinct line, by the shipped network; those of the last lines are kept."""
    wanted = dict.fromkeys(lines)
    found = {line: _known[line] for line in wanted if line in _known}
    new = _line_spans([line for line in wanted if line not in found], load_boundaries())
    if len(_known) + len(new) > _REMEMBERED:
        _known.clear()
    _known.update(islice(new.items(), _REMEMBERED))
    return {**found, **new}


def _line_spans(lines: Sequence[str], network: BoundaryNetwork) -> dict[str, list[UnitSpan]]:
    """The units of each distinct line."""
    found = {}
    for some in _by_size(list(dict.fromkeys(lines))):
        docs = load_parser().parse(some)
        for line, doc, starts in zip(some, docs, network.starts(docs), strict=True):
            found[line] = cut_units(doc, starts)
    return found


def _by_size(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines in groups of bounded size, so that memory does not grow with their number."""
    group: list[str] = []
    size = 0
    for line in lines:
        if group and size + len(line) > _AT_ONCE:
            yield group
            group, size = [], 0
        group.append(line)
        size += len(line)
    if group:
        yield group


def _lines(text: str) -> Iterator[UnitSpan]:
    """The lines of a text without the space around them; a very long one is taken in parts, by its sentences."""
    for found in _LINE.finditer(text):
        line = found.group()
        inner = line.strip()
        if not inner:
            continue
        start = found.start() + len(line) - len(line.lstrip())
        if len(inner) <= _LONG:
            yield UnitSpan(start, start + len(inner))
            continue
        first = 0
        spans = _sentence_spans(inner, "en")
        for this, following in zip(spans, [*spans[1:], None], strict=True):
            if following is None or following.end - first > _LONG:
                yield UnitSpan(start + first, start + this.end)
                first = following.start if following else 0


def _sentence_spans(text: str, language: str) -> list[UnitSpan]:
    """The sentences of a text as stretches of it, with nothing but space between them."""
    starts = [start for start, _ in sentence_spans(text, language)]
    if not text.strip():
        return []
    first = len(text) - len(text.lstrip())
    inner = [first, *(place for place in starts if place > first)]
    spans = zip(inner, [*inner[1:], len(text)], strict=True)
    return [UnitSpan(start, start + len(text[start:end].rstrip())) for start, end in spans]
