"""Small edits that leave what a text says as it is: little words for their like, and marks.

They are the other side of `corrupt`, whose edits change what is said: a reader who knows the text should find that both
versions have the same information. They make near-copies, with which studies check the attention of raters.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

_UNSPACED = frozenset({"zh", "ja"})
_LAST_RESORT = frozenset({"the"})


def edit_harmlessly(text: str, language: str, rng: random.Random, *, edits: int = 3) -> str:
    """A near-copy: a text with at most so many small edits that change nothing it says.

    Where the text has no word that can be changed, its last mark is.

    >>> import random
    >>> edit_harmlessly("Many of them said they are very tired.", "en", random.Random(0), edits=2)
    'Many of them stated they are really tired.'
    >>> edit_harmlessly("Kot spał.", "pl", random.Random(0))
    'Kot spał'
    """
    words = _like_words().get(language, {})
    matches = list(_word_pattern(language, tuple(words)).finditer(text)) if words else []
    plain = [match for match in matches if match[0] in words]  # as listed: no name, no first word of a sentence
    others = [match for match in plain if match[0] not in _LAST_RESORT]
    chosen = rng.sample(others, k=min(edits, len(others)))
    if not chosen and plain:
        chosen = [rng.choice(plain)]
    for match in sorted(chosen, key=lambda match: match.start(), reverse=True):
        text = f"{text[: match.start()]}{words[match[0]]}{text[match.end() :]}"
    if chosen:
        return text
    shorter = text.rstrip()
    return shorter[:-1].rstrip() if shorter.endswith((".", "。", "!", "?")) and len(shorter) > 1 else f"{shorter}."


@cache
def _like_words() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = tomllib.loads(
        (files("gistmeter.probe.words") / "harmless.toml").read_text(encoding="utf-8")
    )
    return table


@cache
def _word_pattern(language: str, words: tuple[str, ...]) -> re.Pattern[str]:
    """What finds the words of the list, longest first; whole words where words have spaces between them."""
    choices = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(choices if language in _UNSPACED else rf"(?<!\w)(?:{choices})(?!\w)")
