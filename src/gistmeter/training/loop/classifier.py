"""Classifiers of transformers with a new head, for trainings that take a checkpoint by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.runtime.load import quiet_loading

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.models.runtime.locate import Checkpoint

CLASSIFIER = "AutoModelForSequenceClassification"
_HEADS = ("classifier", "score", "pooler", "bert.pooler")
"""How the weights begin that a new head may replace."""


def add_new_head(checkpoint: Checkpoint, labels: Sequence[str], *, missing: Sequence[str]) -> Any:
    """A checkpoint as a classifier with a new, random head for these classes; `missing` are the weights it lacks."""
    other = [key for key in missing if not key.startswith(_HEADS)]
    if other:
        raise MetricError(f"{checkpoint.name} lacks weights that its configuration asks for: {other[0]}, ...")
    transformers = require("transformers", "training")
    with quiet_loading():
        return getattr(transformers, CLASSIFIER).from_pretrained(
            str(checkpoint.folder),
            num_labels=len(labels),
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            ignore_mismatched_sizes=True,
            local_files_only=True,
        )


def write_classifier(model: Any, checkpoint: Checkpoint, folder: Path, *, weights: Any = None) -> None:
    """Write a classifier as transformers reads it, with the tokenizer of the checkpoint it began as."""
    transformers = require("transformers", "training")
    with quiet_loading():
        model.save_pretrained(folder, state_dict=weights)
        transformers.AutoTokenizer.from_pretrained(checkpoint.folder, local_files_only=True).save_pretrained(folder)
