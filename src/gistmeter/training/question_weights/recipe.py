"""The recipe of the weighter of questions."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWeightsData(TrainingData):
    """What the weighter learns from, and who asks and answers."""

    data: tuple[str, ...] = required("Documents with references; repeat for more.", metavar="RUN")
    documents: tuple[str, ...] = setting((), "File with the documents, joined by doc_id.", metavar="FILE")
    references: tuple[str, ...] = setting((), "File with the references, joined by doc_id.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose documents are not learned from; repeat.", metavar="FILE"
    )
    model: str = setting("embedded", "Who answers, as for questeval.")
    asker: str = setting("embedded", "Who asks, as for questeval.")
    threshold: float | None = setting(None, "As for questeval.", low=0, high=1)
    most: int = setting(50, "Questions of a document.", low=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWeightsRecipe(Recipe):
    """How the weighter is learned; its seed deals the folds of the held-out figures."""

    folds: int = setting(5, "Folds of documents for the held-out figures.", low=2)


ROLE = TrainingRole(
    name="question_weights",
    about="Learn which questions about documents their references answer; questeval(weighter=OUT) weighs questions "
    "by it.",
    data=QuestionWeightsData,
    recipe=QuestionWeightsRecipe,
    suffixes=(".json",),
    aliases=("weighter",),
)
