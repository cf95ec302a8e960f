"""How models run: device, CPU threads, tokens to a batch, pickles. It changes how long a score takes, never the score.

The settings are a value. The command line and the API make it once, from the environment and from what the caller
asks for; scoring sends it to its worker processes with the job. Each process has one, as it has one number of torch
threads: `use_settings` takes another for a while, `install_settings` for good.
"""

from __future__ import annotations

import functools
import os
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEFAULT_BATCH_TOKENS = 1024
"""Small batches stay in the processor's cache: 1,024 tokens run faster here than 8,192."""


@dataclass(frozen=True, slots=True)
class RuntimeSettings:
    """Device, CPU threads (None leaves them to torch), tokens to a batch, and whether pickles may be read."""

    device: str = "cpu"
    threads: int | None = None
    batch_tokens: int = DEFAULT_BATCH_TOKENS
    allow_pickle: bool = False
    offline: bool = False
    """Whether models by name are taken from the disk alone: a report fetches nothing."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> RuntimeSettings:
        """What GISTMETER_DEVICE, _THREADS, _BATCH_TOKENS and _ALLOW_PICKLE ask for.

        >>> RuntimeSettings.from_environment({"GISTMETER_THREADS": "2"}).threads
        2
        """
        return cls(
            device=environment.get("GISTMETER_DEVICE") or "cpu",
            threads=_read_count(environment, "GISTMETER_THREADS"),
            batch_tokens=_read_count(environment, "GISTMETER_BATCH_TOKENS") or DEFAULT_BATCH_TOKENS,
            allow_pickle=environment.get("GISTMETER_ALLOW_PICKLE", "") in ("1", "yes", "true"),
        )

    def override(
        self,
        *,
        device: str | None = None,
        threads: int | None = None,
        allow_pickle: bool | None = None,
        offline: bool | None = None,
    ) -> RuntimeSettings:
        """These settings with the values that are given in the place of theirs.

        >>> RuntimeSettings(threads=2).override(device="cuda")
        RuntimeSettings(device='cuda', threads=2, batch_tokens=1024, allow_pickle=False, offline=False)
        """
        asked = {"device": device, "threads": threads, "allow_pickle": allow_pickle, "offline": offline}
        return replace(self, **{name: value for name, value in asked.items() if value is not None})  # type: ignore[arg-type]


class _Process:
    """Which settings this process runs with; None until some are installed."""

    settings: RuntimeSettings | None = None


def current_settings() -> RuntimeSettings:
    """How models run in this process: as installed, else as the environment said when it was first asked."""
    return _Process.settings or _environment_settings()


def install_settings(settings: RuntimeSettings) -> None:
    """Run models with these settings in this process from now on."""
    _Process.settings = settings


@contextmanager
def use_settings(settings: RuntimeSettings | None) -> Iterator[None]:
    """Run models with these settings within a `with` block; None changes nothing.

    >>> with use_settings(RuntimeSettings(batch_tokens=64)):
    ...     current_settings().batch_tokens
    64
    """
    if settings is None:
        yield
        return
    before = _Process.settings
    _Process.settings = settings
    try:
        yield
    finally:
        _Process.settings = before


@functools.cache
def _environment_settings() -> RuntimeSettings:
    return RuntimeSettings.from_environment()


def _read_count(environment: Mapping[str, str], name: str) -> int | None:
    text = environment.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise MetricError(f"{name} is a whole number of at least 1, not {text!r}")
    return int(text)
