"""Encoding: the scanner gives the tokens of `words`, and forgetting never mixes numbers up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.text import encode
from gistmeter.text.analysis import Analysis
from gistmeter.text.encode import Lexicon
from gistmeter.text.scanner import Scanner
from gistmeter.text.words import split_words

ascii_texts = st.lists(st.text(st.characters(max_codepoint=127), max_size=40), max_size=6)
any_texts = st.lists(st.text(max_size=30), max_size=6)


class Numbering(dict):
    def __missing__(self, word):
        self[word] = len(self)
        return self[word]


@given(ascii_texts)
def test_the_scanner_equals_words(texts):
    numbers = Numbering()
    scanner = Scanner(numbers)
    for _ in range(2):  # new words the first time, known words the second
        result = scanner.scan(texts)
        names = {number: word for word, number in numbers.items()}
        assert [[names[number] for number in array] for array in result] == [split_words(text) for text in texts]


def test_the_scanner_grows_and_keeps_apart():
    numbers = Numbering()
    scanner = Scanner(numbers)
    many = [f"w{i} W{i}x w{i}" for i in range(20_000)]
    for start in range(0, len(many), 1000):
        scanner.scan(many[start : start + 1000])
    assert len(numbers) == 40_000
    assert scanner.scan(["w7 w7x w19999"])[0].tolist() == [numbers["w7"], numbers["w7x"], numbers["w19999"]]


@given(any_texts, st.sampled_from([Analysis(), Analysis(stem="porter", stopwords="smart"), Analysis(language="tr")]))
def test_equal_tokens_have_equal_numbers(texts, analysis):
    first, second = Lexicon(analysis).encode(texts, texts[::-1])
    tokens = [token for text in texts for token in analysis.tokens(text)]
    back = [token for text in texts[::-1] for token in analysis.tokens(text)]
    assert len(tokens) == len(first.ids)
    named = dict(zip(first.ids.tolist(), tokens, strict=True))
    assert len(named) == len(set(tokens))
    assert [named[number] for number in second.ids.tolist()] == back


@given(any_texts)
def test_sentences_hold_the_same_tokens(texts):
    lexicon = Lexicon(Analysis())
    [whole] = lexicon.encode(texts)
    [split] = lexicon.encode_sentences((texts, ["newline"] * len(texts)))
    np.testing.assert_array_equal(split.sentences.ids, whole.ids)
    np.testing.assert_array_equal(split.lengths, whole.lengths)


@pytest.mark.parametrize("limit", ["MAX_CACHED_WORDS", "MAX_CACHED_TEXTS"])
def test_forgetting_between_calls_is_harmless(monkeypatch, limit):
    monkeypatch.setattr(encode, limit, 3)
    lexicon = Lexicon(Analysis())
    for i in range(20):
        a, b = lexicon.encode([f"word{i} same", "más"], [f"same word{i}", "más"])
        assert a.ids.tolist() == [a.ids[0], a.ids[1], a.ids[2]]
        assert b.ids.tolist() == [a.ids[1], a.ids[0], a.ids[2]]
