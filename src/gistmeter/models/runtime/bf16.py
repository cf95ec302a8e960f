"""Whether bf16 can be computed here: a processor may announce instructions (AMX) that its machine does not carry out.

Virtual machines do that. The process then ends with "Illegal instruction" in the midst of a training, so a small
process of its own tries first.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

from gistmeter.errors import MetricError
from gistmeter.models.runtime.settings import current_settings

LIMIT = "ONEDNN_MAX_CPU_ISA"
"""The variable that limits which instructions torch's kernels use. It counts before the first computation only."""

_PROCESSOR = Path("/proc/cpuinfo")
_TRIAL = (
    "import torch\n"
    "with torch.autocast('cpu', dtype=torch.bfloat16):\n"
    "    torch.nn.functional.linear(torch.ones(64, 384), torch.ones(384, 384))\n"
)


def check_bf16() -> None:
    """Refuse bf16 where it would end the process; tried once, and only where AMX is announced and not switched off."""
    if current_settings().device == "cpu" and LIMIT not in os.environ and _announces_amx() and not _survives_trial():
        raise MetricError(
            "bf16 ends the process on this machine (Illegal instruction): its processor announces AMX and lacks it. "
            f"Set {LIMIT}=AVX512_CORE_BF16 in the environment, or take fp32"
        )


def _announces_amx(processor: Path = _PROCESSOR) -> bool:
    try:
        return "amx_bf16" in processor.read_text("utf-8")
    except OSError:
        return False


@functools.cache
def _survives_trial() -> bool:
    """Whether a process that computes in bf16 comes to its end, rather than being ended by a signal."""
    trial = subprocess.run([sys.executable, "-c", _TRIAL], capture_output=True, check=False)  # noqa: S603
    return trial.returncode >= 0
