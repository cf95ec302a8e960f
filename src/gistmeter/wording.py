"""How counts and names are worded in messages and captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NAMES_IN_A_NOTE = 5
"""A note lists so many names, and then "..."."""


def format_count(count: int, noun: str) -> str:
    """A count with its noun.

    >>> format_count(1, "document"), format_count(1200, "summary")
    ('1 document', '1,200 summaries')
    """
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


def there_are(count: int) -> str:
    """That there is one, or that there are none or several.

    >>> there_are(1), there_are(2)
    ('there is 1', 'there are 2')
    """
    return f"there {'is' if count == 1 else 'are'} {count:,}"


def join_names(names: Sequence[str]) -> str:
    """Names for a note, the first few of many.

    >>> join_names("abcdefg")
    'a, b, c, d, e ...'
    """
    return ", ".join(names[:NAMES_IN_A_NOTE]) + (" ..." if len(names) > NAMES_IN_A_NOTE else "")


def note_left_out(noun: str, names: Iterable[str], remaining: Iterable[str], why: str) -> tuple[str, ...]:
    """What is said of names that a join left out, `noun` being the word for each; nothing if it left out none.

    >>> note_left_out("system", ["a", "b", "c"], {"b", "c"}, "without scores")
    ('left out 1 system without scores: a',)
    """
    remaining = set(remaining)
    dropped = [name for name in names if name not in remaining]
    return (f"left out {format_count(len(dropped), noun)} {why}: {join_names(dropped)}",) if dropped else ()
