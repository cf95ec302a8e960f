"""The recipe of an answerer."""

from collections.abc import Mapping
from dataclasses import dataclass

from gistmeter.training.loop.recipe import PairRecipe
from gistmeter.training.recipe import TrainingData, counts_setting, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringData(TrainingData):
    """What an answerer learns from and is tested on."""

    data: tuple[str, ...] = required(
        "Questions: records (.jsonl) or SQuAD's format (.json), .gz too; repeat.", metavar="FILE"
    )
    test: tuple[str, ...] = setting((), "Questions that are only tested on; repeat for more.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose text is not learned from; repeat for more.", metavar="FILE"
    )
    news: tuple[str, ...] = setting((), "Texts that gistmeter asks about itself; repeat for more.", metavar="FILE")
    pairs: tuple[str, ...] = setting((), "Entailment pairs that it asks about; repeat for more.", metavar="FILE")
    asked: int = setting(30_000, "Sentences of the texts to ask about.", low=1)
    paired: int = setting(20_000, "Questions about pairs.", low=2)
    start: str | None = setting(None, "Weights to go on from.", metavar="WEIGHTS")
    most: Mapping[str, int] = counts_setting(
        "At most N questions of a set, e.g. qamr=9000,policyqa=1.", metavar="SET=N,..."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringRecipe(PairRecipe):
    """How an answerer is trained."""

    cut: float = setting(0.7, "Share of texts cut to a few sentences.", low=0, high=1)
    unanswerable: float = setting(0.35, "Share of questions asked again of a text that does not answer.", low=0, high=1)
    epochs: float = setting(1.0, "How often the questions are read.", low=0.001)
    batch: int = setting(32, "Questions to a step.", low=1)
    dropout: float = setting(0.05, "Dropout.", low=0, high=0.9)
    longest: int = setting(320, "Tokens of the longest question and text to learn from.", low=16)
    check_every: int = setting(250, "Steps between checks, at which the state is saved.", low=1)


ROLE = TrainingRole(
    name="answering",
    about="Train an answerer on questions with their texts, and write it with its model card.",
    data=AnsweringData,
    recipe=AnsweringRecipe,
)
