"""Finders: what speaks against a sentence, on made-up texts; and what does not."""

import pytest

from gistmeter.checking import finders
from gistmeter.checking.texts import CheckedTexts, read_sentences
from gistmeter.example import Example

DOCUMENT = (
    "Councillors in Port Ellery voted 9 to 4 on Tuesday to rebuild the wall. The work will cost 6.8 million crowns. "
    "Jonas Wray of the United Nations told the meeting that eleven boats were lost in May. Iran paid 1,200 crowns."
)


def find(finder, summary, document=DOCUMENT, language="en"):
    example = Example(doc_id="1", system="s", summary=summary, document=document, language=language)
    return list(finder(CheckedTexts(example, read_sentences(summary, language), models=False)))


@pytest.mark.parametrize(
    ("summary", "numbers"),
    [
        ("It cost 8.6 million crowns.", ["8.6 million"]),
        ("It cost 6,800,000 crowns, and 11 boats were lost.", []),
        ("It cost over 6 million. Nine voted for it. Iran paid 1200.", []),
        ("It cost about 7 million crowns.", []),
        ("For the first time 13 councillors met.", ["13"]),
        ("Twenty boats were lost in 2019.", ["Twenty", "2019"]),
        ("No figures at all.", []),
    ],
)
def test_numbers(summary, numbers):
    assert [finding.text for finding in find(finders.find_numbers, summary)] == numbers


def test_the_number_that_stands_in_its_place_is_said():
    (finding,) = find(finders.find_numbers, "The work will cost 8.6 million crowns.")
    assert finding.why.endswith("where it speaks of the same, it has 6.8 million")
    (finding,) = find(finders.find_numbers, "Es kostete 8,6 Millionen.", "Es kostete 6,8 Millionen.", "de")
    assert finding.why == "8,6 stands nowhere in the document"


@pytest.mark.parametrize(
    ("summary", "names"),
    [
        ("The wall was praised by Anna Berg.", ["Anna Berg"]),
        ("Anna Berg praised it.", ["Anna Berg"]),
        ("Councillors met Wray, of the UN, in Port Ellery.", []),
        ("An Iranian bank paid Jonas Smith.", []),  # a word of the name is there
        ("Praise came from many.", []),  # a sentence's first word has a capital anyway
        ("NASA paid.", ["NASA"]),
        ("BERG PRAISED THE COUNCIL", []),
    ],
)
def test_names(summary, names):
    assert [finding.text for finding in find(finders.find_names, summary)] == names


def test_german_nouns_are_no_names():
    assert find(finders.find_names, "Der Hund schlief im Garten.", "Die Katze lief.", "de") == []


def test_contrasts_repetitions_and_new_words():
    (finding,) = find(finders.find_contrasts, "Councillors in Port Ellery voted on Monday to rebuild the wall.")
    assert finding.why == "says Monday where the document's most similar sentence says Tuesday"
    (finding,) = find(finders.find_repetitions, "The wall fell. Boats sank. The wall fell!")
    assert (finding.sentence, finding.why) == (2, "it repeats sentence 1")
    # bridge, opened, yesterday are new, Port and Ellery are not: 3 of 5
    (finding,) = find(finders.find_new_words, "A bridge opened yesterday in Port Ellery.")
    assert finding.why.startswith("3 of its 5 content words are not in the document: bridge, opened, yesterday")
    assert find(finders.find_new_words, "The rebuilding of walls cost crowns.") == []


@pytest.mark.parametrize("finder", finders.FINDERS)
@pytest.mark.parametrize("document", ["", "...", None])
def test_without_a_document_nothing_is_said(finder, document):
    assert find(finder, "Anna Berg paid 5 crowns.", document) == []


def test_the_document_itself_is_above_suspicion():
    for finder in finders.FINDERS:
        assert find(finder, DOCUMENT) == []
