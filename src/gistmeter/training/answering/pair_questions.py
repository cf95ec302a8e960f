"""Questions of gistmeter's own asker about entailment pairs, to learn answering from.

The second text of a pair is asked about, the first is read. Both name the answer. Where the first entails the second it
answers the question; where it is neutral or contradicts it does not, however much it looks like it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.parser import load_parser
from gistmeter.models.asking.asker import load_asker
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.answering.spans import find_span
from gistmeter.training.entailment.nli_pairs import LABELS, read_nli_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from gistmeter.training.entailment.nli_pairs import NliPair

SOURCE = "asked_pairs"
SET_SHARES = {"mnli": 1.0, "mnli_ni": 1.0, "scitail_ni": 0.5, "snli": 0.5, "snli_ni": 0.5}
"""Sets that people wrote, and how many pairs of each to look at, in shares of the questions that are wanted."""

NEIGHBOUR_SHARE, NEIGHBOUR_AFTER_SHARE = 0.5, 0.5
"""The share of first texts that is read with that of another pair, and how often the other stands after it."""


def ask_about_pairs(files: Sequence[str], count: int, *, refused: frozenset[int], seed: int) -> list[QaExample]:
    """At most so many questions on the second texts of entailment pairs, half of them answered by the first text."""
    rng = np.random.default_rng((seed, 22))
    every = read_nli_pairs(files, refused=refused, seed=seed).train
    pairs = _limit_sets([every[k] for k in rng.permutation(len(every)) if every[k].source in SET_SHARES], count)
    entailed = _ask([pair for pair in pairs if LABELS[pair.label] == "entailment"], rng)
    others = _ask([pair for pair in pairs if LABELS[pair.label] in ("neutral", "contradiction")], rng)
    each = min(count // 2, len(entailed), len(others))
    return _add_neighbours(entailed[:each] + others[:each], rng)


def _limit_sets(pairs: Sequence[NliPair], count: int) -> list[NliPair]:
    """The first pairs of each set."""
    left = {source: int(share * count) for source, share in SET_SHARES.items()}
    chosen = []
    for pair in pairs:
        if left[pair.source] > 0:
            left[pair.source] -= 1
            chosen.append(pair)
    return chosen


def _ask(pairs: Sequence[NliPair], rng: np.random.Generator) -> list[QaExample]:
    """One question on each second text whose answer the first text names too, which answers it if it entails it all."""
    questions_of = load_asker().questions([pair.hypothesis for pair in pairs])
    premises = load_parser().parse([pair.premise for pair in pairs])
    examples: list[QaExample] = []
    for pair, doc, questions in zip(pairs, premises, questions_of, strict=True):
        if not questions:
            continue
        question = questions[int(rng.integers(len(questions)))]
        if (span := _find_same_thing(question.answer, doc)) is not None:
            start, end = span if LABELS[pair.label] == "entailment" else (0, 0)
            examples.append(
                QaExample(question=question.text, context=pair.premise, start=start, end=end, source=SOURCE)
            )
    return examples


def _add_neighbours(examples: Sequence[QaExample], rng: np.random.Generator) -> list[QaExample]:
    """The examples, half of them with the text of another before or after their own."""
    changed = list(examples)
    for i in np.flatnonzero(rng.random(len(examples)) < NEIGHBOUR_SHARE).tolist():
        example, other = examples[i], examples[int(rng.integers(len(examples)))].context
        if other == example.context:
            continue
        if rng.random() < NEIGHBOUR_AFTER_SHARE:
            changed[i] = replace(example, context=f"{example.context} {other}")
        else:
            shift = len(other) + 1 if example.answerable else 0
            changed[i] = replace(
                example, context=f"{other} {example.context}", start=example.start + shift, end=example.end + shift
            )
    return changed


def _find_same_thing(answer: str, doc: Doc) -> tuple[int, int] | None:
    """The phrase of a parsed text that names the same thing: in the same words, or the only one with its last word."""
    exact = find_span(answer, doc.text)
    if exact is not None:
        return exact
    last = answer.rsplit(maxsplit=1)[-1].lower()
    same = [chunk for chunk in doc.noun_chunks if last in (chunk.root.text.lower(), chunk.root.lemma_.lower())]
    return (same[0].start_char, same[0].end_char) if len(same) == 1 else None
