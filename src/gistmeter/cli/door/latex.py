"""Options of every command that prints LaTeX: label, caption, digits, how wide, and how significance is shown."""

from __future__ import annotations

import functools
import inspect
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gistmeter.report.latex.tables import LatexOptions
    from gistmeter.report.tables.board import BoardStyle

_PANEL = "With --latex"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What was said on the command line; None where nothing was."""

    label: str | None = None
    caption: str | None = None
    digits: int | None = None
    points: bool | None = None
    narrow: bool | None = None
    significance: str | None = None


_OPTIONS: dict[str, Any] = {
    "label": Annotated[
        str | None, typer.Option("--label", metavar="NAME", help="The table's label: tab:main.", rich_help_panel=_PANEL)
    ],
    "caption": Annotated[
        str | None,
        typer.Option(
            "--caption", metavar="TEXT", help="Its caption; default how the numbers came about.", rich_help_panel=_PANEL
        ),
    ],
    "digits": Annotated[
        int | None,
        typer.Option("--digits", min=0, max=10, metavar="N", help="Decimals of scores.", rich_help_panel=_PANEL),
    ],
    "points": Annotated[
        bool | None, typer.Option("--points", help="Write scores times 100, as papers do.", rich_help_panel=_PANEL)
    ],
    "narrow": Annotated[
        bool | None,
        typer.Option(
            "--narrow/--wide",
            help="For a column, or across the page; default a column, with intervals where they fit.",
            rich_help_panel=_PANEL,
        ),
    ],
    "significance": Annotated[
        Literal["letters", "daggers", "none"] | None,
        typer.Option("--significance", help="Letters of groups, or daggers for what differs.", rich_help_panel=_PANEL),
    ],
}
_NOTHING = _Chosen()
_chosen: ContextVar[_Chosen | None] = ContextVar("chosen latex options", default=None)


def add_latex_options(app: typer.Typer) -> None:
    """Give all commands that have --latex the options that go with it; a command's own option of a name stays."""
    for info in app.registered_commands:
        if info.callback is not None and "latex" in inspect.signature(info.callback).parameters:
            info.callback = _add_options(info.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_latex_options(group.typer_instance)


def _add_options(command: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(command)
    added = {name: hint for name, hint in _OPTIONS.items() if name not in signature.parameters}

    @functools.wraps(command)
    def run(**values: Any) -> Any:
        chosen = _Chosen(**{name: values.pop(name) for name in added})
        named = [name for name in added if getattr(chosen, name) is not None]
        if named and not values["latex"]:
            flag = "--narrow and --wide go" if named[0] == "narrow" else f"--{named[0]} goes"
            raise ArgumentError(f"{flag} with --latex")
        token = _chosen.set(chosen)
        try:
            return command(**values)
        finally:
            _chosen.reset(token)

    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(annotation=hints.get(name, parameter.annotation))
        for name, parameter in signature.parameters.items()
    ]
    new = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for name, hint in added.items()
    ]
    run.__signature__ = signature.replace(parameters=[*own, *new])  # type: ignore[attr-defined]
    run.__annotations__ = hints | added
    return run


def choose_latex_options(style: BoardStyle | None = None) -> LatexOptions:
    """The options of the command that is running; `style` is what it knows of them itself."""
    from gistmeter.report.latex.tables import LatexOptions
    from gistmeter.report.tables.board import BoardStyle

    chosen = _chosen.get() or _NOTHING
    style = style or BoardStyle()
    style = replace(style, digits=chosen.digits, points=style.points or bool(chosen.points))
    own = {name.name: getattr(chosen, name.name) for name in fields(chosen) if name.name not in ("digits", "points")}
    return LatexOptions(style=style, **{name: value for name, value in own.items() if value is not None})
