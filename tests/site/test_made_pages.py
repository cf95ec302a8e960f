"""Pages made from the code: what they must hold, and that a page that fell behind is noticed."""

import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def docs_module():
    """A module of docs/, imported by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        yield importlib.import_module
    for name in ("build", "build_commands", "build_names"):
        sys.modules.pop(name, None)


def read_section(page, heading):
    """The text under a heading, up to the next."""
    [section] = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.DOTALL | re.MULTILINE)
    return section


@pytest.fixture(scope="module")
def commands_page(docs_module):
    return docs_module("build_commands").commands_page()


def test_a_command_stands_with_options_and_an_example(commands_page):
    section = read_section(commands_page, "gate")
    assert "| `--margin` | `[NAME=]NUMBER` |" in section
    assert "| `--alpha` | `NUMBER` | `0.05` | The level of the one-sided tests. |" in section
    assert "| `--missing` | `refuse\\|drop` | `refuse` |" in section
    assert "\n```\ngistmeter gate scores.parquet scores.parquet " in section


def test_every_command_has_a_section(docs_module, commands_page):
    from typer.main import get_command

    from gistmeter.cli.main import app

    commands = list(docs_module("build_commands").list_commands(get_command(app)))
    assert len(commands) > 40
    for words, command in commands:
        section = read_section(commands_page, " ".join(words))
        options = {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
        assert all(f"`{name}`" in section for name in options - {"--help"})


def test_every_public_function_has_a_section_with_its_parameters(docs_module):
    import gistmeter as gm

    page = docs_module("build_names").names_page()
    for name in gm.__all__:
        if inspect.isroutine(getattr(gm, name)):
            assert f"\n{name}(" in read_section(page, f"gm.{name}")
    assert "- **alpha**: " in read_section(page, "gm.rank")


def test_a_page_that_fell_behind_is_shown_where(docs_module):
    build = docs_module("build")
    stale = (DOCS / "commands.md").read_text("utf-8").replace("--margin", "--slack")
    assert build.check_page("commands.md", stale).startswith(
        "docs/commands.md is out of date: run `python docs/build.py`"
    )
    assert "--slack" in build.check_page("commands.md", stale)


def test_an_old_signature_is_replaced(docs_module):
    page = "### holm\n<!-- signature: gistmeter.stats.holm -->\n```python\nholm(old)\n```\nText.\n"
    filled = docs_module("build_names").fill_signatures(page)
    assert "holm(pvalues)" in filled
    assert "holm(old)" not in filled
    assert filled.endswith("```\nText.\n")


def test_examples_that_a_shell_would_misread_are_quoted(commands_page):
    # metrics rouge2(stem=porter) stands in the tests without quotes; a shell would stop at the bracket.
    assert not re.search(r"^gistmeter [^'\n]*[\w]\(", commands_page, re.MULTILINE)


def test_no_address_of_a_machine_is_in_a_signature(docs_module):
    def judge(text, finders=(read_section,), mark=object()):  # noqa: B008
        """Judge."""

    assert (
        docs_module("build_names").write_signature("judge", judge) == "judge(text, finders=(read_section,), mark=...)"
    )
