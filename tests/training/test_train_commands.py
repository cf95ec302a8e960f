"""The commands of `gistmeter train`: built from recipes, with the names and options they always had."""

import dataclasses
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from gistmeter.cli.train import app
from gistmeter.cli.train.parsing import parse_counts
from gistmeter.errors import ArgumentError
from gistmeter.training.entailment.recipe import EntailmentData, EntailmentRecipe
from gistmeter.training.presence.recipe import PresenceData
from gistmeter.training.recipe import describe_recipe, options
from gistmeter.training.role import TrainingRole
from gistmeter.training.roles import ROLES

pytestmark = pytest.mark.more

# Command names and options of version 0.1, which model cards quote.
EARLIER = {
    "masked": "data without skip repeat steps minutes rate warm-up rank batch-tokens precision news check-every note "
    "seed",
    "coherence": "data without test judgments note multilingual pairs networks seed",
    "edus": "data epochs seed",
    "coreference": "data gap epochs seed",
    "trees": "data documents test seed",
    "easiness": "data units trees least note seed",
    "presence": "data units folds by reader networks epochs note seed",
    "entailment": "data presence units by folds start model method without test judge most epochs rate warm-up batch "
    "rank first dropout joined longest sentences precision check-every note seed",
    "answering": "data test without news pairs asked paired start most cut unanswerable epochs rate warm-up batch rank "
    "first dropout longest precision check-every note seed",
    "weighter": "data documents references without model asker threshold most note seed",
}


@pytest.fixture(scope="module")
def commands():
    return typer.main.get_command(app).commands


@pytest.mark.parametrize("name", EARLIER)
def test_names_and_options_of_earlier_versions_still_work(commands, name):
    offered = {flag for parameter in commands[name].params for flag in parameter.opts}
    assert {f"--{option}" for option in EARLIER[name].split()} <= offered


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.name)
def test_every_setting_of_a_role_is_an_option_with_its_default_and_help(commands, role):
    command = commands[role.command]
    parameters = {parameter.name: parameter for parameter in command.params}
    for settings in (role.data, role.recipe):
        assert set(options(settings)) == {entry.name for entry in dataclasses.fields(settings)}
        for entry in dataclasses.fields(settings):
            parameter = parameters[entry.name]
            assert parameter.help
            if entry.default not in (dataclasses.MISSING, ()):
                assert parameter.default == entry.default
    assert command.help == role.about
    assert not command.hidden
    assert all(commands[alias].hidden for alias in role.aliases)


def test_what_is_given_reaches_the_training(tmp_path, monkeypatch):
    calls = []

    def train(self, out, data, recipe, **more):
        calls.append((self.name, out, data, recipe, more["command"]))
        return type("Result", (), {"summary": lambda _: "done"})()

    monkeypatch.setattr("gistmeter.training.role.TrainingRole.train", train)
    monkeypatch.setattr(sys, "argv", ["gistmeter", "train", "masked", "out", "--data", "a"])
    words = ["masked", "out", "--data", "a", "--data", "b", "--repeat", "news=3", "--steps", "9", "--note", "Mine."]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0
    ((name, out, data, recipe, command),) = calls
    assert (name, str(out), command) == ("masked_words", "out", "gistmeter train masked out --data a")
    assert (data.data, data.notes, data.skip) == (("a", "b"), ("Mine.",), None)
    assert (recipe.repeats, recipe.steps, recipe.minutes, recipe.rank) == ({"news": 3}, 9, None, 32)


def test_a_recipe_is_told_by_its_fields():
    recipes = {role.name: describe_recipe(role.recipe()) for role in ROLES}
    assert recipes["trees"] == "seed 0, bits 13, hidden 24, epochs 6, rate 0.003, dropout 0.1, forget 0.2, batch 256"
    assert "minutes" not in recipes["masked_words"]


def test_counts_that_are_none_are_refused():
    with pytest.raises(ArgumentError, match="SOURCE=N"):
        parse_counts("snli", "--most")


def test_the_commands_load_no_network():
    code = "import sys, gistmeter.cli.train; print(sorted({'torch', 'spacy', 'numpy', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["presence", "entailment"])
def test_folds_are_by_documents_and_the_old_word_still_works(monkeypatch, commands, name):
    ways = []

    def train(role, out, data, recipe, **more):
        ways.append(data.by)
        raise ArgumentError("enough")

    monkeypatch.setattr(TrainingRole, "train", train)
    by = next(parameter for parameter in commands[name].params if parameter.name == "by")
    assert by.metavar.startswith("<documents|systems")
    for word in ("documents", "examples", "systems"):
        CliRunner().invoke(app, [name, "out", "--data", "x", "--by", word])
    assert ways == ["documents", "documents", "systems"]
    wrong = CliRunner().invoke(app, [name, "out", "--data", "x", "--by", "luck"])
    assert wrong.exit_code == 2
    assert "'luck' is not one of 'documents'" in wrong.output
    assert len(ways) == 3


def test_a_choice_in_python_has_todays_name_or_is_refused():
    # Commands take `examples` for what is called `documents` today (above); so do the settings in Python.
    assert PresenceData(data=("run.jsonl",), by="examples") == PresenceData(data=("run.jsonl",), by="documents")
    assert EntailmentData(by="examples").by == "documents"
    assert EntailmentData().by is None
    with pytest.raises(ArgumentError, match="`by` is one of documents, systems, both, not 'raters'"):
        PresenceData(data=("run.jsonl",), by="raters")
    with pytest.raises(ArgumentError, match="`method` is one of lora, full, not 'half'"):
        EntailmentRecipe(method="half")
