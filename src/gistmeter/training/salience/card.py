"""The model card of the predictor of salience."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.salience.curves import RankedCurves
    from gistmeter.training.salience.recipe import SalienceRecipe
    from gistmeter.training.salience.result import TrainedSalience

_ABOUT = (
    "How likely a reference states a noun phrase of a document (Deutsch, 2022, section 6.3.1): a logistic regression "
    "over where the phrase stands, what it is, how often and where its words are first said, and over the main "
    "directions of the encoder's states of its first and last token. Salient phrases and the others weigh the same "
    "while it learns; the bias is then set to their shares. The thesis has BART-large here."
)
SHOWN_K = (1, 3, 5, 10, 20, 30)


def salience_card(trained: TrainedSalience, recipe: SalienceRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the predictor is, what it learned from, how it was made and how good it is."""
    learned = (
        f"{trained.spans:,} noun phrases of {trained.documents:,} documents; a reference states {trained.salient:.1%} "
        f"of them{_name_methods(trained)}. {trained.describe_left_out()}"
    )
    tried = ", ".join(f"{count} directions {value:.3f}" for count, value in trained.tried.items())
    held_out = (
        f"On held-out documents ({recipe.folds} folds, {trained.curves.documents} with a salient phrase), against "
        f"silver spans, 95% intervals over documents; AUC {trained.curves.auc:.3f} (in the order of the document "
        f"{trained.position.auc:.3f}):"
    )
    rows = [_write_row(k, trained.curves, trained.position) for k in SHOWN_K]
    return Card(
        title="Predictor of salient noun phrases, English",
        about=[_ABOUT],
        command=command or "gistmeter train salience",
        recipe=[describe_recipe(recipe), f"Precision@1 on held-out documents, by which one is chosen: {tried}."],
        data=[learned],
        licences=notes,
        figures=[
            held_out,
            table(("k", "precision@k", "recall@k", "precision@k by position", "recall@k by position"), rows),
            table(("feature (mean 0, spread 1)", "weight"), list(trained.weights.items())),
        ],
    )


def _name_methods(trained: TrainedSalience) -> str:
    return f" (`gistmeter spans label --method {', '.join(trained.methods)}`)" if trained.methods else ""


def _write_row(k: int, curves: RankedCurves, position: RankedCurves) -> tuple[str, ...]:
    point, plain = curves.at(k), position.at(k)
    return (
        str(k),
        f"{point.precision:.3f} [{point.precision_low:.3f}, {point.precision_high:.3f}]",
        f"{point.recall:.3f} [{point.recall_low:.3f}, {point.recall_high:.3f}]",
        f"{plain.precision:.3f}",
        f"{plain.recall:.3f}",
    )
