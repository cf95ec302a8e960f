"""Correlations over pairs of systems by how far apart they are, against hand computations and plain loops."""

from __future__ import annotations

import gzip
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from gistmeter.errors import DataError, GistmeterError
from gistmeter.stats import correlate
from gistmeter.stats.pairwise.close_systems import closest_pairs_curve, delta_correlation, pairs_heatmap

NAN = math.nan
COEFFICIENTS = ["pearson", "spearman", "kendall"]
METHODS = ["systems", "documents", "both"]


def column(*values):
    """A table of systems with one document."""
    return np.array(values, dtype=float)[:, None]


def plain_tau(x, z, lower, upper):
    """The thesis' eq. 8.2 over the pairs between the bounds: P alike, Q not, T tied in x only, U in z only."""
    p = q = t = u = 0
    for i, j in itertools.combinations(range(len(x)), 2):
        dx, dz = x[i] - x[j], z[i] - z[j]
        if not lower <= abs(dx) <= upper:
            continue
        p += dx * dz > 0
        q += dx * dz < 0
        t += dx == 0 and dz != 0
        u += dx != 0 and dz == 0
    below = (p + q + t) * (p + q + u)
    return (p - q) / math.sqrt(below) if below else NAN


def plain_products(x, z, lower, upper):
    """The sums of products of differences over the pairs between the bounds of `x`, by loops."""
    above = square_x = square_z = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
        if lower <= abs(x[i] - x[j]) <= upper:
            above += (x[i] - x[j]) * (z[i] - z[j])
            square_x += (x[i] - x[j]) ** 2
            square_z += (z[i] - z[j]) ** 2
    below = math.sqrt(square_x * square_z)
    return above / below if below else NAN


VALUES = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.75, 2.0])
SYSTEMS = st.integers(3, 7).flatmap(lambda n: st.tuples(*[hnp.arrays(np.float64, n, elements=VALUES)] * 2))
BOUNDS = st.sampled_from([(0.0, math.inf), (0.0, 0.25), (0.25, 0.5), (0.5, 2.0), (0.3, 0.4), (0.0, 0.0)])


@given(SYSTEMS, BOUNDS)
def test_tau_between_bounds_equals_counting(means, bounds):
    x, z = means
    lower, upper = bounds
    result = delta_correlation(x[:, None], z[:, None], lower=lower, upper=upper)
    assert result.value == pytest.approx(plain_tau(x, z, lower, upper), nan_ok=True)
    gaps = [abs(a - b) for a, b in itertools.combinations(x, 2)]
    assert result.pairs == sum(lower <= gap <= upper for gap in gaps)


@given(SYSTEMS, BOUNDS)
def test_pearson_between_bounds_equals_adding_up(means, bounds):
    x, z = means
    lower, upper = bounds
    result = delta_correlation(x[:, None], z[:, None], lower=lower, upper=upper, coefficient="pearson")
    assert result.value == pytest.approx(plain_products(x, z, lower, upper), nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_over_all_pairs_it_is_the_system_level_correlation(coefficient):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(9, 7)), rng.integers(1, 4, (9, 7)).astype(float)
    x[0, 2], z[3, 3] = NAN, NAN
    expected = correlate(x, z, level="system", coefficient=coefficient).value
    assert delta_correlation(x, z, coefficient=coefficient).value == pytest.approx(expected, abs=1e-12)


def test_between_bounds_by_hand():
    # Means 0 1 3 7 and 2 1 4 9. Pairs at most 3 apart: 12 (1, not alike), 13 (3, alike), 23 (2, alike).
    x, z = column(0, 1, 3, 7), column(2, 1, 4, 9)
    near = delta_correlation(x, z, upper=3)
    assert (near.value, near.pairs, near.lower, near.upper) == (pytest.approx(1 / 3), 3, 0.0, 3.0)
    # Both bounds belong: 3 to 6 are 13 (3), 34 (4) and 24 (6), all alike.
    far = delta_correlation(x, z, lower=3, upper=6)
    assert (far.value, far.pairs) == (1.0, 3)
    # Pearson at most 2 apart: differences -1 -2 and 1 -3: (-1 + 6) / sqrt(5 * 10).
    assert delta_correlation(x, z, upper=2, coefficient="pearson").value == pytest.approx(5 / math.sqrt(50))
    # Spearman there: ranks 1 2 3 4 and 2 1 3 4, differences -1 -1 and 1 -2: (-1 + 2) / sqrt(2 * 5).
    assert delta_correlation(x, z, upper=2, coefficient="spearman").value == pytest.approx(1 / math.sqrt(10))


def test_no_pair_between_the_bounds_is_no_correlation():
    result = delta_correlation(column(0, 1, 3), column(1, 2, 3), lower=10)
    assert (math.isnan(result.value), result.pairs) == (True, 0)
    tied = delta_correlation(column(0, 1, 3), column(1, 1, 3), upper=1)
    assert (math.isnan(tied.value), tied.pairs) == (True, 1)


def test_tables_with_documents_of_their_own():
    # Metric means 2, 5 and 6 (of what there is); human means 3, 1 and 2.
    x = np.array([[1, 2, 3], [5, NAN, 5], [6, 6, 6]])
    z = np.array([[3.0, 3.0], [1.0, 1.0], [2.0, NAN]])
    result = delta_correlation(x, z, paired=False, upper=1)
    assert (result.value, result.pairs) == (1.0, 1)
    assert delta_correlation(x, z, paired=False).value == pytest.approx(-1 / 3)
    with pytest.raises(DataError, match="same summaries"):
        delta_correlation(x, z)


def test_a_system_without_scores_is_left_out():
    result = delta_correlation(column(0, 1, 3, NAN), column(1, 2, 3, 4))
    assert (result.value, result.pairs) == (1.0, 3)


def test_the_curve_by_hand():
    # Distances 1 2 3 4 6 7. 10% of 6 pairs is 1 pair, 50% are 3, 60% are 4 (3.6, rounded up), 100% are 6.
    x, z = column(0, 1, 3, 7), column(2, 1, 4, 9)
    closest_pairs = closest_pairs_curve(x, z, shares=[0.1, 0.5, 0.6, 1])
    assert [point.upper for point in closest_pairs.points] == [1.0, 3.0, 4.0, 7.0]
    assert [point.pairs for point in closest_pairs.points] == [1, 3, 4, 6]
    assert [point.value for point in closest_pairs.points] == pytest.approx([-1.0, 1 / 3, 2 / 4, 4 / 6])
    assert closest_pairs.shares == (0.1, 0.5, 0.6, 1)


def test_pairs_as_far_apart_as_the_last_are_in():
    # Distances 1 1 2: the closest third is both pairs that are 1 apart.
    closest_pairs = closest_pairs_curve(column(0, 1, 2), column(0, 1, 2), shares=[1 / 3, 1])
    assert [point.pairs for point in closest_pairs.points] == [2, 3]


def test_exact_shares_of_pairs_are_not_rounded_up():
    x = np.random.default_rng(0).normal(size=(25, 1))
    assert [point.pairs for point in closest_pairs_curve(x, x).points] == list(range(30, 301, 30))
    # 7% of 300 pairs are 21, although the product is a little above.
    assert 0.07 * 300 > 21
    assert closest_pairs_curve(x, x, shares=[0.07]).points[0].pairs == 21


def test_the_heat_map_by_hand():
    # Distances 1 2 3 4 6 7 of the pairs 12 23 13 34 24 14; all alike but 12. Thirds are 2 pairs each.
    result = pairs_heatmap(column(0, 1, 3, 7), column(2, 1, 4, 9), shares=[1 / 3, 2 / 3, 1], fewest=1)
    np.testing.assert_allclose(result.values, [[0, 0.5, 2 / 3], [NAN, 1, 1], [NAN, NAN, 1]])
    assert result.pairs.tolist() == [[2, 4, 6], [0, 2, 4], [0, 0, 2]]
    assert (result.lower.tolist(), result.upper.tolist()) == ([0, 3, 6], [2, 4, 7])
    # Cells with as many pairs as asked for stay, those with fewer go.
    least = pairs_heatmap(column(0, 1, 3, 7), column(2, 1, 4, 9), shares=[1 / 3, 2 / 3, 1], fewest=4)
    np.testing.assert_allclose(least.values, [[NAN, 0.5, 2 / 3], [NAN, NAN, 1], [NAN, NAN, NAN]])
    assert least.pairs.tolist() == result.pairs.tolist()


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_the_heat_map_is_made_of_correlations_between_bounds(coefficient):
    rng = np.random.default_rng(2)
    x, z = rng.normal(size=(2, 8, 5))
    result = pairs_heatmap(x, z, coefficient=coefficient, fewest=4)
    curve = closest_pairs_curve(x, z, coefficient=coefficient)
    assert result.pairs[0].tolist() == [point.pairs for point in curve.points]
    for row, col in itertools.product(range(10), repeat=2):
        if result.pairs[row, col] < 4:
            assert math.isnan(result.values[row, col])
            continue
        options = {"lower": result.lower[row], "upper": result.upper[col], "coefficient": coefficient}
        cell = delta_correlation(x, z, **options)
        assert (result.values[row, col], result.pairs[row, col]) == (cell.value, cell.pairs)
    # 28 pairs in all; what a row leaves out is what the first row has up to there.
    for row in range(1, 10):
        assert result.pairs[row, 9] == 28 - result.pairs[0, row - 1]


def test_more_shares_than_distances():
    # All distances are 1 or 2 (or 0): from some row on there is no pair left.
    result = pairs_heatmap(column(0, 1, 2), column(0, 1, 2), fewest=1)
    assert result.pairs[9].tolist() == [0] * 10
    assert math.isinf(result.lower[9])


# Intervals.


def plain_bootstrap(x, z, method, correlation, resamples):
    """A percentile interval by loops: draw systems, documents or both, take means, correlate."""
    rng = np.random.default_rng(99)
    results = []
    for _ in range(resamples):
        rows = rng.integers(len(x), size=len(x)) if method != "documents" else np.arange(len(x))
        positions = rng.integers(x.shape[1], size=x.shape[1]) if method != "systems" else np.arange(x.shape[1])
        results.append(correlation(x[rows][:, positions].mean(axis=1), z[rows][:, positions].mean(axis=1)))
    return np.nanquantile(results, [0.05, 0.95])


@pytest.mark.parametrize("method", METHODS)
def test_intervals_come_near_those_of_a_plain_loop(method):
    rng = np.random.default_rng(6)
    quality = rng.normal(size=(8, 1))
    x, z = quality + rng.normal(size=(8, 12)), quality + rng.normal(size=(8, 12))
    result = delta_correlation(
        x, z, lower=0.1, upper=1.5, coefficient="pearson", resamples=4000, method=method, confidence=0.9
    )
    expected = plain_bootstrap(x, z, method, lambda a, b: plain_products(a, b, 0.1, 1.5), 2000)
    # The ends of two intervals from 2,000 draws or more differ by about .01 to .02.
    assert (result.low, result.high) == pytest.approx(tuple(expected), abs=0.06)


def test_spearman_intervals_rank_within_each_resample():
    rng = np.random.default_rng(8)
    x, z = rng.normal(size=(2, 7, 9)) + np.linspace(0, 2, 7)[None, :, None]
    result = delta_correlation(x, z, coefficient="spearman", resamples=2000, confidence=0.9)

    def spearman(a, b):
        return np.corrcoef(rankdata(a), rankdata(b))[0, 1]

    assert (result.low, result.high) == pytest.approx(tuple(plain_bootstrap(x, z, "both", spearman, 1000)), abs=0.06)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_resamples_in_which_a_system_has_no_score(coefficient):
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(2, 6, 5))
    x[0, :4] = NAN
    result = delta_correlation(x, z, coefficient=coefficient, resamples=300, method="documents")
    assert -1 <= result.low < result.value < result.high <= 1


def test_unpaired_documents_are_drawn_by_themselves():
    rng = np.random.default_rng(4)
    quality = np.linspace(0, 3, 8)[:, None]
    x, z = quality + rng.normal(size=(8, 400)), quality + rng.normal(size=(8, 10))
    result = delta_correlation(x, z, paired=False, resamples=500, method="documents")
    assert -1 <= result.low < result.high <= 1
    # With both tables drawn from 10 documents the interval is wider (section 8.3.2).
    few = delta_correlation(x[:, :10], z, paired=False, resamples=500, method="documents")
    assert few.high - few.low > result.high - result.low


def test_intervals_only_on_request_and_always_the_same():
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 10, 8))
    plain = closest_pairs_curve(x, z, coefficient="pearson")
    assert all(math.isnan(point.low) and math.isnan(point.high) for point in plain.points)
    once = closest_pairs_curve(x, z, coefficient="pearson", resamples=300)
    assert once == closest_pairs_curve(x, z, coefficient="pearson", resamples=300)
    assert once != closest_pairs_curve(x, z, coefficient="pearson", resamples=300, seed=1)
    assert [point.value for point in once.points] == [point.value for point in plain.points]
    heat = pairs_heatmap(x, z, coefficient="pearson", resamples=300)
    assert (heat.low[0, 9], heat.high[0, 9]) == (once.points[9].low, once.points[9].high)


@pytest.mark.parametrize(
    ("call", "options", "message"),
    [
        (delta_correlation, {"lower": 2, "upper": 1}, "0 <= lower <= upper, not 2 and 1"),
        (delta_correlation, {"lower": -1}, "0 <= lower"),
        (delta_correlation, {"upper": NAN}, "0 <= lower"),
        (delta_correlation, {"coefficient": "kendal"}, "did you mean kendall"),
        (delta_correlation, {"coefficient": "kendall-c"}, "one of pearson, spearman, kendall"),
        (delta_correlation, {"resamples": 10, "method": "document"}, "did you mean documents"),
        (delta_correlation, {"resamples": 10, "confidence": 95}, "between 0 and 1"),
        (delta_correlation, {"resamples": -1}, "resamples must be at least 1"),
        (closest_pairs_curve, {"shares": []}, "shares of pairs rise"),
        (closest_pairs_curve, {"shares": [0.5, 1.5]}, "at most 1"),
        (closest_pairs_curve, {"shares": [0.5, 0.2]}, "rise"),
        (pairs_heatmap, {"shares": [0, 1]}, "above 0"),
    ],
)
def test_mistakes_are_named(call, options, message):
    with pytest.raises(GistmeterError, match=message):
        call(column(0, 1, 3), column(0, 1, 3), **options)


def test_two_systems_are_too_few():
    with pytest.raises(DataError, match="at least 3 systems with scores in both tables, not 2"):
        delta_correlation(column(0, 1, NAN), column(0, 1, 2))


@pytest.mark.data
@pytest.mark.parametrize(
    ("matrix", "metric", "human", "pairs", "closest", "overall"),
    [
        ("summeval", "reex_ROUGE-1", "expert_relevance", 120, 0.33, 0.50),
        ("summeval", "reex_BERTScore", "expert_relevance", 120, 0.25, 0.75),
        ("summeval", "reex_QAEval", "expert_relevance", 120, 0.25, 0.77),
        ("realsumm24", "reex_ROUGE-1", "litepyramid_recall", 276, 0.25, 0.75),
        ("realsumm24", "reex_QAEval", "litepyramid_recall", 276, 0.14, 0.72),
    ],
)
def test_close_systems_are_hard_to_rank(data, matrix, metric, human, pairs, closest, overall):
    """Deutsch (2022), Fig. 34, as measured on the judged documents: tau on the closest fifth and on all pairs.

    The figure itself has the metrics on the whole test set (.08, .42 and .42 against .45, .77 and .75 on
    SummEval), whose scores are not to be had.
    """
    with gzip.open(data / f"matrices/{matrix}.json.gz") as file:
        scores = json.load(file)["scores"]
    curve = closest_pairs_curve(*(np.array(scores[name], dtype=float) for name in (metric, human)))
    assert curve.points[-1].pairs == pairs
    assert curve.points[1].value == pytest.approx(closest, abs=0.0051)
    assert curve.points[-1].value == pytest.approx(overall, abs=0.0051)
