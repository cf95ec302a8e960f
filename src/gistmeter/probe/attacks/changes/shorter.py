"""Attacks that put next to nothing in the place of a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.probe.attacks.changes.words import list_keywords
from gistmeter.probe.attacks.registry import register_attack

if TYPE_CHECKING:
    from gistmeter.probe.attacks.registry import AttackTarget

KEYWORDS = 20


@register_attack("empty", "an empty summary")
def empty_summary(target: AttackTarget) -> str | None:
    """Nothing."""
    return "" if target.example.summary.strip() else None


@register_attack("word", "a single word: the most frequent content word of the document, or of the summary")
def reduce_to_word(target: AttackTarget) -> str | None:
    """The word that the document, or where there is none the summary, has most often."""
    example = target.example
    keywords = list_keywords(example.document or example.summary, example.language, 1)
    return keywords[0] if keywords else None


@register_attack(
    "keywords", "the document's twenty most frequent content words in the place of the summary", needs=["document"]
)
def list_keywords_alone(target: AttackTarget) -> str | None:
    """A list of what the document speaks of, which says nothing about it."""
    keywords = list_keywords(target.example.document or "", target.example.language, KEYWORDS)
    return " ".join(keywords) if keywords else None
