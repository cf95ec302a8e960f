"""Annotated texts for coreference: whole texts with their clusters (GUM), and single pronouns with two names (GAP)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.linguistics.parser import load_parser
from gistmeter.training.licences import read_licence
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from spacy.tokens import Doc

    from gistmeter.training.sources.records import Record

    Span = tuple[int, int]

_MALE_PRONOUNS = frozenset({"he", "him", "his"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredText:
    """A text in words, where its sentences begin, and the spans of words that speak of the same."""

    split: str
    genre: str
    licence: str
    tokens: tuple[str, ...]
    sentence_starts: tuple[int, ...]
    clusters: tuple[tuple[Span, ...], ...]

    @property
    def sentences(self) -> list[list[str]]:
        """The words of each sentence."""
        ends = (*self.sentence_starts[1:], len(self.tokens))
        return [list(self.tokens[start:end]) for start, end in zip(self.sentence_starts, ends, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pronoun:
    """A pronoun in a text, and two names by their characters; at most one of them is meant."""

    split: str
    text: str
    start: int
    male: bool
    names: tuple[Span, Span]
    meant: tuple[bool, bool]


def read_texts(path: str | Path) -> list[ClusteredText]:
    """The texts of a file: JSONL, also gzipped, with tokens, sentence_starts and clusters."""
    return [_parse_text(record) for record in read_records(path)]


def read_pronouns(path: str | Path) -> list[Pronoun]:
    """The pronouns of a file of GAP in JSONL, also gzipped."""
    return [_parse_pronoun(record) for record in read_records(path)]


def parse_texts(texts: Sequence[ClusteredText]) -> list[list[Doc]]:
    """The sentences of each text, parsed in the words that are given."""
    tokens: Any = require("spacy.tokens", "parsing")
    nlp = load_parser().nlp
    docs = [
        tokens.Doc(nlp.vocab, words=words, sent_starts=[True, *[False] * (len(words) - 1)])
        for text in texts
        for words in text.sentences
    ]
    parsed = iter(nlp.pipe(docs))
    return [[next(parsed) for _ in text.sentence_starts] for text in texts]


def _parse_text(record: Record) -> ClusteredText:
    record.require_lists("tokens", "sentence_starts", "clusters")
    fields = record.fields
    return ClusteredText(
        split=str(fields.get("split", "train")),
        genre=str(fields.get("genre", "all")),
        licence=read_licence(fields),
        tokens=tuple(map(str, fields["tokens"])),
        sentence_starts=tuple(fields["sentence_starts"]),
        clusters=tuple(tuple((start, end) for start, end in cluster) for cluster in fields["clusters"]),
    )


def _parse_pronoun(record: Record) -> Pronoun:
    fields = record.fields
    try:
        pronoun, a, b = fields["pronoun"], fields["a"], fields["b"]
        return Pronoun(
            split=str(fields["split"]),
            text=str(fields["text"]),
            start=int(pronoun["start"]),
            male=str(pronoun["text"]).lower() in _MALE_PRONOUNS,
            names=((a["start"], a["start"] + len(a["text"])), (b["start"], b["start"] + len(b["text"]))),
            meant=(bool(a["coref"]), bool(b["coref"])),
        )
    except (KeyError, TypeError):
        raise DataError(f"{record.position} is not a record of GAP: it needs split, text, pronoun, a and b") from None
