"""Characters: what no tokenizer and no parser takes."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, which no tokenizer and no parser takes."""


def replace_half_characters(text: str) -> str:
    """A text with a mark in place of each half of a character; as long as it was.

    >>> replace_half_characters("a\\ud800b") == "a\\ufffdb"
    True
    """
    return _HALF.sub("\ufffd", text)
