"""Settings of trainings: frozen dataclasses whose fields say what they are for.

Every training has a recipe (all that decides the weights, besides the data) and its data (the files it reads). A field
made by `setting` or `required` carries a line of help and its bounds; the commands of `gistmeter train` are built from
them, and the model card tells the recipe by its fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from gistmeter.errors import ArgumentError

Value = TypeVar("Value")

_KEY = "option"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """How a field is offered on the command line."""

    help: str
    min: float | None = None
    max: float | None = None
    metavar: str | None = None
    flag: str | None = None
    """The name of the option where it is not that of the field."""

    old_values: Mapping[str, str] = field(default_factory=dict)
    """Former names of values, which are still taken for those of today."""


def setting(
    default: Value,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    metavar: str | None = None,
    flag: str | None = None,
    old_values: Mapping[str, str] | None = None,
) -> Value:
    """A field with a default, a line of help, and the smallest and largest value that make sense.

    `old_values` are former names of values, by what they are called today; they are still taken.
    """
    option = Option(help=text, min=low, max=high, metavar=metavar, flag=flag, old_values=old_values or {})
    return field(default=default, metadata={_KEY: option})


def required(text: str, *, metavar: str, flag: str | None = None) -> Any:
    """A field without a default."""
    return field(metadata={_KEY: Option(help=text, metavar=metavar, flag=flag)})


def counts_setting(text: str, *, metavar: str, flag: str | None = None) -> Any:
    """A field of numbers by name, which is empty by default; on a command line NAME=N with commas between."""
    return field(default_factory=dict, metadata={_KEY: Option(help=text, metavar=metavar, flag=flag)})


def options(settings: type) -> dict[str, Option]:
    """The fields of a dataclass that can be set, with how they are offered.

    >>> options(Recipe)["seed"].help
    'The same seed gives the same weights.'
    """
    return {entry.name: entry.metadata[_KEY] for entry in fields(settings) if _KEY in entry.metadata}


def list_choices(annotation: Any) -> tuple[str, ...]:
    """The values of a closed choice, which may be none.

    >>> list_choices(Literal["documents", "systems"] | None)
    ('documents', 'systems')
    """
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if get_origin(annotation) not in (Union, UnionType):
        return ()
    return tuple(choice for part in get_args(annotation) for choice in list_choices(part))


def _settle_choices(settings: object) -> None:
    """Give the closed choices of some settings the names of today, and refuse what is no choice."""
    annotations = get_type_hints(type(settings))
    for name, option in options(type(settings)).items():
        choices, given = list_choices(annotations[name]), getattr(settings, name)
        if not choices or given is None:
            continue
        value = option.old_values.get(given, given)
        if value not in choices:
            raise ArgumentError(f"`{name}` is one of {', '.join(choices)}, not {given!r}")
        object.__setattr__(settings, name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that decides the trained weights, besides the data they are learned from."""

    seed: int = setting(0, "The same seed gives the same weights.", low=0)

    def __post_init__(self) -> None:
        _settle_choices(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingData:
    """The files a training reads, and what is to be noted on its model card."""

    notes: tuple[str, ...] = setting(
        (), "A line for the model card, such as a licence; repeat for more.", metavar="TEXT", flag="--note"
    )

    def __post_init__(self) -> None:
        _settle_choices(self)

    def list_files(self) -> list[str]:
        """The texts of its fields, but for the notes: what is a file among them is read."""
        values = [getattr(self, entry.name) for entry in fields(self) if entry.name != "notes"]
        members = [member for value in values for member in (value if isinstance(value, tuple) else (value,))]
        return [str(member) for member in members if isinstance(member, str | Path)]


def describe_recipe(recipe: Recipe) -> str:
    """The settings of a recipe for its model card, in their order; what is not set is not told.

    >>> describe_recipe(Recipe(seed=3))
    'seed 3'
    """
    settings = {entry.name: getattr(recipe, entry.name) for entry in fields(recipe)}
    return ", ".join(
        f"{name.replace('_', ' ')} {_describe(value)}" for name, value in settings.items() if value not in (None, {})
    )


def _describe(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={count}" for name, count in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
