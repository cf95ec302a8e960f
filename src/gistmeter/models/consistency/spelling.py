"""Spelling: numbers, dates and times of a claim written as the document writes them.

Whoever writes `6.8 million dollars` for `$6.8m`, `240` for `two hundred and forty` or `4 March` for `2024-03-04` says
the same in other characters. Nothing is changed unless both stand for exactly the same value.
"""

from __future__ import annotations

import functools
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.linguistics.contrasts.words import number_words, ordinal_words, scale_words

if TYPE_CHECKING:
    from collections.abc import Iterator

Meaning = tuple[str, *tuple[float | str, ...]]
"""What an expression stands for: its kind, and its value, with a unit if it has one."""

_MARKS = r"(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-z]\))"
_LIST_MARK = re.compile(rf"^\s*{_MARKS}\s+(?=\S)")
_ONLY_MARK = re.compile(rf"\s*{_MARKS}\s*")
_TIME = r"(?P<hour>\d{1,2})(?:[:.](?P<minutes>\d\d))?\s?(?P<half>[ap])(?:m\b|\.m\b\.?)|(?P<clock>\d\d?:\d\d)"
_ISO = r"(?P<iso>\d{4}-\d\d-\d\d)"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_DOZEN = 12


Spellings = Mapping[Meaning, Mapping[str, str]]
"""How a document writes what it has."""


@dataclass(frozen=True, slots=True)
class Expression:
    """Where an expression stands in a text, and what it means."""

    start: int
    end: int
    meaning: Meaning


def strip_list_mark(claim: str) -> str:
    """A claim without the bullet or number that stands before it in a list.

    >>> strip_list_mark("2. The work begins."), strip_list_mark("- It rained."), strip_list_mark("12 people came.")
    ('The work begins.', 'It rained.', '12 people came.')
    """
    return _LIST_MARK.sub("", claim, count=1)


def is_list_mark(sentence: str) -> bool:
    """Whether a sentence is the bullet or number of a list alone, as splitters leave it.

    >>> is_list_mark("2."), is_list_mark("2024."), is_list_mark("Two.")
    (True, False, False)
    """
    return _ONLY_MARK.fullmatch(sentence) is not None


def list_spellings(document: str) -> Spellings:
    """How a document writes each number, date and time that it has: by lower case, the first one first."""
    spellings: dict[Meaning, dict[str, str]] = {}
    for readings in _find_expressions(document):
        for expression in readings:
            spelling = document[expression.start : expression.end]
            spellings.setdefault(expression.meaning, {}).setdefault(spelling.lower(), spelling)
    return spellings


def spell_as(spellings: Spellings, claim: str) -> str:
    """A claim with its numbers, dates and times written as in a document; what stands there as it is stays.

    >>> spellings = list_spellings("Two hundred and forty jets came for $6.8m each on 2024-03-04, a rise of 5%.")
    >>> spell_as(spellings, "On 4 March 2024 it paid 6.8 million dollars for each of 240 jets, five per cent more.")
    'On 2024-03-04 it paid $6.8m for each of two hundred and forty jets, 5% more.'
    """
    parts: list[str] = []
    end = 0
    for readings in _find_expressions(claim):
        expression = next((reading for reading in readings if reading.meaning in spellings), None)
        if expression is None:
            continue
        own, others = claim[expression.start : expression.end], spellings[expression.meaning]
        is_first = not claim[: expression.start].strip()
        spelling = own if own.lower() in others else _fit_case(next(iter(others.values())), is_first=is_first)
        parts += [claim[end : expression.start], spelling]
        end = expression.end
    return "".join([*parts, claim[end:]])


def _fit_case(spelling: str, *, is_first: bool) -> str:
    """Number words with a capital at the start of a claim alone."""
    first = re.match(r"[A-Za-z]+", spelling)
    if first is None or first.group().lower() not in {*number_words(), "a", "half"}:
        return spelling
    return (spelling[0].upper() if is_first else spelling[0].lower()) + spelling[1:]


def _find_expressions(text: str) -> Iterator[list[Expression]]:
    """The expressions of a text, each with all that it can be read as: the longest first."""
    for match in _pattern().finditer(text):
        groups = match.groupdict()
        if groups["iso"]:
            expressions = _read_iso(match)
        elif groups["clock"] or groups["half"]:
            expressions = _read_time(match)
        elif groups["month_first"] or groups["day_first"]:
            expressions = _read_date(match)
        elif groups["ordinal"]:
            expressions = [_whole(match, ("ordinal", float(re.sub(r"\D", "", groups["ordinal"]))))]
        elif groups["ordinal_word"]:
            expressions = [_whole(match, ("ordinal", float(ordinal_words()[groups["ordinal_word"].lower()])))]
        else:
            expressions = _read_quantity(match)
        if expressions:
            yield expressions


def _whole(match: re.Match[str], meaning: Meaning) -> Expression:
    return Expression(match.start(), match.end(), meaning)


def _read_iso(match: re.Match[str]) -> list[Expression]:
    year, month, day = map(float, match["iso"].split("-"))
    if not 1 <= month <= len(_read()["months"]):
        return []
    return [_whole(match, ("date", month, day, year)), _whole(match, ("date", month, day))]


def _read_time(match: re.Match[str]) -> list[Expression]:
    if match["clock"]:
        hours, minutes = map(int, match["clock"].split(":"))
    else:
        hours, minutes = int(match["hour"]) % 12 + 12 * (match["half"].lower() == "p"), int(match["minutes"] or 0)
    return [_whole(match, ("time", float(60 * hours + minutes)))]


def _read_date(match: re.Match[str]) -> list[Expression]:
    name = match["month_first"] or match["month_last"]
    if not name[0].isupper():  # three may come; it may 3 times a day
        return []
    month = float(_month_numbers()[name.lower()])
    day = float(re.sub(r"\D", "", match["day_last"] or match["day_first"]))
    short = Expression(
        match.start(), match.end("month_last" if match["month_last"] else "day_last"), ("date", month, day)
    )
    year = match["year"] or match["other_year"]
    return [_whole(match, ("date", month, day, float(year))), short] if year else [short]


def _read_quantity(match: re.Match[str]) -> list[Expression]:
    """A number with its unit, and the number alone; `400m` may be millions, or metres."""
    sign, suffix, unit = match["sign"], (match["suffix"] or "").lower(), _units().get((match["unit"] or "").lower(), "")
    value = _read_value(match["number"]) if match["number"] else _read_words(match["words"])
    if value is None:
        return []
    number_end = match.end("scale") if match["scale"] else match.end("number" if match["number"] else "words")
    start = match.start("number" if match["number"] else "words")
    readings: list[Expression] = []
    if suffix:
        scaled = round(value * _read()["suffixes"][suffix], 6)
        if sign:
            readings.append(Expression(match.start(), match.end("suffix"), ("measure", scaled, _read()["signs"][sign])))
        readings.append(Expression(start, match.end("suffix"), ("number", scaled)))
        if not sign and suffix == "m":
            readings.append(Expression(start, match.end("suffix"), ("measure", value, "metre")))
        return readings
    if match["scale"]:
        value = round(value * scale_words()[match["scale"].lower()], 6)
    if sign or unit:
        end = number_end if sign else match.end("unit")
        readings.append(Expression(match.start(), end, ("measure", value, _read()["signs"][sign] if sign else unit)))
    if value != 1:
        readings.append(Expression(start, number_end, ("number", value)))
    return readings


def _read_value(digits: str) -> float:
    return float(digits.replace(",", ""))


def _read_words(text: str) -> float | None:
    """The value of a number in words, such as `two hundred and forty`, `a million` or `half a dozen`."""
    words = re.findall(r"[a-z]+", text.lower())
    share = 1.0
    if words[0] == "half":
        share, words = 0.5, words[1:]
    if words[0] in ("a", "an"):
        words = ["one", *words[1:]]
    total, group, last_scale = 0.0, 0.0, math.inf
    for word in words:
        if word in number_words():
            if not _may_follow(group, number_words()[word]):
                return None
            group += number_words()[word]
        elif word in ("hundred", "dozen"):
            if group >= 100:  # one hundred and two hundred
                return None
            group *= _DOZEN if word == "dozen" else 100
        elif word in scale_words():
            if scale_words()[word] >= last_scale or not group:
                return None
            last_scale = scale_words()[word]
            total, group = total + group * last_scale, 0.0
    return share * (total + group)


def _may_follow(group: float, value: float) -> bool:
    """Whether a number word goes on with what stands before it: forty-two, but not two forty."""
    rest = group % 100
    return rest == 0 or (rest >= 20 and rest % 10 == 0 and 0 < value < 10)


@functools.cache
def _pattern() -> re.Pattern[str]:
    units = "|".join(sorted(map(re.escape, _units()), key=len, reverse=True))
    months = "|".join(sorted(_month_numbers(), key=len, reverse=True))
    signs = re.escape("".join(_read()["signs"]))
    suffixes = "|".join(sorted(_read()["suffixes"], key=len, reverse=True))
    names, scales = "|".join(number_words()), "|".join(scale_words())
    day = r"\d{1,2}(?:st|nd|rd|th)?"
    year, other_year = (rf"(?:,? (?P<{name}>\d{{4}})(?!\d))?" for name in ("year", "other_year"))
    words = (
        rf"(?:half (?=an? ))?(?:an?(?= (?:{scales}|dozen)\b)|(?:{names})\b)"
        rf"(?:[ -](?:and )?(?:{names}|{scales}|dozen)\b)*"
    )
    digits = rf"(?P<number>{_DIGITS})(?:(?P<suffix>{suffixes})\b| (?P<scale>{scales})\b)?"
    quantity = rf"(?P<sign>[{signs}])?(?:{digits}|(?P<words>{words})) ?(?P<unit>(?:{units})(?!\w))?"
    alternatives = (
        _ISO,
        _TIME,
        rf"(?:the )?(?P<day_first>{day}) (?:of )?(?P<month_last>{months})\b{year}",
        rf"(?P<month_first>{months})\b\.? (?P<day_last>{day})(?![\d:.,]*\d){other_year}",
        r"(?P<ordinal>\d+(?:st|nd|rd|th))\b",
        rf"(?P<ordinal_word>{'|'.join(ordinal_words())})\b",
        quantity,
    )
    # Scores, ranges and grouped digits that are set apart (2 - 0, 2, 000) are no numbers of their own.
    before = r"(?<![\w.,:/$€£-])(?<!\d [-–] )(?<!\d, )"
    after = r"(?![\w/]|[.,:-]\d| ?[-–] ?\d|, \d{3}\b)"
    return re.compile(rf"{before}(?:{'|'.join(alternatives)}){after}", re.IGNORECASE | re.ASCII)


@functools.cache
def _units() -> dict[str, str]:
    return {form: unit for unit, forms in _read()["units"].items() for form in forms}


@functools.cache
def _month_numbers() -> dict[str, int]:
    months = _read()["months"]
    return {name: number for number, names in enumerate(months.values(), start=1) for name in names.split()}


@functools.cache
def _read() -> Any:
    return tomllib.loads((files(__package__ or "") / "spelling.toml").read_text(encoding="utf-8"))
