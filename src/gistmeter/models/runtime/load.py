"""Loading a checkpoint with transformers, quietly, and with one sentence when it cannot be done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.runtime.bf16 import check_bf16
from gistmeter.models.runtime.settings import current_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.models.runtime.locate import Checkpoint

Dtype = Literal["fp32", "bf16", "fp16"]
"""The number formats that a network may run in."""


class LoadedNetwork(NamedTuple):
    """A network, and the weights that it should have and that its file lacks: transformers made those up."""

    model: Any
    missing: tuple[str, ...]


def load_pretrained(checkpoint: Checkpoint, kind: str, *, dtype: Dtype, purpose: str = "") -> LoadedNetwork:
    """A checkpoint as a class of transformers; `purpose` is how a message goes on after "cannot be loaded"."""
    transformers = require("transformers", "a model")
    number_format = torch_dtype(dtype)
    pickled = any(file.suffix != ".safetensors" for file in checkpoint.weights)
    try:
        with quiet_loading():
            model, report = getattr(transformers, kind).from_pretrained(
                str(checkpoint.folder),
                dtype=number_format,
                local_files_only=True,
                trust_remote_code=False,
                use_safetensors=not pickled,
                output_loading_info=True,
            )
    except Exception as error:  # what torch, safetensors and pickle raise has no common ground
        raise MetricError(f"{checkpoint.name} cannot be loaded{purpose}: {first_line(error)}") from None
    return LoadedNetwork(model, tuple(sorted(report["missing_keys"])))


def move_to_device(model: Any, device: str) -> Any:
    """A network on a device, in evaluation mode."""
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:
        raise MetricError(f"models cannot run on the device {device!r} here: {first_line(error)}") from None


def torch_dtype(dtype: Dtype) -> Any:
    """The number format of that name; an error where bf16 would end the process."""
    torch = import_torch()
    if dtype == "bf16":
        check_bf16()
    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[dtype]


def first_line(error: Exception) -> str:
    """The beginning of what a library says went wrong.

    >>> first_line(ValueError("no such layer\\nand a long story"))
    'no such layer'
    """
    return str(error).strip().partition("\n")[0][:200]


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Transformers' tables and bars about loading belong to no program but its own: silence them for a while."""
    logging = require("transformers.utils.logging", "a model")
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def import_torch() -> Any:
    """The module torch, with as many CPU threads as the settings of this process ask for."""
    torch = require("torch", "running a model")
    threads = current_settings().threads
    if threads is not None and threads != torch.get_num_threads():
        torch.set_num_threads(threads)
    return torch
