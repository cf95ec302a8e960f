"""bf16 is refused where it would end the process, and tried only where there is reason to."""

import subprocess
import sys

import pytest

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.runtime import bf16
from gistmeter.models.runtime.load import torch_dtype
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings


@pytest.fixture
def trials(monkeypatch):
    """A processor that announces AMX, a limit that is not set, and the codes with which trials end."""
    codes = []
    monkeypatch.delenv(bf16.LIMIT, raising=False)
    monkeypatch.setattr(bf16, "_announces_amx", lambda: True)

    def run(command, **_):
        assert command[0] == sys.executable
        return subprocess.CompletedProcess(command, codes.pop(0))

    monkeypatch.setattr(subprocess, "run", run)
    bf16._survives_trial.cache_clear()
    yield codes
    bf16._survives_trial.cache_clear()


def test_a_trial_that_a_signal_ends_is_an_error_with_the_way_out(trials):
    trials.append(-4)  # SIGILL
    for _ in range(2):  # and tried once
        with pytest.raises(MetricError, match=r"Illegal instruction.*Set ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16.*fp32"):
            torch_dtype("bf16")
    assert str(torch_dtype("fp32")) == "torch.float32"


def test_a_model_that_is_loaded_gives_the_error_as_it_is(trials):
    trials.append(-4)
    with pytest.raises(MetricError, match=r"^bf16 ends the process"):
        load_encoder(dtype="bf16")


def test_a_trial_that_ends_by_itself_is_none(trials):
    trials.append(0)
    assert str(torch_dtype("bf16")) == "torch.bfloat16"


@pytest.mark.parametrize("reason", ["limit", "processor", "device"])
def test_without_reason_nothing_is_tried(trials, monkeypatch, reason):
    if reason == "limit":
        monkeypatch.setenv(bf16.LIMIT, "AVX2")
    if reason == "processor":
        monkeypatch.setattr(bf16, "_announces_amx", lambda: False)
    with use_settings(RuntimeSettings(device="cuda" if reason == "device" else "cpu")):
        bf16.check_bf16()  # a trial would find no code


def test_what_a_processor_announces(tmp_path):
    file = tmp_path / "cpuinfo"
    assert not bf16._announces_amx(file)
    file.write_text("flags : avx512f amx_bf16 amx_tile\n")
    assert bf16._announces_amx(file)
