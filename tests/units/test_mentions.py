"""One name for one thing, with clusters given by hand."""

import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.roles.labeller import LabelledSentence, label_roles
from gistmeter.units.extract import extract_units
from gistmeter.units.mentions import NamedSentences


def plain(*texts):
    return [LabelledSentence(tuple(text.split()), (" ",) * len(text.split()), ()) for text in texts]


def texts(sentences, clusters):
    return [unit.text for unit in extract_units(sentences, clusters)]


def test_later_mentions_take_the_first_name_and_other_names_are_stated():
    # Words: Ann Lee won . | The baker thanked her son . | She cried
    sentences = plain("Ann Lee won .", "The baker thanked her son .", "She cried")
    clusters = [[(10, 11), (4, 6), (0, 2), (7, 8)]]
    assert texts(sentences, clusters) == [
        "Ann Lee won .",
        "Ann Lee thanked Ann Lee son .",
        "Ann Lee cried",
        "Ann Lee is The baker",
    ]
    assert [unit.sentence for unit in extract_units(sentences, clusters, first=2)] == [2, 3, 4, 3]


def test_a_pronoun_that_comes_first_takes_the_name_too():
    assert texts(plain("He sang .", "Bo sang ."), [[(0, 1), (3, 4)]]) == ["Bo sang .", "Bo sang ."]


def test_pronouns_alone_stay():
    assert texts(plain("He sang .", "She heard him ."), [[(0, 1), (5, 6)]]) == ["He sang .", "She heard him ."]


def test_a_name_much_like_the_first_is_not_stated():
    # "Rose" has all of its words in "Justin Rose"; "the young Justin Rose" contains the name.
    sentences = plain("Justin Rose won .", "Rose and the young Justin Rose cried")
    assert texts(sentences, [[(0, 2), (4, 5), (6, 10)]]) == ["Justin Rose won .", "Justin Rose and Justin Rose cried"]


def test_a_possessive_ending_is_not_part_of_the_name():
    sentences = plain("Ann 's dog ate .", "Ann slept . The vet 's door")
    assert texts(sentences, [[(0, 2), (5, 6)], [(2, 3), (8, 11)]]) == [
        "Ann 's dog ate .",
        "Ann slept . dog door",
        "dog is The vet",
    ]


def test_of_mentions_that_begin_together_the_longest_that_fits_is_replaced():
    sentences = plain("Ann and Bo met .", "They and Cy left")
    names = NamedSentences.of(sentences, [[(0, 3), (5, 6)], [(3, 4), (5, 8)]])
    assert names.text(1, (0, 4)) == "met left"
    assert names.text(1, (0, 2)) == "Ann and Bo and"


def test_names_go_into_the_arguments_of_frames():
    sentences = label_roles(["The Shark Club bought a new boat.", "It was sold to the club's rivals in May."])
    where = [word for sentence in sentences for word in sentence.words]
    it, rivals = where.index("It"), where.index("rivals")
    assert texts(sentences, [[(0, 3), (it, it + 1), (rivals - 3, rivals)]]) == [
        "The Shark Club bought a new boat",
        "The Shark Club was sold to The Shark Club rivals",
        "The Shark Club was sold in May",
    ]


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ((0, 9), "not inside the 5 words"),
        ((-1, 1), "not inside the 5 words"),
        ((2, 2), "not inside the 5 words"),
        ((1, 4), "goes beyond sentence 0, which ends at word 2"),
    ],
)
def test_mentions_outside_the_text_are_refused(span, message):
    with pytest.raises(DataError, match=message):
        extract_units(plain("Ann slept", "Bo woke up"), [[span]])
