"""One word chooses a score in every command: --metric, or -m; the words of other tools and earlier days still work."""

import pytest
from typer.core import TyperOption
from typer.main import get_command

from gistmeter.cli.main import app
from gistmeter.demo import demo_run

SCORE_WORDS = {"--metric", "-m", "--metrics", "--column", "--columns", "-c"}


def list_commands(group, path=()):
    """Every command of the program with the words that call it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from list_commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(list_commands(get_command(app)))


@pytest.fixture
def scored(command):
    assert command("score", demo_run(), "-m", "rouge1,rouge2,js,length", "-o", "s.parquet")[0] == 0
    return "s.parquet"


def test_every_command_that_takes_a_metric_or_score_calls_it_metric():
    """`human` commands speak of judgments: their --columns are tables of raters."""
    shown = {
        name: {word for option in command.params if isinstance(option, TyperOption) for word in option.opts}
        & SCORE_WORDS
        for name, command in COMMANDS.items()
        if not name.startswith("human ")
    }
    words = {name: chosen for name, chosen in shown.items() if chosen}
    assert set(map(frozenset, words.values())) == {frozenset({"--metric", "-m"})}
    assert {"score", "rank", "compare", "gate", "explain", "trust ask", "meta correlate", "qa export"} <= set(words)


@pytest.mark.parametrize("word", sorted(SCORE_WORDS))
def test_other_words_are_understood_and_not_shown(command, scored, word):
    expected = command("rank", scored, "--metric", "rouge2.f1", "--json")
    assert command("rank", scored, word, "rouge2.f1", "--json") == expected
    shown = command("rank", "--help")[1]
    assert (word in shown.split()) == (word in ("--metric", "-m"))


def test_other_words_mix_and_repeat(command, scored):
    code, out, err = command(
        "rank", scored, "-c", "rouge1.f1", "--metrics", "js.divergence", "-m", "rouge2.f1", "--json"
    )
    assert code == 0, err
    both = command("rank", scored, "-m", "rouge1.f1,js.divergence", "-m", "rouge2.f1", "--json")[1]
    assert out == both


def test_a_required_score_may_have_another_word(command, scored):
    judgments = demo_run().parent / "judgments.jsonl"
    options = ["meta", "power", scored, "--judgments", judgments, "--trials", "2", "--permutations", "20", "--json"]
    code, out, err = command(*options, "-c", "rouge2")
    assert code == 0, err
    assert command(*options, "--metric", "rouge2.f1")[1] == out
    code, _, err = command(*options)
    assert code == 2
    assert "'--metric' / '-m'" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("rank", "s.parquet"),
        ("compare", "s.parquet", "careful", "terse"),
        ("gate", "s.parquet", "s.parquet"),
        ("trust", "s.parquet", "careful", "terse"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_metric_stands_for_its_main_column(command, scored, arguments):
    short = command(*arguments, "--column", "rouge1", "--json")
    assert short[0] == 0, short[2]
    assert short == command(*arguments, "--column", "rouge1.f1", "--json")


def test_a_metric_of_many_columns_asks_which(command, scored):
    code, _, err = command("rank", scored, "-m", "length")
    assert code == 2
    assert "'length' may be length.words or length.sentences" in err


def test_gate_knows_scores_that_are_to_be_low(command, scored):
    code, _, err = command("gate", scored, scored, "-m", "rouge1", "--lower", "roge1")
    assert code == 2
    assert "there is no score 'roge1'; did you mean rouge1?" in err
    assert command("gate", scored, scored, "-m", "rouge1", "--lower", "rouge1")[0] == 0


def test_corrupt_tests_metrics_by_either_word(command):
    for word in ("--test", "-t", "--metric", "-m", "--column"):
        code, _, err = command("corrupt", demo_run(), word, "roge1")
        assert code == 2
        assert "unknown metric 'roge1'" in err
