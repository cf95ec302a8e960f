"""Variants of questions with answers: shorter texts, and texts that do not answer.

A summary is short and says some of what a reference says. So the texts are cut to a few sentences around the answer,
and a share of the questions is asked a second time where it cannot be answered: of the same text without the sentence
that answers, or of another text of the set that shares words with the question.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.text.sentences import find_sentences
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.answering.spans import contains_phrase, find_most_similar

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPARED_TEXTS = 12
"""Other texts of a set that are looked at for the one most like the question."""

SAME_TEXT_SHARE = 0.6
"""How often the second time is of the same text without the sentence that answers."""


def add_variants(examples: Sequence[QaExample], *, cut: float, unanswerable: float, seed: int) -> tuple[QaExample, ...]:
    """The questions, a share `cut` of their texts shortened, and a share `unanswerable` asked again without an answer.

    >>> example = QaExample("Who left?", "It rained all day. Anna left early. The bus was late.", 19, 23, "squad")
    >>> original, variant = add_variants([example], cut=0, unanswerable=1, seed=2)
    >>> variant.context, variant.answerable
    ('It rained all day. The bus was late.', False)
    """
    rng = np.random.default_rng((seed, 11))
    by_source: dict[str, list[int]] = defaultdict(list)
    for i, example in enumerate(examples):
        by_source[example.source].append(i)
    variants = [_cut_text(example, rng) if rng.random() < cut else example for example in examples]
    for example in examples:
        if example.answerable and rng.random() < unanswerable:
            unanswered = _remove_answer(example) if rng.random() < SAME_TEXT_SHARE else None
            if unanswered is None:
                group = by_source[example.source]
                unanswered = _ask_elsewhere(
                    example, [examples[group[i]] for i in rng.integers(len(group), size=COMPARED_TEXTS)]
                )
            if unanswered is not None:
                variants.append(_cut_text(unanswered, rng) if rng.random() < cut else unanswered)
    return tuple(variants)


def _cut_text(example: QaExample, rng: np.random.Generator) -> QaExample:
    """The example with a text of one to five sentences, that of the answer among them."""
    spans = find_sentences(example.context)
    count = int(rng.integers(1, 6))
    if len(spans) <= count:
        return example
    if example.answerable:
        inside = [i for i, (start, end) in enumerate(spans) if start < example.end and example.start < end]
        if not inside:
            return example
        low, high = max(0, inside[-1] - count + 1), min(inside[0], len(spans) - count)
        first = int(rng.integers(low, high + 1)) if low <= high else inside[0]
        last = max(first + count - 1, inside[-1])
    else:
        first = int(rng.integers(len(spans) - count + 1))
        last = first + count - 1
    start, end = spans[first][0], spans[last][1]
    shift = start if example.answerable else 0
    return replace(example, context=example.context[start:end], start=example.start - shift, end=example.end - shift)


def _remove_answer(example: QaExample) -> QaExample | None:
    """The question of the same text without the sentences of the answer, unless the answer stands elsewhere too."""
    spans = find_sentences(example.context)
    others = [example.context[start:end] for start, end in spans if not (start < example.end and example.start < end)]
    text = " ".join(others)
    answer = example.context[example.start : example.end]
    if not others or len(others) == len(spans) or contains_phrase(answer, text):
        return None
    return QaExample(question=example.question, context=text, start=0, end=0, source=example.source)


def _ask_elsewhere(example: QaExample, others: Sequence[QaExample]) -> QaExample | None:
    """The question of another text: the one that shares most words with it and does not have the answer."""
    answer = example.context[example.start : example.end]
    texts = [other.context for other in others if not contains_phrase(answer, other.context)]
    return (
        QaExample(
            question=example.question,
            context=find_most_similar(example.question, texts),
            start=0,
            end=0,
            source=example.source,
        )
        if texts
        else None
    )
