"""The one spelling of a metric: `rouge2`, `rouge1(stem=none,alpha=0.8)`, nested where a setting is a metric.

A setting that takes several texts has plus signs between them: `people=ann.csv+bob.csv`. A text with a comma, a plus
sign or single brackets in it stands in double quotes, with a quote in it written twice: `people="a, b.csv"+c.csv`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gistmeter.errors import MetricError

_QUOTED = re.compile(r'"(?:[^"]|"")*"(?=\s*(?:[,)+]|\Z))')
"""A text in quotes: they close it only before what ends a value, so that a value may have quotes within it."""

_BEFORE_VALUE = "=+"
_MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Spelling:
    """A metric as written: its name and its settings, still as text."""

    name: str
    settings: dict[str, str]


def parse_spelling(text: str) -> Spelling:
    """Read one metric.

    >>> parse_spelling("rouge1(stem=none, tokenizer=rouge155)")
    Spelling(name='rouge1', settings={'stem': 'none', 'tokenizer': 'rouge155'})
    >>> parse_spelling("faithfulness(metric=rouge1(stem=none),n=2)").settings["metric"]
    'rouge1(stem=none)'
    """
    text = text.strip()
    name, bracket, rest = text.partition("(")
    name = name.strip()
    if not name:
        raise MetricError(f"cannot read the metric {text!r}: it has no name")
    if not bracket:
        if ")" in text or "=" in text:
            raise MetricError(f"cannot read the metric {text!r}: write it as name(setting=value,...)")
        return Spelling(name, {})
    if not rest.endswith(")"):
        raise MetricError(f"cannot read the metric {text!r}: a closing bracket is missing at the end")
    settings: dict[str, str] = {}
    for part in split_list(rest[:-1], whole=text):
        key, equals, value = part.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or not value:
            raise MetricError(
                f"cannot read {part!r} in the metric {text!r}: write setting=value, "
                "and a value that has a comma in double quotes"
            )
        if key in settings:
            raise MetricError(f"the metric {text!r} gives {key!r} twice")
        settings[key] = value
    return Spelling(name, settings)


def write_spelling(spelling: Spelling) -> str:
    """A metric as `parse_spelling` reads it.

    >>> write_spelling(Spelling("rouge1", {"stem": "none", "alpha": "0.8"})), write_spelling(Spelling("bleu", {}))
    ('rouge1(stem=none,alpha=0.8)', 'bleu')
    """
    settings = ",".join(f"{key}={value}" for key, value in spelling.settings.items())
    return f"{spelling.name}({settings})" if settings else spelling.name


def check_depth(text: str) -> None:
    """Refuse metrics within metrics beyond what anybody means.

    >>> check_depth("focus(" * 40)
    Traceback (most recent call last):
    gistmeter.errors.MetricError: cannot read a metric that is nested 40 deep: at most 20 stand within each other
    """
    depth = deepest = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    if deepest > _MAX_DEPTH:
        raise MetricError(
            f"cannot read a metric that is nested {deepest:,} deep: at most {_MAX_DEPTH} stand within each other"
        )


def split_list(text: str, *, whole: str | None = None) -> list[str]:
    """Split at the commas that are outside brackets and quotes.

    >>> split_list("rouge1,rouge2(stem=none,alpha=0.8), bleu")
    ['rouge1', 'rouge2(stem=none,alpha=0.8)', 'bleu']
    >>> split_list('qaeval(people="a, b.csv"),bleu')
    ['qaeval(people="a, b.csv")', 'bleu']
    """
    parts: list[str] = []
    depth = start = 0
    quoted = _find_quoted(text)
    for position, letter in enumerate(text):
        if any(first <= position < last for first, last in quoted):
            continue
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                break
        elif letter == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    if depth != 0:
        raise MetricError(f"cannot read {whole or text!r}: its brackets do not match")
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def split_texts(text: str) -> tuple[str, ...]:
    """The texts of a setting that takes several: what stands between plus signs, without its quotes.

    >>> split_texts('ann.csv + "c++, or (not.csv"')
    ('ann.csv', 'c++, or (not.csv')
    """
    quoted = _find_quoted(text)
    parts: list[str] = []
    start = 0
    for position, letter in enumerate(text):
        if letter == "+" and not any(first <= position < last for first, last in quoted):
            parts.append(text[start:position])
            start = position + 1
    return tuple(remove_quotes(part) for part in (*parts, text[start:]))


def join_texts(texts: tuple[str, ...]) -> str:
    """Several texts as a setting that `split_texts` gives back.

    >>> join_texts(("ann.csv", "c++.csv"))
    'ann.csv+"c++.csv"'
    """
    return "+".join(add_quotes(text, several=True) for text in texts)


def remove_quotes(text: str) -> str:
    """A text as it is meant: without the quotes around it, if it has them."""
    text = text.strip()
    return text[1:-1].replace('""', '"') if _QUOTED.fullmatch(text) else text


def add_quotes(text: str, *, several: bool = False) -> str:
    """A text as it must be spelled to be read back, in quotes where it needs them (`several`: in such a setting).

    >>> add_quotes("a.csv"), add_quotes("answers (1).csv"), add_quotes("a, b.csv")
    ('a.csv', 'answers (1).csv', '"a, b.csv"')
    """
    plain = text == text.strip() and text and not (several and ("+" in text or text.lower() == "none"))
    if plain and '"' not in text and _has_plain_brackets(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _has_plain_brackets(text: str) -> bool:
    """Whether a text can stand in a list as it is: its brackets match, and no comma is outside them."""
    try:
        return split_list(text) == [text]
    except MetricError:
        return False


def _find_quoted(text: str) -> list[tuple[int, int]]:
    """Where the texts in quotes are: from the first quote after `=` or `+` (or at the start) to the one that closes."""
    spans: list[tuple[int, int]] = []
    end = 0
    for match in re.finditer('"', text):
        before = text[: match.start()].rstrip()
        if match.start() >= end and (not before or before[-1] in _BEFORE_VALUE):
            quoted = _QUOTED.match(text, match.start())
            if quoted:
                spans.append(quoted.span())
                end = quoted.end()
    return spans
