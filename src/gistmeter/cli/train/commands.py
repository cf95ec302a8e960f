"""A command for each role that can be trained, built from the fields of its data and its recipe."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from gistmeter.cli.door.files import WRITES_FOLDER, Writes
from gistmeter.cli.train.parsing import choice_parser, describe_command, parse_counts
from gistmeter.training.recipe import Option, list_choices, options
from gistmeter.training.result import card_beside

if TYPE_CHECKING:
    from gistmeter.training.recipe import Recipe, TrainingData
    from gistmeter.training.role import TrainingRole

_OUT = "out"
_LAST = ("notes", "seed")
"""Options that every command has, told last."""


def make_command(role: TrainingRole) -> Callable[..., None]:
    """The command that trains a role: an argument for what it writes, an option for each field of data and recipe."""

    def command(**values: Any) -> None:
        import sys

        from gistmeter.cli.train.progress import ConsoleProgress

        out = values.pop(_OUT)
        data = _fill(role.data, values)
        recipe = _fill(role.recipe, values)
        with ConsoleProgress() as progress:
            trained = role.train(out, data, recipe, command=describe_command(sys.argv[1:]), progress=progress)
        progress.say(trained.summary())

    every = [*_parameters(role.data), *_parameters(role.recipe)]
    parameters = [_argument(role), *sorted(every, key=lambda parameter: parameter.name in _LAST)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__name__ = role.name
    command.__doc__ = role.about
    return command


def _argument(role: TrainingRole) -> inspect.Parameter:
    """Where the training writes: a file of weights, or a folder of its own."""
    if role.suffixes:
        suffixes = " or ".join(role.suffixes)
        info = typer.Argument(metavar="OUT", help=f"The {suffixes} file to write; its card is written beside it.")
        mark = Writes("either", beside=lambda file: [card_beside(file)])
    else:
        info = typer.Argument(metavar="OUT_DIR", help="Folder for weights, card and state; a training in it goes on.")
        mark = WRITES_FOLDER
    return inspect.Parameter(_OUT, inspect.Parameter.KEYWORD_ONLY, annotation=Annotated[Path, info, mark])


def _parameters(settings: type[TrainingData] | type[Recipe]) -> list[inspect.Parameter]:
    """An option for each field."""
    types_of = get_type_hints(settings)
    defaults = {entry.name: _default(entry) for entry in dataclasses.fields(settings)}
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults[name],
            annotation=Annotated[_option_type(types_of[name]), _typer_option(name, option, types_of[name])],
        )
        for name, option in options(settings).items()
    ]


def _default(setting: dataclasses.Field[Any]) -> Any:
    """What typer takes for the default of a field: nothing for what is empty."""
    if setting.default is dataclasses.MISSING:
        return inspect.Parameter.empty if setting.default_factory is dataclasses.MISSING else None
    return None if setting.default == () else setting.default


def _option_type(annotation: Any) -> Any:
    """The type by which typer reads a field: several values are a list, numbers by name a text.

    >>> _option_type(tuple[str, ...])
    list[str] | None
    """
    origin = get_origin(annotation)
    if origin is tuple:
        return list[get_args(annotation)[0]] | None  # type: ignore[misc]
    return str | None if origin is Mapping else annotation


def _typer_option(name: str, option: Option, annotation: Any) -> Any:
    flag = option.flag or f"--{name.replace('_', '-')}"
    if option.old_values:
        choices = list_choices(annotation)
        parser = choice_parser(choices, option.old_values)
        return typer.Option(flag, help=option.help, metavar=f"<{'|'.join(choices)}>", parser=parser)
    return typer.Option(flag, help=option.help, metavar=option.metavar, min=option.min, max=option.max)


def _fill(settings: type[Any], values: Mapping[str, Any]) -> Any:
    """The data or the recipe with the values of its options."""
    types_of = get_type_hints(settings)
    given: dict[str, Any] = {}
    for name, option in options(settings).items():
        value, origin = values[name], get_origin(types_of[name])
        if origin is tuple:
            value = tuple(value or ())
        elif origin is Mapping:
            value = parse_counts(value, option.flag or f"--{name}")
        given[name] = value
    return settings(**given)
