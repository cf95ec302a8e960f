"""Names in the place of pronouns, quotations over several sentences, and captions without an end."""

import pytest

from gistmeter.linguistics.parser import load_parser
from gistmeter.summarize.compression.agreeing import agrees
from gistmeter.summarize.compression.quotations import find_quotations
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.markable import make_markable, put_together
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


@pytest.mark.parametrize(("sentence", "agree"), [("They do have faults.", False), ("They had faults.", True)])
def test_a_plural_verb_has_no_singular_noun_before_it(sentence, agree):
    noun, pronoun = load_parser().parse(["The company sells blades.", sentence])
    assert agrees(pronoun[0], noun[1], ["the", "company"]) is agree


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


def test_who_speaks_is_not_somebody_else():
    # Coreference takes "she" for the judge; the subject says in an apposition who it is.
    document = (
        "Judge Dana Pell spoke for an hour. It rained. One of the customers, 91-year-old Ann Lee, said she felt ill. "
        "It rained again. Bo Tan left."
    )
    assert "Dana Pell felt" not in write(document, "the customers")


def test_a_pronoun_after_a_sentence_about_somebody_means_them():
    document = (
        "Judge Ellen Park told the jurors that they had done their duty. One of the customers, 91-year-old Ida Greer, "
        "said she felt robbed a second time. She had testified that Simms visited her every Sunday for a year."
    )
    assert write(document, "every Sunday").startswith("Ida Greer had testified")


def test_owners_are_named_where_their_name_follows_what_they_are():
    document = (
        "The flat's late owner, Jean McPhee, bought the painting at a sale. It rained. Her nephew, Rory, who inherited "
        "it, took it to the museum on Monday."
    )
    assert write(document, "the museum").startswith("Jean McPhee's nephew took it")


def test_nobody_knows_whose_is_said_with_an_article():
    # A fall has no rivals, and no other noun is said to have any.
    document = "The fall wiped a third off the value. It rained. Its rivals Axion and Quill lost ground on Friday."
    assert write(document, "Quill") == "The rivals Axion and Quill lost ground."


def test_what_a_first_pronoun_means_is_said_before_it():
    document = "The town is small. Many people in Rome have a dog. It is chased by the cats of the old market hall."
    assert write(document, "the cats").startswith("Many people in Rome have a dog. It is chased by the cats")
    assert write(document, "Rome", "the cats").count("Many people") == 1


def test_what_a_demonstrative_points_to_is_said_before_it():
    document = "It rained. Bo Tan sold the boat in May. Neither the town nor the bank knew. This angered the council."
    assert write(document, "the council") == "Neither the town nor the bank knew. This angered the council."


def test_it_that_means_nothing_needs_no_other_sentence():
    document = "Bo Tan sold the boat. It was a nurse from Leeds, Ann Lee, who bought the oars."
    assert write(document, "the oars") == "It was a nurse from Leeds, Ann Lee, who bought the oars."


def test_it_that_is_the_first_to_do_something_is_explained():
    document = "The town is small. Pell bought the bank in May. It is the first firm to sell the boats of the old town."
    assert write(document, "the boats").startswith("Pell bought the bank. It is the first firm to sell")


def test_what_explains_a_pronoun_takes_no_word_from_the_marks():
    document = "The town is small. Many people in Rome have a dog. It is chased by the cats of the old market hall."
    spans = find_marks(document, ["the cats"])
    assert SpanSummarizer(document).write(spans, words=12).text.startswith("It is chased by the cats")
    assert len(SpanSummarizer(document).write(spans, words=20).text.split()) > 12


def test_the_page_explains_pronouns_too():
    document = "The town is small. Many people in Rome have a dog. It is chased by the cats of the old market hall."
    for marks in (["the cats"], ["Rome", "the cats"]):
        markable = make_markable("1", document, find_marks(document, marks))
        assert put_together(markable, [sentence.marked for sentence in markable.sentences]) == write(document, *marks)


def test_who_goes_on_being_spoken_of_is_named_once():
    document = (
        "Ann Lee won the race in Rome. She thanked the crowd. She then went to the harbour. She sold the boat there."
    )
    written = write(document, "Rome", "the crowd", "the harbour", "the boat")
    assert written.count("Ann Lee") == 1


@pytest.mark.parametrize(
    ("text", "quotation"),
    [
        ('maria was glad . " it is about time , " she said . he left .', '" it is about time , "'),
        ("maria was glad . ‘ it is about time , ’ she said . he left .", "‘ it is about time , ’"),
        ("the residents ' boat left . ' it is about time , ' she said .", "' it is about time , '"),
    ],
)
def test_quotations_of_texts_with_parted_marks(text, quotation):
    assert [text[start:end] for start, end in find_quotations(text)] == [quotation]


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        # The next mark opens another quotation, so that what stands between is the writer's.
        ('Bo said: "He plays."Ann left and said: "So do I."', ['"He plays."', '"So do I."']),
        # The next mark is an end: the quotation has two paragraphs.
        ('Bo said: "He plays."It was fun," he said.', ['"He plays."', '"It was fun,"']),
        # It may be either: what speaks of itself is quoted, what does not is told.
        ('Bo said: "He plays."We like him."Ann left.', ['"He plays."', '"We like him."']),
        # The end of a quotation whose begin nobody saw opens none.
        ('Bo left."Ann said: "So do I." He left.', ['"So do I."']),
        ('Bo said: "He plays."Ann told the paper of it."Jake is ill," she said.', ['"He plays."', '"Jake is ill,"']),
    ],
)
def test_paragraphs_without_blanks_between(text, quotations):
    assert [text[start:end] for start, end in find_quotations(text)] == quotations


def test_what_takes_up_the_sentence_before_is_said_after_it():
    # A "this" after a verb, a "could" without one, "One of them", and what an "It" may mean: the whole sentence.
    fixed = "The town is small. The bridge may sway when a lorry passes. We expect to mend this before the winter."
    assert write(fixed, "the winter").startswith("The bridge may sway when a lorry passes. We expect to mend this")
    replied = "It rained. Bo asked whether the work could wait. Ann said that it could not, as the roof leaked."
    assert write(replied, "the roof").startswith("Bo asked whether the work could wait. Ann said that it could not")
    parts = "The town is small. Residents cheered in the street. One of them, Pat Lowe, said the school was safe."
    assert write(parts, "the school").startswith("Residents cheered")
    joined = "It rained. The count spared the town, yet he burned the mill. It was called a needless cruelty by all."
    assert write(joined, "cruelty").startswith("The count spared the town, yet he burned the mill.")


def test_a_name_is_not_that_of_whom_the_sentence_before_does_not_speak():
    # Coreference takes "she" for Femke Post; the sentence before is about Chiara Russo.
    document = (
        "The Dutch rider Femke Post won the stage. She now leads the race by 14 seconds. The Italian favourite Chiara "
        "Russo lost four minutes and said she would go home. Doctors do not know whether she broke her wrist."
    )
    assert "whether Chiara Russo broke her wrist" in write(document, "Femke Post", "her wrist")


def test_it_after_people_means_what_the_text_defines():
    document = (
        "The stoat is a small animal of the north. Farmers have kept cats for longer. It feeds on mice in the fields."
    )
    assert write(document, "mice").startswith("The stoat feeds on mice")


def test_a_common_noun_in_the_place_of_a_pronoun_has_no_capital():
    document = (
        "Tenants who believe that they have been overcharged should first write to the landlord. If they do not "
        "receive an answer within 14 days, they can complain to the council free of charge."
    )
    assert write(document, "14 days").startswith("If tenants do not receive an answer")


TALK = "Rosa Lind: Did you leave?\nBo: I did. I missed the old house. It rained.\nRosa Lind: I would keep the boat."


def test_who_speaks_in_a_conversation_stands_before_what_they_say():
    assert write(TALK, "the old house", "the boat") == "Bo: I missed the old house. Rosa Lind: I would keep the boat."
    again = "Bo: I sold the boat.\nAnn: Oh.\nBo: I bought the oars."
    assert write(again, "the boat", "the oars") == "Bo: I sold the boat. I bought the oars."  # his name once


def test_a_speaker_can_be_marked_and_the_page_names_them():
    assert write(TALK, "Rosa Lind").startswith("Rosa Lind: Did you leave?")
    markable = make_markable("1", TALK, find_marks(TALK, ["the old house", "the boat"]))
    together = put_together(markable, [sentence.marked for sentence in markable.sentences])
    assert together == write(TALK, "the old house", "the boat")


def test_facts_with_a_colon_are_no_conversation():
    assert write("Place: the old mill.\nDate: the first of May.", "the old mill").startswith("Place: the old mill")
