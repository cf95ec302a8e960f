"""A role that can be trained: its name, its data and recipe, what it writes, and the function that trains it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

from gistmeter.training.progress import SILENCE

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.training.progress import Progress
    from gistmeter.training.recipe import Recipe, TrainingData
    from gistmeter.training.result import Trained


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRole:
    """What `gistmeter train` needs to know of a role without loading what trains it."""

    name: str
    """The name of the role and of its package; `train_NAME` in its module `training` trains it."""

    about: str
    data: type[TrainingData]
    recipe: type[Recipe]
    suffixes: tuple[str, ...] = ()
    """How the file of weights may end; none for a training that has a folder of its own, in which it can go on."""

    aliases: tuple[str, ...] = ()
    """Other names of the command."""

    @property
    def command(self) -> str:
        """The name of the command."""
        return self.name.replace("_", "-")

    def train(
        self, out: Path, data: TrainingData, recipe: Recipe, *, command: str = "", progress: Progress = SILENCE
    ) -> Trained:
        """Train the role, write its weights to `out` and its card beside them."""
        module = import_module(f"gistmeter.training.{self.name}.training")
        train = getattr(module, f"train_{self.name}")
        return cast("Trained", train(out, data, recipe=recipe, command=command, progress=progress))
