"""Options that are given twice: of one that counts once, the last would be taken without a word."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typer.core import TyperCommand

from gistmeter.errors import ArgumentError


class OnceCommand(TyperCommand):
    """A command that refuses an option given twice, unless it is one that may be repeated, or a plain switch."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        options: list[Any] = [option for option in given if option.param_type_name == "option"]
        times = Counter(option.name for option in options)  # by whatever words
        for option in options:
            is_single = not (option.multiple or option.is_flag or option.count)
            if is_single and times[option.name] > 1 and not ctx.resilient_parsing:
                word = max(option.opts, key=len)
                raise ArgumentError(f"{word} is given {times[option.name]} times, and counts once: keep one of them")
        return super().parse_args(ctx, args)
