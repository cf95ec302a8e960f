"""English words that the rules of coreference alone ask about, from `words.toml`; those on people are in `people`."""

from __future__ import annotations

from gistmeter.linguistics.word_lists import word_list


def coreference_words(name: str) -> frozenset[str]:
    """A list of words that the coreference rules ask about, by its name.

    >>> "rain" in coreference_words("pleonastic_verbs")
    True
    """
    return word_list("gistmeter.linguistics.coreference", name)
