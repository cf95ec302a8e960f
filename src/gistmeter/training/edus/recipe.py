"""The recipe of the segmenter of discourse units."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusData(TrainingData):
    """What the segmenter learns from."""

    data: str = required(
        "Annotated texts (.jsonl, .gz too): tokens, sentence_starts, edu_starts, split.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EdusRecipe(Recipe):
    """How the network is trained. The defaults made the shipped one."""

    bits: int = setting(13, "The table of templates has 2 to the power of so many rows.", low=1, high=24)
    hidden: int = setting(32, "Numbers in the hidden layer.", low=1)
    epochs: int = setting(3, "How often each word is seen.", low=1)
    rate: float = setting(3e-3, "Learning rate.", low=1e-7, high=1)
    decay: float = setting(1e-2, "Weight decay.", low=0)
    dropout: float = setting(0.3, "Dropout in the hidden layer.", low=0, high=0.9)
    forget: float = setting(0.3, "Share of templates left out at random in every step.", low=0, high=0.9)
    lean: float = setting(0.2, "Added to the evidence for a boundary: the best of 0 to 1 on the development texts.")
    batch: int = setting(256, "Words to a step.", low=1)


ROLE = TrainingRole(
    name="edus",
    about="Train the segmenter of discourse units and write it with its model card.",
    data=EdusData,
    recipe=EdusRecipe,
    suffixes=(".safetensors",),
)
