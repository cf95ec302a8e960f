"""What every training gives: weights in a file, and a model card beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.training.recipe import TrainingData


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """The files that a training wrote; what it measured stands in the fields of each role's own result."""

    file: Path
    card: Path

    def summary(self) -> str:
        """What a training tells at its end."""
        return f"{self.file}; card: {self.card}"


def output_file(out: str | Path, suffixes: Sequence[str], *, role: str, data: TrainingData | None = None) -> Path:
    """The file to write weights to, checked before hours of training; it is none of the files of `data`."""
    file = Path(out).expanduser()
    if not file.name.endswith(tuple(suffixes)):
        raise DataError(f"{role} is written to a {' or '.join(suffixes)} file, not to {file.name}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    inputs = () if data is None else data.list_files()
    check_output(file, inputs)
    check_output(card_beside(file), inputs)
    return file


def output_folder(out: str | Path) -> Path:
    """The folder to write a checkpoint to, checked before hours of training; it is made if there is none."""
    folder = Path(out).expanduser()
    if folder.suffix == ".safetensors" or folder.is_file():
        raise DataError(f"a model by name is written to a folder, not to the file {folder.name}")
    if not folder.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {folder.parent}")
    folder.mkdir(exist_ok=True)
    return folder


def card_beside(file: Path) -> Path:
    """The model card of weights in a file.

    >>> card_beside(Path("easiness.json.gz")).name
    'easiness.md'
    """
    return file.with_name(f"{file.name.removesuffix('.gz').rpartition('.')[0]}.md")
