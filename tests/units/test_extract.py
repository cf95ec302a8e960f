"""Triplet units of sentences, each construction by its own example."""

import pytest

from gistmeter.linguistics.roles.frames import Frame
from gistmeter.linguistics.roles.labeller import LabelledSentence, label_roles
from gistmeter.units.extract import extract_units

CASES = {
    "each argument after the verb is a unit": (
        "The gardener planted three roses behind the shed on Tuesday.",
        [
            "The gardener planted three roses",
            "The gardener planted behind the shed",
            "The gardener planted on Tuesday",
        ],
    ),
    "a passive keeps its be-verb and its agent": (
        "The bridge was repaired by local engineers in March.",
        ["The bridge was repaired by local engineers", "The bridge was repaired in March"],
    ),
    "of several auxiliaries the be-verb before the verb stays": (
        "Two boats have been stolen from the harbour.",
        ["Two boats been stolen from the harbour"],
    ),
    "have is left out": ("The cat has eaten the fish.", ["The cat eaten the fish"]),
    "a negation before the verb stays": ("The mayor did not sign the letter.", ["The mayor not sign the letter"]),
    "never stays": ("The queen never visited the island.", ["The queen never visited the island"]),
    "a negation after a copula stays": ("He is not a lawyer.", ["He is not a lawyer"]),
    "modals are arguments": (
        "Farmers could not reach the market because of the flood.",
        ["Farmers could not reach the market", "Farmers could not reach because of the flood"],
    ),
    "a modal passive loses be": ("The hall will be opened in May.", ["The hall will opened in May"]),
    "a relative clause about its subject": (
        "The baker who won the prize opened a second shop.",
        ["The baker who won the prize", "The baker who won the prize opened a second shop"],
    ),
    "a relative clause about its object": (
        "The letters that she wrote to her sister were burned in 1932.",
        [
            "The letters that she wrote to her sister",
            "The letters that she wrote to her sister were burned in 1932",
        ],
    ),
    "a relative clause between commas": (
        "The company, which makes bicycles, employs 300 people in Leeds.",
        ["The company which makes bicycles", "The company, which makes bicycles employs 300 people in Leeds"],
    ),
    "a relative clause of place": (
        "They left the village where he had a small farm.",
        ["They left the village where he had a small farm", "the village where he had a small farm"],
    ),
    "a relative clause without pronoun, its verb last": (
        "The man she married owns a farm in Wales.",
        ["The man she married owns a farm in Wales"],
    ),
    "a noun and a verb further in": (
        "They bought pills they hope will ease the pain.",
        [
            "They bought pills they hope will ease the pain",
            "they hope will ease the pain",
            "pills will ease the pain",
        ],
    ),
    "whose": ("A woman whose car was stolen called the police.", ["A woman whose car was stolen called the police"]),
    "a participle after its noun": (
        "Police arrested a man carrying a knife.",
        ["Police arrested a man carrying a knife", "a man carrying a knife"],
    ),
    "a passive participle between commas": (
        "The singer, born in Lisbon, moved to Madrid in 2001.",
        [
            "The singer born in Lisbon",
            "The singer, born in Lisbon moved to Madrid",
            "The singer, born in Lisbon moved in 2001",
        ],
    ),
    "what is counted does it": (
        "The number of people living in the city rose sharply.",
        ["people living in the city", "The number of people living in the city rose sharply"],
    ),
    "no unit for a verb straight after to": (
        "She wants to build a house near the lake.",
        ["She wants to build a house near the lake"],
    ),
    "an object and what it is asked to do": (
        "He asked his brother to repair the roof.",
        ["He asked his brother", "He asked to repair the roof"],
    ),
    "raising": (
        "The director is expected to present her plan on Monday.",
        ["The director is expected to present her plan on Monday"],
    ),
    "the object does what follows of": (
        "The court accused the company of hiding the report.",
        [
            "The court accused the company",
            "The court accused of hiding the report",
            "the company hiding the report",
        ],
    ),
    "the object does what follows from": (
        "The manager stopped players from leaving the camp.",
        ["The manager stopped players", "The manager stopped from leaving the camp", "players leaving the camp"],
    ),
    "the subject does what follows after": (
        "The coach resigned from the club after losing the final.",
        ["The coach resigned from the club", "The coach resigned after losing the final", "The coach losing the final"],
    ),
    "a clause put first stays first and has no unit": (
        "After losing the final, the coach resigned from the club.",
        ["After losing the final the coach resigned from the club"],
    ),
    "a gerund as object": (
        "Workers began removing the statue from the park.",
        [
            "Workers began removing the statue from the park",
            "Workers removing the statue",
            "Workers removing from the park",
        ],
    ),
    "a bare infinitive with its own subject": (
        "The doctor let the patient leave the hospital early.",
        [
            "The doctor let the patient leave the hospital early",
            "the patient leave the hospital",
            "the patient leave early",
        ],
    ),
    "a consequence": (
        "The storm destroyed ten homes, leaving hundreds of people without power.",
        [
            "The storm destroyed ten homes",
            "The storm destroyed leaving hundreds of people without power",
            "The storm leaving hundreds of people",
            "The storm leaving without power",
        ],
    ),
    "what is seen": (
        "They watched the children playing in the snow.",
        ["They watched the children playing in the snow", "the children playing in the snow"],
    ),
    "joined verbs share their subject": (
        "The team won the cup and celebrated in the square.",
        ["The team won the cup", "The team celebrated in the square"],
    ),
    "joined verbs share all that stands before": (
        "But on Monday the nurses left the ward and marched through the capital.",
        [
            "But on Monday the nurses left the ward",
            "But on Monday the nurses marched through the capital",
        ],
    ),
    "joined verbs with an auxiliary each": (
        "The house can stand but must lose its tower.",
        ["The house must lose its tower"],
    ),
    "a negation is not shared": (
        "The actor did not read the script but praised the music.",
        ["The actor not read the script", "The actor praised the music"],
    ),
    "joined passives share what follows": (
        "The thief was caught and jailed in June.",
        ["The thief was caught in June", "The thief jailed in June"],
    ),
    "reported speech": (
        "The minister said taxes will rise next year.",
        ["The minister said taxes will rise next year", "taxes will rise next year"],
    ),
    "reported speech first, the speaker last": (
        "Taxes will rise next year, said the minister.",
        ["Taxes will rise next year", "Taxes will rise next year said the minister"],
    ),
    "reported speech first, the verb last": (
        "Taxes will rise next year, the minister said.",
        ["Taxes will rise next year"],
    ),
    "reported speech to someone": (
        "Tom told reporters he would sue the paper.",
        ["Tom told reporters", "Tom told he would sue the paper", "he would sue the paper"],
    ),
    "an adjective": ("The soup is too salty for the children.", ["The soup is too salty for the children"]),
    "a noun after a copula": ("Maria is the new head of the bank.", ["Maria is the new head of the bank"]),
    "nothing for there is": ("There were two dogs in the garden.", ["There were two dogs in the garden."]),
    "there is inside a report": (
        "Experts say there is water on the planet.",
        ["Experts say there is water on the planet"],
    ),
    "a particle is left out beside an object": (
        "The students handed in their essays on Friday.",
        ["The students handed their essays", "The students handed on Friday"],
    ),
    "a direction is an argument": ("The drivers pulled over.", ["The drivers pulled over"]),
    "two objects": (
        "He gave his daughter a bicycle for her birthday.",
        ["He gave his daughter", "He gave a bicycle", "He gave for her birthday"],
    ),
    "when stands before its clause": (
        "The girl was reading a book when the phone woke her brother.",
        [
            "The girl was reading a book",
            "The girl was reading when the phone woke her brother",
            "when the phone woke her brother",
        ],
    ),
    "if and because do not": (
        "He will win the seat if he gets enough votes.",
        ["He will win the seat", "He will win if he gets enough votes", "he gets enough votes"],
    ),
    "times before and after": (
        "The club last year sold its best player in August.",
        ["The club last year sold its best player", "The club last year sold in August"],
    ),
    "a circumstance is not part of the object": (
        "The speech led voters towards the left.",
        ["The speech led voters", "The speech led towards the left"],
    ),
    "what follows a comma is not part of an infinitive": (
        "The mayor vowed to fight crime, after being elected in June.",
        [
            "The mayor vowed to fight crime",
            "The mayor vowed after being elected in June",
            "The mayor elected in June",
        ],
    ),
    "a name is not cut from its noun": (
        "The thief murdered his cousin Tom in 1996.",
        ["The thief murdered his cousin Tom", "The thief murdered in 1996"],
    ),
    "a participle that looks like an adjective": (
        "The man is blindfolded and handcuffed at the gate.",
        ["The man is blindfolded at the gate", "The man handcuffed at the gate"],
    ),
    "a clause before a full clause is not its argument": (
        "Ann doubled the lead with a header, Eve made it three.",
        ["Ann doubled the lead", "Ann doubled with a header", "Eve made it three"],
    ),
    "a hyphened participle": (
        "A student-run cafe raised £500 for the hospital.",
        ["student run cafe", "A student-run cafe raised £500", "A student-run cafe raised for the hospital"],
    ),
    "had to and going to are not verbs of their own": (
        "The team is going to play in Rome.",
        ["The team is going to play in Rome."],
    ),
    "no subject, no unit": ("Close the door.", ["Close the door."]),
    "nothing after the verb, no unit": ("The dog barked.", ["The dog barked."]),
    "an adverb before the verb is enough": ("Also praised the cook.", ["Also praised the cook"]),
}


@pytest.fixture(scope="module")
def parsed():
    sentences = [sentence for sentence, _ in CASES.values()]
    return dict(zip(sentences, label_roles(sentences), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_the_units_of_a_sentence(parsed, case):
    sentence, expected = CASES[case]
    assert [unit.text for unit in extract_units([parsed[sentence]])] == expected


def test_units_know_their_sentence():
    units = extract_units(label_roles(["The dog ate the cake.", "", "Rain.", "It was ill on Monday."]), first=5)
    assert [(unit.text, unit.sentence) for unit in units] == [
        ("The dog ate the cake", 5),
        ("Rain.", 7),
        ("It was ill", 8),
        ("It was on Monday", 8),
    ]


@pytest.mark.parametrize("text", ["", "  ", "...", "\n"])
def test_a_sentence_without_words_has_no_unit(text):
    assert extract_units(label_roles([text])) == ()
    assert extract_units([]) == ()


def sentence(text, *frames):
    words = tuple(text.split())
    return LabelledSentence(words, (" ",) * len(words), frames)


def test_equal_units_of_a_sentence_count_once():
    frame = Frame((1, 2), ((0, 1),), ((2, 3),))
    assert [unit.text for unit in extract_units([sentence("dogs eat bones", frame, frame)] * 2)] == [
        "dogs eat bones"
    ] * 2


def test_a_modal_is_no_verb():
    units = extract_units([sentence("he will go home", Frame((1, 2), ((0, 1),), ((2, 4),)))])
    assert [unit.text for unit in units] == ["he will go home"]


def test_a_be_verb_that_is_an_argument_is_not_said_twice():
    units = extract_units([sentence("what he was cost him dearly", Frame((3, 4), ((0, 3),), ((4, 5), (5, 6))))])
    assert [unit.text for unit in units] == ["what he was cost him", "what he was cost dearly"]
