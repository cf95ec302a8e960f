"""What recipes of long trainings on the encoder have in common."""

from dataclasses import dataclass
from typing import Literal

from gistmeter.training.recipe import Recipe, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopRecipe(Recipe):
    """The settings of every training that goes step by step."""

    rate: float = setting(1e-3, "Learning rate.", low=1e-7, high=0.1)
    decay: float = setting(0.01, "Weight decay.", low=0)
    check_every: int = setting(200, "Steps between checks, at which the state is saved.", low=1)
    seed: int = setting(1, "The same seed gives the same weights.", low=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongRecipe(LoopRecipe):
    """The settings of every training of small parts of the encoder."""

    rank: int = setting(32, "Rank of the updates.", low=1)
    precision: Literal["bf16", "fp32"] = setting("bf16", "Precision of the arithmetic.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecipe(LongRecipe):
    """The settings of a training on pairs of texts."""

    epochs: float = setting(1.0, "How often the pairs are read.", low=0.001)
    warm_up: float = setting(0.06, "Share of steps until the full rate.", low=0, high=1)
    batch: int = setting(32, "Pairs to a step.", low=1)
    first: int = setting(0, "First layer that learns.", low=0)
    dropout: float = setting(0.0, "Dropout.", low=0, high=0.9)
    longest: int = setting(160, "Tokens of the longest pair to learn from.", low=16)
