"""The words of the pages and tasks: a file for each language, and words of a study's own before all."""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any

from gistmeter.annotate.tasks import find_task
from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.io.atomic import explain_failure
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LANGUAGES = ("en", "id", "fr", "tr", "zh", "ru", "de", "es")
"""The languages of the pages: those of Koto, Lau and Baldwin (2021)."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of the pages of one study."""

    language: str
    _words: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        """A word or a sentence by its key; what is no key is a text of the task's own, and stands as it is."""
        return self._words.get(key, key)

    def say(self, key: str, **values: Any) -> str:
        """A sentence with values put in; those that are keys themselves are said, too."""
        spoken = {name: self[value] if isinstance(value, str) else value for name, value in values.items()}
        return str(self[key]).format_map(spoken)


def open_words(language: str, task: str, overrides: Mapping[str, Any] | None = None) -> Words:
    """The words in a language for a task, with those of a study's own in their place.

    >>> open_words("en", "focus-coverage")["first"]
    'Text A'
    """
    return Words(language, {**list_words(language, task), **(overrides or {})})


def list_words(language: str, task: str) -> dict[str, Any]:
    """All words of the pages of a task in a language, by their keys.

    >>> list_words("de", "coherence")["begin"]
    'Beginnen'
    """
    words = _read_words(language)
    return {**words["page"], **words["tasks"][find_task(task).name]}


def find_language(language: str, *, strict: bool = True) -> str:
    """The code of a language there are pages in; without `strict` English for all others.

    >>> find_language("German"), find_language("ja", strict=False)
    ('de', 'en')
    """
    code = language_code(language)
    if code in LANGUAGES:
        return code
    if not strict:
        return "en"
    raise ArgumentError(f"there are no pages in {language!r}: choose one of {', '.join(LANGUAGES)}")


MOST_BYTES = 65_536
MOST_LINES = 100
LONGEST_LINE = 2_000
"""Of a study's own words: raters read them on a screen."""


def check_words(words: Mapping[str, Any], task: str) -> dict[str, Any]:
    """Words of a study's own, if each stands for a word there is; `instructions` are a list of sentences."""
    choices = list_words("en", task)
    for key, value in words.items():
        if key not in choices:
            raise DataError(f"there is no word {key!r} to replace{suggestion(key, choices)}")
        wanted = list if isinstance(choices[key], list) else str
        if not isinstance(value, wanted) or (wanted is list and not all(isinstance(line, str) for line in value)):
            kind = "a list of sentences" if wanted is list else "a text"
            raise DataError(f"{key!r} of the study's words is {kind}")
        lines = value if isinstance(value, list) else [value]
        if len(lines) > MOST_LINES:
            raise DataError(f"{key!r} of the study's words has {len(lines)} lines: {MOST_LINES} at most")
        for line in lines:
            check_line(line, key)
        if isinstance(value, str):
            _check_places(value, str(choices[key]), key)
    return dict(words)


def check_line(line: str, key: str) -> None:
    """Refuse a line that no page can show: one without words, a very long one, or one with control characters."""
    if not line.strip():
        raise DataError(f"{key!r} of the study's words is empty: raters would see nothing there")
    if len(line) > LONGEST_LINE:
        raise DataError(f"{key!r} of the study's words has a line of more than {LONGEST_LINE:,} characters")
    wrong = [character for character in line if unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn")]
    if wrong:
        raise DataError(f"{key!r} of the study's words has a character that no page can show (U+{ord(wrong[0]):04X})")


def _check_places(value: str, original: str, key: str) -> None:
    """Refuse a sentence with a place for a value that the page does not put in, such as `{name}` for `{total}`."""
    put_in = {name for _, name, _, _ in Formatter().parse(original) if name is not None}
    try:
        given = {name for _, name, _, _ in Formatter().parse(value) if name is not None}
    except ValueError as error:
        raise DataError(f"{key!r} of the study's words cannot be read: {error}") from None
    if given - put_in:
        names = ", ".join(f"{{{name}}}" for name in sorted(put_in)) or "nothing"
        raise DataError(f"{key!r} of the study's words has {{{min(given - put_in)}}}, but {names} is put in there")


def read_own_words(path: Path) -> dict[str, Any]:
    """Words of a study's own: from TOML, such as `title = "Rain"`, or from a text whose lines are instructions."""
    with explain_failure(f"cannot read {path}"), path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise DataError(f"{path} is too long for words of a page: {MOST_BYTES // 1024} KiB at most")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: {error}") from None
    if path.suffix.lower() == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DataError(f"{path} is not TOML: {error}") from None
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise DataError(f"{path} has no instructions: each line is one sentence or more that raters read")
    return {"instructions": lines}


@cache
def _read_words(language: str) -> dict[str, Any]:
    file = files("gistmeter.annotate.words") / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
