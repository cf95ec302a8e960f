"""The signature of a score: `name|setting:value|...|v:VERSION`, keys sorted, defaults included.

Two scores compare when their signatures are equal. What a metric took from the data (its language, the stemmer
that follows from it, how sentences were found) stands in the signature too; several values join with "+".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

_RESERVED = str.maketrans({"%": "%25", "|": "%7C", ":": "%3A"})
_RESERVED_IN_LISTS = _RESERVED | str.maketrans({"+": "%2B"})


def format_signature(name: str, settings: Mapping[str, Any], *, version: str = __version__) -> str:
    """Write a signature.

    >>> format_signature("rouge2", {"stem": "porter", "alpha": 0.5}, version="1.0")
    'rouge2|alpha:0.5|stem:porter|v:1.0'
    """
    parts = [f"{key.translate(_RESERVED)}:{format_value(settings[key])}" for key in sorted(settings)]
    return "|".join([name.translate(_RESERVED), *parts, f"v:{version.translate(_RESERVED)}"])


def format_value(value: Any) -> str:
    """One setting as text, the way it stands in signatures."""
    if value is None:
        text = "none"
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, float):
        text = repr(value).removesuffix(".0")  # the shortest text that gives the number back
    elif isinstance(value, tuple):
        return "+".join(str(member).translate(_RESERVED_IN_LISTS) for member in value)
    else:
        text = str(value)
    return text.translate(_RESERVED)


def without_version(signature: str) -> str:
    """A signature without its version, to tell whether two releases speak of the same measure.

    >>> without_version("rouge2|alpha:0.5|v:1.0")
    'rouge2|alpha:0.5'
    """
    return signature.rpartition("|v:")[0] or signature
