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
from gistmeter.training.answering.asked_places import place_of
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.entailment.nli_pairs import LABELS, read_nli

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from gistmeter.training.entailment.nli_pairs import NliPair

SOURCE = "asked_pairs"
_SETS = {"mnli": 1.0, "mnli_ni": 1.0, "scitail_ni": 0.5, "snli": 0.5, "snli_ni": 0.5}
"""Sets that people wrote, and how many pairs of each to look at, in shares of the questions that are wanted."""

_BESIDE, _BEFORE = 0.5, 0.5
"""The share of first texts that is read with that of another pair, and how often the other stands after it."""


def asked_of_pairs(files: Sequence[str], count: int, *, refused: frozenset[int], seed: int) -> list[QaExample]:
    """At most so many questions on the second texts of entailment pairs, half of them answered by the first text."""
    rng = np.random.default_rng((seed, 22))
    known = read_nli(files, refused=refused, seed=seed).train
    pairs = _first_ones([known[k] for k in rng.permutation(len(known)) if known[k].source in _SETS], count)
    entailed = _asked([pair for pair in pairs if LABELS[pair.label] == "entailment"], rng)
    others = _asked([pair for pair in pairs if LABELS[pair.label] in ("neutral", "contradiction")], rng)
    each = min(count // 2, len(entailed), len(others))
    return _beside_another(entailed[:each] + others[:each], rng)


def _first_ones(pairs: Sequence[NliPair], count: int) -> list[NliPair]:
    """The first pairs of each set."""
    left = {source: int(share * count) for source, share in _SETS.items()}
    taken = []
    for pair in pairs:
        if left[pair.source] > 0:
            left[pair.source] -= 1
            taken.append(pair)
    return taken


def _asked(pairs: Sequence[NliPair], rng: np.random.Generator) -> list[QaExample]:
    """One question on each second text whose answer the first text names too, which answers it if it entails it all."""
    asked = load_asker().questions([pair.hypothesis for pair in pairs])
    premises = load_parser().parse([pair.premise for pair in pairs])
    found: list[QaExample] = []
    for pair, doc, questions in zip(pairs, premises, asked, strict=True):
        if not questions:
            continue
        question = questions[int(rng.integers(len(questions)))]
        if (place := _same_thing(question.answer, doc)) is not None:
            start, end = place if LABELS[pair.label] == "entailment" else (0, 0)
            found.append(QaExample(question.text, pair.premise, start, end, SOURCE))
    return found


def _beside_another(examples: Sequence[QaExample], rng: np.random.Generator) -> list[QaExample]:
    """The examples, half of them with the text of another before or after their own."""
    made = list(examples)
    for i in np.flatnonzero(rng.random(len(examples)) < _BESIDE).tolist():
        example, other = examples[i], examples[int(rng.integers(len(examples)))].context
        if other == example.context:
            continue
        if rng.random() < _BEFORE:
            made[i] = replace(example, context=f"{example.context} {other}")
        else:
            shift = len(other) + 1 if example.answerable else 0
            made[i] = replace(
                example, context=f"{other} {example.context}", start=example.start + shift, end=example.end + shift
            )
    return made


def _same_thing(answer: str, doc: Doc) -> tuple[int, int] | None:
    """The phrase of a parsed text that names the same thing: in the same words, or the only one with its last word."""
    exact = place_of(answer, doc.text)
    if exact is not None:
        return exact
    last = answer.rsplit(maxsplit=1)[-1].lower()
    same = [chunk for chunk in doc.noun_chunks if last in (chunk.root.text.lower(), chunk.root.lemma_.lower())]
    return (same[0].start_char, same[0].end_char) if len(same) == 1 else None
