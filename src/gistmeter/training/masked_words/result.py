"""What training the masked-word model gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.loop.check import TrainingRun
    from gistmeter.training.sources.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedMaskedWords(Trained):
    """A trained masked-word model: the text it learned from, and the checks on the way."""

    run: TrainingRun
    corpus: Corpus
    held_out: Mapping[str, int]
    """Masked tokens behind the accuracies: of the news, and of the rest."""
