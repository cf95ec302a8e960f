"""One word for one thing on the command line, and the other words that people know for it.

What is scored with, and which score is looked at, is `--metric` (`-m`) in every command. `--metrics`, `--column` and
`-c` are understood in its place; the help shows the one word.
"""

from __future__ import annotations

import copy
import inspect
import re
from typing import TYPE_CHECKING, Any

from typer.core import TyperOption

from gistmeter.cli.door.repeats import OnceCommand

if TYPE_CHECKING:
    import typer

_SCORE_NAME = re.compile(r"[^\s,]+")
WORDS_ON_THE_LINE = "gistmeter.words"
"""Under which a context has the words of a command line that a shell completes."""
OTHER_WORDS = {"--metric": ("--metrics", "--column", "--columns", "-c")}
"""Words that are understood in the place of another, in each command that has no option of that word."""


class CommandWithOtherWords(OnceCommand):
    """A command that understands the other words for its options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; where a shell completes what is typed, keep the words for what is offered."""
        if ctx.resilient_parsing:
            ctx.meta[WORDS_ON_THE_LINE] = tuple(args)
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        """The parser of the options, which reads the other words as well."""
        parser = super().make_parser(ctx)
        for option in self._list_options_in_other_words():
            option.add_to_parser(parser, ctx)
        return parser

    def get_params(self, ctx: Any) -> list[Any]:
        """The options; a shell that completes what is typed sees the other words among them, the help does not."""
        parameters = super().get_params(ctx)
        return [*parameters, *self._list_options_in_other_words()] if ctx.resilient_parsing else parameters

    def _list_options_in_other_words(self) -> list[TyperOption]:
        """Copies of the options that are known by other words, with those words alone."""
        options = [parameter for parameter in self.params if isinstance(parameter, TyperOption)]
        own_words = {word for option in options for word in (*option.opts, *option.secondary_opts)}
        copies = []
        for option in options:
            words = [other for word in option.opts for other in OTHER_WORDS.get(word, ()) if other not in own_words]
            if words:
                in_other_words = copy.copy(option)
                in_other_words.opts = words
                copies.append(in_other_words)
        return copies


def split_score_names(names: list[str] | None) -> list[str] | None:
    """Names of scores with commas between them, as metrics have them; a name with a comma in it stands in quotes.

    >>> split_score_names(["rouge1,rouge2(stem=none,alpha=0.8).f1", "bleu"])
    ['rouge1', 'rouge2(stem=none,alpha=0.8).f1', 'bleu']
    >>> split_score_names(["good, or bad", '"good,bad"'])
    ['good, or bad', 'good,bad']
    """
    return None if names is None else [part for name in names for part in _split_name(name)]


def _split_name(text: str) -> list[str]:
    from gistmeter.errors import MetricError
    from gistmeter.metrics.spelling import remove_quotes, split_list

    try:
        parts = split_list(text)
    except MetricError:  # brackets that do not match: no list of metrics
        return [text]
    if len(parts) > 1 and not all(map(_SCORE_NAME.fullmatch, map(_drop_settings, parts))):
        return [text]
    return [remove_quotes(part) for part in parts] or [text]


def _drop_settings(name: str) -> str:
    return name.partition("(")[0] + name.rpartition(")")[2]


def accept_other_words(app: typer.Typer) -> None:
    """Have every command of an application, and of the applications in it, understand the other words."""
    for command in app.registered_commands:
        command.cls = CommandWithOtherWords
    for group in app.registered_groups:
        if group.typer_instance is not None:
            accept_other_words(group.typer_instance)


def join_help_lines(app: typer.Typer) -> None:
    """Have the help of every command break its lines where the terminal ends, not where those of its docstring do."""
    for command in app.registered_commands:
        paragraphs = (inspect.getdoc(command.callback) or "").split("\n\n")
        command.help = "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            join_help_lines(group.typer_instance)
