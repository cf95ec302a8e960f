"""The model card of an answerer, from the figures of its own training."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.training.answering.examples import qa_sets
from gistmeter.training.card import EVALUATION_TEXT, Card, describe_left_out, table
from gistmeter.training.licences import set_table
from gistmeter.training.recipe import describe_recipe
from gistmeter.training.sources.named_sets import count_by_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.answering.recipe import AnsweringRecipe
    from gistmeter.training.answering.result import TrainedAnswering

_ABOUT = """\
Where in a text the answer to a question stands, or that it stands nowhere: for gistmeter's measures that ask questions
(qaeval, qags and their kin)."""
_PARTS = """\
Parts that make the embedded encoder an answerer: updates of rank {rank} for all linear maps and the layer norms from
layer {first} on (of 0 to 5), and a head with two outputs on the states of the text and of the first token, which stands
for "not answerable"; merged into the encoder when it is loaded. Stored in half precision."""
_OWN_QUESTIONS = (
    "Questions of gistmeter's own asker were made with their texts and not varied again: a sentence of news read with "
    "some of its modifiers gone, or the article without it; the first text of an entailment pair, which answers what "
    "was asked about the second where it entails it. "
)
_MEASURED = """\
`is_answerable_f1` is that of telling answerable questions from others at a threshold of one half, AUC whatever the
threshold. Exact match and token F1, as SQuAD compares, are over answerable questions that the model answered, against
the first right answer; `gistmeter qa evaluate` takes the best of several."""


def answering_card(trained: TrainedAnswering, recipe: AnsweringRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the answerer is, what it learned from, how it was made and how good it is."""
    counts = count_by_set([*trained.data.train, *trained.data.ready])
    unanswerable = sum(not example.answerable for example in trained.examples)
    variants = (
        f"{recipe.cut:.0%} of the texts were cut to one to five sentences. {recipe.unanswerable:.0%} of the "
        "answerable questions were asked a second time of a text that does not answer: the same without the sentence "
        "of the answer, or another of the set. "
    )
    total = f"In all {len(trained.examples):,} questions, {unanswerable:,} of them unanswerable."
    too_long = f", and {trained.too_long:,} longer than {recipe.longest} tokens"
    names = list(trained.figures)
    checks: list[tuple[str | float, ...]] = [
        (f"{check.step:,}", check.loss, *(check.figures.get(name, math.nan) for name in names))
        for check in trained.run.checks
        if check.figures
    ]
    figures = [
        _MEASURED,
        table(names, [tuple(trained.figures.values())]),
        "On the way, on some of them:",
        table(("step", "loss", *names), checks),
    ]
    return Card(
        title=trained.file.stem,
        about=[_ABOUT, _PARTS.format(rank=recipe.rank, first=recipe.first)],
        command=command or "gistmeter train answering",
        recipe=[trained.run.describe(f"{recipe.batch} questions"), describe_recipe(recipe)],
        data=[
            set_table(counts, qa_sets(), unit="questions"),
            variants + (_OWN_QUESTIONS if trained.data.ready else "") + total,
            f"{describe_left_out(trained.data.left_out, unit='questions', more=too_long)} {EVALUATION_TEXT}",
        ],
        licences=notes,
        figures=figures if trained.figures else (),
    )
