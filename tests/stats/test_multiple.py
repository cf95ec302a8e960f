"""Correction for many tests, and the letters of systems that do not differ."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import ArgumentError
from gistmeter.stats import holm, letter_groups

PVALUES = st.lists(st.floats(0, 1), max_size=12)


def test_holm_by_hand():
    # Sorted 0.01 0.02 0.03 0.04 times 4 3 2 1: 0.04 0.06 0.06 0.04; made to rise: 0.04 0.06 0.06 0.06.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_holm_is_capped_and_does_not_count_missing_tests():
    # Two tests: 0.02 * 2 and 0.9 * 1; with the NaN counted it would be 0.06.
    np.testing.assert_allclose(holm([0.02, math.nan, 0.9]), [0.04, math.nan, 0.9])
    assert holm([0.7, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).shape == (0,)


@settings(deadline=None)
@given(PVALUES)
def test_holm_rejects_what_its_definition_rejects(pvalues):
    """Holm (1979): go up the sorted p-values while p(i) <= alpha / (m - i), and reject those."""
    adjusted = holm(pvalues)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for step, position in enumerate(np.argsort(pvalues, kind="stable")):
            if pvalues[position] * (len(pvalues) - step) > alpha:
                break
            rejected.add(position)
        assert set(np.flatnonzero(adjusted <= alpha)) == rejected


@settings(deadline=None)
@given(PVALUES, st.randoms())
def test_holm_keeps_order_and_does_not_depend_on_it(pvalues, random):
    adjusted = holm(pvalues)
    assert all(adjusted >= pvalues)
    for i, j in itertools.combinations(range(len(pvalues)), 2):
        if pvalues[i] < pvalues[j]:
            assert adjusted[i] <= adjusted[j]
    positions = list(range(len(pvalues)))
    random.shuffle(positions)
    assert holm([pvalues[i] for i in positions]).tolist() == adjusted[positions].tolist()


@pytest.mark.parametrize(("given", "message"), [([[0.1]], "a list"), ([1.2], "between 0 and 1")])
def test_holm_refuses(given, message):
    with pytest.raises(ArgumentError, match=message):
        holm(given)


def letters_of(groups):
    """Each system's letters as a set."""
    spaced = any(" " in group for group in groups)
    return [set(group.split()) if spaced else set(group) for group in groups]


@st.composite
def differing(draw):
    size = draw(st.integers(1, 8))
    table = np.zeros((size, size), dtype=bool)
    for i, j in itertools.combinations(range(size), 2):
        table[i, j] = table[j, i] = draw(st.booleans())
    return draw(st.permutations(range(size))), table


@settings(deadline=None)
@given(differing())
def test_systems_share_a_letter_if_and_only_if_they_do_not_differ(case):
    order, table = case
    letters = letters_of(letter_groups(order, table))
    assert "a" in letters[0]
    assert all(letters)
    for i, j in itertools.combinations(range(len(order)), 2):
        assert bool(letters[i] & letters[j]) == (not table[order[i], order[j]])


@settings(deadline=None)
@given(differing())
def test_no_letter_is_contained_in_another(case):
    groups = letters_of(letter_groups(*case))
    holders = {letter: {i for i, own in enumerate(groups) if letter in own} for letter in set().union(*groups)}
    assert not any(item <= other for item, other in itertools.permutations(holders.values(), 2))


def test_letters_by_hand():
    # Differ: 0-2, 0-3, 1-3. Largest sets that do not: {0, 1} a, {1, 2} b, {2, 3} c.
    table = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 2), (0, 3), (1, 3)):
        table[i, j] = table[j, i] = True
    assert letter_groups([0, 1, 2, 3], table) == ("a", "ab", "bc", "c")
    # The letters follow the order given, and systems may be left out of it.
    assert letter_groups([3, 2, 1, 0], table) == ("a", "ab", "bc", "c")
    assert letter_groups([0, 2], table) == ("a", "b")
    assert letter_groups([], table) == ()


def test_beyond_z():
    everything = ~np.eye(28, dtype=bool)
    groups = letter_groups(range(28), everything)
    assert (groups[0], groups[25:]) == ("a", ("z", "aa", "ab"))
    # Systems 0 and 27 do not differ: their letter is a; 27 lacks another, 26 letters are left without spaces.
    everything[0, 27] = everything[27, 0] = False
    assert letter_groups(range(28), everything)[25:] == ("z", "aa", "a")
    # 27 shares a letter with 0 and another with 1.
    everything[1, 27] = everything[27, 1] = False
    assert letter_groups(range(28), everything)[27] == "a b"


@pytest.mark.parametrize(
    ("order", "table", "message"),
    [
        ([0, 1], np.zeros((2, 3)), "symmetric"),
        ([0, 1], [[False, True], [False, False]], "symmetric"),
        ([0, 0], np.zeros((2, 2)), "at most once"),
        ([0, 2], np.zeros((2, 2)), "at most once"),
    ],
)
def test_letters_refuse(order, table, message):
    with pytest.raises(ArgumentError, match=message):
        letter_groups(order, table)
