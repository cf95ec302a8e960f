"""Wrong calls of statistics: texts, other shapes, infinities, wrong options. Each is one sentence."""

import inspect

import numpy as np
import pytest

from gistmeter import stats
from gistmeter.errors import ArgumentError, GistmeterError
from gistmeter.stats.resampling.one_sided import worse_pvalue
from gistmeter.stats.resampling.pooling import ratio

X = np.array([[0.1, 0.5, 0.2], [0.3, 0.4, 0.2], [0.4, 0.9, 0.1], [0.2, 0.6, 0.8]])
Z = np.array([[1.0, 2, 3], [2, 1, 4], [3, 5, 5], [1, 4, 2]])
LABELS = Z > 2
PARTS = np.stack([X, np.ones_like(X)], axis=-1)
INFINITE = np.where(X == 0.9, np.inf, X)
TEXTS = [["a", "b"], ["c", "d"]]
RAGGED = [[1, 2], [3]]

CALLS = [
    (stats.correlate, ("abc", Z), {}, "`x` is an array of numbers"),
    (stats.correlate, (None, Z), {}, "`x`"),
    (stats.correlate, (X, TEXTS), {}, "`z`"),
    (stats.correlate, ([["1", "2"], ["3", "4"]], Z), {}, "`x`"),
    (stats.correlate, (X, RAGGED), {}, "`z`"),
    (stats.correlate, ({"a": 1}, Z), {}, "`x`"),
    (stats.correlate, ([[1j, 2], [3, 4]], Z), {}, "`x`"),
    (stats.correlate, (X[0], Z), {}, "tables, systems x documents"),
    (stats.correlate, (X[:2], Z), {}, "of the same summaries"),
    (stats.correlate, (INFINITE, Z), {}, "infinite"),
    (stats.correlate, (X, Z), {"level": "sumary"}, "did you mean summary?"),
    (stats.correlate, (X, Z), {"coefficient": 3}, "`coefficient`"),
    (stats.correlate, (X, Z), {"paired": "yes"}, "`paired` is True or False"),
    (stats.correlate, (X,), {}, "missing a required argument: 'z'"),
    (stats.correlate, (X, Z), {"levle": "summary"}, "did you mean level?"),
    (stats.correlate_by_folds, (X, Z, [[0, 1], [2, 3]]), {}, "folds are of the documents 0 to 2, but one has 3"),
    (stats.correlate_by_folds, (X[0], Z, [[0], [1]]), {}, "tables"),
    (stats.correlate_by_folds, (X, Z, {1, 2}), {}, "`folds`"),
    (stats.correlate_by_folds, (X, Z, [[0, "b"], [1]]), {}, "`folds`"),
    (stats.bootstrap, (X, Z), {"resamples": 0}, "resamples"),
    (stats.bootstrap, (X, Z), {"resamples": X}, "`resamples` is a whole number"),
    (stats.bootstrap, (X, Z), {"seed": X}, "`seed` is a whole number"),
    (stats.bootstrap, (X, Z), {"confidence": float("nan")}, "`confidence`"),
    (stats.bootstrap, (X, Z), {"confidence": 95}, "`confidence` is between 0 and 1"),
    (stats.bootstrap, (X, Z), {"interval": "bcaa"}, "did you mean bca?"),
    (stats.bootstrap_interval, (PARTS, "mean"), {}, "`pool` is a function"),
    (stats.bootstrap_interval, (X, ratio), {}, ""),
    (stats.bootstrap_difference, (PARTS[0], PARTS[1][:2], ratio), {}, ""),
    (stats.permutation_pvalue, (PARTS[0], TEXTS, ratio), {}, "`b`"),
    (stats.pairwise_pvalues, (PARTS, None), {}, "`pool`"),
    (stats.worse_pvalue, (PARTS[0], PARTS[1], ratio), {"margin": float("nan")}, "`margin` is a number, not NaN"),
    (stats.ratio, ("abc",), {}, "`sums`"),
    (stats.ratio, (3,), {}, "last axis"),
    (stats.ratio, ([[1.0], [2.0]],), {}, "last axis"),
    (stats.permutation_test, (X, X, "judges"), {}, "`z`"),
    (stats.permutation_test, (X, X, Z), {"method": "documnets"}, "did you mean documents?"),
    (stats.williams_test, (X, X, Z), {"alternative": "more"}, "`alternative`"),
    (stats.compare_all, ([X, X], Z), {}, "`metrics` is a mapping"),
    (stats.compare_all, ({"a": X, "b": "x"}, Z), {}, "`metrics`"),
    (stats.compare_all, ({"a": X, "b": X}, Z), {"correction": "bonferoni"}, "`correction`"),
    (stats.anchor_correlations, ({"a": X, "b": Z}, "a", "c"), {}, ""),
    (stats.correlation_matrix, ({},), {}, ""),
    (stats.average_ranks, ("abc",), {}, "`values`"),
    (stats.average_ranks, ([1.0, 2.0],), {}, "table"),
    (stats.holm, (["a"],), {}, "`pvalues`"),
    (stats.holm, ([0.1, 2.0],), {}, ""),
    (stats.letter_groups, ([0, 0], np.zeros((2, 2))), {}, "at most once"),
    (stats.letter_groups, (X, np.zeros((2, 2))), {}, "`order`"),
    (stats.letter_groups, ({0, 1}, np.zeros((2, 2))), {}, "`order`"),
    (stats.letter_runs, ([1.0],), {}, ""),
    (stats.noisy_scores, (X, 0.5), {"summary_noise": -1}, "0 or more"),
    (stats.noisy_scores, (X, 2), {}, "at most 1"),
    (stats.noisy_scores, (X, 0.5), {"rng": 3}, "`rng` is Generator"),
    (stats.thinned_rouge, ("matches", 0.5), {}, "`matches`"),
    (stats.pairwise_saddlepoint_pvalues, (X,), {"others": [4]}, "rows of the scores, which are 0 to 3"),
    (stats.pairwise_saddlepoint_pvalues, (X,), {"others": [0.5]}, "rows of the scores"),
    (stats.pairwise_saddlepoint_pvalues, (X,), {"others": X}, "rows of the scores"),
    (stats.pairwise_saddlepoint_pvalues, (INFINITE,), {}, "finite"),
    (stats.pairwise_mean_pvalues, (X,), {}, "columns x systems x documents"),
    (stats.swap_pvalues, (X, [0.1]), {}, ""),
    (stats.agree_with_labels, (X, TEXTS), {}, "`labels`"),
    (stats.agree_with_labels, (X, LABELS), {"threshold": "half"}, "`threshold`"),
    (stats.agree_with_labels, (X, LABELS), {"coefficient": "f1"}, "`coefficient`"),
    (stats.cross_fit_thresholds, (X, LABELS), {"folds": X}, "`folds`"),
    (stats.label_interval, (X, LABELS), {"method": "rows"}, "`method`"),
    (stats.label_bootstrap_test, (X, X, LABELS), {"thresholds": 3}, "`thresholds`"),
    (stats.closest_pairs_curve, (X, Z), {"shares": "half"}, "`shares`"),
    (stats.closest_pairs_curve, (X, Z), {"shares": X}, "`shares`"),
    (stats.delta_correlation, (X, Z), {"lower": "0"}, "`lower` is a number"),
    (stats.soft_accuracy, (X, Z), {"ties": "drop"}, "`ties`"),
    (stats.power, (X, Z, "noisy"), {}, "`degrade` is a function"),
    (stats.power, (X, Z), {"tests": ["perm"]}, "`tests`"),
    (stats.coverage, (X, Z), {"methods": X}, "`methods`"),
    (stats.plan_width, (X, Z), {}, "missing a required argument: 'width'"),
    (stats.plan_width, (X, Z), {"width": 0.1, "unit": "pages"}, "`unit`"),
    (stats.plan_power, (X, Z), {"y": "other"}, "`y`"),
    (stats.plan_raters, (X,), {"panels": 1.5}, "`panels`"),
    (stats.ranking_stability, (X,), {"sizes": 3}, "`sizes`"),
    (stats.reference_curve, (X, Z), {}, "references"),
    (stats.normality, (X,), {"alpha": "small"}, "`alpha` is a number"),
    (stats.system_effects, (X, None), {}, "`y`"),
]


def name_call(call):
    function, given, named, _ = call
    shown = [type(value).__name__ if len(repr(value)) > 30 else repr(value) for value in given]
    return f"{function.__name__}({', '.join([*shown, *named])})"


@pytest.mark.parametrize("call", CALLS, ids=name_call)
def test_a_wrong_call_is_one_sentence(call):
    function, given, named, words = call
    with pytest.raises(GistmeterError) as raised:
        function(*given, **named)
    message = str(raised.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 400


def test_there_are_enough_of_them():
    assert len(CALLS) >= 60
    assert len({function.__name__ for function, *_ in CALLS}) >= 35


def test_the_door_stands_before_every_function():
    functions = [getattr(stats, name) for name in stats.__all__ if inspect.isfunction(getattr(stats, name))]
    assert len(functions) > 40
    assert all(hasattr(function, "__wrapped__") for function in functions)


def test_right_calls_pass():
    """Lists, tuples, None for a missing score, integers and truth values are numbers; a scalar is a threshold."""
    expected = stats.correlate([[1, np.nan, 2], [2, 3, 4], [5, 4, 8]], Z[:3]).value
    assert stats.correlate(((1, None, 2), (2, 3, 4), (5, 4, 8)), Z[:3]).value == expected
    assert stats.agree_with_labels(X, LABELS, coefficient="balanced-accuracy", threshold=0.35).value > 0
    assert stats.letter_groups(np.array([1, 0]), np.zeros((2, 2))) == ("a", "a")
    assert stats.correlate_by_folds(X, Z, np.array([[0, 1], [1, 2]])).values


def test_means_behind_the_door_are_known_as_means():
    """The one-sided test of means shifts the scores themselves; other pools are resampled."""
    behind = stats.worse_pvalue(PARTS[0], PARTS[1], stats.ratio, permutations=50, resamples=50)
    assert behind == worse_pvalue(PARTS[0], PARTS[1], ratio, permutations=50, resamples=50)


def test_a_wrong_option_is_a_value_error():
    with pytest.raises(ArgumentError) as raised:
        stats.correlate(X, Z, level="sumary")
    assert isinstance(raised.value, ValueError)
