"""How long texts may be where every word of a summary is compared with every word of another text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.example import Example


def check_word_pairs(
    metric: str, examples: Sequence[Example], summary_words: ArrayLike, other_words: ArrayLike, *, limit: int
) -> None:
    """Refuse a summary whose words make more than `limit` pairs with those of the text that it is compared with.

    >>> from gistmeter.example import Example
    >>> long = Example(doc_id="d", system="s", summary="It rained. " * 999)
    >>> check_word_pairs("meteor", [long], [1998], [70_000], limit=50_000_000)
    Traceback (most recent call last):
    ...
    gistmeter.errors.DataError: s/d is too long for meteor: 1,998 words compared with 70,000 make more than 50,000,000
    pairs of words; shorten the texts, or leave this metric out
    """
    pairs = np.asarray(summary_words, dtype=np.int64) * np.asarray(other_words, dtype=np.int64)
    if (pairs <= limit).all():
        return
    index = int(np.argmax(pairs > limit))
    raise DataError(
        f"{examples[index].name} is too long for {metric}: {np.asarray(summary_words)[index]:,} words compared with "
        f"{np.asarray(other_words)[index]:,} make more than {limit:,} pairs of words; shorten the texts, or leave this "
        "metric out"
    )
