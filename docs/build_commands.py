"""The page docs/commands.md: every command with its options, as the command line itself describes them."""

from __future__ import annotations

import enum
import re
import shlex
import tomllib
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
TYPE_WORDS = {int: "INTEGER", float: "NUMBER", str: "TEXT", Path: "FILE"}
HEAD = """# Commands

Every command with its options, as `gistmeter COMMAND --help` shows them. A mistake is one sentence on standard error
and exit code 2. The examples work: tests run each of them with small files of these names (`train` wants more data than
theirs).

| command | what it does |
|---|---|
"""


def read_examples() -> list[list[str]]:
    """Command lines that work, from the tests that break them."""
    seeds = tomllib.loads((ROOT / "tests/fuzz/seeds.toml").read_text("utf-8"))
    return [line.split() for kind in ("light", "models", "training") for line in seeds[kind]]


def list_commands(group: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The words and the object of every command under a group, in the order in which the group lists them."""
    for name in group.list_commands(None):
        command = group.commands[name]
        if command.hidden:  # another name of one that is shown
            continue
        if hasattr(command, "commands"):
            yield from list_commands(command, (*before, name))
        else:
            yield (*before, name), command


def plain(text: str) -> str:
    """A text in one line that Markdown shows as it is, in a table too."""
    parts = " ".join(text.split()).replace("|", "\\|").split("`")
    for at in range(0, len(parts), 2):  # between these stands code, which Markdown leaves alone
        parts[at] = parts[at].replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return "`".join(parts)


def code(text: str) -> str:
    """A text as code, in a table."""
    return f"`{text}`".replace("|", "\\|")


def first_sentence(text: str) -> str:
    """The first paragraph of a help text, in a line."""
    return plain(text.strip().split("\n\n")[0])


def describe_value(parameter: Any) -> str:
    """What a parameter takes: its name for it, its choices, or its type; empty for a switch."""
    if getattr(parameter, "is_flag", False):
        return ""
    return code(parameter.metavar or describe_type(parameter.type_descriptor.annotation))


def describe_type(annotation: Any) -> str:
    """A type in a word, choices as they are typed."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return "|".join(map(str, arguments))
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return "|".join(str(choice.value) for choice in annotation)
    if arguments:  # several values of a type
        return describe_type(arguments[0])
    return TYPE_WORDS[annotation]


def describe_default(parameter: Any) -> str:
    """The default that a user should know, as it would be typed."""
    shown = getattr(parameter, "show_default", None)
    if isinstance(shown, str):
        return plain(shown)
    default = parameter.default
    is_plain = isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""
    return code(str(default)) if is_plain else ""


def write_command(words: tuple[str, ...], command: Any, example: list[str]) -> list[str]:
    """The section of a command: what it does, how it is called, its arguments and options, an example."""
    paragraphs = [" ".join(part.split()) for part in (command.help or "").strip().split("\n\n")]
    lines = [f"{'##' if len(words) == 1 else '###'} {' '.join(words)}", ""]
    for paragraph in paragraphs:
        lines += [paragraph.replace("<", "&lt;"), ""]
    lines += ["```", shlex.join(["gistmeter", *example]), "```", ""]
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    rows = []
    for parameter in shown:
        names = [*parameter.opts, *parameter.secondary_opts]
        is_option = parameter.param_type_name == "option"
        if names == ["--help"] or "--show-completion" in names or "--install-completion" in names:
            continue
        name = " ".join(code(option) for option in names) if is_option else describe_value(parameter)
        takes = describe_value(parameter) if is_option else ""
        rows.append(f"| {name} | {takes} | {describe_default(parameter)} | {plain(parameter.help or '')} |")
    if rows:
        lines += ["| option | takes | default | what it is |", "|---|---|---|---|", *rows, ""]
    return lines


def commands_page() -> str:
    """The whole page."""
    from typer.main import get_command

    from gistmeter.cli.main import app

    examples = read_examples()
    root: Any = get_command(app)
    contents, sections, group = [], [], ""
    for words, command in list_commands(root):
        if len(words) > 1 and words[0] != group:
            group = words[0]
            sections += [f"## {group}", "", " ".join((root.commands[group].help or "").split()), ""]
        example = next((line for line in examples if tuple(line[: len(words)]) == words), list(words))
        anchor = re.sub(r"[^a-z0-9]+", "-", " ".join(words))
        contents.append(f"| [`{' '.join(words)}`](#{anchor}) | {first_sentence(command.help or '')} |")
        sections += write_command(words, command, example)
    return HEAD + "\n".join([*contents, "", *sections]).rstrip("\n") + "\n"
