"""Frames from the dependency parse: spans in order, and what no verb may do."""

from itertools import pairwise

import pytest

from gistmeter.linguistics.roles.labeller import label_roles

ODD = [
    "",
    " ",
    '"',
    "( held )",
    "to be been being",
    "He said “ she said ” and “ it is ” .",
    'It is, he said, "over" (for now).',
    "and and, and ran and ran and ran and ran and ran and ran and ran and ran and ran and ran and ran and ran and ran.",
    "What she wanted him to have them try to do was seen to be thought to be being done by those helped by her.",
]


@pytest.mark.parametrize("text", ODD)
def test_arguments_are_in_order_and_do_not_overlap(text):
    (labelled_sentence,) = label_roles([text])
    for frame in labelled_sentence.frames:
        spans = [*frame.before, frame.verb, *frame.after]
        assert all(start < end for start, end in spans)
        assert all(item[1] <= two[0] for item, two in pairwise(spans))
        assert spans[-1][1] <= len(labelled_sentence.words)
        assert spans[0][0] >= 0


def test_the_text_of_words_is_the_text_of_the_sentence():
    text = "Ann's dog (a pug) won't eat £5 cakes."
    (labelled_sentence,) = label_roles([text])
    assert labelled_sentence.text(0, len(labelled_sentence.words)) == text
    (frame,) = labelled_sentence.frames
    assert [labelled_sentence.text(*span) for span in (*frame.before, frame.verb, *frame.after)] == [
        "Ann's dog (a pug)",
        "wo",
        "n't",
        "eat",
        "£5 cakes",
    ]


def test_a_bracket_or_quotation_mark_stays_with_its_other_half():
    (labelled_sentence,) = label_roles(['They called the plan "a gift" (to the rich).'])
    after = [labelled_sentence.text(*span) for span in labelled_sentence.frames[0].after]
    assert after[0].startswith("the plan")
    assert not any(text.count("(") != text.count(")") or text.count('"') % 2 for text in after)


def test_equal_sentences_are_parsed_once():
    first, two, three = label_roles(["The dog ate.", "A cat slept.", "The dog ate."])
    assert first is three
    assert first != two


def verbs_with_frames(text):
    (labelled_sentence,) = label_roles([text])
    return [labelled_sentence.text(*frame.verb) for frame in labelled_sentence.frames]


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Nevin denied that he had approved the payment.", ["denied"]),
        ("Nevin denied he approved the payment and hid the letter.", ["denied"]),
        ("The minister denied approving the payment.", ["denied"]),
        ("Doctors doubt that the vaccine caused the deaths.", ["doubt"]),
        ("Police rejected claims that officers beat the suspect.", ["rejected"]),
        ("He was cleared of stealing the painting.", ["cleared"]),
        ("They denied the club said it paid the fine.", ["denied"]),
    ],
)
def test_what_is_denied_has_no_frame(text, verbs):
    assert verbs_with_frames(text) == verbs


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("He did not deny that he took the money.", ["deny", "took"]),
        ("She denied it, but her lawyer said that she would pay.", ["denied", "said", "pay"]),
        ("Police investigated claims that officers beat the suspect.", ["investigated", "beat"]),
        ("He was accused of stealing the painting.", ["accused", "stealing"]),
        ("He denied that he took the ring, which his aunt had lost.", ["denied", "lost"]),
    ],
)
def test_what_stands_beside_a_denial_has_its_frame(text, verbs):
    assert verbs_with_frames(text) == verbs
