"""The recipe of the presence judge."""

from dataclasses import dataclass
from typing import Literal

from gistmeter.training.recipe import Recipe, TrainingData, required, setting
from gistmeter.training.role import TrainingRole


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceData(TrainingData):
    """What the judge learns from, and how it is cross-validated."""

    data: tuple[str, ...] = required(
        "Summaries with references and people's labels of units; repeat for more.", metavar="RUN"
    )
    units: tuple[str, ...] = setting(
        (), "The units, by document id, if the run has only labels; repeat for more.", metavar="FILE"
    )
    folds: str | None = setting(
        None, "Folds to hold out (JSON: by_documents, by_systems); others are dealt.", metavar="FILE"
    )
    by: Literal["documents", "systems", "both"] = setting(
        "both", "What cross-validation holds out.", old_values={"examples": "documents"}
    )
    reader: str | None = setting(
        None,
        "What an entailment model said of the same pairs (judged.npz of `train entailment --by documents`): learns how "
        "to hear both.",
        metavar="FILE",
    )
    changed: tuple[str, ...] = setting(
        (),
        "Entailment pairs (.jsonl, .gz too), changed by rules into contradictions: learns with --reader what conflicts "
        "between unit and summary count; repeat for more.",
        metavar="FILE",
    )
    combination: str | None = setting(
        None, "A combination whose numbers stay: what conflicts count is learned alone (--changed).", metavar="FILE"
    )
    without: tuple[str, ...] = setting(
        (), "Evaluation data, whose text is not learned from; repeat for more.", metavar="FILE"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceRecipe(Recipe):
    """How the networks are trained. The defaults made the shipped ones."""

    networks: int = setting(3, "Networks to average, each with its own seed.", low=1)
    hidden: int = setting(32, "Numbers in the hidden layers.", low=1)
    epochs: int = setting(5, "How often each document is seen.", low=1)
    rate: float = setting(3e-3, "Learning rate.", low=1e-7, high=1)
    decay: float = setting(0.05, "Weight decay.", low=0)
    dropout: float = setting(0.2, "Dropout.", low=0, high=0.9)
    correlation: float = setting(1.0, "How much of the loss is the correlation with people's scores.", low=0)
    alone: float = setting(
        0.3, "Share of steps without the reference's features, so that the judge can do without.", low=0, high=1
    )


ROLE = TrainingRole(
    name="presence",
    about="Train the judge of the presence of content units, cross-validate it, and write it with its model card.",
    data=PresenceData,
    recipe=PresenceRecipe,
    suffixes=(".safetensors",),
)
