"""English words that the rules of semantic roles ask about, from `words.toml`."""

from __future__ import annotations

from gistmeter.linguistics.word_lists import word_list


def role_words(name: str) -> frozenset[str]:
    """A list of words that the role rules ask about, by its name.

    >>> "towards" in role_words("circumstances")
    True
    """
    return word_list("gistmeter.linguistics.roles", name)
