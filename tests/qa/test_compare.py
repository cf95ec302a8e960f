"""Answers compared as SQuAD compares them, in several languages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.qa.compare import (
    answer_similarity,
    can_share_tokens,
    exact_match,
    normalize_answer,
    token_f1,
    tokenize_answer,
)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The  U.S. Army's", "en", "us armys"),
        ("$5 million", "en", "5 million"),
        ("“An apple” — a day", "en", "apple day"),
        ("theatre", "en", "theatre"),  # an article is a whole word
        ("Der Hund", "de", "hund"),
        ("der Hund", "en", "der hund"),
        ("L'homme et l’enfant", "fr", "homme et enfant"),
        ("un'amica", "it", "amica"),
        ("¿El perro?", "es", "perro"),
        ("Bir kedi", "tr", "bir kedi"),  # no articles are known
        ("...", "en", ""),
    ],
)
def test_normalised_as_in_squad(text, language, expected):
    assert normalize_answer(text, language) == expected


def test_exact_and_f1_by_hand():
    assert exact_match("the Mayor", "mayor!") == 1
    assert exact_match("the mayor", "two mayors") == 0
    # "new mayor" and "mayor ann lee" share one token: precision 1/3, recall 1/2, F1 = 2/5.
    assert token_f1("the new mayor", "mayor Ann Lee") == pytest.approx(0.4)
    # A token that stands twice counts twice only where the other has it twice: 1 of 2 and 1 of 1.
    assert token_f1("bora bora", "bora") == pytest.approx(2 / 3)
    assert token_f1("cats", "") == 0
    assert token_f1("the", "") == 1  # nothing is left of either


def test_scripts_without_spaces_compare_by_character():
    assert tokenize_answer("东京市", "zh") == ["东", "京", "市"]
    assert token_f1("东京市", "东京", "zh") == pytest.approx(0.8)  # 2 of 3 and 2 of 2


@given(st.text(), st.text())
def test_f1_is_a_share_the_same_both_ways_and_1_where_exact(item, other):
    value = token_f1(item, other)
    assert 0 <= value <= 1
    assert value == token_f1(other, item)
    assert value == 1 or not exact_match(item, other)


def test_soft_is_between_0_and_1_and_1_for_what_matches():
    values = answer_similarity(
        [("the killing", "Killing"), ("the murder", "a killing"), ("the murder", "Tuesday"), ("x", "")]
    )
    assert values[0] == 1
    assert values[1] > values[2]
    assert values[3] == 0
    assert np.all((values >= 0) & (values <= 1))
    assert answer_similarity([]).shape == (0,)


@given(
    text=st.text(alphabet="aAbÀe\u0301ΣσßİI1\uff11.'-$ 東", max_size=25),
    expected=st.text(alphabet="aAbàe\u0301σςssi1.' 東", max_size=6),
    cut=st.tuples(st.integers(0, 25), st.integers(0, 25)),
)
def test_what_cannot_share_a_token_never_has_an_f1(text, expected, cut):
    """Whatever stretch of a text is the answer, also one that begins or ends within a word."""
    if token_f1(expected, text[min(cut) : max(cut)]) > 0:
        assert can_share_tokens(expected, text)


def test_a_text_without_any_word_of_the_answer_cannot_share_one():
    assert not can_share_tokens("the new mayor", "It rained.")
    assert can_share_tokens("the new mayor", "A mayoress spoke.")  # a model may answer a part of a word
    assert can_share_tokens("the", "It rained.")  # nothing is left of it: an answer of articles alone matches
