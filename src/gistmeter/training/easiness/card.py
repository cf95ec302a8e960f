"""The model card of the regressor of easiness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.easiness.recipe import EasinessRecipe
    from gistmeter.training.easiness.result import TrainedEasiness

_ABOUT = (
    "Predicts how well triplet units stand for the units people would write for a reference sentence: the mean, over "
    "people's units, of the best ROUGE-1 F1 with a triplet unit of the sentence (Zhang and Bansal, 2021, section 3.3)."
)
_READS = {
    "units": "Reads 8 numbers of the triplet units themselves: how many there are, how long, how much of the sentence "
    "they have, and whether it was cut at all. A ridge regression, in JSON.",
    "trees": "Reads the paper's 69 numbers of the phrase tree. Boosted regression trees, in XGBoost's JSON.",
}
_PUBLISHED = (
    "The paper's regressors, with AllenNLP's trees and units: .135 on REALSumm, .090 on XSum (appendix A.4). Where the "
    "error is that of the mean, the regressor ranks sentences weakly; mixing needs the ranking (`r`)."
)


def easiness_card(trained: TrainedEasiness, recipe: EasinessRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the regressor is, what it learned from, how it was made and how good it is."""
    documents = ", ".join(f"{name} ({count} references)" for name, count in trained.documents.items())
    rows = [
        (figures.group, str(figures.sentences), figures.error, figures.error_of_mean, figures.correlation)
        for figures in trained.figures
    ]
    measured = (
        f"{recipe.folds} folds by documents. `error` is the mean absolute error, `of the mean` that of always saying "
        "the mean of the other folds, `r` Pearson's correlation of prediction and truth."
    )
    return Card(
        title="Easiness of cutting a sentence into units, English",
        about=[
            f"{_ABOUT} {_READS[recipe.features]}",
            f"Units and trees: from the dependencies of {load_parser().name} {load_parser().version}.",
        ],
        command=command or "gistmeter train easiness",
        recipe=[f"{describe_recipe(recipe)}; squared error"],
        data=[f"{documents}: people's units, and gistmeter's own triplet units with coreference."],
        licences=notes,
        figures=[measured, table(("set", "sentences", "error", "of the mean", "r"), rows), _PUBLISHED],
    )
