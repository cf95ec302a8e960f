"""The recipe of the next-sentence head."""

from dataclasses import dataclass, fields

from gistmeter.errors import ArgumentError
from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole
from gistmeter.weights import EMBEDDED

ENGLISH_STATES = "mean@6"
"""Which states of the encoder the shipped English head reads."""

SENTENCE_VECTORS = "sentences"
"""The vectors of the multilingual sentence encoder."""

ORDER_SHARE = 0.75
"""What the log odds of the order are multiplied by before they are added to those of the networks."""

_EMBEDDED_SETTINGS = ("multilingual", "reads", "order", "reader", "networks", "hidden", "dropout")


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
    start: str | None = setting(
        None,
        "A head whose networks are used as they are, so that the cues of order alone are learned; embedded for the "
        "shipped ones.",
        metavar="FILE",
    )
    model: str = setting(
        EMBEDDED,
        "embedded: a head on the embedded encoder; or a folder or a Hugging Face name, which is fine-tuned whole.",
        metavar="NAME",
    )
    language: str | None = setting(
        None,
        "Learn from documents of this language alone; documents that name no language are taken to be in it.",
        metavar="LANG",
    )
    judgments: str | None = setting(
        None, "Summaries with judged coherence, to correlate with in the end.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSentenceRecipe(Recipe):
    """How a head is trained. The cards of the shipped heads say what made them."""

    multilingual: bool = setting(False, "On multilingual sentence vectors, for languages other than English.")
    reads: str = setting(ENGLISH_STATES, "Which states of the English encoder it reads: pooling@layer.", metavar="NAME")
    order: float = setting(
        ORDER_SHARE, "Weight of the cues of order beside the networks; 0 leaves them out.", low=0, high=10
    )
    reader: int = setting(
        0, "Joints from which a reader of both sentences learns, on the English encoder; 0 for none.", low=0
    )
    pairs: int = setting(100_000, "Pairs of sentences, if the documents have so many.", low=100)
    networks: int = setting(3, "Networks to average, each with its own seed (embedded).", low=1)
    hidden: int = setting(64, "Numbers in the hidden layer (embedded).", low=1)
    dropout: float = setting(0.5, "Dropout of the vectors (embedded).", low=0, high=0.9)
    rate: float = setting(5e-4, "Learning rate; FFCI's bert-base-uncased took 5e-5.", low=1e-7, high=1)
    decay: float = setting(0.05, "Weight decay.", low=0)
    batch: int = setting(256, "Pairs to a step; FFCI's model took 40.", low=1)
    epochs: int = setting(5, "How often the pairs are read at most; FFCI's model took 20.", low=1)
    patience: int = setting(2, "Epochs without a smaller loss on development pairs before it stops.", low=1)

    def __post_init__(self) -> None:
        """Refuse a reader on vectors that the encoder does not give."""
        Recipe.__post_init__(self)
        if self.reader and self.multilingual:
            raise ArgumentError(
                "--reader reads English with the embedded encoder: leave out --multilingual, or name a "
                "checkpoint that reads other languages with --model, which reads both sentences, too"
            )

    @property
    def states(self) -> str:
        """What the head reads, as its file names it."""
        return SENTENCE_VECTORS if self.multilingual else self.reads

    def refuse_unused(self) -> None:
        """Refuse settings of the embedded head where a model by name learns, which has none of them."""
        defaults = {entry.name: entry.default for entry in fields(self)}
        unused = [name for name in _EMBEDDED_SETTINGS if getattr(self, name) != defaults[name]]
        if unused:
            flags = ", ".join(f"--{name}" for name in unused)
            raise ArgumentError(f"{flags} is for the embedded head: a model by name has no such setting")


ROLE = TrainingRole(
    name="next_sentence",
    about="Train the next-sentence head of `coherence` and write it with its model card.",
    data=NextSentenceData,
    recipe=NextSentenceRecipe,
    suffixes=(".safetensors",),
    aliases=("coherence",),
)
