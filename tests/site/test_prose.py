"""What the text of a page says of an output must stand in an output of that page."""

import functools
import inspect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["comparing-systems.md", "metric-better.md", "people.md"])
def test_p_values_in_the_text_are_those_of_the_outputs(name):
    page = (DOCS / name).read_text("utf-8")
    outputs = " ".join(BLOCK.findall(page))
    stated = re.findall(r"\bp (?:is|of|=) (\.\d+)", BLOCK.sub("", page))
    assert [value for value in stated if f"0{value}" not in outputs] == []
    assert stated or name != "comparing-systems.md"  # the pattern finds what it is for


def test_pictures_follow_the_colours_of_the_reader():
    assert "prefers-color-scheme: dark" in (DOCS / "img/floors.svg").read_text("utf-8")
    home = (DOCS / "index.md").read_text("utf-8")
    for scheme in ("light", "dark"):
        assert f"img/report-{scheme}.png#only-{scheme}" in home
        assert (DOCS / f"img/report-{scheme}.png").stat().st_size < 150_000


def test_files_of_the_repository_that_a_page_names_are_there():
    pages = [ROOT / "README.md", *DOCS.glob("*.md")]
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(r"`((?:tests|scripts|bench|docs|src)/[a-z0-9_./-]+)`", page.read_text("utf-8"))
    }
    assert len(named) > 10  # the pattern finds what it is for
    assert [(page, path) for page, path in sorted(named) if not (ROOT / path).exists()] == []


def test_the_python_api_names_every_verb():
    import gistmeter as gm

    page = (DOCS / "api.md").read_text("utf-8")
    verbs = [name for name in gm.__all__ if inspect.isfunction(getattr(gm, name))]
    assert [name for name in verbs if f"### {name}\n" not in page and f"`gm.{name}(" not in page] == []
    questions = [name for name in gm.meta.__all__ if inspect.isfunction(getattr(gm.meta, name))]
    others = {"open_study", "by_group", "agreement_by_group", "interval_all_documents"}
    assert [name for name in questions if name not in others and f"| `{name}` |" not in page] == []


def list_named_commands(page):
    """The words of each command that a page has in backticks, or at the start of a line of a block; quotes as one."""
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "QUOTED", page.replace("\\\n", " "))
    blocks = "\n".join(BLOCK.findall(text))
    named = re.findall(r"`gistmeter ([a-z][^`\n]*)`", BLOCK.sub("", text))
    named += re.findall(r"^(?:\$ )?gistmeter ([a-z][^\n]*)", blocks, re.MULTILINE)
    return [re.sub(r"(?: #|[|>;]).*|\.{3}|[][]", "", command).split() for command in named]


@functools.cache
def make_command():
    """The program with all commands below it: typer takes a sixth of a second to make it."""
    from typer.main import get_command

    from gistmeter.cli.main import app

    return get_command(app)


def list_options(command):
    """The options of a command, and of those below it: `trust` has one that need not be named."""
    own = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return own.union(*map(list_options, getattr(command, "commands", {}).values()), {"--help", "-h"})


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", *sorted(path.name for path in DOCS.glob("*.md"))])
def test_commands_and_options_that_a_page_names_are_there(page):
    path = DOCS / page if (DOCS / page).exists() else ROOT / page
    for words in list_named_commands(path.read_text("utf-8")):
        command, rest = make_command(), list(words)
        while rest and rest[0] in getattr(command, "commands", {}):
            command = command.commands[rest.pop(0)]
        named = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert named <= list_options(command), words
        if hasattr(command, "commands") and command.name != "trust":
            assert not rest or rest[0].startswith("-"), words
