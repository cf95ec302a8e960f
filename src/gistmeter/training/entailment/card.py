"""The model cards of entailment models, of either stage, from the figures of their own training."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.training.card import EVALUATION_TEXT, Card, describe_left_out, table
from gistmeter.training.entailment.nli_pairs import nli_sets
from gistmeter.training.licences import set_table
from gistmeter.training.recipe import describe_recipe
from gistmeter.training.sources.named_sets import count_by_set

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.training.entailment.presence_figures import PresenceAgreement
    from gistmeter.training.entailment.recipe import EntailmentRecipe
    from gistmeter.training.entailment.result import TrainedEntailment, TunedEntailment
    from gistmeter.training.loop.check import TrainingRun

_ABOUT = """\
Whether a premise entails a hypothesis, is neutral to it or contradicts it: for gistmeter's Pyramid measures, where the
premise is a summary (or its two best-matching sentences) and the hypothesis a content unit."""
_ADAPTER = """\
Parts that make the embedded encoder a classifier of pairs: updates of rank {rank} for all linear maps and the layer
norms from layer {first} on (of 0 to 5), and a head with {hidden} hidden numbers on the state of the first token and the
mean state of the hypothesis; merged into the encoder when it is loaded. Stored in half precision."""
_CLASSIFIER = "A classifier of transformers, with all its weights."
_PRESENCE = """\
Accuracy counts a unit as present where the probability is above one half. Pearson's r is that of the mean probability
of a summary's units with the share that people found: over systems within each document, averaged (summary level), and
of the means over documents (system level)."""
_PRESENCE_COLUMNS = ("set", "units", "accuracy", "summary level", "system level", "documents without a correlation")
_ACCURACY = (
    "Accuracy of the best of three classes; with two classes (rte), of entailment or not. A set's own name is its "
    "held-out premises, a name with a part is a set or part never learned from."
)


def pretraining_card(
    trained: TrainedEntailment, recipe: EntailmentRecipe, *, command: str, notes: Sequence[str]
) -> Card:
    """The card of a model that learned three classes."""
    too_long = f", and {trained.too_long:,} longer than {recipe.longest} tokens"
    accuracies = [(name, f"{accuracy.pairs:,}", accuracy.share) for name, accuracy in trained.accuracies.items()]
    checks = [
        (f"{check.step:,}", check.loss, (check.figures or {}).get("all", math.nan)) for check in trained.run.checks
    ]
    return Card(
        title=trained.file.stem,
        about=_about(recipe),
        command=command or "gistmeter train entailment",
        recipe=[*_recipe(trained.run, recipe), _describe_loss(recipe)],
        data=[
            set_table(count_by_set(trained.pairs.train), nli_sets(), unit="pairs"),
            f"{describe_left_out(trained.pairs.left_out, unit='pairs', more=too_long)} {EVALUATION_TEXT}",
        ],
        licences=notes,
        figures=[
            _ACCURACY,
            table(("set", "pairs", "accuracy"), accuracies),
            "On the way, on 300 held-out pairs:",
            table(("step", "loss", "accuracy"), checks),
        ],
        people=["Zero-shot:", *_presence_figures(trained.presence)] if trained.presence else (),
    )


def fine_tuning_card(trained: TunedEntailment, recipe: EntailmentRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """The card of a model fine-tuned on labels of presence, or of its cross-validation alone."""
    return Card(
        title="entailment, fine-tuned on the presence of content units",
        about=_about(recipe),
        command=command or "gistmeter train entailment",
        recipe=_recipe(trained.run, recipe),
        data=[table(("set", "labelled units"), [(name, f"{count:,}") for name, count in trained.labels])],
        licences=notes,
        people=["By cross-validation:", *_presence_figures(trained.agreements)] if trained.agreements else (),
    )


def _about(recipe: EntailmentRecipe) -> list[str]:
    adapter = _ADAPTER.format(rank=recipe.rank, first=recipe.first, hidden=recipe.hidden)
    return [_ABOUT, adapter if recipe.method == "lora" else _CLASSIFIER]


def _recipe(run: TrainingRun | None, recipe: EntailmentRecipe) -> list[str]:
    settings = describe_recipe(recipe)
    return [run.describe(f"{recipe.batch} pairs"), settings] if run else [settings]


def _describe_loss(recipe: EntailmentRecipe) -> str:
    return (
        f"The loss is the cross-entropy of three classes and {recipe.two_way:g} times that of p2c = "
        "e^e / (e^e + e^(n+c)), which alone serves for pairs of two classes. "
        f"{recipe.joined:.0%} of the pairs have another premise of their set before or after their own."
    )


def _presence_figures(agreements: Mapping[str, PresenceAgreement]) -> list[str]:
    """How far probabilities of presence agree with people, as a table with its explanation."""
    rows = [
        (
            name,
            f"{agreement.rows:,}",
            agreement.accuracy,
            agreement.summary_pearson,
            agreement.system_pearson,
            str(agreement.undefined),
        )
        for name, agreement in agreements.items()
    ]
    return [_PRESENCE, table(_PRESENCE_COLUMNS, rows)]
