"""Grouping a batch by language, because words, stems and stop words follow the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.example import Example


def group_by_language(examples: Sequence[Example]) -> dict[str, list[int]]:
    """The positions of the examples of each language.

    >>> from gistmeter.example import Example
    >>> group_by_language([Example(doc_id="1", system="a", summary="x", language=code) for code in ("en", "de", "EN")])
    {'en': [0, 2], 'de': [1]}
    """
    groups: dict[str, list[int]] = {}
    for position, example in enumerate(examples):
        groups.setdefault(language_code(example.language), []).append(position)
    return groups
