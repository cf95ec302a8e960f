"""The recipe of the network that turns dependencies into phrases."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesData(TrainingData):
    """What the network learns from and is measured on."""

    data: str = required("Trees to learn from, one in brackets a line (.gz too).", metavar="FILE")
    documents: str | None = setting(
        None, "JSON: the documents of the trees with licences; nc ones are left out.", metavar="FILE"
    )
    test: tuple[str, ...] = setting((), "Trees to measure on; repeat.", metavar="FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class TreesRecipe(Recipe):
    """How the network is trained. The defaults made the shipped one."""

    bits: int = setting(13, "The table of observations has 2 to the power of so many rows.", low=1, high=24)
    hidden: int = setting(24, "Numbers in the hidden layer.", low=1)
    epochs: int = setting(6, "How often each step is seen.", low=1)
    rate: float = setting(3e-3, "Learning rate.", low=1e-7, high=1)
    dropout: float = setting(0.1, "Dropout in the hidden layer.", low=0, high=0.9)
    forget: float = setting(0.2, "Share of observations left out at random in every step.", low=0, high=0.9)
    batch: int = setting(256, "Steps of the trees to a step of the training.", low=1)


ROLE = TrainingRole(
    name="trees",
    about="Train the network behind the embedded phrase trees and write it with its model card.",
    data=TreesData,
    recipe=TreesRecipe,
    suffixes=(".safetensors",),
)
