"""The recipe of the judge of consistency."""

from collections.abc import Mapping
from dataclasses import dataclass

from gistmeter.training.entailment.recipe import EntailmentRecipe
from gistmeter.training.recipe import TrainingData, counts_setting, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyData(TrainingData):
    """What a judge of consistency learns from."""

    documents: tuple[str, ...] = setting(
        (), "Documents to make claims of, right and wrong (.jsonl, .gz too); repeat for more.", metavar="FILE"
    )
    questions: tuple[str, ...] = setting(
        (), "Questions with texts and answers, to be told as statements; repeat for more.", metavar="FILE"
    )
    judged: tuple[str, ...] = setting((), "Claims with evidence that people judged; repeat for more.", metavar="FILE")
    entailment: tuple[str, ...] = setting((), "Entailment pairs; repeat for more.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose text is not learned from; repeat for more.", metavar="FILE"
    )
    start: str | None = setting(
        None, "Weights to go on from; by default those of the embedded entailment model.", metavar="WEIGHTS"
    )
    most: Mapping[str, int] = counts_setting(
        "At most N pairs of a set, e.g. bbc_news=16000,paws=3000.", metavar="SET=N,..."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyRecipe(EntailmentRecipe):
    """How a judge of consistency is trained."""

    rate: float = setting(5e-4, "Learning rate.", low=1e-7, high=0.1)
    two_way: float = setting(1.0, "Weight of the loss of two classes (p2c) beside that of three.", low=0)
    joined: float = setting(0.3, "Share of premises of entailment pairs that get a neighbour.", low=0, high=1)
    longest: int = setting(144, "Tokens of the longest pair to learn from.", low=16)
    claims: int = setting(6, "Claims made of each document.", low=1)
    combined: int = setting(
        240, "Documents, never learned from, on which the combination is fitted (half) and tested.", low=0
    )
    combined_claims: int = setting(3, "Claims made of each of these documents, told wrong in every way.", low=1)
    ridge: float = setting(1e-3, "Ridge of the combination.", low=0)
    held_out: float = setting(0.03, "Share of premises that are held out.", low=0, high=0.5)


ROLE = TrainingRole(
    name="consistency",
    about="Train a judge of whether passages of a document support a claim, and write it with its model card.",
    data=ConsistencyData,
    recipe=ConsistencyRecipe,
)
