"""Names in the place of pronouns, quotations over several sentences, and captions without an end."""

import pytest

from gistmeter.summarize.compression.quotations import find_quotations
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.marking import find_marks

pytestmark = pytest.mark.more  # they load the parser and the coreference network


def write(document, *marks):
    return SpanSummarizer(document).write(find_marks(document, marks)).text


def test_a_pronoun_is_not_the_name_that_its_own_sentence_says_of_somebody():
    # "He" cannot be Mr Haugh, whose death the same sentence tells.
    document = (
        "Karl Haugh was killed on Sunday. It rained. He said police found a knife at the scene of Mr Haugh's death."
    )
    assert "Karl Haugh said" not in write(document, "a knife")


def test_a_pronoun_after_a_speaker_of_its_gender_stays():
    document = "The girl has a video. It rained. Dana Pell says she wanted to turn the boat into something good."
    assert write(document, "the boat").startswith("Dana Pell says she wanted")


def test_many_people_are_no_she():
    document = "Jurors heard the case on Monday. It rained. If he used his position, it would be exciting, she said."
    assert "Jurors said" not in write(document, "his position")


@pytest.mark.parametrize(
    ("sentence", "mark", "written"),
    [
        ("She's received good marks for her boats.", "her boats", "Ann Lee has received good marks for her boats."),
        ("She's impressed with the town.", "the town", "Ann Lee is impressed with the town."),
        ("She's been praised by the town.", "the town", "Ann Lee has been praised by the town."),
    ],
)
def test_a_short_verb_after_a_pronoun_is_written_out_after_the_name(sentence, mark, written):
    assert write(f"Ann Lee runs a practice in Rome. It rained. {sentence}", mark) == written


def test_a_sentence_within_a_quotation_has_its_marks():
    # The quotation goes over three sentences: what is taken from its middle must not look like the writer's own words.
    document = "The coach was glad. 'We won at last. I saw how hard the men worked for the cup. It rained,' he said."
    assert write(document, "the cup") == "'I saw how hard the men worked for the cup.'"


def test_a_quotation_that_opens_anew_is_closed():
    text = "Bo said: 'It was late. 'I told Ann to sell the boat.' They left."
    assert [text[start:end] for start, end in find_quotations(text)] == [
        "'It was late.",
        "'I told Ann to sell the boat.'",
    ]


@pytest.mark.parametrize("text", ["the group 's most famous boats , the town 's own", "It's the residents' harbour."])
def test_apostrophes_are_no_quotations(text):
    assert find_quotations(text) == []


def test_captions_without_an_end_are_sentences_of_their_own():
    document = (
        "Ann Lee walks past the old shop in town The mayor opened the harbour wall Outraged: Bo Tan left the room."
    )
    assert write(document, "the harbour wall") == "The mayor opened the harbour wall."


def test_what_the_document_only_reports_is_not_claimed():
    document = "According to the paper, the firm will close its plant in Leeds on Friday unless the bank helps."
    written = write(document, "its plant")
    assert written.startswith("According to the paper")
    assert "unless the bank helps" in written
