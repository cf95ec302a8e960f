"""What a metric names outside gistmeter: models by name or folder, and files."""

from __future__ import annotations

import dataclasses
import typing
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.metrics.metric import Metric, resolve_hints

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD_SETTINGS = frozenset(
    {
        "category",
        "column",
        "exclude",
        "labels",
        "limit",
        "share",
        "stem",
        "template",
        "verifier_input",
        "verifier_output",
    }
)
"""Settings of free text that name nothing to be loaded."""
_OWN_NAMES = ("auto", "embedded", "embedded-69", "embedded-nli", "none", "rescale", "slots")
"""What settings of models and files say of what comes with gistmeter."""


def list_outside_names(metric: Metric) -> tuple[str, ...]:
    """The models and files that a metric, or a metric within it, would load from elsewhere.

    Each free text is taken for such a name that is neither a default nor a word of gistmeter's own, also in a metric
    of another package.

    >>> from gistmeter.metrics.registry import parse_metric
    >>> list_outside_names(parse_metric("rouge2(stem=none)")), list_outside_names(parse_metric("qaeval"))
    ((), ())
    >>> list_outside_names(parse_metric("focus(metric=bertscore(model=someone/net))"))
    ('someone/net',)
    """
    return tuple(dict.fromkeys(_iterate_names(metric)))


def _iterate_names(metric: Metric) -> Iterator[str]:
    hints = resolve_hints(type(metric))
    for setting in dataclasses.fields(metric):  # type: ignore[arg-type]
        value = getattr(metric, setting.name)
        if isinstance(value, Metric):
            yield from _iterate_names(value)
        elif setting.name not in _WORD_SETTINGS and not setting.metadata.get("state") and value != setting.default:
            yield from _list_texts(value, hints[setting.name])


def _list_texts(value: Any, hint: Any) -> list[str]:
    """The texts of a setting that may be names; a closed choice has none."""
    if typing.get_origin(hint) is Literal:
        return []
    texts = [value] if isinstance(value, str) else value if isinstance(value, tuple) else []
    return [text for text in texts if isinstance(text, str) and text not in _OWN_NAMES]
