"""`gistmeter trust`, run as a user runs it."""

import json
import sys

import pytest
import typer

from gistmeter.api import score
from gistmeter.cli.trust import trust
from gistmeter.demo import demo_run
from gistmeter.errors import GistmeterError


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Run the command in an empty folder; gives exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(trust)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["trust", *map(str, arguments)])
        code, message = 0, ""
        try:
            app()
        except SystemExit as left:
            code = left.code or 0
        except GistmeterError as error:
            code, message = 2, str(error)
        output = capsys.readouterr()
        return code, output.out, message + output.err

    return run


def test_a_metric_and_a_gap(command):
    code, out, err = command("rouge1", "--gap", "0.005")
    assert (code, err) == (0, "")
    assert "A gap of 0.0050 rouge1.f1 (0.5 points) agrees with people 55%" in out
    for name in ("SummEval", "REALSumm", "PyrXSum", "SummEval-11", "another set", "people repeat"):
        assert name in out
    assert command("rouge1", "--gap", "0.5", "--points")[1] == out
    assert command("rouge1", "--gap", "0.005", "-c", "rouge1.f1")[1] == out


def test_json(command):
    code, out, _ = command("rouge2", "--gap", "0.02", "--documents", "50", "--significant", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["kind"], data["people"], data["documents"]) == ("trust", "significant", 50)
    assert data["sets"][0]["dataset"]["name"] == "SummEval"
    assert data["low"] < data["share"] < data["high"]


def test_significant_pairs_do_not_speak_of_repeating(command):
    out = command("rouge2", "--gap", "0.02", "--significant")[1]
    assert "tell apart significantly" in out
    assert "people repeat" not in out


def test_two_systems_of_a_file(command):
    score(demo_run(), "rouge1,rougeLsum,bleu").write("scores.parquet")
    code, out, err = command("scores.parquet", "careful", "lead3")
    assert (code, err) == (0, "")
    assert "careful is above lead3. A gap of 0.0777 rouge1.f1 (7.77 points)" in out
    assert "a gap over 12 documents is noisier" in out
    assert "how often people agree is not known for bleu.corpus" in out.replace("bleu.bleu, ", "")
    _, out, _ = command("scores.parquet", "lead3", "careful", "-c", "rouge1.f1", "--json")
    data = json.loads(out)
    assert (data["kind"], data["winners"], len(data["answers"])) == ("trust-pair", ["careful"], 1)


def test_without_arguments_it_lists_what_is_calibrated(command):
    code, out, _ = command()
    assert code == 0
    for text in ("rougeLsum.recall", "80% agree from", "Bhandari et al., 2020", "rouge1|alpha:0.5|language:en"):
        assert text in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rouge1"], "say how far apart"),
        (["rouge1", "--gap", "5"], "add `points=True`"),
        (["rouge1", "--gap", "0.1", "-c", "f1", "-c", "recall"], "give --column once"),
        (["scores.parquet", "a"], "takes two systems"),
        (["scores.parquet", "a", "b", "--gap", "0.1"], "go with a metric"),
        (["scores.parquet", "a", "b"], "scores.parquet"),
        (["bleu", "--gap", "1"], "calibrated are content.f1"),
    ],
)
def test_mistakes(command, arguments, words):
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert words in err
