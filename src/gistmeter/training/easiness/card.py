"""The model card of the regressor of easiness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.easiness.training import Recipe, Trained


def written_card(trained: Trained, recipe: Recipe, command: str, notes: Sequence[str]) -> str:
    """What the regressor is, what it learned from, how it was made and how good it is, in Markdown."""
    learned = ", ".join(f"{name} ({count} references)" for name, count in trained.documents.items())
    rows = [(one.group, str(one.sentences), one.error, one.error_of_mean, one.correlation) for one in trained.held_out]
    about = (
        "Predicts from the phrase tree of a reference sentence how well triplet units stand for the units people would "
        "write: the mean, over people's units, of the best ROUGE-1 F1 with a triplet unit of the sentence (Zhang and "
        "Bansal, 2021, section 3.3). Boosted regression trees over 69 numbers, in XGBoost's JSON."
    )
    made = (
        f"- Made by: `{command or 'gistmeter train easiness'}` (depth {recipe.depth}, rate {recipe.rate}, "
        f"{recipe.rounds} rounds, at least {recipe.least} sentences a leaf, squared error, seed {recipe.seed})."
    )
    what = (
        f"{recipe.folds} folds by documents. `error` is the mean absolute error, `of the mean` that of always saying "
        "the mean of the other folds, `r` Pearson's correlation of prediction and truth."
    )
    lines = [
        "# Easiness of cutting a sentence into units, English",
        "",
        about,
        "",
        f"- Learned from: {learned}: people's units, and gistmeter's own triplet units with coreference.",
        f"- Trees: from the dependencies of {load_parser().name} {load_parser().version}.",
        made,
        *(f"- {note}" for note in notes),
        "",
        "## Held-out figures",
        "",
        what,
        "",
        table(("set", "sentences", "error", "of the mean", "r"), rows),
        "",
        "The paper's regressors, with AllenNLP's trees and units: .135 on REALSumm, .090 on XSum (appendix A.4).",
        "Where the error is that of the mean, the regressor ranks sentences weakly; mixing needs the ranking (`r`).",
    ]
    return "\n".join(lines) + "\n"
