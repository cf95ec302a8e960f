"""Sentences: the lines of a text, or what the splitter (sentencex) finds in it."""

from __future__ import annotations

import re
from typing import Literal

SentenceRule = Literal["auto", "newline", "split"]

# Tokenised text ("he came . she went .") ends a sentence at a free-standing full stop whatever the case of
# the next letter; the splitter sees that in most languages but not in lower-cased German.
_FREE_STOP = re.compile(r"(?<=\s[.!?。])\s+")


def split_sentences(text: str, rule: Literal["newline", "split"] = "split", language: str = "en") -> list[str]:
    """The sentences of a text, without surrounding space; empty ones are left out.

    >>> split_sentences("Dr. Smith left. It rained!")
    ['Dr. Smith left.', 'It rained!']
    >>> split_sentences("er kam . sie ging .", language="de")
    ['er kam .', 'sie ging .']
    >>> split_sentences("One. Two.\\nThree.", rule="newline")
    ['One. Two.', 'Three.']
    """
    pieces = text.split("\n")
    if rule == "split":
        from sentencex import segment

        line_sentences = (sentence for line in pieces for sentence in segment(language, line))
        pieces = [piece for sentence in line_sentences for piece in _FREE_STOP.split(sentence)]
    return [stripped for piece in pieces if (stripped := piece.strip())]


def find_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Where the sentences of a text start and end in it; one that the splitter changed is left out.

    >>> find_sentences("It rained.  A lot.")
    [(0, 10), (12, 18)]
    """
    spans = []
    end = 0
    for sentence in split_sentences(text, language=language):
        start = text.find(sentence, end)
        if start >= 0:
            end = start + len(sentence)
            spans.append((start, end))
    return spans


def resolve_sentence_rule(rule: SentenceRule, *texts: str) -> Literal["newline", "split"]:
    """What `auto` means for texts that are compared: newlines when any of them has one, else the splitter.

    >>> resolve_sentence_rule("auto", "One.\\nTwo.", "Three. Four.")
    'newline'
    >>> resolve_sentence_rule("auto", "One. Two.")
    'split'
    """
    if rule != "auto":
        return rule
    return "newline" if any("\n" in text.strip() for text in texts) else "split"
