"""The categories of the words of texts, each parsed once, and the matches of an alignment within a group of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gistmeter.linguistics.categories import label_words
from gistmeter.linguistics.categories.labels import check_labels
from gistmeter.linguistics.parser import load_parser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.insight.shares.matching import LabelledAlignment, Match
    from gistmeter.linguistics.categories.labels import Auxiliaries, LabelledWord
    from gistmeter.linguistics.categories.rules import Categories


class WordLabels:
    """The labelled words of texts, each parsed once."""

    def __init__(self, table: Categories, auxiliaries: Auxiliaries) -> None:
        self.table = table
        self._auxiliaries = auxiliaries
        self._parser = load_parser()
        check_labels(table, self._parser)
        self._words: dict[str, tuple[LabelledWord, ...]] = {}

    @property
    def parser_name(self) -> str:
        """Name and digest of the parser."""
        return f"{self._parser.name}-{self._parser.digest}"

    def prepare(self, texts: Iterable[str]) -> None:
        """Parse the texts that are new, together."""
        new = [text for text in dict.fromkeys(texts) if text not in self._words]
        for text, doc in zip(new, self._parser.parse(new, entities=True), strict=True):
            self._words[text] = label_words(doc, self.table, auxiliaries=self._auxiliaries)

    def __getitem__(self, text: str) -> tuple[LabelledWord, ...]:
        return self._words[text]


class CategoryGroup(NamedTuple):
    """Categories that are counted together: one alone, or all of a type."""

    name: str
    title: str
    members: tuple[str, ...]
    is_type: bool


def list_groups(table: Categories) -> list[CategoryGroup]:
    """What a table is counted by: each category alone, then those of each type together."""
    alone = [
        CategoryGroup(name=name, title=category.title, members=(name,), is_type=False)
        for name, category in table.by_name.items()
    ]
    types = [
        CategoryGroup(name=name, title=name.capitalize(), members=members, is_type=True)
        for name, members in table.types.items()
    ]
    return alone + types


def match_group(labelled: LabelledAlignment, group: CategoryGroup, table: Categories) -> list[Match]:
    """The matches of an alignment within the union of a group's categories, which are all of words or all of tuples."""
    categories = [table[name] for name in group.members]
    return labelled.match_tuples(categories) if categories[0].has_tuples else labelled.match_words(group.members)
