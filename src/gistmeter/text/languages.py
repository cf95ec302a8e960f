"""Languages: one code for each (ISO 639, from `data/iso639.tsv`), and its stemmer (from `data/languages.toml`)."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gistmeter.errors import UnknownLanguageError, suggestion

_LOCAL_CODE = re.compile("q[a-t][a-z]")
"""Codes that ISO 639 leaves to everybody's own use."""
_LONGEST_CODE = 3
WORD_LIST_LANGUAGES = ("en", "id", "fr", "tr", "zh", "ru", "de", "es")
"""The eight languages that have stop words and word frequencies, those of Koto, Lau and Baldwin (2021)."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language. `snowball` is the name of its Snowball stemmer, None where there is none."""

    code: str
    snowball: str | None = None


@functools.lru_cache(maxsize=1024)
def language_code(name: str) -> str:
    """The short code of a language, from a code, a code with a region, or an English name.

    Languages are those of ISO 639, whether or not there is a stemmer or a word list for them; `und` is for text in a
    language without a code.

    >>> [language_code(name) for name in ("EN", "de-AT", "zh_Hans", "Turkish", "scottish_gaelic", "tlh")]
    ['en', 'de', 'zh', 'tr', 'gd', 'tlh']
    >>> language_code("germn")
    Traceback (most recent call last):
    gistmeter.errors.UnknownLanguageError: unknown language 'germn'; did you mean German (de)? (a language is ...)
    """
    whole = " ".join(name.lower().replace("_", "-").replace("-", " ").split())
    primary = whole.partition(" ")[0]
    for written in (whole, primary):
        code = _codes().get(written)
        if code is not None:
            return code
    if _LOCAL_CODE.fullmatch(primary) or primary in _nameless_codes():
        return primary
    raise UnknownLanguageError(
        f"unknown language {name[:40]!r}{_suggest_language(primary)} "
        "(a language is a code of ISO 639, such as de, or its English name; und stands for one without a code)"
    )


def language_name(code: str) -> str:
    """The English name of a language with its code, or the code alone where the name is not known.

    >>> language_name("de"), language_name("pcm")
    ('German (de)', 'pcm')
    """
    name = _english_names().get(code)
    return f"{name} ({code})" if name else code


@functools.lru_cache(maxsize=1024)
def find_language(name: str) -> Language:
    """The language of a code or name; one that is not in the table has no stemmer.

    >>> find_language("fr").snowball
    'french'
    """
    code = language_code(name)
    entry = _table().get(code, {})
    return Language(code, snowball=entry.get("snowball"))


@functools.cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_read_data("languages.toml"))


@functools.cache
def _codes() -> dict[str, str]:
    """The code of each language by all that it is called, in lower case: codes and English names."""
    of_table = {name: code for code, entry in _table().items() for name in (*entry["names"], code)}
    codes: dict[str, str] = {}
    for code, others, names in _list_named():
        codes |= dict.fromkeys((*names.lower().split("|"), *others.split(), code), of_table.get(code, code))
    return codes | of_table


@functools.cache
def _nameless_codes() -> frozenset[str]:
    """The codes of three letters of the thousands of languages whose names are not here."""
    return frozenset(_read_data("iso639_codes.txt").split())


@functools.cache
def _english_names() -> dict[str, str]:
    """The first English name of each language that has one, by code; those of the table are the usual ones."""
    named = {code: names.partition("|")[0] for code, _, names in _list_named()}
    return named | {code: entry["names"][0].title() for code, entry in _table().items()}


def _list_named() -> list[tuple[str, str, str]]:
    rows = (line.split("\t") for line in _read_data("iso639.tsv").splitlines())
    return [(code, others, names) for code, others, names in rows]


def _read_data(file: str) -> str:
    return (files("gistmeter.text") / "data" / file).read_text("utf-8")


def _suggest_language(written: str) -> str:
    """The words "; did you mean German (de)?" for a name that is nearly one, or a country's code."""
    for code, entry in _table().items():
        if written in entry.get("mistaken", ()):
            return f"; did you mean {language_name(code)}?"
    if len(written) <= _LONGEST_CODE:  # a word so short is near to anything
        return ""
    names = [name for name in _codes() if len(name) > _LONGEST_CODE and name[0] == written[0]]
    hint = suggestion(written, names)
    meant = hint.removeprefix("; did you mean ").removesuffix("?")
    return f"; did you mean {language_name(_codes()[meant])}?" if hint else ""
