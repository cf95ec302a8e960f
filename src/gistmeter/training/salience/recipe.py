"""The recipe of the predictor of salience."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceData(TrainingData):
    """What the predictor learns from."""

    data: tuple[str, ...] = required("Documents; repeat for more.", metavar="RUN")
    spans: tuple[str, ...] = required("Their silver spans, from `gistmeter spans label`; repeat.", metavar="FILE")
    documents: tuple[str, ...] = setting((), "File with the documents, joined by doc_id.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose documents are not learned from; repeat.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SalienceRecipe(Recipe):
    """How the predictor is learned; its seed deals the folds of the held-out figures."""

    encoder: str = setting("embedded", "Whose states are read: embedded, a name, or none.")
    directions: tuple[int, ...] = setting(
        (), "Numbers of directions of the states to choose among by precision@1 on held-out documents.", metavar="N"
    )
    ridge: float = setting(10.0, "How strongly weights are held small.", low=0)
    folds: int = setting(5, "Folds of documents for the choice and the held-out figures.", low=2)


ROLE = TrainingRole(
    name="salience",
    about="Learn which noun phrases of documents their references state, for `spans predict` and `summarize`.",
    data=SalienceData,
    recipe=SalienceRecipe,
    suffixes=(".json",),
)
