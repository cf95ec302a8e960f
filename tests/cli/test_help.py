"""The help says what things do in words that a newcomer knows; a reference may follow, with its authors."""

import re

import pytest
from typer.main import get_command

from gistmeter.cli.main import app

PLACE = re.compile(r"Fig\. ?\d|Tables? \d|section \d|[Aa]lgorithm \d")
AUTHORS = re.compile(r"[A-Z]\w+(?: et al\.| and [A-Z]\w+)?(?:'s)?(?: thesis)?,? \(?\d{4}")


def list_helps(group, path=("gistmeter",)):
    """The words of the help of every command and option, by what they are about."""
    for name, command in group.commands.items():
        words = (*path, name)
        yield " ".join(words), command.help or ""
        if hasattr(command, "commands"):
            yield from list_helps(command, words)
            continue
        for parameter in command.params:
            yield f"{' '.join(words)} {parameter.opts[0]}", getattr(parameter, "help", None) or ""


HELPS = dict(list_helps(get_command(app)))


def test_everything_has_a_help():
    assert [name for name, text in HELPS.items() if len(text.split()) < 1] == []


def test_a_place_in_a_paper_has_its_authors():
    """`Fig. 27` alone says nothing to somebody who does not know of which work."""
    assert {name: text for name, text in HELPS.items() if PLACE.search(text) and not AUTHORS.search(text)} == {}


def test_no_help_speaks_of_the_thesis_or_the_paper_without_saying_which():
    vague = re.compile(r"\(thesis|the thesis|as in the paper")
    assert {name: text for name, text in HELPS.items() if vague.search(text)} == {}


def test_a_reference_never_stands_for_the_explanation():
    """Without what is in brackets there are still words that say what a command does."""
    for name, text in HELPS.items():
        first = text.split("\n\n")[0]
        assert len(re.sub(r"\([^)]*\)", "", first).split()) >= min(1, len(first.split())), name


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_is_asked_for_by_two_flags(command, flag):
    for words in ((), ("rank",), ("meta", "power"), ("trust", "ask")):
        code, out, _ = command(*words, flag)
        assert code == 0
        assert "Usage: gistmeter" in out


def test_lines_of_a_help_end_where_the_terminal_does():
    """A line end within a paragraph would stand in the middle of a narrow terminal's line."""
    paragraphs = {name: text.split("\n\n") for name, text in HELPS.items()}
    assert [name for name, parts in paragraphs.items() if any("\n" in part.strip() for part in parts)] == []
