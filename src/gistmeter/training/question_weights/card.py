"""The model card of the weighter of questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.training.question_weights.recipe import QuestionWeightsRecipe
    from gistmeter.training.question_weights.result import TrainedQuestionWeights

_ABOUT = (
    "How likely a question about a document is one that a reference answers (Scialom et al., 2021, QuestEval): a "
    "logistic regression over cheap numbers of the question and its phrase in the document."
)


def question_weights_card(
    trained: TrainedQuestionWeights,
    recipe: QuestionWeightsRecipe,
    *,
    examiner: Mapping[str, str],
    command: str,
    notes: Sequence[str],
) -> Card:
    """What the weighter is, what it learned from, how it was made and how good it is."""
    facts = ", ".join(f"{key} {value}" for key, value in sorted(examiner.items()))
    learned = (
        f"{trained.questions:,} questions about {trained.documents:,} documents; a reference answers "
        f"{trained.answered:.1%} of them. Left out as evaluation data: {trained.refused:,} documents."
    )
    return Card(
        title="Weighter of questions, English",
        about=[_ABOUT],
        command=command or "gistmeter train question-weights",
        recipe=[describe_recipe(recipe)],
        data=[learned, f"Asked and answered by: {facts}."],
        licences=notes,
        figures=[
            f"Area under the curve on held-out documents ({recipe.folds} folds): {trained.auc:.3f} (0.5 is chance).",
            table(("feature (mean 0, spread 1)", "weight"), list(trained.weights.items())),
        ],
    )
