"""English words about people: gender, kin and number of nouns, names, titles and pronouns, from `words.toml`."""

from __future__ import annotations

from gistmeter.linguistics.word_lists import word_list


def people_words(section: str, name: str) -> frozenset[str]:
    """A list of words about people, by its section (`pronouns`, `titles`, `nouns`, `names`, `empty`) and name.

    >>> "widow" in people_words("nouns", "female")
    True
    """
    return word_list("gistmeter.linguistics.people", section, name)
