"""Generators of errors: what each kind puts wrong, and where it finds nothing."""

import numpy as np
import pytest

from gistmeter.linguistics.errors.context import RULE_ERROR_KINDS, ErrorContext, outside_names, put_change
from gistmeter.linguistics.errors.generators import GENERATORS, find_errors
from gistmeter.linguistics.errors.other_numbers import shift_number
from gistmeter.linguistics.parser import load_parser

DOCUMENT = (
    "The council of Lyon approved 6.8 million euros for a new bridge on Monday. Mayor Ann Lee said the work will take "
    "eighteen months. Half of the residents oppose the plan because of noise. Harlan sued Brightwater in 1998. "
    "Analysts expect Brightwater to close a mill in Denver. Profits rose more than 5% in Chicago after the merger. "
    "Tom Reed warned that the union would strike."
)


@pytest.fixture(scope="module")
def document():
    return load_parser().parse([DOCUMENT], entities=True)[0]


def wrong(text, kind, document, seed=0):
    (doc,) = load_parser().parse([text], entities=True)
    context = ErrorContext(document, np.random.default_rng(seed))
    return [put_change(text, change) for change in find_errors(doc, kind, context)]


def test_every_kind_has_a_generator():
    assert set(GENERATORS) == set(RULE_ERROR_KINDS)
    assert len(RULE_ERROR_KINDS) == 16


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        # another number of the document that is written alike, its own digits turned round, or one near by
        ("number", "The work will take eighteen months.", "The work will take {} months."),
        ("quantity", "It cost 6.8 million euros.", "It cost 6.8 {} euros."),
        ("unit", "The work will take eighteen months.", "The work will take eighteen {}."),
        ("date", "It was approved on Monday.", "It was approved on {}."),
        ("name", "Ann Lee resigned.", "Tom Reed resigned."),  # the one other person of the document
        ("place", "Brightwater closed a mill in Denver.", "Brightwater closed a mill in {}."),
        ("role", "The police arrested the workers.", "The workers arrested the police."),
        ("negation", "Harlan sued Brightwater.", "Harlan did not sue Brightwater."),
        ("modality", "The union would strike.", "The union {} strike."),
        ("direction", "Profits rose in Chicago.", "Profits fell in Chicago."),
        ("comparison", "Profits rose at least 5%.", "Profits rose at most 5%."),
        ("cause", "They left although it rained.", "They left because it rained."),
        ("outside", "Mayor Ann Lee resigned.", "Mayor {} resigned."),
    ],
)
def test_each_kind_puts_its_own_thing_wrong(kind, text, expected, document):
    (changed,) = wrong(text, kind, document)
    before, _, after = expected.partition("{}")
    assert changed != text
    if "{}" in expected:
        assert changed.startswith(before)
        assert changed.endswith(after)
        assert changed[len(before) : len(changed) - len(after)].strip()
    else:
        assert changed == expected


def test_another_speaker_is_of_the_document(document):
    changed = wrong("Ann Lee said the work will take a year.", "attribution", document)
    assert len(changed) == 1
    speaker = changed[0].removesuffix(" said the work will take a year.")
    assert speaker != "Ann Lee"
    assert speaker in DOCUMENT or speaker[0].lower() + speaker[1:] in DOCUMENT


def test_phrases_from_elsewhere_stand_in_the_document_and_not_in_the_text(document):
    for kind, text, around in (
        ("elsewhere", "Harlan bought a house.", ("Harlan bought ", ".")),
        ("merged", "The council will strike.", ("", " will strike.")),
    ):
        (changed,) = wrong(text, kind, document)
        phrase = changed[len(around[0]) : len(changed) - len(around[1])]
        assert phrase.lower() in DOCUMENT.lower()
        assert phrase.lower() not in text.lower()


def test_names_from_outside_are_not_in_the_document(document):
    for seed in range(10):
        (changed,) = wrong("Mayor Ann Lee resigned.", "outside", document, seed)
        name = changed.removeprefix("Mayor ").removesuffix(" resigned.")
        assert name not in DOCUMENT
        assert name.split()[-1] in outside_names()["family"]


@pytest.mark.parametrize("kind", [kind for kind in RULE_ERROR_KINDS if kind != "negation"])
def test_where_there_is_nothing_of_a_kind_nothing_is_changed(kind, document):
    assert wrong("It rained.", kind, document) == []


def test_all_errors_differ_from_what_was(document):
    for kind in RULE_ERROR_KINDS:
        assert DOCUMENT not in wrong(DOCUMENT, kind, document)


@pytest.mark.more
def test_the_same_seed_draws_the_same(document):
    for kind in RULE_ERROR_KINDS:
        assert wrong(DOCUMENT, kind, document, 3) == wrong(DOCUMENT, kind, document, 3)


def test_a_number_of_zeros_alone_has_numbers_near_by():
    # "10 000" is two tokens, and 000 is divisible by ten for ever
    assert shift_number("000") == ["2", "3", "5"]


def test_a_text_that_has_all_years_near_by_is_left_as_it_is():
    text = "It was 1998, 1999, 2000, 1997, 2001, 1996 or 2003."
    (doc,) = load_parser().parse([text], entities=True)
    changes = find_errors(doc, "date", ErrorContext(doc, np.random.default_rng(0)))
    assert all(text[change.start : change.end] != "1998" for change in changes)
