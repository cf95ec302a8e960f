"""The one spelling of a metric: `rouge2`, `rouge1(stem=none,alpha=0.8)`, nested where a setting is a metric."""

from __future__ import annotations

from dataclasses import dataclass

from gistmeter.errors import MetricError


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
            raise MetricError(f"cannot read {part!r} in the metric {text!r}: write setting=value")
        if key in settings:
            raise MetricError(f"the metric {text!r} gives {key!r} twice")
        settings[key] = value
    return Spelling(name, settings)


def split_list(text: str, *, whole: str | None = None) -> list[str]:
    """Split at the commas that are outside brackets.

    >>> split_list("rouge1,rouge2(stem=none,alpha=0.8), bleu")
    ['rouge1', 'rouge2(stem=none,alpha=0.8)', 'bleu']
    """
    parts: list[str] = []
    depth = start = 0
    for position, letter in enumerate(text):
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
