"""From the texts of settings to a metric object: each text is read as the type that its field declares."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import MetricError, suggestion
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.spelling import remove_quotes, split_texts

if TYPE_CHECKING:
    from collections.abc import Callable


def build_metric(
    cls: type[Metric],
    name: str,
    *,
    from_name: dict[str, str],
    settings: dict[str, str],
    parse_inner: Callable[[str], Metric],
) -> Metric:
    """A metric of a class: `from_name` are the fields that its name carries, `parse_inner` reads metrics within it."""
    types_by_field = _resolve_setting_types(cls)
    for key in settings:
        if key not in types_by_field or key in from_name or key in cls._named_fields():
            settable = sorted(set(types_by_field) - cls._named_fields())
            ways = f"it has {', '.join(settable)}" if settable else "it has none"
            raise MetricError(f"{name} has no setting {key!r}{suggestion(key, settable)} ({ways})")
    texts = {**settings, **from_name}
    return cls(**{key: _convert(text, types_by_field[key], name, key, parse_inner) for key, text in texts.items()})


def refuse_class(cls: object) -> str | None:
    """Why something that another package calls a metric is none, as the end of a sentence."""
    if not inspect.isclass(cls) or not issubclass(cls, Metric) or not dataclasses.is_dataclass(cls):
        return "is no dataclass that is a Metric"
    if inspect.isabstract(cls):
        return f"is no finished Metric: it lacks {', '.join(sorted(cls.__abstractmethods__))}"
    return None


@functools.cache
def _resolve_setting_types(cls: type[Metric]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    return {field.name: hints[field.name] for field in fields if field.init and not field.metadata.get("state")}


def _convert(text: str, declared: Any, name: str, key: str, parse_inner: Callable[[str], Metric]) -> Any:
    """A setting's text as the type its field declares."""
    origin = typing.get_origin(declared)
    if origin is Literal:
        choices = typing.get_args(declared)
        by_text = {str(choice): choice for choice in choices}
        if text not in by_text:
            ways = ", ".join(by_text)
            raise MetricError(f"{name} cannot have {key}={text}{suggestion(text, by_text)} ({key} is one of {ways})")
        return by_text[text]
    if origin in (typing.Union, types.UnionType):
        inner = [option for option in typing.get_args(declared) if option is not type(None)]
        if text.lower() == "none" and type(None) in typing.get_args(declared):
            return None
        return _convert(text, inner[0], name, key, parse_inner)
    try:
        if declared is bool:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
        if declared in (int, float):
            return declared(text)
    except (KeyError, ValueError):
        kind = {bool: "yes or no", int: "a whole number", float: "a number"}[declared]
        raise MetricError(f"{name} cannot have {key}={text}: it takes {kind}") from None
    if isinstance(declared, type) and issubclass(declared, Metric):
        return parse_inner(text)
    return split_texts(text) if origin is tuple else remove_quotes(text)
