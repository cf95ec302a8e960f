"""AUC and balanced accuracy: by hand, against counting all pairs, and what anyone would take for granted."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError

NAN = math.nan
LABELS = arrays(np.int64, (3, 5), elements=st.integers(0, 1)).filter(lambda labels: 0 < labels.sum() < labels.size)
SCORES = arrays(np.float64, (3, 5), elements=st.sampled_from([0.1, 0.2, 1 / 3, 0.5, 0.9, NAN]))


def count_pairs(scores, labels):
    """The AUC by looking at every pair of a positive and a negative."""
    positive = [score for score, label in zip(scores, labels, strict=True) if label == 1]
    negative = [score for score, label in zip(scores, labels, strict=True) if label == 0]
    wins = [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in itertools.product(positive, negative)]
    return sum(wins) / len(wins)


def balance(scores, labels, threshold):
    """Balanced accuracy by counting."""
    positive = [score >= threshold for score, label in zip(scores, labels, strict=True) if label == 1]
    negative = [score < threshold for score, label in zip(scores, labels, strict=True) if label == 0]
    return (sum(positive) / len(positive) + sum(negative) / len(negative)) / 2


@given(scores=SCORES, labels=LABELS)
def test_auc_counts_pairs(scores, labels):
    present = ~np.isnan(scores)
    if len(set(labels[present].tolist())) < 2:
        with pytest.raises(DataError):
            stats.agree_with_labels(scores, labels)
        return
    result = stats.agree_with_labels(scores, labels)
    assert result.value == pytest.approx(count_pairs(scores[present], labels[present]), abs=1e-12)
    assert (result.positive, result.negative) == (labels[present].sum(), (1 - labels[present]).sum())
    assert result.missing == (~present).sum()


@given(scores=SCORES.map(np.nan_to_num), labels=LABELS)
def test_auc_of_any_increasing_function_is_the_same_and_of_the_negative_the_rest(scores, labels):
    value = stats.agree_with_labels(scores, labels).value
    assert stats.agree_with_labels(np.exp(3 * scores), labels).value == pytest.approx(value, abs=1e-12)
    assert stats.agree_with_labels(-scores, labels).value == pytest.approx(1 - value, abs=1e-12)


@given(scores=SCORES.map(np.nan_to_num), labels=LABELS)
def test_no_threshold_is_better_than_the_chosen_one(scores, labels):
    chosen = stats.choose_threshold(scores, labels)
    result = stats.agree_with_labels(scores, labels, coefficient="balanced-accuracy", threshold=chosen)
    candidates = [*np.unique(scores), math.inf]
    best = max(balance(scores.ravel(), labels.ravel(), candidate) for candidate in candidates)
    assert result.value == pytest.approx(best, abs=1e-12)
    assert result.value == pytest.approx(balance(scores.ravel(), labels.ravel(), chosen), abs=1e-12)


def test_balanced_accuracy_by_hand():
    # Threshold .5: of the 1s (.9 .5 .2) two reach it, of the 0s (.6 .1) one is below: (2/3 + 1/2) / 2.
    scores, labels = [[0.9, 0.5, 0.2], [0.6, 0.1, NAN]], [[1, 1, 1], [0, 0, 0]]
    result = stats.agree_with_labels(scores, labels, coefficient="balanced-accuracy", threshold=0.5)
    assert result.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert result.missing == 1


def test_a_threshold_for_each_document():
    # The second document's scores are ten times as large; with thresholds .5 and 5 every summary is right.
    scores, labels = [[0.9, 9], [0.1, 1]], [[1, 1], [0, 0]]
    both = stats.agree_with_labels(scores, labels, coefficient="balanced-accuracy", threshold=[0.5, 5])
    shared = stats.agree_with_labels(scores, labels, coefficient="balanced-accuracy", threshold=0.5)
    assert (both.value, shared.value) == (1.0, 0.75)


def test_rare_labels_do_not_flatter():
    # 99 of 100 summaries are consistent. Calling all of them so is right 99 times, and balanced accuracy knows.
    labels = np.ones((1, 100))
    labels[0, 7] = 0
    always = stats.agree_with_labels(np.ones((1, 100)), labels, coefficient="balanced-accuracy", threshold=0.5)
    assert always.value == 0.5
    assert stats.agree_with_labels(np.ones((1, 100)), labels).value == 0.5


def test_a_threshold_between_neighbouring_floats_tells_them_apart():
    low = 0.3
    high = np.nextafter(low, 1)
    chosen = stats.choose_threshold([[low, high]], [[0, 1]])
    assert low < chosen <= high


@pytest.mark.parametrize(
    ("labels", "words"),
    [([[1, 1]], "all 2 are 1"), ([[1, 0.5]], "there is 0.5"), ([[NAN, NAN]], "there is none")],
)
def test_labels_that_tell_nothing_are_refused(labels, words):
    with pytest.raises(DataError, match=words):
        stats.agree_with_labels([[0.1, 0.2]], labels)
    with pytest.raises(DataError, match=words):
        stats.choose_threshold([[0.1, 0.2]], labels)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"coefficient": "balanced-accuracy"}, "development part"),
        ({"coefficient": "auc", "threshold": 0.5}, "no `threshold`"),
        ({"coefficient": "aux"}, "did you mean auc"),
        ({"coefficient": "balanced-accuracy", "threshold": [0.1, 0.2, 0.3]}, "each of 2 documents"),
        ({"coefficient": "balanced-accuracy", "threshold": NAN}, "not NaN"),
    ],
)
def test_wrong_options_are_told(options, words):
    with pytest.raises(ArgumentError, match=words):
        stats.agree_with_labels([[0.1, 0.2]], [[1, 0]], **options)


def test_scores_that_tie_but_for_rounding_tie_in_the_auc():
    # 0.1 + 0.2 and 0.3 are one score: of the two pairs of a 1 with a 0 one is tied and one in order, (0.5 + 1) / 2.
    scores, labels = [[0.1 + 0.2, 0.3, 0.1]], [[1, 0, 0]]
    assert 0.1 + 0.2 > 0.3
    assert stats.agree_with_labels(scores, labels).value == pytest.approx(0.75)
    other = [[0.2, 0.1, 0.3]]
    tested = stats.label_permutation_test(scores, other, labels, permutations=10)
    assert tested.of_x == pytest.approx(0.75)
