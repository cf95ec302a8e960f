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
from gistmeter.training.answering.spans import most_alike, stands_in

if TYPE_CHECKING:
    from collections.abc import Sequence

_TRIED = 12
"""Other texts of a set that are looked at for the one most like the question."""


def with_variants(
    examples: Sequence[QaExample], *, cut: float, unanswerable: float, seed: int
) -> tuple[QaExample, ...]:
    """The questions, a share `cut` of their texts shortened, and a share `unanswerable` asked again without an answer.

    >>> one = QaExample("Who left?", "It rained all day. Anna left early. The bus was late.", 19, 23, "squad")
    >>> [(made.context, made.answerable) for made in with_variants([one], cut=0, unanswerable=1, seed=2)][1]
    ('It rained all day. The bus was late.', False)
    """
    rng = np.random.default_rng((seed, 11))
    by_source: dict[str, list[int]] = defaultdict(list)
    for i, example in enumerate(examples):
        by_source[example.source].append(i)
    made = [_cut(example, rng) if rng.random() < cut else example for example in examples]
    for example in examples:
        if example.answerable and rng.random() < unanswerable:
            without = _without_answer(example) if rng.random() < 0.6 else None
            if without is None:
                group = by_source[example.source]
                without = _elsewhere(example, [examples[group[i]] for i in rng.integers(len(group), size=_TRIED)])
            if without is not None:
                made.append(_cut(without, rng) if rng.random() < cut else without)
    return tuple(made)


def _cut(example: QaExample, rng: np.random.Generator) -> QaExample:
    """The example with a text of one to five sentences, that of the answer among them."""
    places = find_sentences(example.context)
    count = int(rng.integers(1, 6))
    if len(places) <= count:
        return example
    if example.answerable:
        inside = [i for i, (start, end) in enumerate(places) if start < example.end and example.start < end]
        if not inside:
            return example
        low, high = max(0, inside[-1] - count + 1), min(inside[0], len(places) - count)
        first = int(rng.integers(low, high + 1)) if low <= high else inside[0]
        last = max(first + count - 1, inside[-1])
    else:
        first = int(rng.integers(len(places) - count + 1))
        last = first + count - 1
    start, end = places[first][0], places[last][1]
    shift = start if example.answerable else 0
    return replace(example, context=example.context[start:end], start=example.start - shift, end=example.end - shift)


def _without_answer(example: QaExample) -> QaExample | None:
    """The question of the same text without the sentences of the answer, unless the answer stands elsewhere too."""
    places = find_sentences(example.context)
    kept = [example.context[start:end] for start, end in places if not (start < example.end and example.start < end)]
    text = " ".join(kept)
    answer = example.context[example.start : example.end]
    if not kept or len(kept) == len(places) or stands_in(answer, text):
        return None
    return QaExample(example.question, text, 0, 0, example.source)


def _elsewhere(example: QaExample, others: Sequence[QaExample]) -> QaExample | None:
    """The question of another text: the one that shares most words with it and does not have the answer."""
    answer = example.context[example.start : example.end]
    texts = [other.context for other in others if not stands_in(answer, other.context)]
    return QaExample(example.question, most_alike(example.question, texts), 0, 0, example.source) if texts else None
