"""The recipe of a regression of S3."""

from dataclasses import dataclass
from typing import Literal

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Data(TrainingData):
    """What the regression learns from."""

    data: tuple[str, ...] = required(
        "A run with references whose records carry people's judgments; repeat for more.", metavar="RUN"
    )
    aspect: tuple[str, ...] = setting(
        (), "What people judged, one for each run in their order, or one for all.", metavar="NAME"
    )
    judgments: tuple[str, ...] = setting(
        (), "File of judgments of each run, in the order of the runs, where records carry none.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Recipe(Recipe):
    """How the regression is fitted; its seed deals the folds of the held-out figures."""

    penalty: float = setting(10.0, "What is added to the sums of squares of the standardised measures.", low=0)
    learn: Literal["within", "all"] = setting(
        "within",
        "From differences within documents, which is what systems are compared by, or from all summaries alike.",
    )
    references: int = setting(1, "How many references of each document are compared with.", low=1)
    folds: int = setting(5, "Folds of documents for the held-out figures.", low=2)


ROLE = TrainingRole(
    name="s3",
    about="Fit a regression of S3 to judgments of summaries; s3(weights=OUT) scores by it.",
    data=S3Data,
    recipe=S3Recipe,
    suffixes=(".json",),
)
