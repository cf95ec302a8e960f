"""The recipe of the next-sentence head."""

from dataclasses import dataclass

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole

ENGLISH_STATES = "mean@6"
"""Which states of the encoder the shipped English head reads."""

SENTENCE_VECTORS = "sentences"
"""The vectors of the multilingual sentence encoder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSentenceData(TrainingData):
    """What the head learns from and is measured on."""

    data: tuple[str, ...] = required("Documents to learn from (.jsonl, .gz too); repeat for more.", metavar="FILE")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose sentences are not learned from; repeat for more.", metavar="FILE"
    )
    test: tuple[str, ...] = setting(
        (), "Documents of other languages, only tested on; repeat for more.", metavar="FILE"
    )
    judgments: str | None = setting(
        None, "Summaries with judged coherence, to correlate with in the end.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSentenceRecipe(Recipe):
    """How a head is trained. The cards of the shipped heads say what made them."""

    multilingual: bool = setting(False, "On multilingual sentence vectors, for languages other than English.")
    reads: str = setting(ENGLISH_STATES, "Which states of the English encoder it reads: pooling@layer.", metavar="NAME")
    pairs: int = setting(100_000, "Pairs of sentences, if the documents have so many.", low=100)
    networks: int = setting(3, "Networks to average, each with its own seed.", low=1)
    hidden: int = setting(64, "Numbers in the hidden layer.", low=1)
    dropout: float = setting(0.5, "Dropout of the vectors.", low=0, high=0.9)
    rate: float = setting(5e-4, "Learning rate.", low=1e-7, high=1)
    decay: float = setting(0.05, "Weight decay.", low=0)
    batch: int = setting(256, "Pairs to a step.", low=1)
    epochs: int = setting(5, "How often the pairs are read at most.", low=1)
    patience: int = setting(2, "Epochs without a smaller loss on development pairs before it stops.", low=1)

    @property
    def states(self) -> str:
        """What the head reads, as its file names it."""
        return SENTENCE_VECTORS if self.multilingual else self.reads


ROLE = TrainingRole(
    name="next_sentence",
    about="Train the next-sentence head of `coherence` and write it with its model card.",
    data=NextSentenceData,
    recipe=NextSentenceRecipe,
    suffixes=(".safetensors",),
    aliases=("coherence",),
)
