"""Bootstrap intervals and permutation tests of pooled scores."""

from __future__ import annotations

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gistmeter.errors import GistmeterError
from gistmeter.stats import bootstrap_difference, bootstrap_interval, pairwise_pvalues, permutation_pvalue, ratio
from gistmeter.stats.resampling import draws


def mean_parts(scores):
    """The parts of a mean: the score and 1, or twice 0 where it is missing."""
    scores = np.asarray(scores, dtype=float)
    present = ~np.isnan(scores)
    return np.stack([np.where(present, scores, 0.0), present.astype(float)], axis=-1)


def geometric(sums):
    """A pool that is not a mean: the geometric mean of two ratios."""
    return np.sqrt((sums[..., 0] / sums[..., 2]) * (sums[..., 1] / sums[..., 2]))


def exact_pvalue(a, b, pool):
    """The share of all 2^D ways to swap that are at least as extreme."""
    observed = abs(pool(a.sum(axis=0)) - pool(b.sum(axis=0)))
    extreme = 0
    for swap in itertools.product([False, True], repeat=len(a)):
        chosen = np.array(swap)[:, None]
        first, second = np.where(chosen, b, a), np.where(chosen, a, b)
        extreme += abs(pool(first.sum(axis=0)) - pool(second.sum(axis=0))) >= observed - 1e-12
    return extreme / 2 ** len(a)


SCORES = hnp.arrays(np.float64, st.tuples(st.just(2), st.integers(1, 6)), elements=st.integers(0, 4))


@settings(max_examples=25, deadline=None)
@given(SCORES)
def test_permutation_approaches_the_exact_test(scores):
    a, b = mean_parts(scores)
    exact = exact_pvalue(a, b, ratio)
    # With 20,000 draws of at most 64 ways to swap, not even the worst choice of ways is off by 0.03.
    assert permutation_pvalue(a, b, ratio, permutations=20_000) == pytest.approx(exact, abs=0.03)


def test_permutation_of_a_pool_that_is_not_a_mean():
    rng = np.random.default_rng(1)
    a, b = rng.integers(1, 9, size=(2, 8, 3)).astype(float)
    exact = exact_pvalue(a, b, geometric)
    assert 0.05 < exact < 0.95
    assert permutation_pvalue(a, b, geometric, permutations=20_000) == pytest.approx(exact, abs=0.02)


def test_ratio_of_nothing_is_missing():
    # Not infinite, even if rounding left a trace of a score.
    np.testing.assert_array_equal(ratio(np.array([[0.0, 0.0], [1e-17, 0.0], [1.0, 2.0]])), [np.nan, np.nan, 0.5])


@pytest.mark.parametrize("scale", [0.1, 1e7 / 3])
def test_permutation_counts_ties_despite_rounding(scale):
    whole = np.array([[6.0, 3, 5, 1, 8, 4], [8.0, 7, 7, 2, 7, 0]])
    # Exact with whole numbers; with tenths, 8 % of the permutations tie only within a rounding error.
    exact = permutation_pvalue(*mean_parts(whole), ratio, permutations=9999)
    assert permutation_pvalue(*mean_parts(whole * scale), ratio, permutations=9999) == exact
    assert exact == pytest.approx(exact_pvalue(*mean_parts(whole), ratio), abs=0.02)


def test_permutation_extremes():
    scores = np.linspace(0.1, 0.9, 40)
    same = mean_parts(scores)
    assert permutation_pvalue(same, same, ratio) == 1.0
    # Only swapping all or none of 40 documents reaches the observed difference: (0 + 1) / (999 + 1).
    better = mean_parts(scores + 0.5)
    assert permutation_pvalue(better, same, ratio, permutations=999) == 1 / 1000


def test_permutation_is_symmetric_and_seeded():
    rng = np.random.default_rng(2)
    a, b = mean_parts(rng.normal(size=(2, 30)))
    value = permutation_pvalue(a, b, ratio, seed=5)
    assert value == permutation_pvalue(b, a, ratio, seed=5)
    assert len({permutation_pvalue(a, b, ratio, seed=seed) for seed in range(10)}) > 1


def test_pairs_are_tested_on_the_documents_they_share():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(4, 9))
    scores[1] += 0.8
    scores[0, 3:5], scores[2, 0] = np.nan, np.nan
    values = pairwise_pvalues(mean_parts(scores), ratio, permutations=20_000)
    for i, j in itertools.combinations(range(4), 2):
        shared = ~np.isnan(scores[i] + scores[j])
        exact = exact_pvalue(mean_parts(scores[i, shared]), mean_parts(scores[j, shared]), ratio)
        assert values[i, j] == values[j, i] == pytest.approx(exact, abs=0.02)
    assert np.isnan(np.diag(values)).all()


def test_pairs_without_a_shared_document_are_not_tested():
    values = pairwise_pvalues(mean_parts([[1.0, np.nan], [np.nan, 1.0], [1.0, 2.0]]), ratio)
    assert math.isnan(values[0, 1])
    assert not math.isnan(values[0, 2])
    assert np.isnan(pairwise_pvalues(mean_parts([[1.0, 2.0]]), ratio)).tolist() == [[True]]


def test_permutations_without_a_score_count_against_the_difference():
    def undefined_when_swapped(sums):
        return np.where(sums[..., 0] == 6.0, 1.0, np.where(sums[..., 0] == 0.0, 0.0, np.nan))

    # a sums to 6 and b to 0 only if all or none are swapped; all other permutations have no score.
    a, b = np.array([[1.0], [2.0], [3.0]]), np.zeros((3, 1))
    assert permutation_pvalue(a, b, undefined_when_swapped) == 1.0


@pytest.mark.parametrize("cells", [64, 1000])
def test_blocks_do_not_change_the_distribution(cells, monkeypatch):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 50))
    scores[1] += 0.4
    scores[2, 7] = np.nan
    parts = mean_parts(scores)
    whole = (
        bootstrap_interval(parts, ratio, resamples=4000),
        pairwise_pvalues(parts, ratio, permutations=4000),
    )
    monkeypatch.setattr(draws, "MAX_CELLS", cells)
    blocks = (
        bootstrap_interval(parts, ratio, resamples=4000),
        pairwise_pvalues(parts, ratio, permutations=4000),
    )
    np.testing.assert_allclose(blocks[0].low, whole[0].low, atol=0.03)
    np.testing.assert_allclose(blocks[0].high, whole[0].high, atol=0.03)
    np.testing.assert_allclose(blocks[1], whole[1], atol=0.03)


def test_resamples_are_multinomial(monkeypatch):
    monkeypatch.setattr(draws, "MAX_CELLS", 3 * 20_000)
    rng = np.random.default_rng(0)
    drawn = list(draws.draw_resamples(8, 20_000, 1, rng))
    assert [block.stop - block.start for block, _ in drawn] == [3, 3, 2]
    weights = np.hstack([block_weights for _, block_weights in drawn])
    assert (weights.sum(axis=1) == 8).all()
    # Multinomial(8, 1/8): mean 1, variance 8 * 1/8 * 7/8, covariance -8 * 1/8 * 1/8, across blocks too.
    np.testing.assert_allclose(weights.mean(axis=0), 1.0, atol=0.03)
    expected = np.full((8, 8), -1 / 8) + np.eye(8)
    np.testing.assert_allclose(np.cov(weights.T), expected, atol=0.05)


def test_swaps_are_fair_coins(monkeypatch):
    monkeypatch.setattr(draws, "MAX_CELLS", 3 * 20_000)
    drawn = list(draws.draw_swaps(8, 20_000, 1, np.random.default_rng(0)))
    swapped = np.hstack([block for _, block in drawn])
    assert len(drawn) == 3
    assert set(np.unique(swapped)) == {0.0, 1.0}
    np.testing.assert_allclose(np.cov(swapped.T), np.eye(8) / 4, atol=0.02)


def test_bootstrap_interval_by_hand():
    # Two documents, 0 and 1: a resample has mean 0, 1/2, 1 with shares 1/4, 1/2, 1/4, so the middle 40 % are
    # all 1/2 and the middle 80 % reach from 0 to 1. A constant system has no spread.
    parts = mean_parts([[0.0, 1.0], [0.3, 0.3]])
    middle = bootstrap_interval(parts, ratio, confidence=0.4)
    np.testing.assert_allclose([middle.value, middle.low, middle.high], [[0.5, 0.3]] * 3)
    wide = bootstrap_interval(parts, ratio, confidence=0.8)
    np.testing.assert_allclose([wide.low, wide.high], [[0.0, 0.3], [1.0, 0.3]])


def test_bootstrap_interval_has_the_width_of_theory():
    # The standard error of a mean of 400 is sd/20: the 95 % interval is about 2 * 1.96 * sd/20 wide.
    scores = np.random.default_rng(0).normal(size=(1, 400))
    intervals = bootstrap_interval(mean_parts(scores), ratio, resamples=4000)
    assert (intervals.high - intervals.low)[0] == pytest.approx(2 * 1.96 * scores.std() / 20, rel=0.05)
    assert intervals.value[0] == pytest.approx(scores.mean())


def test_bootstrap_takes_the_same_documents_for_all_systems():
    scores = np.random.default_rng(0).normal(size=50)
    parts = mean_parts([scores, scores + 0.25])
    systems = bootstrap_interval(parts, ratio)
    np.testing.assert_allclose(systems.low[1] - systems.low[0], 0.25)
    # So a constant difference has no spread at all.
    pair = bootstrap_difference(parts[1], parts[0], ratio)
    assert (pair.value, pair.low, pair.high) == pytest.approx((0.25, 0.25, 0.25))


def test_bootstrap_difference_by_hand():
    # Differences 0 and 1 for the two documents: the shares 1/4, 1/2, 1/4 again; b less a is the mirror image.
    a, b = mean_parts([[0.5, 1.5], [0.5, 0.5]])
    wide = bootstrap_difference(a, b, ratio, confidence=0.8)
    assert (wide.value, wide.low, wide.high) == pytest.approx((0.5, 0.0, 1.0))
    mirror = bootstrap_difference(b, a, ratio, confidence=0.8)
    assert (mirror.value, mirror.low, mirror.high) == pytest.approx((-0.5, -1.0, 0.0))


def test_bootstrap_leaves_out_resamples_without_a_score():
    parts = mean_parts([[0.4, np.nan, np.nan], [np.nan] * 3])
    intervals = bootstrap_interval(parts, ratio)
    # Resamples without the first document (8/27 of them) have no score; the others are all 0.4.
    np.testing.assert_allclose([intervals.value, intervals.low, intervals.high], [[0.4, np.nan]] * 3)


def test_bootstrap_is_seeded():
    parts = mean_parts(np.random.default_rng(0).normal(size=(1, 30)))
    assert bootstrap_interval(parts, ratio, seed=1).low == bootstrap_interval(parts, ratio, seed=1).low
    assert bootstrap_interval(parts, ratio, seed=1).low != bootstrap_interval(parts, ratio, seed=2).low


def test_memory_is_bounded():
    scores = np.random.default_rng(0).random((2, 100_000))
    parts = mean_parts(scores)
    tracemalloc.start()
    try:
        bootstrap_interval(parts, ratio, resamples=50)
        pairwise_pvalues(parts, ratio, permutations=200)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # All 200 x 100,000 swaps at once would take 160 MB.
    assert peak < 64e6


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval(np.ones((2, 3)), ratio), "2 dimensions"),
        (lambda: bootstrap_interval(np.ones((2, 0, 2)), ratio), "nothing to resample"),
        (lambda: bootstrap_interval(np.full((1, 2, 2), np.nan), ratio), "finite"),
        (lambda: bootstrap_interval(np.ones((1, 2, 2)), ratio, confidence=95), "such as 0.95"),
        (lambda: bootstrap_interval(np.ones((1, 2, 2)), ratio, resamples=0), "resamples must be at least 1"),
        (lambda: permutation_pvalue(np.ones((2, 2)), np.ones((3, 2)), ratio), "same documents"),
        (lambda: permutation_pvalue(np.ones((2, 2)), np.ones((2, 2)), ratio, permutations=0), "1 or more"),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(GistmeterError, match=message):
        call()


@pytest.mark.slow
def test_the_permutation_test_rejects_5_percent_of_nulls():
    rng = np.random.default_rng(7)
    trials = 4000
    document = rng.normal(size=(trials, 1, 40))
    scores = document + rng.exponential(size=(trials, 2, 40))
    pvalues = [
        permutation_pvalue(*mean_parts(pair), ratio, permutations=399, seed=trial) for trial, pair in enumerate(scores)
    ]
    # 5 % of 4,000 has a standard error of 0.34 %; four of them.
    assert np.mean(np.array(pvalues) <= 0.05) == pytest.approx(0.05, abs=0.014)
    # And it does find a difference that is there: 0.5 of about one standard deviation in 40 pairs.
    moved = scores + np.array([[0.7], [0.0]])
    values = [permutation_pvalue(*mean_parts(pair), ratio, permutations=399) for pair in moved[:200]]
    assert np.mean(np.array(values) <= 0.05) > 0.7
