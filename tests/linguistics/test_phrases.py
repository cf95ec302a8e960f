"""Answer selection: entities, chunks and maximal noun phrases over the parse."""

import pytest

from gistmeter.errors import MetricError
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.phrases import find_phrases

TEXT = "On Monday, the mayor of Oslo, a former nurse, paid $5 million for two ships of Ann Baker's brother."


def phrase_texts(text, kind):
    (doc,) = load_parser().parse([text], entities=True)
    return [span.text for span in find_phrases(doc, kind)]


def test_the_three_ways_on_one_sentence():
    assert phrase_texts(TEXT, "chunks") == [
        *("Monday", "the mayor", "Oslo", "a former nurse", "$5 million", "two ships", "Ann Baker's brother"),
    ]
    assert phrase_texts(TEXT, "entities") == ["Monday", "Oslo", "$5 million", "two", "Ann Baker"]
    assert phrase_texts(TEXT, "maximal") == [
        *("Monday", "the mayor of Oslo, a former nurse", "two ships of Ann Baker's brother"),
    ]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("She told him that it was theirs.", []),
        ("The road which he took was closed.", ["The road"]),
        ("He asked whose dog had bitten the boy.", ["the boy"]),
        ("The fair opened on Jan. 7, 2005.", ["The fair", "Jan. 7, 2005"]),
        ("Sales fell by 20%.", ["Sales", "20%"]),
        ('They called it "a gift".', ["a gift"]),
        ("", []),
        ("?!", []),
    ],
)
def test_chunks(text, chunks):
    assert phrase_texts(text, "chunks") == chunks


def test_a_headline_without_a_verb_is_taken_apart():
    assert phrase_texts("Fire in a warehouse in Lyon", "maximal") == ["a warehouse in Lyon"]


def test_an_unknown_way_is_refused():
    with pytest.raises(MetricError, match=r"answers are chunks, entities, maximal, not 'entity'"):
        phrase_texts(TEXT, "entity")
