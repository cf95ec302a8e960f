"""Runtime: how models run here. It may change how long a score takes, never what it is."""

from __future__ import annotations

import os
from dataclasses import dataclass

from gistmeter.errors import MetricError

_DEFAULT_BATCH_TOKENS = 1024
"""Small batches stay in the processor's cache: 1,024 tokens run faster here than 8,192."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Device, CPU threads, tokens to a batch, and whether pickled weights may be read.

    It comes from the environment, so that worker processes share it: GISTMETER_DEVICE, GISTMETER_THREADS,
    GISTMETER_BATCH_TOKENS and GISTMETER_ALLOW_PICKLE.
    """

    device: str = "cpu"
    threads: int | None = None
    batch_tokens: int = _DEFAULT_BATCH_TOKENS
    allow_pickle: bool = False


def runtime() -> Runtime:
    """How models run now.

    >>> runtime().allow_pickle
    False
    """
    return Runtime(
        device=os.environ.get("GISTMETER_DEVICE") or "cpu",
        threads=_count("GISTMETER_THREADS"),
        batch_tokens=_count("GISTMETER_BATCH_TOKENS") or _DEFAULT_BATCH_TOKENS,
        allow_pickle=os.environ.get("GISTMETER_ALLOW_PICKLE", "") in ("1", "yes", "true"),
    )


def set_runtime(
    *,
    device: str | None = None,
    threads: int | None = None,
    batch_tokens: int | None = None,
    allow_pickle: bool | None = None,
) -> Runtime:
    """Change how models run, here and in worker processes started from here."""
    named = {"DEVICE": device, "THREADS": threads, "BATCH_TOKENS": batch_tokens}
    for name, value in named.items():
        if value is not None:
            os.environ[f"GISTMETER_{name}"] = str(value)
    if allow_pickle is not None:
        os.environ["GISTMETER_ALLOW_PICKLE"] = "1" if allow_pickle else "0"
    return runtime()


def _count(name: str) -> int | None:
    text = os.environ.get(name, "")
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise MetricError(f"{name} is a whole number of at least 1, not {text!r}")
    return int(text)
