"""bewte: elements by hand, transformations, weights over references, matchings, evidence, batches, bad input."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.elements.extraction import Element, ElementWord
from gistmeter.metrics.elements.matching import KeyedElement, Pool, match_elements, pool_references
from gistmeter.metrics.elements.transformations import list_element_keys


def example(summary, *references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=references, language=language)


def word(lemma, name=""):
    return ElementWord(lemma=lemma, form=lemma, start=0, end=len(lemma), name=name)


def share_key(left, right, **settings):
    options = {"transform": True, "relations": True, "wordnet": None} | settings
    return bool(list_element_keys(left, **options) & list_element_keys(right, **options))


@pytest.fixture(autouse=True)
def without_wordnet(monkeypatch):
    """What is installed on this machine must not decide a test."""
    monkeypatch.setenv("GISTMETER_WORDNET", "none")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Element(word("mayor"), word("porto"), "of"), Element(word("mayor"), word("porto"), "poss")),
        (Element(word("approve")), Element(word("approval"))),
        (Element(word("u.s.")), Element(word("us"))),
        (Element(word("euro"), word("5,000"), "num"), Element(word("euro"), word("5000"), "num")),
        (Element(word("child"), word("five"), "num"), Element(word("child"), word("5"), "num")),
        (Element(word("organization", "World Health Organization")), Element(word("who"))),
        (Element(word("lee"), word("lawyer"), "be"), Element(word("lawyer"), word("lee"), "be")),
        (Element(word("open"), word("may"), "in"), Element(word("open"), word("may"), "at")),
    ],
)
def test_each_transformation_joins_what_is_written_differently(left, right):
    assert share_key(left, right)
    assert not share_key(left, right, transform=False)


def test_what_says_something_else_does_not_match():
    assert not share_key(Element(word("sue"), word("ann"), "subj"), Element(word("sue"), word("ann"), "obj"))
    assert share_key(
        Element(word("sue"), word("ann"), "subj"), Element(word("sue"), word("ann"), "obj"), relations=False
    )
    assert not share_key(Element(word("euro"), word("6.8"), "num"), Element(word("euro"), word("68"), "num"))
    assert not share_key(Element(word("mayor")), Element(word("mayor"), word("porto"), "of"))


keys = st.frozensets(st.sampled_from([("a",), ("b",), ("c",)]), max_size=2)


@given(st.lists(keys, max_size=4), st.lists(st.tuples(keys, st.integers(1, 3)), max_size=4))
def test_matchings_weigh_the_most(summary_keys, reference_keys):
    summary = [KeyedElement(Element(word(f"s{index}")), keys) for index, keys in enumerate(summary_keys)]
    elements = [KeyedElement(Element(word(f"r{index}")), keys) for index, (keys, _) in enumerate(reference_keys)]
    pool = Pool(elements, [float(weight) for _, weight in reference_keys])
    pairs = match_elements(summary, pool).pairs
    assert all(summary[left].keys & elements[right].keys for left, right in pairs)
    assert len({left for left, _ in pairs}) == len({right for _, right in pairs}) == len(pairs)
    slots = [*range(len(elements)), *[None] * len(summary)]
    best = max(
        sum(
            pool.weights[right]
            for left, right in enumerate(chosen)
            if right is not None and summary[left].keys & elements[right].keys
        )
        for chosen in itertools.permutations(slots, len(summary))
    )
    assert sum(pool.weights[right] for _, right in pairs) == best


def test_other_languages_are_refused():
    with pytest.raises(DataError, match="bewte reads English only, not language 'de'"):
        parse_metric("bewte").check_language("de")


def test_be_is_exact():
    settings = parse_metric("BE").settings
    assert (settings["match"], settings["transformations"], settings["unigrams"]) == ("hm", False, False)
    assert parse_metric("BEwT-E").name == "bewte"


@pytest.mark.more
def test_by_hand():
    # Ann opened a bridge in Porto: ann, open, bridge, porto, open-ann-subj, open-bridge-obj, and open-porto-in or
    # bridge-porto-in: 7 elements. Ann opened a school: ann, open, school, open-ann-subj, open-school-obj: 5, of which 3
    # are shared.
    case = example("Ann opened a school.", "Ann opened a bridge in Porto.")
    assert parse_metric("bewte").score([case])[0] == pytest.approx([3 / 5, 3 / 7, 2 * 3 / 12])
    assert parse_metric("be").score([case])[0] == pytest.approx([1 / 2, 1 / 3, 2 / 5])


@pytest.mark.more
def test_passives_and_relations():
    active, passive = "The council approved the plan.", "The plan was approved by the council."
    assert parse_metric("bewte(transformations=no)").score([example(passive, active)])[0] == pytest.approx([1, 1, 1])
    swapped = example("The plan approved the council.", active)
    assert parse_metric("bewte").score([swapped])[0, 1] == pytest.approx(3 / 5)
    assert parse_metric("bewte(match=hm)").score([swapped])[0, 1] == 1


def test_weights_over_references():
    # storm in both references (in the second by its stem), river in one: weights 2 and 1, their roots, or 1 and 1.
    first, second = (
        [KeyedElement(Element(word(lemma)), frozenset({(key,)})) for lemma, key in texts]
        for texts in ([("storm", "s")], [("stormy", "s"), ("river", "r")])
    )
    pool = pool_references([first, second], float)
    assert [str(element.element) for element in pool.elements] == ["storm", "river"]
    assert pool.weights == [2, 1]
    assert pool_references([first, second], math.sqrt).weights == pytest.approx([2**0.5, 1])


@pytest.mark.more
def test_empty_texts_batches_and_evidence():
    metric = parse_metric("bewte")
    assert metric.score([example("", "Ann won.")])[0].tolist() == [0, 0, 0]
    assert np.isnan(metric.score([example("Ann won.", "", "...")])).all()
    examples = [
        example(text, "Ann won the race.", "Ann Lee won.") for text in ("Ann won.", "", "The race was won by Lee.")
    ]
    together = metric.score(examples)
    np.testing.assert_array_equal(together, np.concatenate([metric.score([each]) for each in examples]))
    evidence = metric.explain(examples[0])
    assert evidence.table.header == ("element of the references", "weight", "in the summary")
    assert ("win | ann | subj", "1", "win | ann | subj") in evidence.table.rows
    assert [evidence.panes[0].text[mark.start : mark.end] for mark in evidence.panes[0].marks] == ["Ann", "won"]
    assert metric.explain(example("Ann won.", "")) is None
