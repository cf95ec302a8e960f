"""What a shell offers when the tabulator key is pressed, asked as the script in the shell asks."""

import json
import subprocess
import sys

import polars as pl
import pytest

from gistmeter.cli.main import main
from gistmeter.demo import demo_run

LOADED = """
import json, sys
from gistmeter.cli.main import main
sys.argv = ["gistmeter"]
try:
    main()
except SystemExit:
    print(json.dumps([name for name in ("torch", "transformers", "spacy", "scipy") if name in sys.modules]))
"""


@pytest.fixture
def offer(command, monkeypatch):
    """The words that are offered for the last one of a line, which must come without a complaint."""

    def complete(line):
        with monkeypatch.context() as patch:
            patch.setenv("COMP_WORDS", line)
            patch.setenv("COMP_CWORD", str(line.count(" ")))
            patch.setenv("_GISTMETER_COMPLETE", "complete_bash")
            code, out, err = command()
        assert (code, err) == (0, "")
        return out.split("\n")[:-1] if out.strip() else []

    return complete


@pytest.fixture
def scored(command):
    assert command("score", demo_run(), "-m", "rouge1,rouge2(stem=none),bleu", "-o", "s.parquet")[0] == 0
    assert command("score", demo_run(), "-m", "rouge1", "-o", "s.csv")[0] == 0


def test_metrics_and_groups_are_offered(offer):
    assert offer("gistmeter score run.jsonl -m rougeL") == ["rougeL", "rougeLsum"]
    assert offer("gistmeter score run.jsonl -m rouge1,bert") == ["rouge1,bertscore"]
    assert offer("gistmeter explain run.jsonl --metrics ble") == ["bleu"]
    assert offer("gistmeter metrics sur") == ["surface"]


def test_scores_come_from_the_file_on_the_line(offer, scored):
    assert offer("gistmeter rank s.parquet -m rouge2.") == ["rouge2.f1", "rouge2.precision", "rouge2.recall"]
    assert offer("gistmeter rank s.csv --column rouge1") == ["rouge1", "rouge1.f1", "rouge1.precision", "rouge1.recall"]
    assert offer("gistmeter gate s.parquet s.parquet -m ble") == ["bleu", "bleu.bleu", "bleu.corpus"]
    assert offer("gistmeter meta correlate s.parquet -c bleu.c") == ["bleu.corpus"]
    assert offer(f"gistmeter meta correlate {demo_run()} -m rougeLs") == ["rougeLsum"]


def test_systems_and_documents_come_from_the_file_on_the_line(offer, scored):
    assert offer("gistmeter compare s.parquet ") == ["lead3", "careful", "terse", "dreamer", "looper"]
    assert offer("gistmeter compare s.csv careful l") == ["lead3", "looper"]
    assert offer("gistmeter trust s.parquet d") == ["dreamer"]
    assert offer("gistmeter gate s.parquet s.csv --system te") == ["terse"]
    assert offer(f"gistmeter explain {demo_run()} --system ca") == ["careful"]
    assert offer(f"gistmeter explain {demo_run()} --doc harbour-0") == ["harbour-01"]


@pytest.mark.parametrize("name", ["broken.parquet", "broken.csv", "broken.jsonl", "empty.csv", "folder.parquet"])
def test_a_broken_file_leads_to_no_word(offer, tmp_path, name):
    if name.startswith("broken"):
        (tmp_path / name).write_bytes(b'\x00\xff{"system": [')
        (tmp_path / f"{name}.meta.json").write_text('{"columns": 3}')
    elif name.startswith("empty"):
        (tmp_path / name).touch()
    else:
        (tmp_path / name).mkdir()
    assert offer(f"gistmeter compare {name} a") == []
    assert offer(f"gistmeter rank {name} -m rougeLs") in ([], ["rougeLsum"])


def test_names_that_a_shell_could_run_are_not_offered(offer, tmp_path):
    systems = ["$(touch stolen)", "`reboot`", "a;b", "a b", "it's", "-o", "fine-1"]
    pl.DataFrame({"doc_id": ["1"] * 7, "system": systems, "f1": [0.5] * 7}).write_parquet(tmp_path / "odd.parquet")
    assert offer("gistmeter compare odd.parquet ") == ["fine-1"]


@pytest.mark.more
def test_completing_loads_no_model(scored, tmp_path):
    line = ["COMP_WORDS=gistmeter rank s.parquet -m ble", "COMP_CWORD=4", "_GISTMETER_COMPLETE=complete_bash"]
    command = ["env", *line, sys.executable, "-c", LOADED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    *words, modules = done.stdout.splitlines()
    assert words == ["bleu", "bleu.bleu", "bleu.corpus"]
    assert json.loads(modules) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_there_is_a_script_for_each_shell(monkeypatch, capsys, shell):
    monkeypatch.setenv("_GISTMETER_COMPLETE", f"source_{shell}")
    monkeypatch.setattr(sys, "argv", ["gistmeter"])
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert f"_GISTMETER_COMPLETE=complete_{shell}" in capsys.readouterr().out
