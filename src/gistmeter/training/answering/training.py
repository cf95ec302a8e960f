"""Train an answerer: where in a text the answer to a question stands, and whether it stands there at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.answering.spans import best_spans, choose_answer, find_overlapping_tokens
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch
from gistmeter.qa.evaluate import evaluate_answers
from gistmeter.training.answering.learners import SpanLearner
from gistmeter.training.answering.variants import with_variants
from gistmeter.training.loop.resumable import Training

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.runtime.tokenizer import QuestionTokens
    from gistmeter.training.answering.examples import QaExample, QaExamples
    from gistmeter.training.loop.recipe import Fitted, Progress, Recipe


@dataclass(frozen=True, slots=True)
class Variants:
    """How the texts of questions are varied."""

    cut: float = 0.7
    """The share of texts that is cut to one to five sentences."""

    unanswerable: float = 0.35
    """The share of answerable questions that is asked again of a text that does not answer."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A finished training: what it learned from, and how it answers questions that it never saw."""

    fitted: Fitted
    learner: SpanLearner
    examples: tuple[QaExample, ...]
    too_long: int
    figures: Mapping[str, float]


def train_answering(
    data: QaExamples,
    folder: Path,
    *,
    recipe: Recipe,
    variants: Variants,
    held_out: Sequence[QaExample] = (),
    checked: int = 300,
    start: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Learned:
    """Learn from questions, or go on where an interrupted training in this folder stopped."""
    learner = SpanLearner(recipe, start=start)
    varied = with_variants(data.train, cut=variants.cut, unanswerable=variants.unanswerable, seed=recipe.seed)
    made = varied + data.ready
    tokens = learner.tokenizer.questions([(one.question, one.context) for one in made])
    labels = {
        i: place
        for i, (one, example) in enumerate(zip(tokens, made, strict=True))
        if len(one.ids) <= recipe.longest and (place := _label(one, example)) is not None
    }
    some = np.random.default_rng(recipe.seed).permutation(len(held_out))[:checked]
    watched = [held_out[i] for i in some]

    def check() -> Mapping[str, float]:
        return figures_of(watched, answers(learner, watched))

    training = Training(
        learner,
        tokens,
        labels,
        folder,
        recipe=recipe,
        learned="answering",
        check=check if watched else None,
        loss=span_loss,
    )
    fitted = training.go(progress)
    figures = figures_of(held_out, answers(learner, held_out)) if held_out else {}
    return Learned(fitted, learner, made, len(made) - len(labels), figures)


def span_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of where the answer starts and of where it ends, "not answerable" being place 0."""
    from torch.nn import functional

    starts, ends = logits
    loss: torch.Tensor = (
        functional.cross_entropy(starts, labels[:, 0]) + functional.cross_entropy(ends, labels[:, 1])
    ) / 2
    return loss


def answers(learner: SpanLearner, examples: Sequence[QaExample], *, batch_tokens: int = 4096) -> list[Answer]:
    """What the network in training answers; texts longer than it reads are cut."""
    torch = import_torch()
    tokens = learner.tokenizer.questions([(one.question, one.context) for one in examples])
    tokens = [_shortened(one, 512) for one in tokens]
    found: dict[int, Answer] = {}
    with torch.no_grad():
        for batch in split_into_batches([len(one.ids) for one in tokens], batch_tokens):
            logits = learner.logits([tokens[i] for i in batch]).double().numpy()
            for row, i in enumerate(batch):
                count = len(tokens[i].hypothesis) + 1
                spans = best_spans(logits[0, row, :count], logits[1, row, :count])
                found[i] = choose_answer(examples[i].context, [(spans, tokens[i].offsets)], 0.5)
    return [found[i] for i in range(len(examples))]


def figures_of(examples: Sequence[QaExample], found: Sequence[Answer]) -> dict[str, float]:
    """How well answerable questions are told from others, and how far answers agree with the first right one."""
    gold = [[one.context[one.start : one.end]] if one.answerable else [] for one in examples]
    return {
        name: round(value, 4) for name, value in asdict(evaluate_answers(gold, found)).items() if name != "questions"
    }


def _label(tokens: QuestionTokens, example: QaExample) -> tuple[int, int] | None:
    """The places of the first and the last token of the answer; 0 and 0 where there is none."""
    if not example.answerable:
        return 0, 0
    place = find_overlapping_tokens(tokens.offsets, example.start, example.end)
    return (place[0] + 1, place[1] + 1) if place is not None else None


def _shortened(tokens: QuestionTokens, most: int) -> QuestionTokens:
    """Tokens without what a network cannot read."""
    kept = tokens.hypothesis < most
    return tokens._replace(
        ids=tokens.ids[:most],
        types=tokens.types[:most],
        hypothesis=tokens.hypothesis[kept],
        offsets=tokens.offsets[kept],
    )
