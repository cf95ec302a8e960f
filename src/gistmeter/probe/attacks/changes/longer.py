"""Attacks that make a summary longer: with the document's words, or with its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.probe.attacks.changes.words import join_texts, list_keywords
from gistmeter.probe.attacks.registry import register_attack
from gistmeter.text.sentences import split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from gistmeter.probe.attacks.registry import AttackTarget

LEAD_SENTENCES = 3
STUFFED_WORDS = 20


@register_attack("pad", "the document's first three sentences after the summary", needs=["document"])
def pad_with_lead(target: AttackTarget) -> str | None:
    """The summary, and after it the first sentences of the document."""
    example = target.example
    lead = split_sentences(example.document or "", language=example.language)[:LEAD_SENTENCES]
    return join_texts(example.summary, *lead) if lead else None


@register_attack("stuff", "the document's twenty most frequent content words after the summary", needs=["document"])
def stuff_with_keywords(target: AttackTarget) -> str | None:
    """The summary, and after it a list of what the document speaks of."""
    keywords = list_keywords(target.example.document or "", target.example.language, STUFFED_WORDS)
    return join_texts(target.example.summary, " ".join(keywords)) if keywords else None


@register_attack("repeat", "the summary twice")
def repeat_summary(target: AttackTarget) -> str | None:
    """The summary, and after it the summary."""
    summary = target.example.summary
    return join_texts(summary, summary) if has_words(summary) else None


@register_attack("copy", "the whole document in the place of the summary", needs=["document"])
def copy_document(target: AttackTarget) -> str | None:
    """The document itself."""
    document = target.example.document or ""
    return document if has_words(document) else None
