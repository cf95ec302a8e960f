"""Attacks that leave all words of a summary as they are: in another order, or below another document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.probe.attacks.registry import register_attack
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences

if TYPE_CHECKING:
    from gistmeter.probe.attacks.registry import AttackTarget


@register_attack("shuffle", "the sentences of the summary in another order")
def shuffle_sentences(target: AttackTarget) -> str | None:
    """The sentences in an order that is not their own; None of a single sentence."""
    example = target.example
    rule = resolve_sentence_rule("auto", example.summary)
    sentences = split_sentences(example.summary, rule, example.language)
    if len(set(sentences)) < 2:
        return None
    shuffled = sentences
    while shuffled == sentences:
        shuffled = [sentences[position] for position in target.rng.permutation(len(sentences))]
    return ("\n" if rule == "newline" else " ").join(shuffled)


@register_attack("other", "the system's summary of another document", needs=["other documents"])
def take_other_summary(target: AttackTarget) -> str | None:
    """What the same system wrote of a document that is drawn."""
    others = [summary for summary in target.others if summary.strip() and summary != target.example.summary]
    return others[target.rng.integers(len(others))] if others else None
