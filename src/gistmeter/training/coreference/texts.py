"""Annotated texts for coreference: whole texts with their clusters (GUM), and single pronouns with two names (GAP)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.json_lines import read_json_lines
from gistmeter.linguistics.coreference.resolver import list_choices
from gistmeter.linguistics.parser import load_parser
from gistmeter.training.coreference.fitting import Question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.coreference.mentions import Mention

    Span = tuple[int, int]

_MALE = frozenset({"he", "him", "his"})


@dataclass(frozen=True, slots=True)
class Text:
    """A text in words, where its sentences begin, and the spans of words that speak of the same."""

    split: str
    genre: str
    licence: str
    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    clusters: tuple[tuple[Span, ...], ...]

    @property
    def sentences(self) -> list[list[str]]:
        """The words of each sentence."""
        ends = (*self.starts[1:], len(self.tokens))
        return [list(self.tokens[start:end]) for start, end in zip(self.starts, ends, strict=True)]


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun in a text, and two names by their characters; at most one of them is meant."""

    split: str
    text: str
    start: int
    male: bool
    names: tuple[Span, Span]
    meant: tuple[bool, bool]


def read_texts(path: str | Path) -> list[Text]:
    """The texts of a file: JSONL, also gzipped, with tokens, sentence_starts and clusters."""
    return [_text(record, where) for record, where in _lines(path)]


def read_pronouns(path: str | Path) -> list[Pronoun]:
    """The pronouns of a file of GAP in JSONL, also gzipped."""
    return [_pronoun(record, where) for record, where in _lines(path)]


def parsed(texts: Sequence[Text]) -> list[list[Doc]]:
    """The sentences of each text, parsed in the words that are given."""
    tokens: Any = require("spacy.tokens", "parsing")
    nlp = load_parser().nlp
    docs = [
        tokens.Doc(nlp.vocab, words=words, sent_starts=[True, *[False] * (len(words) - 1)])
        for text in texts
        for words in text.sentences
    ]
    found = iter(nlp.pipe(docs))
    return [[next(found) for _ in text.starts] for text in texts]


def questions(text: Text, docs: Sequence[Doc]) -> Iterator[Question]:
    """What a text asks of each mention: which of those before it is the same, or none."""
    owner = {span: number for number, cluster in enumerate(text.clusters) for span in cluster}
    for choice in list_choices(docs):
        ours = owner.get((choice.mention.start, choice.mention.end))
        right = [ours is not None and owner.get((one.start, one.end)) == ours for one in choice.others]
        if right:
            yield Question(choice.features, [not any(right), *right])


def pronoun_question(asked: Pronoun, doc: Doc) -> Question | None:
    """Which of the two names a pronoun means, where it is one of them and both come before it; none is wrong."""
    if sum(asked.meant) != 1:
        return None
    for choice in list_choices([doc]):
        if not choice.mention.is_pronoun or choice.mention.head.idx != asked.start:
            continue
        sides = [_same(choice.others, name) for name in asked.names]
        right = sides[asked.meant.index(True)]
        kept = [place for place, one in enumerate(choice.others) if one in sides[0] or one in sides[1]]
        answers = [choice.others[place] in right for place in kept]
        if any(answers) and not all(answers):
            return Question([choice.features[0], *(choice.features[place + 1] for place in kept)], [False, *answers])
    return None


def named(doc: Doc, clusters: Sequence[Sequence[Span]], asked: Pronoun) -> tuple[bool, bool]:
    """Which of the two names the clusters of a text put together with the pronoun."""
    ours = [one for one in clusters if any(doc[start].idx == asked.start and end == start + 1 for start, end in one)]
    heads = {doc[start:end].root.idx for one in ours for start, end in one} - {asked.start}
    first, second = (any(start <= head < end for head in heads) for start, end in asked.names)
    return first, second


def _same(others: Sequence[Mention], name: Span) -> set[Mention]:
    """The mentions that are a name, by their place or because they say the same name."""
    there = {one for one in others if not one.is_pronoun and name[0] <= one.head.idx < name[1]}
    known = {one.first_named for one in there} - {-1}
    return there | {one for one in others if one.first_named in known}


def _lines(path: str | Path) -> Iterator[tuple[dict[str, Any], str]]:
    file = Path(path).expanduser()
    if not file.is_file():
        raise DataError(f"there is no file {file} to train on")
    for number, record in read_json_lines(file):
        yield record, f"line {number} of {file.name}"


def _text(record: Mapping[str, Any], where: str) -> Text:
    for name in ("tokens", "sentence_starts", "clusters"):
        if not isinstance(record.get(name), list):
            raise DataError(f"{where} has no list `{name}`")
    return Text(
        split=str(record.get("split", "train")),
        genre=str(record.get("genre", "all")),
        licence=str(record.get("licence", "not stated")),
        tokens=tuple(map(str, record["tokens"])),
        starts=tuple(record["sentence_starts"]),
        clusters=tuple(tuple((start, end) for start, end in cluster) for cluster in record["clusters"]),
    )


def _pronoun(record: Mapping[str, Any], where: str) -> Pronoun:
    try:
        pronoun, a, b = record["pronoun"], record["a"], record["b"]
        return Pronoun(
            split=str(record["split"]),
            text=str(record["text"]),
            start=int(pronoun["start"]),
            male=str(pronoun["text"]).lower() in _MALE,
            names=((a["start"], a["start"] + len(a["text"])), (b["start"], b["start"] + len(b["text"]))),
            meant=(bool(a["coref"]), bool(b["coref"])),
        )
    except (KeyError, TypeError):
        raise DataError(f"{where} is not a record of GAP: it needs split, text, pronoun, a and b") from None
