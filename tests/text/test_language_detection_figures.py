"""How often the language of real summaries is told, and mistaken: the figures of docs/languages.md."""

from collections import Counter

import pytest

from gistmeter.io.runs import open_run
from gistmeter.text.detection import MIN_WORDS, count_language_words, find_plain_language
from gistmeter.text.languages import WORD_LIST_LANGUAGES


def cut_pieces(examples):
    """The words of pieces of at least 200 words, each of summaries of one system in one language."""
    unfinished, pieces = {}, []
    for example in examples:
        key = example.language, example.system
        unfinished[key] = unfinished.get(key, Counter()) + count_language_words(example.summary)
        if unfinished[key][""] >= MIN_WORDS:
            pieces.append((example.language, unfinished.pop(key)))
    return pieces


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "pieces", "right_guesses"),
    [
        ("multi_summeval/multi_summeval.jsonl.gz", 310, 2149),
        ("summeval/summeval.jsonl.gz", 402, 2814),
        ("realsumm/realsumm.jsonl.gz", 695, 4865),
    ],
)
def test_languages_are_never_mistaken_and_nearly_always_told(data, file, pieces, right_guesses):
    counted = cut_pieces(open_run([data / file]).examples())
    assert len(counted) == pieces
    assert [find_plain_language(words, language) for language, words in counted] == [None] * pieces
    guesses = Counter(
        guess == language
        for language, words in counted
        for scored_as in WORD_LIST_LANGUAGES
        if scored_as != language and (guess := find_plain_language(words, scored_as)) is not None
    )
    assert guesses == {True: right_guesses}
