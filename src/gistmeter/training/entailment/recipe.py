"""The recipe of entailment models, in both stages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gistmeter.training.loop.recipe import PairRecipe
from gistmeter.training.recipe import TrainingData, counts_setting, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentData(TrainingData):
    """What an entailment model learns from: pairs (first stage) or labels of presence (second stage)."""

    data: tuple[str, ...] = setting(
        (), "First stage: entailment pairs (.jsonl, .gz too); repeat for more.", metavar="FILE"
    )
    presence: tuple[str, ...] = setting(
        (), "Second stage: a run with labels of its units (unit_labels); repeat.", metavar="RUN"
    )
    units: tuple[str, ...] = setting(
        (), "The units of the labels of presence by document, unless the runs have them; repeat.", metavar="FILE"
    )
    by: Literal["documents", "systems"] | None = setting(
        None,
        "Cross-validate the second stage by documents or by systems, instead of learning from all.",
        old_values={"examples": "documents"},
    )
    folds: str | None = setting(None, "Released folds (by_documents, by_systems); else they are drawn.", metavar="FILE")
    start: str | None = setting(None, "Weights to go on from; by default the embedded ones.", metavar="WEIGHTS")
    model: str = setting("embedded", "embedded, a folder or a Hugging Face name.", metavar="NAME")
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose text is not learned from; repeat for more.", metavar="FILE"
    )
    test: tuple[str, ...] = setting((), "Pairs that are only tested on; repeat for more.", metavar="FILE")
    judge: tuple[str, ...] = setting(
        (),
        "Labelled summaries, documents.jsonl.gz beside them, to judge after the first stage; repeat.",
        metavar="RUN",
    )
    most: Mapping[str, int] = counts_setting(
        "At most N pairs of a set, e.g. snli=6000,mnli=20000.", metavar="SET=N,..."
    )
    sentences: int = setting(2, "Summary sentences in a premise; 0 for all.", low=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentRecipe(PairRecipe):
    """How an entailment model is trained."""

    rate: float = setting(1e-3, "Learning rate; the paper's model took 1e-5 with the method full.", low=1e-7, high=0.1)
    method: Literal["lora", "full"] = setting("lora", "Updates of low rank, or all weights.")
    first: int = setting(2, "First layer that learns (embedded, lora).", low=0)
    hidden: int = setting(256, "Numbers in the hidden layer of the head.", low=1)
    two_way: float = setting(0.25, "Weight of the loss of two classes (p2c) beside that of three.", low=0)
    joined: float = setting(0.15, "Share of premises that get a neighbour.", low=0, high=1)
    longest: int = setting(112, "Tokens of the longest pair to learn from.", low=16)
    check_every: int = setting(150, "Steps between checks, at which the state is saved.", low=1)


ROLE = TrainingRole(
    name="entailment",
    about="Train an entailment model on pairs, or fine-tune it on labels of presence, and write it with its model "
    "card.",
    data=EntailmentData,
    recipe=EntailmentRecipe,
)
