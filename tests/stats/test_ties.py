"""Ties: whole numbers divided by 3, 5 or 7 must give what the whole numbers give, whose sums are exact."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gistmeter import meta, stats
from gistmeter.errors import DataError
from gistmeter.stats.planning.pilot import make_pilot
from gistmeter.stats.tables import system_means
from gistmeter.stats.ties import snap_ties, tie_width

COEFFICIENTS = ("pearson", "spearman", "kendall", "kendall-c")
LEVELS = ("system", "summary", "pooled", "per-system")
MISSING = -9


@st.composite
def divided_tables(draw, tables=3):
    """Tables of small whole numbers with gaps, and the same divided by 3, 5 or 7, each by its own."""
    shape = draw(st.integers(4, 6)), draw(st.integers(3, 7))
    cells = st.sampled_from([0, 1, 2, 3, 5, 6, MISSING] if draw(st.booleans()) else [0, 1, 2, 3])
    whole = [draw(hnp.arrays(np.int64, shape, elements=cells)).astype(float) for _ in range(tables)]
    whole = [np.where(table == MISSING, np.nan, table) for table in whole]
    divisors = [draw(st.sampled_from([3, 5, 7])) for _ in whole]
    return whole, [table / divisor for table, divisor in zip(whole, divisors, strict=True)]


def outcome(function, *tables, **options):
    """What a function gives, or None where it refuses the tables."""
    try:
        return function(*tables, **options)
    except DataError:
        return None


def assert_same(whole, divided, *fields):
    """Two results have the same fields but for rounding, or there are none of either."""
    assert (whole is None) == (divided is None)
    for field in fields if whole is not None else ():
        np.testing.assert_allclose(getattr(divided, field), getattr(whole, field), rtol=0, atol=1e-9, err_msg=field)


def test_equal_totals_of_thirds_tie():
    # 1/3 + 1/3 + 5/3 and 2/3 + 2/3 + 1 are both 7/3, but the sums of their floats are not the same float.
    thirds = np.array([[1, 1, 5], [2, 2, 3], [0, 3, 4], [7, 1, 1]]) / 3
    first, second, third, last = (math.fsum(row) / 3 for row in thirds)
    assert len({first, second, third}) > 1
    means = system_means(thirds)
    assert means[0] == means[1] == means[2] < means[3] == last


def test_ties_are_made_equal_by_hand():
    values = np.array([[0.3, 0.1 + 0.2, 0.1, np.nan], [2.0, 1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(snap_ties(values, 1e-12), [[0.3, 0.3, 0.1, np.nan], [2, 1, 2, 3]])
    np.testing.assert_array_equal(snap_ties(values, 0.0), values)
    assert tie_width(values, np.array([-50.0])) == 5e-11
    assert tie_width(np.array([np.nan])) == 0


def exact_kendall(x, z):
    """Tau-b of the means of systems in fractions; None when a side ties all of them."""
    pairs = []
    for table in (x, z):
        means = [[Fraction(int(value)) for value in row if not math.isnan(value)] for row in table]
        pairs.append([sum(row) / len(row) for row in means if row])
    signs = [[(a > b) - (a < b) for a, b in itertools.combinations(means, 2)] for means in pairs]
    untied = [sum(map(abs, side)) for side in signs]
    if not all(untied):
        return None
    return sum(a * b for a, b in zip(*signs, strict=True)) / math.sqrt(untied[0] * untied[1])


@given(tables=divided_tables(tables=2))
def test_system_level_correlations_are_those_of_fractions(tables):
    (x, z), divided = tables
    gaps = np.isnan(x) | np.isnan(z)
    expected = exact_kendall(np.where(gaps, np.nan, x), np.where(gaps, np.nan, z))
    result = outcome(stats.correlate, *divided, level="system", coefficient="kendall")
    assert (result is None) == (expected is None)
    if result:
        assert result.value == pytest.approx(expected, abs=1e-12)
        # Without ties by people, an accuracy and tau-b are the same; with them they agree on who is tied.
        accuracy = outcome(stats.pairwise_accuracy, *divided)
        assert accuracy.undecided == outcome(stats.pairwise_accuracy, x, z).undecided


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    tables=divided_tables(),
    level=st.sampled_from(LEVELS),
    swapping=st.sampled_from(["systems", "documents", "both", "crossed"]),
    resampling=st.sampled_from(["systems", "documents", "both"]),
)
def test_correlations_and_tests_are_those_of_whole_numbers(coefficient, tables, level, swapping, resampling):
    options = {"level": level, "coefficient": coefficient}
    swaps = {**options, "method": swapping, "permutations": 30}
    resamples = {**options, "method": resampling, "resamples": 30}
    assert_same(*(outcome(stats.correlate, *trio[:2], **options) for trio in tables), "value", "used", "undefined")
    tested = ("statistic", "pvalue", "undefined")
    assert_same(*(outcome(stats.permutation_test, *trio, **swaps) for trio in tables), *tested)
    assert_same(*(outcome(stats.bootstrap_test, *trio, **resamples) for trio in tables), *tested)
    assert_same(*(outcome(stats.bootstrap, *trio[:2], **resamples) for trio in tables), "low", "high", "undefined")
    assert_same(*(outcome(stats.williams_test, *trio, **options) for trio in tables), "pvalue")


@given(tables=divided_tables(tables=2))
def test_pairs_are_those_of_whole_numbers(tables):
    for significant_only in (False, True):
        assert_same(
            *(
                outcome(stats.pairwise_accuracy, *pair, significant_only=significant_only, permutations=50)
                for pair in tables
            ),
            "value",
            "tied",
            "undecided",
            "insignificant",
        )
    for level in LEVELS:
        assert_same(
            *(outcome(stats.tied_accuracy, *pair, level=level) for pair in tables), "value", "uncalibrated", "pairs"
        )
    assert_same(*(outcome(stats.soft_accuracy, *pair, permutations=50) for pair in tables), "value")
    for coefficient in ("pearson", "spearman", "kendall"):
        curves = [outcome(stats.closest_pairs_curve, *pair, coefficient=coefficient, resamples=20) for pair in tables]
        if all(curves):
            for whole, divided in zip(*(curve.points for curve in curves), strict=True):
                assert_same(whole, divided, "pairs", "value", "low", "high")


@given(tables=divided_tables(tables=1))
def test_rankings_are_as_stable_as_those_of_whole_numbers(tables):
    (whole,), (divided,) = tables
    assume(not np.isnan(whole).all(axis=1).any())
    results = [outcome(stats.ranking_stability, table, sizes=[3, 9], trials=20) for table in (whole, divided)]
    if all(results):
        for expected, point in zip(*(result.points for result in results), strict=True):
            assert_same(expected, point, "mean", "deviation", "undefined")


def test_a_plan_sees_the_ties_of_whole_numbers():
    rng = np.random.default_rng(3)
    x, z = rng.integers(0, 4, (2, 8, 9)).astype(float)
    samples = []
    for divisor in (1, 3, 7):
        pilot = make_pilot(
            x / divisor,
            (),
            z / divisor,
            unit="documents",
            level="system",
            coefficient="kendall",
            method="both",
            undefined="drop",
        )
        samples.append(pilot.draw_correlations(9, 200, np.random.default_rng(1))[0])
    np.testing.assert_allclose(samples[1:], [samples[0]] * 2, rtol=0, atol=1e-12)


def test_questions_about_one_study_see_the_same_ties():
    """The correlation of systems, the accuracy of pairs and the curve over all pairs rest on the same ties."""
    rng = np.random.default_rng(8)
    compared = 0
    for _ in range(40):
        x, z = (rng.integers(0, 3, (2, 6, 8)) + rng.integers(0, 3, (2, 6, 1))) / 3
        study = meta.Study.from_tables({"metric": x, "rated": z}, aspects=["rated"])
        try:
            [row] = meta.pairs(study, permutations=99).rows
        except DataError:  # people tell no two systems apart
            continue
        compared += 1
        [correlation] = meta.correlate(study, level="system", coefficient="kendall").rows
        assert row.closest.points[-1].value == pytest.approx(correlation.correlation.value, nan_ok=True)
        totals = (np.round(3 * table.sum(axis=1)) for table in (x, z))
        tied_by_metric, tied_by_people = (
            sum(first == second for first, second in itertools.combinations(side, 2)) for side in totals
        )
        assert row.accuracy.undecided == tied_by_people
        assert row.accuracy.tied <= tied_by_metric
    assert compared > 20


def test_values_just_as_far_apart_as_the_width_tie():
    assert snap_ties(np.array([1.0, 0.0, 2.5]), 1.0).tolist() == [0.0, 0.0, 2.5]
