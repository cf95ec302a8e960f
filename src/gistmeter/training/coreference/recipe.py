"""The recipe of the coreference network."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreferenceData(TrainingData):
    """What the network learns from and is measured on."""

    data: str = required("Annotated texts (.jsonl, .gz too): tokens, sentence_starts, clusters, split.", metavar="FILE")
    gap: str = required("GAP's pronouns (.jsonl, .gz too).", metavar="FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreferenceRecipe(Recipe):
    """How the network is trained. The defaults made the shipped one."""

    hidden: int = setting(32, "Numbers in the hidden layer.", low=1)
    epochs: int = setting(6, "How often each mention is seen.", low=1)
    rate: float = setting(4e-3, "Learning rate.", low=1e-7, high=1)
    decay: float = setting(1e-2, "Weight decay.", low=0)
    forget: float = setting(0.2, "Share of features left out at random in every step.", low=0, high=0.9)
    rarest: int = setting(4, "A feature that fewer choices have is not used.", low=1)
    batch: int = setting(128, "Mentions to a step.", low=1)


ROLE = TrainingRole(
    name="coreference",
    about="Train the coreference network and write it with its model card.",
    data=CoreferenceData,
    recipe=CoreferenceRecipe,
    suffixes=(".safetensors",),
)
