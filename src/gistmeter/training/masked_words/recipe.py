"""The recipe of the masked-word model."""

from collections.abc import Mapping
from dataclasses import dataclass

from gistmeter.training.loop.recipe import LongRecipe
from gistmeter.training.recipe import TrainingData, counts_setting, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedWordsData(TrainingData):
    """What the model learns from."""

    data: tuple[str, ...] = required(
        "Records with running text to learn from (.jsonl, .gz too); repeat for more.", metavar="FILE"
    )
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose text is not learned from; repeat for more.", metavar="FILE"
    )
    skip: str | None = setting(None, "Sources in the data to leave out, with commas between.", metavar="SOURCE,...")


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedWordsRecipe(LongRecipe):
    """How the model is trained. Either `steps` or `minutes` says how long."""

    steps: int | None = setting(None, "How long to train: steps.", low=1)
    minutes: float | None = setting(None, "How long to train: minutes, made steps by the speed at the start.", low=0.1)
    rate: float = setting(2.5e-3, "Learning rate.", low=1e-6, high=0.1)
    warm_up: int = setting(60, "Steps until the full learning rate.", low=1)
    rank: int = setting(32, "Rank of the updates: 32 makes 3 MB.", low=1)
    batch_tokens: int = setting(2048, "Tokens to a step.", low=512)
    held_out: float = setting(0.02, "Share of the passages that is held out.", low=0, high=0.5)
    news: str = setting("bbc_news", "The source whose held-out accuracy is told apart.", metavar="SOURCE")
    repeats: Mapping[str, int] = counts_setting(
        "Sources to read N times in a pass, e.g. bbc_news=3.", metavar="SOURCE=N,...", flag="--repeat"
    )
    check_every: int = setting(300, "Steps between checks, at which the state is saved.", low=1)


ROLE = TrainingRole(
    name="masked_words",
    about="Train the masked-word model on the embedded encoder, or go on training it, and write it with its model "
    "card.",
    data=MaskedWordsData,
    recipe=MaskedWordsRecipe,
    aliases=("masked",),
)
