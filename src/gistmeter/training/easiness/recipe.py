"""The recipe of the regressor of easiness."""

from dataclasses import dataclass
from typing import Literal

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class EasinessData(TrainingData):
    """What the regressor learns from."""

    data: tuple[str, ...] = required("A run with references and people's units; repeat for more.", metavar="RUN")
    units: tuple[str, ...] = setting((), "The units of each run, in the order of the runs.", metavar="FILE")
    trees: str = setting("embedded", "Who makes the phrase trees: embedded, or a model of benepar.", metavar="NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class EasinessRecipe(Recipe):
    """How the regressor is trained; for trees the defaults are the paper's (and XGBoost's)."""

    features: Literal["units", "trees"] = setting(
        "units",
        "What it reads: the units a machine cut (a ridge regression), or the phrase tree (XGBoost), as the paper.",
    )
    penalty: float = setting(10.0, "Of the ridge regression: what is added to the squares.", low=0)
    depth: int = setting(3, "Depth of each tree.", low=1)
    rate: float = setting(0.1, "Learning rate.", low=1e-7, high=1)
    rounds: int = setting(40, "Number of trees.", low=1)
    least: int = setting(
        1, "Sentences that a leaf has at least; the paper's is 1, the shipped regressor's 10 ranks better.", low=1
    )
    folds: int = setting(5, "Folds of documents for the held-out figures.", low=2)


ROLE = TrainingRole(
    name="easiness",
    about="Train the regressor of easiness, measure it on held-out documents, and write it with its card.",
    data=EasinessData,
    recipe=EasinessRecipe,
    suffixes=(".json", ".json.gz"),
)
