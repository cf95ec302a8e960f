"""Train an answerer: where in a text the answer to a question stands, and whether it stands there at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.answering.spans import choose_answer, find_best_spans, find_overlapping_tokens
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch
from gistmeter.qa.evaluate import evaluate_answers
from gistmeter.training.answering.card import answering_card
from gistmeter.training.answering.examples import read_questions
from gistmeter.training.answering.learners import SpanLearner
from gistmeter.training.answering.news_questions import ask_about_news
from gistmeter.training.answering.pair_questions import ask_about_pairs
from gistmeter.training.answering.recipe import AnsweringRecipe
from gistmeter.training.answering.result import TrainedAnswering
from gistmeter.training.answering.variants import add_variants
from gistmeter.training.loop.check import tell_check
from gistmeter.training.loop.pair_run import PairTraining
from gistmeter.training.progress import SILENCE
from gistmeter.training.sources.evaluated import collect_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import torch

    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.runtime.tokenizer import QuestionTokens
    from gistmeter.training.answering.examples import QaExample, QaExamples
    from gistmeter.training.answering.recipe import AnsweringData
    from gistmeter.training.loop.check import Check, TrainingRun
    from gistmeter.training.progress import Progress

CHECKED_QUESTIONS = 300
"""Held-out questions to look at while training; all of them are asked at its end."""

MAX_TOKENS = 512
"""The longest question with its text that the encoder reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringFit:
    """A finished training and the network that learned."""

    run: TrainingRun
    learner: SpanLearner
    examples: tuple[QaExample, ...]
    """The questions with their variants."""

    too_long: int
    """Questions left out for their length, or because no token of the answer was found."""

    figures: Mapping[str, float]
    """On questions that it never saw."""


def train_answering(
    out: str | Path,
    data: AnsweringData,
    *,
    recipe: AnsweringRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedAnswering:
    """Learn from questions, or go on where an interrupted training in this folder stopped; write weights and card."""
    recipe, folder = recipe or AnsweringRecipe(), Path(out)
    refused = collect_runs([*data.without, *data.test])
    questions = read_questions(data.data, limits=data.most, refused=refused, seed=recipe.seed)
    ready = ask_about_news(data.news, data.asked, refused=refused, seed=recipe.seed) if data.news else []
    ready += ask_about_pairs(data.pairs, data.paired, refused=refused, seed=recipe.seed) if data.pairs else []
    questions = replace(questions, ready=tuple(ready))
    held_out = read_questions(data.test).train if data.test else ()
    own = f" and {len(ready):,} that gistmeter asked" if ready else ""
    progress.say(f"{len(questions.train):,} questions to learn from{own}; left out: {dict(questions.left_out)}")
    fit = fit_answering(
        questions,
        folder,
        recipe=recipe,
        held_out=held_out,
        start=Path(data.start) if data.start else None,
        report=lambda check: tell_check(progress, check),
    )
    trained = TrainedAnswering(
        file=fit.run.file,
        card=folder / "answering.md",
        run=fit.run,
        data=questions,
        examples=fit.examples,
        too_long=fit.too_long,
        figures=fit.figures,
    )
    answering_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def fit_answering(
    questions: QaExamples,
    folder: Path,
    *,
    recipe: AnsweringRecipe,
    held_out: Sequence[QaExample] = (),
    start: Path | None = None,
    report: Callable[[Check], None] | None = None,
) -> AnsweringFit:
    """Train on questions in a folder and write the weights there, without a card."""
    learner = SpanLearner(recipe, start=start)
    examples = add_variants(questions.train, cut=recipe.cut, unanswerable=recipe.unanswerable, seed=recipe.seed)
    examples += questions.ready
    tokens = learner.tokenizer.questions([(example.question, example.context) for example in examples])
    labels = {
        i: span
        for i, (of_example, example) in enumerate(zip(tokens, examples, strict=True))
        if len(of_example.ids) <= recipe.longest and (span := _token_span(of_example, example)) is not None
    }
    drawn = np.random.default_rng(recipe.seed).permutation(len(held_out))[:CHECKED_QUESTIONS]
    checked = [held_out[i] for i in drawn]

    def check() -> Mapping[str, float]:
        return measure_answers(checked, predict_answers(learner, checked))

    run = PairTraining(
        learner,
        tokens,
        labels,
        folder,
        recipe=recipe,
        task="answering",
        loss=span_loss,
        check=check if checked else None,
    ).run(report)
    return AnsweringFit(
        run=run,
        learner=learner,
        examples=examples,
        too_long=len(examples) - len(labels),
        figures=measure_answers(held_out, predict_answers(learner, held_out)) if held_out else {},
    )


def span_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of where the answer starts and of where it ends, "not answerable" being position 0."""
    from torch.nn import functional

    starts, ends = logits
    loss: torch.Tensor = (
        functional.cross_entropy(starts, labels[:, 0]) + functional.cross_entropy(ends, labels[:, 1])
    ) / 2
    return loss


def predict_answers(learner: SpanLearner, examples: Sequence[QaExample], *, batch_tokens: int = 4096) -> list[Answer]:
    """What the network in training answers; texts longer than it reads are cut."""
    torch = import_torch()
    tokens = [
        _cut_tokens(of_example, MAX_TOKENS)
        for of_example in learner.tokenizer.questions([(example.question, example.context) for example in examples])
    ]
    answers: dict[int, Answer] = {}
    with torch.no_grad():
        for batch in split_into_batches([len(of_example.ids) for of_example in tokens], batch_tokens):
            logits = learner.logits([tokens[i] for i in batch]).double().numpy()
            for row, i in enumerate(batch):
                count = len(tokens[i].hypothesis) + 1
                spans = find_best_spans(logits[0, row, :count], logits[1, row, :count])
                answers[i] = choose_answer(examples[i].context, [(spans, tokens[i].offsets)], 0.5)
    return [answers[i] for i in range(len(examples))]


def measure_answers(examples: Sequence[QaExample], answers: Sequence[Answer]) -> dict[str, float]:
    """How well answerable questions are told from others, and how far answers agree with the first right one."""
    gold = [[example.context[example.start : example.end]] if example.answerable else [] for example in examples]
    figures = asdict(evaluate_answers(gold, answers))
    return {name: round(value, 4) for name, value in figures.items() if name != "questions"}


def _token_span(tokens: QuestionTokens, example: QaExample) -> tuple[int, int] | None:
    """The positions of the first and the last token of the answer, from 1; 0 and 0 where there is none."""
    if not example.answerable:
        return 0, 0
    span = find_overlapping_tokens(tokens.offsets, example.start, example.end)
    return (span[0] + 1, span[1] + 1) if span is not None else None


def _cut_tokens(tokens: QuestionTokens, limit: int) -> QuestionTokens:
    """Tokens without what a network cannot read."""
    read = tokens.hypothesis < limit
    return tokens._replace(
        ids=tokens.ids[:limit],
        types=tokens.types[:limit],
        hypothesis=tokens.hypothesis[read],
        offsets=tokens.offsets[read],
    )
