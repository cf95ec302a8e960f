"""Labels: which categories each word of a parsed text belongs to, and which tuples it is part of."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.categories.rules import Categories, Category
    from gistmeter.linguistics.parser import Parser

Auxiliaries = Literal["verb", "own"]
"""Whether an auxiliary ("has", "was") counts as a verb or is of a kind of its own."""


@dataclass(frozen=True, slots=True)
class LabelledWord:
    """A word of a text: where it stands, its head's position, and for each category it belongs to the group in it.

    Two words match within a category when their groups are the same; most categories have one group.
    """

    start: int
    end: int
    head: int
    groups: dict[str, str]


def label_words(doc: Doc, categories: Categories, *, auxiliaries: Auxiliaries = "own") -> tuple[LabelledWord, ...]:
    """The words of a parsed text with their categories (of words: tuples are made of these)."""
    chunked = {token.i for chunk in doc.noun_chunks for token in chunk}
    plain = [category for category in categories.by_name.values() if not category.has_tuples]
    words = []
    for token in doc:
        pos = "VERB" if token.pos_ == "AUX" and auxiliaries == "verb" else token.pos_
        groups = {}
        for category in plain:
            group = _find_group(
                category,
                pos=pos,
                dependency=token.dep_,
                entity=token.ent_type_,
                in_chunk=token.i in chunked,
                word=token.lower_,
            )
            if group is not None:
                groups[category.name] = group
        end = token.idx + len(token.text)
        words.append(LabelledWord(start=token.idx, end=end, head=token.head.i, groups=groups))
    return tuple(words)


def check_labels(categories: Categories, parser: Parser) -> None:
    """Refuse a part of speech, a dependency or an entity that the parser never gives: no word would ever have it."""
    from spacy.parts_of_speech import IDS

    labels_of = parser.nlp.pipe_labels
    for category in categories.by_name.values():
        rules = (
            ("pos", category.pos, IDS),
            ("dependency", category.dependency, {*labels_of.get("parser", ()), "ROOT"}),
            ("entities", [label for group in category.entities for label in group], labels_of.get("ner", ())),
        )
        for rule, labels, parser_labels in rules:
            for label in labels:
                if label not in parser_labels:
                    raise DataError(
                        f"the category {category.name!r} has {label!r} in `{rule}`, which the parser never "
                        f"says{suggestion(label, parser_labels)}"
                    )


def find_containing_words(words: Sequence[LabelledWord], starts: Sequence[int]) -> list[int | None]:
    """For each character the position of the word that it stands in, None where it stands between words."""
    word_starts = [word.start for word in words]
    positions = (bisect_right(word_starts, start) - 1 for start in starts)
    return [
        position if position >= 0 and start < words[position].end else None
        for position, start in zip(positions, starts, strict=True)
    ]


def _find_group(category: Category, *, pos: str, dependency: str, entity: str, in_chunk: bool, word: str) -> str | None:
    """The group of a category that a word belongs to, or None where a rule does not hold."""
    if category.pos and pos not in category.pos:
        return None
    if category.dependency and dependency not in category.dependency:
        return None
    if category.chunks and not in_chunk:
        return None
    if category.words and word not in category.word_list:
        return None
    groups: Iterable[str] = (dependency,) if category.dependency else ("",)
    if category.entities:
        groups = ["+".join(group) for group in category.entities if entity in group]
    return next(iter(groups), None)
