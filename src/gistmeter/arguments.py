"""The door of the Python interface: arguments of public functions are checked against their annotations, once.

`check_calls` stands at the end of a public package and puts the door before its functions, `check_methods` before a
class. A wrong argument is a sentence: which argument it is, what it must be, and what was given.
"""

from __future__ import annotations

import builtins
import collections.abc
import functools
import inspect
import math
import os
import sys
import tomllib
import types
import typing
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from gistmeter.errors import ArgumentError, ArgumentTypeError, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


@functools.cache
def _load_homes() -> dict[str, str]:
    """Where types are defined that modules import for the type checker alone. Others are not checked.

    They stand in a file, not here: code that names a module counts as importing it, and a score would depend on all.
    """
    homes: dict[str, str] = tomllib.loads(files("gistmeter").joinpath("argument_types.toml").read_text("utf-8"))
    return homes


class Numbers:
    """Stands in annotations for an array of numbers, or what numpy makes one of: `ArrayLike` says nothing of that."""


_STAND_INS: dict[str, Any] = dict.fromkeys(("ArrayLike", "FloatArray"), Numbers)
_STAND_INS |= dict.fromkeys(("Pool", "Degrade", "Progress"), collections.abc.Callable[..., Any])
_KINDS: dict[Any, str] = {
    Numbers: "an array of numbers (NaN where one is missing)",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    str: "a text",
    Path: "a path",
    type(None): "None",
    collections.abc.Sequence: "a list",
    collections.abc.Iterable: "a list",
    collections.abc.Collection: "a list",
    collections.abc.Mapping: "a mapping",
    collections.abc.Callable: "a function",
    tuple: "a tuple",
}
"""What messages call types; classes go by their name."""

_LISTS = (collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, list)
_SHARES = frozenset({"alpha", "confidence", "power", "reliability"})
"""Arguments that lie between 0 and 1."""
_COUNTS = frozenset({"permutations", "trials", "workers", "rounds", "folds", "draws", "replicates"})
"""Arguments that count something, and are at least 1 (0 where that is the default)."""
_FROM_ZERO = frozenset({"seed", "resamples", "evidence_rows", "largest", "fewest", "width"})
_DRAWS = frozenset({"permutations", "resamples", "trials", "rounds", "draws"})
MOST_DRAWS = 10_000_000
"""Of resamples, permutations or trials: more would run without an end."""
_LARGEST_COUNT, _LARGEST_SEED = 1 << 53, (1 << 64) - 1
_SHOWN_CHARACTERS = 40


def check_calls(package: str) -> None:
    """Put the door before the public functions of a package: those that its `__all__` names."""
    module = sys.modules[package]
    for name in module.__all__:
        function = vars(module).get(name)
        if inspect.isfunction(function) and not hasattr(function, "__wrapped__"):
            setattr(module, name, check_arguments(function))


def check_methods(kind: type[Answer]) -> type[Answer]:
    """Put the door before a class: what makes an object of it, and its public methods."""
    for name, member in list(vars(kind).items()):
        function = member.__func__ if isinstance(member, classmethod) else member
        if inspect.isfunction(function) and (name in ("__init__", "__getitem__") or not name.startswith("_")):
            checked = check_arguments(function)
            setattr(kind, name, classmethod(checked) if isinstance(member, classmethod) else checked)
    return kind


def check_arguments(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """The function, which refuses arguments that its annotations do not allow.

    >>> @check_arguments
    ... def draw(names: list[str], *, seed: int = 0) -> str:
    ...     return names[seed % len(names)]
    >>> draw(["a", "b"], seed=1)
    'b'
    >>> draw(["a", "b"], seed="x")
    Traceback (most recent call last):
    gistmeter.errors.ArgumentTypeError: `seed` is a whole number, not 'x'
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*given: Arguments.args, **named: Arguments.kwargs) -> Answer:
        try:
            bound = signature.bind(*given, **named)
        except TypeError as error:
            unknown = next((name for name in named if name not in signature.parameters), "")
            hint = suggestion(unknown, signature.parameters) if unknown else ""
            name = function.__qualname__.removesuffix(".__init__")
            raise ArgumentTypeError(f"{name}: {error}{hint}") from None
        hints = _resolve_hints(function)
        for name, value in bound.arguments.items():
            parameter = signature.parameters[name]
            values = value if parameter.kind is parameter.VAR_POSITIONAL else (value,)
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            for single in values:
                _check_value(single, hints.get(name, Any), name)
                _check_range(single, name, default=parameter.default)
        return function(*given, **named)

    return checked


class _Names(dict[str, Any]):
    """The names in annotations: of the function's module, of Python, or of `argument_types.toml`; others for all."""

    def __init__(self, module: Mapping[str, Any]) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, name: str) -> Any:
        if name in _STAND_INS or name in self._module:
            return _STAND_INS.get(name, self._module.get(name))
        for home in (builtins, collections.abc, typing):
            if hasattr(home, name):
                return getattr(home, name)
        if name == "Path":
            return Path
        homes = _load_homes()
        return getattr(import_module(homes[name]), name) if name in homes else Any


@functools.lru_cache(maxsize=512)
def _resolve_hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The types of a function's parameters; those that cannot be found out are left out."""
    hints = {}
    for name, annotation in function.__annotations__.items():
        if name != "return":
            try:
                reference = typing.ForwardRef(annotation) if isinstance(annotation, str) else annotation
                hints[name] = _evaluate(reference, function)
            except (NameError, TypeError, AttributeError, SyntaxError):
                hints[name] = Any
    return hints


def _evaluate(reference: Any, function: Callable[..., Any]) -> Any:
    if not isinstance(reference, typing.ForwardRef):
        return reference
    holder = types.SimpleNamespace(__annotations__={"value": reference})
    return typing.get_type_hints(holder, {}, _Names(function.__globals__))["value"]


def _check_value(value: Any, hint: Any, name: str) -> None:
    if _fits(value, hint):
        return
    options = [option for kind in _options(hint) for option in _member_options(kind)]
    literals = [kind for kind in options if typing.get_origin(kind) is Literal]
    choices = list(dict.fromkeys(str(choice) for literal in literals for choice in typing.get_args(literal)))
    texts = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    wrong = next((text for text in texts if isinstance(text, str) and text not in choices), None)
    if choices and wrong is not None and str not in options:
        ways = ", ".join(choices)
        raise ArgumentError(f"`{name}` cannot be {wrong!r}{suggestion(wrong, choices)} (it is one of {ways})")
    expected = list(dict.fromkeys(_describe(kind) for kind in _options(hint)))
    raise ArgumentTypeError(f"`{name}` is {' or '.join(expected)}, not {_show(value)}")


def _check_range(value: Any, name: str, *, default: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if math.isnan(value):
        raise ArgumentError(f"`{name}` is a number, not NaN")
    least: float | None = 0 if name in _FROM_ZERO or (name in _COUNTS and default == 0) else None
    least = 1 if name in _COUNTS and least is None else least
    if name in _SHARES and not 0 < value < 1:
        usual = {"alpha": ", such as 0.05", "confidence": ", such as 0.95"}.get(name, "")
        raise ArgumentError(f"`{name}` is between 0 and 1{usual}, not {_show(value)}")
    most = _LARGEST_SEED if name == "seed" else MOST_DRAWS if name in _DRAWS else _LARGEST_COUNT
    if least is not None and not least <= value <= most:
        limit = f"{least:g} or more" if value < least else f"at most {most}"
        raise ArgumentError(f"`{name}` is {limit}, not {_show(value)}")


def _options(hint: Any) -> list[Any]:
    """The types that a union allows, or the type itself."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return [option for inner in typing.get_args(hint) for option in _options(inner)]
    return [hint]


def _member_options(hint: Any) -> list[Any]:
    """The types that the members of a list may have, or the type itself where it is no list."""
    inner = typing.get_args(hint)
    return _options(inner[0]) if typing.get_origin(hint) in _LISTS and inner else [hint]


def _fits(value: Any, hint: Any) -> bool:
    return any(_fits_one(value, option) for option in _options(hint))


def _fits_one(value: Any, hint: Any) -> bool:
    """Whether a value is of a type that is no union; of types that cannot be told, every value is."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is None or hint is type(None):
        return value is None
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in inner)
    if hint is Numbers:
        return _is_array(value)
    if hint in (int, float):
        return _is_number(value, whole=hint is int)
    if hint is bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")
    if origin in _LISTS:
        return _is_list(
            value, ordered=origin not in (collections.abc.Iterable, collections.abc.Collection)
        ) and _members_fit(value, inner)
    if origin is tuple:
        return isinstance(value, tuple | list) and _members_fit(value, inner[:1] if inner[1:] == (...,) else ())
    if origin is collections.abc.Mapping or origin is dict:
        return isinstance(value, collections.abc.Mapping) and _members_fit(list(value.values()), inner[1:])
    if origin is collections.abc.Callable:
        return callable(value)
    if hint is Path:
        return isinstance(value, os.PathLike)
    if inspect.isclass(hint) and hint is not Any and not getattr(hint, "_is_protocol", False):
        return isinstance(value, hint)
    return True


def _is_number(value: Any, *, whole: bool) -> bool:
    """Whether a value is a number, of numpy as well; truth is none."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return False
    if hasattr(value, "__len__"):  # an array has all of these names
        return False
    return hasattr(type(value), "__index__" if whole else "__float__")  # `int` itself is no number


def _is_array(value: Any) -> bool:
    """Whether numpy makes an array of real numbers of a value; texts are none, though they may spell some."""
    import numpy as np

    if isinstance(value, collections.abc.Mapping | collections.abc.Set):
        return False
    try:
        array = np.asarray(value)
        if array.ndim == 0 and not _is_number(value, whole=False):
            return False
        if array.dtype.kind == "O":  # numbers and None, which stands for a missing one
            return all(member is None or _is_number(member, whole=False) for member in array.flat)
        return array.dtype.kind in "biuf"
    except (TypeError, ValueError, OverflowError):
        return False


def _is_list(value: Any, *, ordered: bool) -> bool:
    if isinstance(value, str | bytes | collections.abc.Mapping | Path) or type(value).__name__ == "DataFrame":
        return False
    is_list = hasattr(value, "__len__") and not isinstance(value, set | frozenset)
    return isinstance(value, collections.abc.Iterable) and (is_list or not ordered)


def _members_fit(value: Any, inner: tuple[Any, ...]) -> bool:
    """Whether the members of a list are of its type; what can be gone through only once is not looked into.

    Nor are records: where they are read, their number is known.
    """
    if inner and type(value).__name__ == "ndarray":
        value = list(value) if value.ndim else value
    is_known = isinstance(value, list | tuple | range)
    if not inner or not is_known or typing.get_origin(inner[0]) is collections.abc.Mapping:
        return True
    return all(_fits(member, inner[0]) for member in value)


def _describe(hint: Any) -> str:
    """What messages call a type."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        return " or ".join(repr(choice) for choice in typing.get_args(hint))
    if origin in _KINDS and typing.get_args(hint) and "list" in _KINDS[origin]:
        kinds = [kind for kind in _options(typing.get_args(hint)[0]) if kind is not Any]
        members = ", ".join(_describe(kind) for kind in kinds)
        return f"a list (of {members.replace('a ', '') if members else 'values'})"
    return _KINDS.get(origin or hint) or str(getattr(hint, "__name__", hint))


def _show(value: Any) -> str:
    """A value for a message; of a large one its type."""
    try:
        text = repr(value)
    except Exception:
        return type(value).__name__
    return text if len(text) <= _SHOWN_CHARACTERS and "\n" not in text else f"{type(value).__name__} {text[:20]!r}..."


def outside_level() -> int:
    """The `stacklevel` with which a warning points at the caller of gistmeter, however many of its functions deep."""
    return 1 + sum(1 for _ in _own_frames(sys._getframe(1)))


def _own_frames(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "gistmeter":
        yield frame
        frame = frame.f_back
