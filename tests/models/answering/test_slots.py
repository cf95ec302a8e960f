"""The slot answerer: questions as the embedded asker writes them, answered on sentences of our own."""

import numpy as np
import pytest

from gistmeter.linguistics.parser import load_parser
from gistmeter.models.answering.answerer import answering_identity, load_answerer
from gistmeter.models.answering.slots.answerer import load_slot_answerer
from gistmeter.models.answering.slots.features import FEATURE_NAMES, compute_features
from gistmeter.models.answering.slots.kinds import classify_phrase, classify_question, find_wh_phrase, judge_fit
from gistmeter.models.answering.slots.texts import FAR_STEPS, count_steps, describe_passages, describe_questions
from gistmeter.models.asking.asker import load_asker

STORM = (
    "The storm flooded the harbour of Genoa on Tuesday. Mayor Carla Neri closed 40 schools. "
    "Fishermen lost their boats, and the museum lent them two lorries."
)


@pytest.mark.parametrize(
    ("question", "wh", "way"),
    [
        ("Who closed the schools?", "Who", "who"),
        ("On Tuesday, who closed the schools?", "who", "who"),
        ("Whose boats did the storm sink?", "Whose", "who"),
        ("The man who fell saw what?", "what", "what"),
        ("When did the storm flood the harbour?", "When", "when"),
        ("Which year did the mayor mention?", "Which year", "when"),
        ("Where did the storm begin?", "Where", "where"),
        ("How many schools did the mayor close?", "How many schools", "number"),
        ("How much did the repair cost?", "How much", "number"),
        ("How old is the mayor?", "How old", "when"),
        ("Which country did she leave?", "Which country", "where"),
        ("Close the door.", "", "what"),
    ],
)
def test_the_gap_of_a_question_is_its_wh_phrase(question, wh, way):
    (doc,) = load_parser().parse([question])
    answer = find_wh_phrase(doc)
    assert (answer.text, classify_question(answer)) == (wh, way)


def test_kinds_of_phrases_and_whether_they_suit():
    (doc,) = load_parser().parse(["Carla Neri met 30 teachers in Genoa on Tuesday about a table."], entities=True)
    kinds = {chunk.root.text: classify_phrase(chunk) for chunk in doc.noun_chunks}
    assert kinds == {"Neri": "person", "teachers": "number", "Genoa": "place", "Tuesday": "time", "table": "-"}
    assert judge_fit("number", "person", counts=True) == "suits"
    assert judge_fit("when", "place", counts=False) == "clashes"


def test_steps_are_counted_along_the_parse():
    (side,) = describe_passages(["Ann sold red boats. Bob slept."])
    ann = side.slots[0]
    # Ann <- sold -> boats -> red: 1, 2 and 3 steps. The other sentence is out of reach.
    assert ann.steps[:4].tolist() == [0, 1, 3, 2]
    assert set(ann.steps[5:]) == {FAR_STEPS}
    assert "subject" in ann.parts


def test_a_very_deep_parse_is_walked_to_its_end():
    from spacy.tokens import Doc

    # A chain: each word hangs on the one before it, the first is the root. Word 150 is 150 steps away from the first.
    words = [f"w{n}" for n in range(151)]
    heads = [max(n - 1, 0) for n in range(151)]
    doc = Doc(load_parser().nlp.vocab, words=words, heads=heads, deps=["ROOT"] + ["prep"] * 150)
    steps = count_steps(doc[:1])
    assert steps[:FAR_STEPS].tolist() == list(range(FAR_STEPS))
    assert set(steps[FAR_STEPS:].tolist()) == {FAR_STEPS}


def test_shares_of_words_by_hand():
    """`sank` stands in the first sentence only, `boat` in none: of two words, weighed by rarity, one is found."""
    (question,) = describe_questions(["Who sank the boat?"])
    (text,) = describe_passages(["Ann sank a ship. Bob slept."])
    table = compute_features(text, [question])[0]
    weights = dict(zip(question.stems.tolist(), question.weights.tolist(), strict=True))
    sank, boat = (weights[stem] for stem in question.stems.tolist() if stem >= 0)
    phrases = ["Ann sank a ship. Bob slept."[slot.start : slot.end] for slot in text.slots]
    at = dict(zip(phrases, table, strict=True))
    words, near, same = (FEATURE_NAMES.index(name) for name in ("words in sentence", "words near", "same governor"))
    assert at["Ann"][words] == pytest.approx(sank / (sank + boat))
    assert at["Bob"][words] == 0
    assert 0 < at["Ann"][near] < at["Ann"][words]
    assert (at["Ann"][same], at["Bob"][same]) == (1, 0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What flooded the harbour of Genoa on Tuesday?", "The storm"),
        ("When did the storm flood the harbour of Genoa?", "Tuesday"),
        ("Who closed 40 schools?", "Mayor Carla Neri"),
        ("How many schools did Mayor Carla Neri close?", "40 schools"),
        ("What did fishermen lose?", "their boats"),
        ("What lent the fishermen two lorries?", "the museum"),
    ],
)
def test_the_phrase_in_the_place_of_the_gap(question, answer):
    (result,) = load_slot_answerer().answers([(question, STORM)])
    assert result.text == answer
    assert STORM[result.start : result.end] == answer
    assert result.answered


def test_a_question_about_something_else_is_not_answered():
    (answer,) = load_slot_answerer().answers([("Which professor discovered the comet in Chile?", STORM)])
    assert not answer.answered
    assert answer.null > load_slot_answerer().answers([("Who closed 40 schools?", STORM)])[0].null


def test_probabilities_add_up_and_the_threshold_decides():
    pairs = [(question.text, STORM) for question in load_asker().questions([STORM])[0]]
    for answer in load_slot_answerer().answers(pairs):
        assert 0 <= answer.probability <= 1 - answer.null + 1e-12
    assert all(item.answered for item in load_slot_answerer(1.0).answers(pairs))
    assert not any(item.answered for item in load_slot_answerer(0.0).answers(pairs))


def test_what_is_said_does_not_depend_on_what_else_is_asked():
    pairs = [("Who closed 40 schools?", STORM), ("What did Ann sell?", "Ann sold red boats."), ("Who slept?", STORM)]
    together = load_slot_answerer().answers([*pairs, pairs[0]])
    alone = [load_slot_answerer().answers([pair])[0] for pair in pairs]
    assert [answer.text for answer in together] == [answer.text for answer in [*alone, alone[0]]]
    np.testing.assert_allclose([answer.null for answer in together[:3]], [answer.null for answer in alone], atol=1e-5)


@pytest.mark.parametrize(
    ("question", "text"),
    [("Who slept?", ""), ("", STORM), ("Close the door.", STORM), ("Who slept?", "They did."), ("Who?", STORM)],
)
def test_nothing_to_ask_or_to_answer(question, text):
    (answer,) = load_slot_answerer(0.5).answers([(question, text)])
    assert not answer.answered
    assert 0 <= answer.null <= 1


def test_answering_knows_it_by_name():
    assert load_answerer("slots").identity() == answering_identity("slots")
    assert load_answerer("slots", null_threshold=0.25).identity()["threshold"] == "0.25"
    assert load_answerer("slots").answers([]) == []
