"""Claims in the document's spelling: what stands for the same value, by hand, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.models.consistency.measuring import read_document, spell_claim
from gistmeter.models.consistency.spelling import list_spellings, spell_as, strip_list_mark


@pytest.mark.parametrize(
    ("document", "claim", "expected"),
    [
        ("They paid $6.8m.", "It was 6.8 million dollars.", "It was $6.8m."),
        ("It took 6.8 million dollars.", "They paid $6.8m.", "They paid 6.8 million dollars."),
        ("They paid €6.8bn.", "They paid 6.8 billion.", "They paid 6.8bn."),
        ("She won the 400m final.", "She ran 400 metres.", "She ran 400m."),
        ("Two hundred and forty beds.", "240 beds are free.", "Two hundred and forty beds are free."),
        ("Two hundred and forty beds.", "There are 240.", "There are two hundred and forty."),
        ("One million two hundred thousand.", "He had 1,200,000.", "He had one million two hundred thousand."),
        ("A dozen eggs and half a million bees.", "12 and 500,000", "A dozen and half a million"),
        ("A rise of 5%.", "Five per cent more", "5% more"),
        ("Add 250 g.", "It needs 250 grams.", "It needs 250 g."),
        ("On the 12th of April.", "It was on April 12.", "It was on the 12th of April."),
        ("Start: 2024-03-04.", "It began on 4 March 2024.", "It began on 2024-03-04."),
        ("On 3 May 2024.", "On May 3, 2024, they met.", "On 3 May 2024, they met."),
        ("On 3 May.", "On May 3rd, 2024, they met.", "On 3 May, 2024, they met."),  # the year is the claim's own
        ("At 15:30.", "The call is at 3.30 p.m. today.", "The call is at 15:30 today."),
        ("It ended at 3pm.", "It ended at 3 p.m. today.", "It ended at 3pm today."),
        ("His 2nd goal.", "His second goal.", "His 2nd goal."),
    ],
)
def test_the_same_value_is_written_as_in_the_document(document, claim, expected):
    assert spell_as(list_spellings(document), claim) == expected


@pytest.mark.parametrize(
    ("document", "claim"),
    [
        ("They paid $6.8m.", "They paid 8.6 million dollars."),
        ("Between one hundred and two hundred came.", "300 came."),
        ("They won 3-1 in version 4.2 of 10.10.2010.", "Three, one, 4.2 and ten."),
        ("It may 3 times.", "On May 3."),
        ("On 2024-13-04.", "On 13 April 2024."),
        ("At 3 pm.", "At 3 am."),
        ("Seven came, 7 left.", "7 came, seven left."),  # the document writes it both ways
        ("She ran 400m.", "It has 400 million users."),
        ("Two won, four lost.", "They won 2 - 0, 4 – 3 and 2, 000 euros."),
        ("", "Five of 6."),
    ],
)
def test_other_values_stay(document, claim):
    if "400m" in document:  # may be millions as well as metres
        assert spell_as(list_spellings(document), claim) == "It has 400m users."
    else:
        assert spell_as(list_spellings(document), claim) == claim


def test_marks_of_lists_are_not_read():
    assert strip_list_mark("10) Ann won.") == "Ann won."
    assert strip_list_mark("• Ann won.") == "Ann won."
    assert strip_list_mark("2024. Ann won.") == "2024. Ann won."
    assert strip_list_mark("3.") == "3."
    assert spell_claim(read_document("Ann won 5 prizes."), "* Ann won five prizes.") == "Ann won 5 prizes."


def test_other_languages_are_read_as_they_stand():
    assert spell_claim(read_document("Es kamen 5.", "de"), "five") == "five"


TEXTS = st.text(alphabet="0123456789 ,.:-%$€mbkn/", max_size=30) | st.lists(
    st.sampled_from(
        [
            "a",
            "half",
            "one",
            "two",
            "forty",
            "hundred",
            "and",
            "million",
            "dozen",
            "May",
            "3",
            "4th",
            "5%",
            "$",
            "per cent",
        ]
    )
).map(" ".join)


@given(TEXTS)
def test_a_text_in_its_own_spelling_is_itself(text):
    assert spell_as(list_spellings(text), text) == text
