"""Changed statements: each change by hand, what is left alone, and that conflicts are noticed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.linguistics.contrasts.changes import (
    CHANGES,
    change_certainty,
    change_date,
    change_direction,
    change_name,
    change_negation,
    change_number,
    change_quantity,
    find_names,
    swap_roles,
)
from gistmeter.linguistics.contrasts.conflicts import find_conflicts


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (change_number, "It cost 6.8 million.", "It cost 8.6 million."),  # mirrored digits
        (change_number, "It opened in 1998.", None),  # a year is a date
        (change_negation, "He was not there.", "He was there."),
        (change_negation, "He was there.", "He was not there."),
        (change_negation, "He slept.", None),
        (change_direction, "Sales rose.", "Sales fell."),  # the third word of both lists
        (change_direction, "The union accepted it.", "The union rejected it."),
        (change_direction, "It opens today.", "It closes today."),
        (change_certainty, "It may rain.", "It will rain."),
        (change_certainty, "It rains.", None),
        (swap_roles, "The dog bit the postman on Monday.", "The postman bit the dog on Monday."),
        (swap_roles, "Vetro bought Lanter in May.", "Lanter bought Vetro in May."),
        (swap_roles, "It rained all day.", None),
        (change_quantity, "It rained.", None),
        (change_date, "You may go.", None),  # a month has a capital
    ],
)
def test_by_hand(change, text, expected):
    changed = change(text, rng(3))
    assert (changed.text if changed else None) == expected


def test_a_name_becomes_another_of_those_given():
    text = "The mayor of Port Ellery resigned."
    assert find_names(text) == ["Port Ellery"]
    assert change_name(text, rng(), names=["Port Ellery", "Osk"]).text == "The mayor of Osk resigned."
    assert change_name(text, rng(), names=["Port Ellery"]) is None
    assert change_name(text, rng()) is None


def test_a_change_says_what_was_where():
    text = "The mayor paid 40 euros on Friday."
    for kind, change in CHANGES.items():
        changed = change(text, rng(1))
        if changed is not None:
            end = changed.start + len(changed.original)
            assert text[changed.start : end] == changed.original
            assert text[: changed.start] + changed.replacement + text[end:] == changed.text
            assert changed.kind == kind


@pytest.mark.parametrize("kind", ["number", "quantity", "date", "direction", "negation"])
def test_what_is_changed_is_noticed(kind):
    text = "The council did not accept 43 offers of 90 euros a week on Friday, 3 March 2011."
    notices = 0
    for seed in range(20):
        changed = CHANGES[kind](text, rng(seed))
        assert changed.text != text
        notices += bool(find_conflicts(text, changed.text))
    assert notices == 20


@given(st.text(alphabet="The dog bit 3 1999 May rose not, .", max_size=40), st.integers(0, 5))
def test_any_text_is_changed_or_left(text, seed):
    for change in CHANGES.values():
        changed = change(text, rng(seed))
        assert changed is None or changed.text != text
        again = change(text, rng(seed))
        assert again == changed
