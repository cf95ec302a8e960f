"""Languages: one code for each, and its stemmer (from `data/languages.toml`)."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from gistmeter.errors import DataError, suggestion

_CODE = re.compile("[a-z]{2,3}")
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

    >>> [language_code(name) for name in ("EN", "de-AT", "zh_Hans", "Turkish", "tlh")]
    ['en', 'de', 'zh', 'tr', 'tlh']
    """
    primary = name.strip().lower().replace("_", "-").partition("-")[0]
    code = _codes().get(primary, primary)
    if not _CODE.fullmatch(code):
        hint = suggestion(primary, _codes())
        raise DataError(f"unknown language {name[:40]!r}{hint} (a code of two or three letters, such as en)")
    return code


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
    return tomllib.loads((files("gistmeter.text") / "data/languages.toml").read_text("utf-8"))


@functools.cache
def _codes() -> dict[str, str]:
    return {name: code for code, entry in _table().items() for name in entry["names"]}
