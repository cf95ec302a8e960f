"""Files of the small networks that gistmeter trained for English: arrays and a few texts, in safetensors' format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.weights import digest_files, read_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gistmeter.arrays import SingleArray


class StoredNetwork(NamedTuple):
    """The arrays of a network by name, the texts beside them, and a digest of the file."""

    arrays: Mapping[str, SingleArray]
    metadata: Mapping[str, str]
    digest: str


@dataclass(frozen=True, slots=True)
class NetworkFormat:
    """What errors call a network, the command that writes it, and the arrays that its file has."""

    model: str
    command: str
    array_names: tuple[str, ...]

    def read(self, file: Path) -> StoredNetwork:
        """The network in a file; an error says that there is none, or that the command did not write it."""
        if not file.is_file():
            raise MetricError(f"there is no {self.model} {file.name} in {file.parent}: `{self.command}` writes one")
        stored = read_tensors(file, f"the {self.model}")
        arrays = {name: array.astype(np.float32) for name, array in stored.arrays.items()}
        self.check(file, fits=set(arrays) == set(self.array_names))
        return StoredNetwork(arrays, stored.metadata, digest_files([file]))

    def check(self, file: Path, *, fits: bool) -> None:
        """Refuse a file whose content does not fit."""
        if not fits:
            raise MetricError(f"{file.name} in {file.parent} is not a {self.model} that `{self.command}` wrote")
