"""The door of every command: what it writes is checked against all that it reads, before it does anything.

An option that names a file to write says so with `WRITES_FILE` (or `WRITES_FOLDER`) in its annotation. Every other
text on the command line that names a file there is counts as an input: a file, SYSTEM=FILE, a file within the settings
of a metric, and the files that scores were computed from. Nobody needs to remember this in a new command.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from gistmeter.cli.door.failures import explain_failures
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import typer

_BETWEEN_NAMES = re.compile(r'[(),+="]')
"""What stands around file names in the spelling of a metric."""

_MODEL_CONFIG = "config.json"
_MODEL_FILE = re.compile(r".*(config|tokenizer|map|modules|tokens|vocab)\.json|.*\.(safetensors|bin|model|txt)")
"""The files of a model's folder that are read with it; what else lies there, such as scores, may be written."""


@dataclass(frozen=True, slots=True)
class Writes:
    """Said of an option: it names what the command writes."""

    kind: Literal["file", "folder", "either"] = "file"
    beside: Callable[[Path], Iterable[Path]] | None = None
    """The files that are written along with it."""


@dataclass(frozen=True, slots=True)
class Reads:
    """Said of an option with a path: it names what the command reads."""


def _list_score_files(path: Path) -> list[Path]:
    from gistmeter.io.atomic import metadata_path

    return [] if path.suffix == ".parquet" else [metadata_path(path)]


WRITES_FILE = Writes()
WRITES_SCORES = Writes(beside=_list_score_files)
WRITES_FOLDER = Writes("folder")
READS = Reads()


def guard_commands(app: typer.Typer) -> None:
    """Put the door before every command of an application, and of the applications in it."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = check_files_first(command.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            guard_commands(group.typer_instance)


def check_files_first(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that begins by checking its files, cannot write what it reads, and fails in one sentence."""

    @functools.wraps(command)
    def run(**values: Any) -> Any:
        from gistmeter.io.atomic import protect_files

        with explain_failures():
            inputs = check_files(list_outputs(command), values)
            with protect_files(inputs):
                return command(**values)

    return run


def list_outputs(command: Callable[..., Any]) -> dict[str, Writes]:
    """What a command writes, by the names of its parameters."""
    hints = get_type_hints(command, include_extras=True)
    return {
        name: mark for name, hint in hints.items() for mark in getattr(hint, "__metadata__", ()) if type(mark) is Writes
    }


def check_files(outputs: Mapping[str, Writes], values: Mapping[str, Any]) -> list[str]:
    """Refuse outputs that are inputs, folders, or each other; gives the inputs."""
    _check_standard_input({name: value for name, value in values.items() if name not in outputs})
    named = [file for name, value in values.items() if name not in outputs for file in _list_files(value)]
    for given in named:
        if not Path(given).is_file() and not Path(given).is_dir():
            raise DataError(f"cannot read {given}: it is a pipe or a device, not a file (- is standard input)")
    inputs = [*named, *(file for given in named for file in _list_model_files(Path(given)))]
    written: list[Path] = []
    for name, mark in outputs.items():
        for path in _list_values(values.get(name)):
            file = Path(path)
            if mark.kind == "folder" or (mark.kind == "either" and file.is_dir()):
                _check_folder(file, inputs)
            else:
                _check_file(file, mark, inputs, written)
    return inputs


def _check_standard_input(values: Mapping[str, Any]) -> None:
    """Refuse - in two places: the second would find nothing left. A text such as a title may be - as well."""
    readers = [
        text
        for name, value in values.items()
        for text in _list_values(value)
        if str(text) == "-" and (isinstance(text, Path) or name == "run")
    ]
    if len(readers) > 1:
        raise DataError("- is standard input, which can be read once: name a file for all but one")


def _check_file(file: Path, mark: Writes, inputs: list[str], written: list[Path]) -> None:
    from gistmeter.io.atomic import check_output, is_same_file

    for path in _list_written(file, mark):
        # The files behind scores are looked up only where there is something to lose.
        check_output(path, [*inputs, *_list_origins(inputs)] if _exists(str(path)) else inputs)
        if any(is_same_file(path, other) for other in written):
            raise DataError(f"cannot write {path} twice: two outputs of this command have the same name")
        written.append(path)


def _list_written(file: Path, mark: Writes) -> Iterator[Path]:
    """An output, and after it, when it was checked and has a name, what is written along with it."""
    yield file
    if mark.beside:
        yield from mark.beside(file)


def _check_folder(folder: Path, inputs: list[str]) -> None:
    from gistmeter.io.atomic import is_same_file

    if any(is_same_file(folder, Path(file)) for file in inputs):
        raise DataError(f"cannot write {folder}: it is one of the inputs; name another folder")
    if folder.exists() and not folder.is_dir():
        raise DataError(f"cannot write {folder}: it is a file, and a folder is wanted")


def _list_origins(files: Iterable[str]) -> Iterator[str]:
    """The files that scores among these files were computed from."""
    from gistmeter.io.score_tables import read_origin

    for file in files:
        origin = read_origin(Path(file))
        if origin is not None:
            yield from origin.all_files


def _list_values(value: Any) -> list[str | Path]:
    """The texts and paths that an option was given; a number is no file."""
    values = value if isinstance(value, list | tuple) else [value]
    return [value for value in values if isinstance(value, str | Path)]


def _list_files(value: Any) -> Iterator[str]:
    """The files and folders there are among what an option names."""
    for text in map(str, _list_values(value)):
        names = {text, text.partition("=")[2], *(part.strip() for part in _BETWEEN_NAMES.split(text))}
        yield from sorted(name for name in names if name and _exists(name))


def _list_model_files(folder: Path) -> list[str]:
    """What is read of a model that an input names by its folder; nothing of another folder."""
    if not (folder / _MODEL_CONFIG).is_file():
        return []
    return [str(file) for file in folder.iterdir() if _MODEL_FILE.fullmatch(file.name)]


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long for a name, or a null character: no file
        return False
