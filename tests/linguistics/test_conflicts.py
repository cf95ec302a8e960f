"""Conflicts between a statement and a text: kind by kind, and where there is none."""

import pytest

from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS, find_conflicts, weigh_conflicts
from gistmeter.linguistics.contrasts.statements import read_statement


@pytest.mark.parametrize(
    ("text", "statement", "kinds"),
    [
        # numbers: the same thing counted, another thing counted; what is not mentioned is not at odds
        ("The work cost 8.6 million crowns.", "The work cost 6.8 million crowns.", {"number"}),
        ("The bridge is 1,450 metres long and has 12 piers.", "The bridge has 13 cables.", {"other number"}),
        ("The bridge is long.", "The bridge has 13 piers.", set()),
        ("The bridge has thirteen piers.", "The bridge has 13 piers.", set()),
        ("They sold 7 , 500 tickets.", "They sold 7,500 tickets.", set()),
        ("He got a seven-year sentence after 20 years.", "He got 7 years.", set()),
        ("IRD made 7.3 million payments.", "IRD made over 7 million payments.", set()),
        ("IRD made 7.3 million payments.", "IRD made over 8 million payments.", {"number"}),
        ("Hail hit more than 90 roofs.", "Hail hit more than 900 roofs.", {"number"}),
        ("It costs about 900 crowns a person each year.", "It costs about 90 crowns a person each year.", {"number"}),
        ("Nearly 900 children fell ill.", "About 880 children fell ill.", set()),
        ("They won 28-27.", "They won 27-26.", {"number"}),
        ("It took half an hour.", "It took one half.", set()),
        # quantities
        ("He waited nine hours.", "He waited nine days.", {"quantity"}),
        ("It costs 2 euros a litre.", "It costs 2 euros a gallon.", {"quantity"}),
        ("It costs $5.", "It costs 5 dollars.", set()),
        ("Most members agree.", "A minority of members agree.", {"quantity"}),
        # dates
        ("It opens on 3 May.", "It opens on 3 June.", {"date"}),
        ("It opened in 1998.", "It opened in 1989.", {"number"}),
        ("It opens on Monday.", "It opens on Monday.", set()),
        # names
        ("The ship sank off Norway.", "The ship sank off Peru.", {"name"}),
        ("the ship sank.", "The ship sank off Peru.", set()),
        # directions
        ("The bank raised its rate.", "The bank cut its rate.", {"direction"}),
        ("Profit fell and shares rose.", "Shares rose.", set()),
        ("Profit fell and the price of shares rose.", "The price of shares fell.", {"direction"}),
        ("The firm left its forecast unchanged, although sales rose.", "The firm raised its forecast.", {"direction"}),
        ("The night was not cold.", "The night was warm.", set()),
        ("Brazil beat Sweden.", "Sweden lost to Brazil.", set()),
        # negations: within reach of a shared word, elsewhere in the text, only in the statement
        ("The firm did not train its staff.", "The firm trained its staff.", {"negation"}),
        ("He never paid.", "He did not pay.", set()),
        ("The firm ruled out training its staff.", "The firm did not train its staff.", set()),
        ("The firm paid its staff.", "The firm never paid its staff.", {"negation"}),
        ("The firm paid its staff.", "Nobody complained about the firm.", {"negated statement"}),
        ("The staff, whom nobody asked, went home.", "The staff went home.", set()),
        # certainty
        ("The firm may close its plant.", "The firm closed its plant.", {"certainty"}),
        ("The show ended on 4 May.", "The show ended.", set()),
        ("The firm hopes to close the deal.", "The firm may close the deal.", set()),
        ("The firm closed the deal.", "The firm may close the deal.", set()),
        # roles
        ("The dog bit the postman.", "The postman bit the dog.", {"role"}),
        ("The dog bit the postman.", "The postman was bitten by the dog.", set()),
        ("Vetro bought Lanter.", "Lanter was bought by Vetro.", set()),
        ("Ann Lee signed a contract with Osk United.", "Osk United signed Ann Lee.", set()),
        ("The town said roads hit by floods reopened.", "Roads were hit by floods.", set()),
        ("Vetro bought Lanter.", "Vetro was bought by Lanter.", {"role"}),
    ],
)
def test_by_hand(text, statement, kinds):
    assert {conflict.kind for conflict in find_conflicts(text, statement)} == kinds


def test_only_the_sentence_about_the_same_may_contradict():
    text = "The bank raised its rate. Sales fell by 3 per cent in Peru on Monday."
    assert find_conflicts(text, "The bank raised its rate on 4 May.") == find_conflicts(
        "The bank raised its rate.", "The bank raised its rate on 4 May."
    )


def test_a_conflict_says_what_is_at_odds_with_what():
    (conflict,) = find_conflicts("Ferries stop for eleven months.", "Ferries stop for eleven weeks.")
    assert (conflict.stated, conflict.text) == ("eleven (week)", "eleven (month)")


def test_a_conflict_weighs_as_much_as_else_matches():
    # firm and forecast of firm, profit, forecast; `raised` is what is at odds
    text = "The firm left its forecast unchanged."
    assert weigh_conflicts(text, "The firm raised its profit forecast.") == {"direction": pytest.approx(2 / 3)}
    assert weigh_conflicts("Rates were left unchanged.", "The firm raised its forecast.") == {"direction": 0}


def test_nothing_is_at_odds_with_nothing():
    for text, statement in (("", "It rained."), ("It rained.", ""), ("", ""), ("...", "!")):
        assert find_conflicts(text, statement) == ()


def test_a_text_is_not_at_odds_with_its_own_sentences():
    text = "On 3 May 2019 Ann Lee, 42, did not pay $5 million. She may sell two thirds by Monday, 28-27."
    for sentence in text.split(". "):
        assert not find_conflicts(text, sentence)
    assert set(weigh_conflicts(text, "Bob paid nothing in June.")) <= set(CONFLICT_KINDS)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("forty-two", [42]),
        ("two hundred thousand", [200_000]),
        ("6.8 million and 12%", [6_800_000, 12]),
        ("1,284 people", [1284]),
        ("the 21st of 3", [21, 3]),
        ("a 12-year-old", [12]),
        ("one of them", []),
        ("3,5 to 4", [3.5, 4]),
    ],
)
def test_numbers_by_value(text, values):
    assert [number.value for number in read_statement(text).numbers] == values
