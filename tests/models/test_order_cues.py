"""Cues of order: what they are, that a pair and its reversal mirror each other, and that a head keeps them."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.models.next_sentence.cues import OrderCues, list_order_cues
from gistmeter.models.next_sentence.heads import PairHead, head_file, normalize_spelling, read_head, write_head
from gistmeter.models.next_sentence.votes import HeadVoters
from gistmeter.training.next_sentence.order import MIN_JOINTS, fit_order_cues
from gistmeter.training.sources.sentences import SentenceText

WORDS = st.sampled_from(("a", "the", "bridge", "bridges", "mayor", "ann", "lee", "lee's", "he", "but", "40", ",", '"'))
SENTENCES = st.lists(WORDS, max_size=9).map(" ".join).map(normalize_spelling)


def add_order(probabilities, order, pairs, language):
    head = PairHead({}, reads="mean@6", digest="by hand", order=order)
    return HeadVoters(head, language).add_to(probabilities, pairs)


def test_cues_tell_how_a_thing_is_introduced():
    cues = list_order_cues("a bridge was opened by mayor ann lee", "but the bridge is late, lee said")
    assert cues["mention:a>the"] == 1  # a bridge, the bridge
    assert cues["mention:name>,"] == 1  # ann lee; lee after a comma
    assert cues["starts:but"] == 1
    assert cues["starts:a>but"] == 1
    assert cues["starts:a"] == -1
    assert "word:bridge" not in cues  # both have it: it tells nothing
    assert list_order_cues("the mayor left", "the mayor left") == {}


@given(SENTENCES, SENTENCES)
def test_a_reversal_is_the_mirror_image(first, second):
    cues, mirrored = list_order_cues(first, second), list_order_cues(second, first)
    assert mirrored == {cue: -value for cue, value in cues.items()}
    order = OrderCues({cue: 0.1 + len(cue) for cue in cues}, "en")
    forward, backward = order.log_odds([(first, second), (second, first)])
    assert forward == pytest.approx(-backward)
    # Together with any probability that does not know the order, the likelier order is that of the cues.
    both = add_order(np.array([0.7, 0.7]), order, [(first, second), (second, first)], "en")
    assert np.sign(both[0] - both[1]) == pytest.approx(np.sign(round(forward, 9)))


def test_a_word_near_the_start_is_not_told_to_be_the_first():
    order = OrderCues({"near start:the": 1.0, "starts:she": 0.5}, "en")
    reasons = order.describe(("she said the work is over", "nobody came"))
    assert reasons == '-1.50: first has "the" near its start, first starts "she"'


def test_log_odds_are_added_by_hand():
    # 0.8 is odds of 4 to 1; a cue of log 2 makes them 8 to 1, its opposite 2 to 1.
    order = OrderCues({"starts:but": np.log(2)}, "en")
    pairs = [("It rained.", "But he left."), ("But he left.", "It rained."), ("It rained.", "He left.")]
    np.testing.assert_allclose(add_order(np.full(3, 0.8), order, pairs, "en"), [8 / 9, 2 / 3, 0.8])
    np.testing.assert_array_equal(add_order(np.full(3, 0.8), order, pairs, "de"), 0.8)  # cues of another language
    assert np.isfinite(add_order(np.array([0.0, 1.0]), order, pairs[:2], "en")).all()


def test_weights_are_learned_from_what_documents_do():
    openings = ("A storm hit town {}.", "But the storm has passed {}.")
    texts = [SentenceText(str(number), tuple(part.format(number) for part in openings)) for number in range(40)]
    order = fit_order_cues(texts, "en", share=2.0)
    assert order.weights["starts:but"] > 0 > order.weights["starts:a"]
    assert order.weights["mention:a>the"] > 0
    assert order.weights["mention:the>a"] < 0
    half = fit_order_cues(texts, "en", share=1.0)
    assert order.weights["starts:but"] == pytest.approx(2 * half.weights["starts:but"], rel=0.01)
    assert fit_order_cues(texts[: MIN_JOINTS - 1], "en") is None  # no cue stands in twenty joints
    assert fit_order_cues(texts, "xx") is None


def test_a_head_keeps_its_cues(tmp_path):
    order = OrderCues({"starts:but": 0.5, 'pair:" he': -0.25}, "en")
    shipped = read_head(head_file(multilingual=True))
    assert shipped.order is None
    write_head(tmp_path / "head.safetensors", dataclasses.replace(shipped, order=order))
    again = read_head(tmp_path / "head.safetensors")
    assert again.order == order
    assert again.reads == shipped.reads
    for name, array in shipped.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], array)


def test_the_shipped_head_has_cues_of_english():
    order = read_head(head_file(multilingual=False)).order
    assert order.language == "en"
    pair = ("A new bridge was opened in Leeds by mayor Ann Lee.", "But the bridge, she said, had come too late.")
    (log_odds,) = order.log_odds([tuple(map(normalize_spelling, pair))])
    assert log_odds > 0
