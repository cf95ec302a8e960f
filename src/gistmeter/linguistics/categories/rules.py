"""The table of categories: TOML read into typed rules, with a sentence for every slip."""

from __future__ import annotations

import functools
import hashlib
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

import msgspec

from gistmeter.errors import DataError, suggestion
from gistmeter.text.stopwords import load_stopwords

WORD_RULES = ("pos", "dependency", "entities", "chunks", "words")


class Category(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A category of words, by rules that all hold; or of tuples: a head and its children."""

    name: str = ""
    title: str
    type: str
    pos: tuple[str, ...] = ()
    dependency: tuple[str, ...] = ()
    entities: tuple[tuple[str, ...], ...] = ()
    chunks: bool = False
    words: str | tuple[str, ...] = ()
    head: str = ""
    children: tuple[str, ...] = ()

    @property
    def has_tuples(self) -> bool:
        """Whether it is a category of tuples."""
        return bool(self.head)

    @property
    def word_list(self) -> frozenset[str]:
        """The words that it names, lower-cased."""
        if self.words == "smart":
            return load_stopwords("smart")
        return frozenset(word.lower() for word in self.words)


_FORMS = {
    "title": "a text",
    "type": "a text",
    "pos": 'a list of tags, as in pos = ["NOUN"]',
    "dependency": 'a list of labels, as in dependency = ["nsubj"]',
    "entities": 'a list of lists, as in entities = [["PERSON"], ["NORP", "ORG"]]',
    "chunks": "true or false",
    "words": '"smart" or a list of words',
    "head": "the name of one category",
    "children": "a list of names of categories",
}
"""What each field of a category is, for who wrote something else."""

_FIELDS = tuple(field for field in Category.__struct_fields__ if field != "name")


class Categories(msgspec.Struct, frozen=True):
    """All categories of a table, by name, and a digest of it."""

    by_name: dict[str, Category]
    digest: str

    def __getitem__(self, name: str) -> Category:
        if name not in self.by_name:
            raise DataError(f"there is no category {name!r}{suggestion(name, self.by_name)}")
        return self.by_name[name]

    @property
    def types(self) -> dict[str, tuple[str, ...]]:
        """The categories of each type, in order."""
        types: dict[str, list[str]] = {}
        for name, category in self.by_name.items():
            types.setdefault(category.type, []).append(name)
        return {name: tuple(members) for name, members in types.items()}


@functools.cache
def load_categories() -> Categories:
    """The categories that gistmeter has: those of Deutsch (2022, section 3.5.2).

    >>> load_categories().types["information"]
    ('vb_nsubj', 'vb_dobj', 'vb_nsubj_dobj')
    """
    return parse_categories((files("gistmeter.linguistics.categories") / "categories.toml").read_bytes(), "the table")


@functools.cache
def load_meanings() -> dict[str, str]:
    """What gistmeter's own categories and their types are, in plain words, by name.

    >>> load_meanings()["dobj"]
    'direct objects'
    """
    meanings: dict[str, str] = tomllib.loads(
        (files("gistmeter.linguistics.categories") / "meanings.toml").read_text("utf-8")
    )
    return meanings


def read_categories(path: str | Path) -> Categories:
    """The categories of a file, which has the form of gistmeter's own table."""
    file = Path(path)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {file}: {(error.strerror or str(error)).lower()}") from None
    return parse_categories(content, str(file))


def parse_categories(content: bytes, where: str) -> Categories:
    """The categories of a table, checked; `where` names it in messages."""
    try:
        tables = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{where} is no TOML: {error}") from None
    categories: dict[str, Category] = {}
    for name, table in tables.items():
        try:
            categories[name] = msgspec.convert({**table, "name": name} if isinstance(table, dict) else table, Category)
        except msgspec.ValidationError as error:
            raise DataError(f"the category {name!r} of {where} is wrong: {_describe_slip(table, error)}") from None
    titles: dict[str, str] = {}
    for category in categories.values():
        other = titles.setdefault(category.title, category.name)
        if other != category.name:
            raise DataError(
                f"the categories {other!r} and {category.name!r} of {where} have one title: {category.title!r}"
            )
        _check_category(category, categories, where)
    if not categories:
        raise DataError(f"{where} has no category")
    return Categories(by_name=categories, digest=hashlib.sha256(content).hexdigest()[:12])


def _describe_slip(table: object, error: msgspec.ValidationError) -> str:
    """What is wrong with a table that is no category, in words of TOML."""
    if not isinstance(table, dict):
        return "it is a value, not a table such as `[nouns]` with its rules below"
    unknown = next((key for key in table if key not in _FIELDS), None)
    if unknown is not None:
        return f"it has no rule `{unknown}`{suggestion(unknown, _FIELDS)}"
    missing = [field for field in ("title", "type") if field not in table]
    if missing:
        return f"it has no `{missing[0]}`"
    field = next((field for field in _FORMS if f"$.{field}" in str(error)), None)
    return f"`{field}` is {_FORMS[field]}" if field else str(error)


def _check_category(category: Category, categories: dict[str, Category], where: str) -> None:
    """Refuse a category without rules, with rules of both kinds, or with parts that are no categories of words."""
    category_name = f"the category {category.name!r} of {where}"
    rules = [rule for rule in WORD_RULES if getattr(category, rule)]
    if category.has_tuples != bool(category.children) or category.has_tuples == bool(rules):
        raise DataError(f"{category_name} needs rules for words ({', '.join(WORD_RULES)}), or `head` and `children`")
    if isinstance(category.words, str) and category.words not in ("", "smart"):
        raise DataError(f'{category_name} has words = "{category.words}": it is "smart" or a list of words')
    words = () if isinstance(category.words, str) else category.words
    phrase = next((word for word in words if len(word.split()) != 1), None)
    if phrase is not None:
        raise DataError(f"{category_name} has {phrase!r} in `words`, which no word ever is: each of them is one word")
    for part in (category.head, *category.children) if category.has_tuples else ():
        if part not in categories:
            raise DataError(f"{category_name} names {part!r}, which is no category{suggestion(part, categories)}")
        if categories[part].has_tuples:
            raise DataError(f"{category_name} names {part!r}, which is a category of tuples, not of words")
    members = [other for other in categories.values() if other.type == category.type]
    if any(other.has_tuples != category.has_tuples for other in members):
        raise DataError(
            f"{category_name} is of type {category.type!r}, which has categories of words and of tuples: take two types"
        )
    types = Counter(other.type for other in categories.values())
    for name in (category.name, category.title):
        if types[name.lower()] > 1 or types[name] > 1:
            raise DataError(f"{category_name} and a type of several categories are both called {name!r}: rename one")
