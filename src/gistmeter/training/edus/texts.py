"""Texts with annotated discourse units, and how well boundaries agree with the annotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.linguistics.edus.segmenter import segment
from gistmeter.training.licences import read_licence
from gistmeter.training.match_counts import MatchCounts
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.linguistics.edus.segmenter import BoundaryNetwork
    from gistmeter.training.sources.records import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class EduText:
    """A text with the characters at which its sentences and its discourse units begin."""

    name: str
    split: str
    genre: str
    licence: str
    text: str
    sentence_starts: frozenset[int]
    unit_starts: frozenset[int]

    @property
    def lines(self) -> str:
        """The same text, as long, with each sentence on a line of its own where space allows."""
        letters = list(self.text)
        for start in self.sentence_starts:
            if start and letters[start - 1] == " ":
                letters[start - 1] = "\n"
        return "".join(letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryFigures:
    """Agreement of boundaries with the annotation of some texts."""

    texts: int
    raw: MatchCounts
    """All boundaries, from the bare text."""

    given: MatchCounts
    """All boundaries, with the annotated sentences given as lines."""

    inner: MatchCounts
    """With the sentences given, the boundaries inside them alone."""

    genres: Mapping[str, MatchCounts]
    """`raw` by genre."""


def read_edu_texts(path: str | Path) -> list[EduText]:
    """The annotated texts of a file: JSONL, also gzipped, with tokens and the numbers of those that begin something."""
    return [_edu_text(record) for record in read_records(path)]


def measure_boundaries(texts: Sequence[EduText], network: BoundaryNetwork | None = None) -> BoundaryFigures:
    """How well a segmenter, the shipped one by default, finds the units of these texts."""
    raw_starts = _unit_starts([text.text for text in texts], network)
    given_starts = _unit_starts([text.lines for text in texts], network)
    annotated = [text.unit_starts for text in texts]
    by_genre = {
        genre: [i for i, text in enumerate(texts) if text.genre == genre]
        for genre in dict.fromkeys(text.genre for text in texts)
    }
    return BoundaryFigures(
        texts=len(texts),
        raw=_count_matches(raw_starts, annotated),
        given=_count_matches(given_starts, annotated),
        inner=_count_matches(
            [starts - text.sentence_starts for starts, text in zip(given_starts, texts, strict=True)],
            [text.unit_starts - text.sentence_starts for text in texts],
        ),
        genres={
            genre: _count_matches([raw_starts[i] for i in numbers], [annotated[i] for i in numbers])
            for genre, numbers in by_genre.items()
        },
    )


def _count_matches(predicted: Iterable[frozenset[int]], annotated: Iterable[frozenset[int]]) -> MatchCounts:
    """BoundaryNetwork over all texts."""
    counts = [
        (len(starts), len(right), len(starts & right)) for starts, right in zip(predicted, annotated, strict=True)
    ]
    return MatchCounts(*(sum(column) for column in zip(*counts, strict=True))) if counts else MatchCounts(0, 0, 0)


def _unit_starts(texts: Sequence[str], network: BoundaryNetwork | None) -> list[frozenset[int]]:
    """Where the segmenter begins the units of each text."""
    return [frozenset(unit.start for unit in units) for units in segment(texts, network=network)]


def _edu_text(record: Record) -> EduText:
    fields, position = record
    record.require_lists("tokens", "sentence_starts", "edu_starts")
    glued = set(fields.get("no_space_after", ()))
    pieces, starts, end = [], [], 0
    for number, token in enumerate(fields["tokens"]):
        starts.append(end)
        piece = str(token) if number in glued else f"{token} "
        pieces.append(piece)
        end += len(piece)
    try:
        units, sentences = ([starts[number] for number in fields[name]] for name in ("edu_starts", "sentence_starts"))
    except (IndexError, TypeError):
        raise DataError(f"{position} begins a unit or a sentence at a token that is not there") from None
    return EduText(
        name=str(fields.get("doc_id", position)),
        split=str(fields.get("split", "train")),
        genre=str(fields.get("genre", fields.get("corpus", "all"))),
        licence=read_licence(fields),
        text="".join(pieces).rstrip(),
        sentence_starts=frozenset(sentences),
        unit_starts=frozenset(units),
    )
