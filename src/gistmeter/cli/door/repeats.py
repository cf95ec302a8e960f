"""Options that are given twice: of one that counts once, the last would be taken without a word."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from gistmeter.errors import ArgumentError


class OnceCommand(TyperCommand):
    """A command that refuses an option given twice, unless it is one that may be repeated, or a plain switch."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        options: list[Any] = [option for option in given if option.param_type_name == "option"]
        for option in options:
            is_single = not (option.multiple or option.is_flag or option.count)
            if is_single and options.count(option) > 1 and not ctx.resilient_parsing:
                name = max(option.opts, key=len)
                raise ArgumentError(f"{name} is given {options.count(option)} times, and counts once: keep one of them")
        return super().parse_args(ctx, args)
