"""Pairwise accuracies: plain, with ties, and soft, against hand computations and plain loops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gistmeter.errors import DataError, GistmeterError
from gistmeter.stats import correlate
from gistmeter.stats.pairwise import accuracy as module
from gistmeter.stats.pairwise.accuracy import pairwise_accuracy, tied_accuracy
from gistmeter.stats.pairwise.soft_accuracy import soft_accuracy
from gistmeter.stats.resampling import draws

NAN = math.nan
LEVELS = ["system", "summary", "pooled", "per-system"]

# A few values whose sums are exact, so that ties and gaps are common and mean the same to the loops below.
MAX_CELLS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0, NAN])


@st.composite
def tables(draw, cells=MAX_CELLS, most_documents=5):
    shape = draw(st.integers(2, 5)), draw(st.integers(1, most_documents))
    return tuple(draw(hnp.arrays(np.float64, shape, elements=cells)) for _ in range(2))


def shared(x, z):
    """Both tables with NaN where either has it."""
    gaps = np.isnan(x) | np.isnan(z)
    return np.where(gaps, NAN, x), np.where(gaps, NAN, z)


def sign(value):
    return int(value > 0) - int(value < 0)


# Pairs of systems.


def plain_means(x, z):
    """The means of the systems that have any, as pairs (metric, human)."""
    x, z = shared(x, z)
    defined = [i for i in range(len(x)) if not np.isnan(x[i]).all()]
    return [(np.nanmean(x[i]), np.nanmean(z[i])) for i in defined]


@given(tables())
def test_pairwise_accuracy_equals_counting(pair):
    means = [tuple(round(value, 9) for value in both) for both in plain_means(*pair)]
    counted = [(sign(a[0] - b[0]), sign(a[1] - b[1])) for a, b in itertools.combinations(means, 2)]
    decided = [(metric, human) for metric, human in counted if human]
    if not decided:
        with pytest.raises(DataError):
            pairwise_accuracy(*pair)
        return
    accuracy = pairwise_accuracy(*pair)
    agreeing = sum(metric == human for metric, human in decided)
    assert (accuracy.pairs, accuracy.agreeing, accuracy.undecided) == (
        len(decided),
        agreeing,
        len(counted) - len(decided),
    )
    assert accuracy.tied == sum(metric == 0 for metric, _ in decided)
    assert accuracy.value == agreeing / len(decided)
    assert (accuracy.insignificant, accuracy.missing) == (0, np.isnan(pair[0] + pair[1]).sum())


def test_pairwise_accuracy_by_hand():
    # Means of x: 1 1 2 3; of z: 1 2 2 0. Pairs 12: the metric ties (wrong), 13: alike, 14: not, 23: people tie
    # (left out), 24: not, 34: not. So 1 of 5.
    accuracy = pairwise_accuracy([[1], [1], [2], [3]], [[1], [2], [2], [0]])
    assert (accuracy.value, accuracy.pairs, accuracy.agreeing, accuracy.tied, accuracy.undecided) == (0.2, 5, 1, 1, 1)


def test_without_ties_it_is_kendall_on_another_scale():
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, 9, 4))
    tau = correlate(x, z, level="system", coefficient="kendall").value
    assert pairwise_accuracy(x, z).value == pytest.approx((tau + 1) / 2)


def test_means_that_differ_by_rounding_tie():
    # 3/3 + 5/3 and 4/3 + 4/3 are the same (means of three raters often are), but not in floating point.
    z = np.array([[3 / 3, 5 / 3], [4 / 3, 4 / 3], [1.0, 1.0]])
    assert math.fsum(z[0]) != math.fsum(z[1])
    accuracy = pairwise_accuracy([[1], [2], [0]] * np.ones((3, 2)), z)
    assert (accuracy.undecided, accuracy.pairs, accuracy.value) == (1, 2, 1.0)


def test_significant_pairs_by_hand():
    human = np.array([[5.0] * 6, [4.0] * 6, [4, 4, 4, 4, 4, 5]])
    # First less second is 1 on all 6 documents: 2 of 64 ways to swap are as extreme, p = .03125. First less third
    # is 1 on five of them and 0 on one: 2 of 32 ways, p = .0625. Second less third: p = 1. The metric has the
    # second of these pairs wrong.
    metric = np.array([[2.0] * 6, [1.0] * 6, [3.0] * 6])
    assert pairwise_accuracy(metric, human).value == pytest.approx(2 / 3)
    strict = pairwise_accuracy(metric, human, significant_only=True)
    assert (strict.value, strict.pairs, strict.insignificant) == (1.0, 1, 2)
    loose = pairwise_accuracy(metric, human, significant_only=True, alpha=0.07)
    assert (loose.value, loose.pairs, loose.insignificant) == (0.5, 2, 1)


def test_a_tie_is_left_out_even_if_people_differ_on_shared_documents():
    # On the six documents they share the first two systems differ by 1 (p = 2 / 64), but each has one more
    # document, and with it both means are 30 / 7.
    human = np.array([[5.0] * 6 + [0, NAN], [4.0] * 6 + [NAN, 6], [0.0] * 8])
    metric = np.where(np.isnan(human), NAN, [[3.0], [2.0], [1.0]])
    accuracy = pairwise_accuracy(metric, human, significant_only=True)
    assert (accuracy.undecided, accuracy.pairs, accuracy.insignificant) == (1, 2, 0)


def exact_pvalue(a, b):
    """The share of all ways to swap two systems' documents that give as large a difference of means."""
    apart = (a - b)[~np.isnan(a - b)]
    sums = [
        abs(sum(s * d for s, d in zip(signs, apart, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(apart))
    ]
    return np.mean([value >= abs(apart.sum()) - 1e-9 for value in sums])


@given(tables(most_documents=9), st.sampled_from([0.05, 0.3, 0.6]))
def test_significant_pairs_are_those_of_the_exact_test(pair, alpha):
    x, z = shared(*pair)
    defined = ~np.isnan(x).all(axis=1)
    x, z = x[defined], z[defined]
    retained = []
    for i, j in itertools.combinations(range(len(x)), 2):
        apart = round(np.nanmean(z[i]) - np.nanmean(z[j]), 9)
        met = not np.isnan(z[i] + z[j]).all()
        if apart and met and exact_pvalue(z[i], z[j]) <= alpha:
            retained.append(sign(round(np.nanmean(x[i]) - np.nanmean(x[j]), 9)) == sign(apart))
    if not retained:
        with pytest.raises(DataError):
            pairwise_accuracy(*pair, significant_only=True, alpha=alpha)
        return
    accuracy = pairwise_accuracy(*pair, significant_only=True, alpha=alpha)
    assert (accuracy.pairs, accuracy.agreeing) == (len(retained), sum(retained))


def test_many_documents_are_tested_by_random_permutations():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(6, 40)) + np.array([[0], [0], [0], [0], [2], [4]])
    x = np.arange(6.0)[:, None] * np.ones((1, 40))
    accuracy = pairwise_accuracy(x, z, significant_only=True, alpha=0.001, permutations=2000)
    # The last two stand far above the rest and each other; by chance no two of the others come so far apart.
    assert (accuracy.pairs, accuracy.value) == (9, 1.0)
    assert accuracy == pairwise_accuracy(x, z, significant_only=True, alpha=0.001, permutations=2000)


# Pairs of summaries, with ties.


def plain_groups(x, z, level):
    """The groups of (metric, human) scores in which all are compared with all."""
    x, z = shared(x, z)
    if level == "system":
        return [plain_means(x, z)]
    if level == "summary":
        x, z = x.T, z.T
    if level == "pooled":
        x, z = x.reshape(1, -1), z.reshape(1, -1)
    return [[(a, b) for a, b in zip(*rows, strict=True) if not math.isnan(a)] for rows in zip(x, z, strict=True)]


def plain_tied_accuracy(groups, epsilon):
    """acc_eq by its definition: the mean over groups of the share of pairs on which the two agree."""
    shares = []
    for group in groups:
        right = []
        for (x1, z1), (x2, z2) in itertools.combinations(group, 2):
            metric = 0 if abs(x1 - x2) <= epsilon + 1e-12 else sign(x1 - x2)
            human = 0 if abs(z1 - z2) <= 1e-12 else sign(z1 - z2)
            right.append(metric == human)
        if right:
            shares.append(np.mean(right))
    return np.mean(shares) if shares else None


@pytest.mark.parametrize("level", LEVELS)
@given(pair=tables())
def test_tied_accuracy_is_the_best_of_all_thresholds(level, pair):
    groups = plain_groups(*pair, level)
    if plain_tied_accuracy(groups, 0.0) is None:
        with pytest.raises(DataError):
            tied_accuracy(*pair, level=level)
        return
    gaps = [abs(a[0] - b[0]) for group in groups for a, b in itertools.combinations(group, 2)]
    tried = [(plain_tied_accuracy(groups, epsilon), epsilon) for epsilon in sorted({0.0, *gaps})]
    best = max(value for value, _ in tried)
    result = tied_accuracy(*pair, level=level)
    assert result.value == pytest.approx(best, abs=1e-9)
    assert result.epsilon == pytest.approx(next(eps for value, eps in tried if value > best - 1e-9), abs=1e-9)
    assert result.uncalibrated == pytest.approx(tried[0][0], abs=1e-9)
    assert result.pairs == len(gaps)
    assert result.groups == sum(len(group) > 1 for group in groups)


@given(pair=tables(), epsilon=st.sampled_from([0.0, 0.1, 0.25, 0.6, 10.0]))
def test_a_given_threshold_is_used(pair, epsilon):
    expected = plain_tied_accuracy(plain_groups(*pair, "summary"), epsilon)
    assume(expected is not None)
    result = tied_accuracy(*pair, epsilon=epsilon)
    assert (result.value, result.epsilon) == (pytest.approx(expected, abs=1e-9), epsilon)


def test_tied_accuracy_by_hand():
    # Document 1: metric 0 1 3, human 1 1 2; pairs 12 13 23 differ by 1 3 2, and people say = < <.
    # Document 2: metric 0 2 9, human 1 2 2; pairs differ by 2 9 7, and people say < < =.
    # epsilon 0: 2 of 3 and 2 of 3. 1: 3 of 3 and 2 of 3. 2: 2 and 1. 3: 1 and 1. 7: 1 and 2. 9: 1 and 1.
    x, z = np.array([[0, 0], [1, 2], [3, 9.0]]), np.array([[1, 1], [1, 2], [2, 2.0]])
    result = tied_accuracy(x, z)
    assert (result.value, result.epsilon, result.uncalibrated) == (pytest.approx(5 / 6), 1.0, pytest.approx(4 / 6))
    assert tied_accuracy(x, z, epsilon=2).value == pytest.approx(3 / 6)
    # Pooled, the scores 0 0 1 2 3 9 with 1 1 1 2 2 2: as they are, 10 of 15 pairs are right (00 is tied in both;
    # the 9 pairs of a 1 and a 2 are in order; the 2 that pair 0 with 1, and the 3 among 2 3 9, are not tied).
    # With epsilon 1 the two 0-1 and 2-3 become right, but 1-2 wrong: 10 + 3 - 1 = 12.
    pooled = tied_accuracy(x, z, level="pooled")
    assert (pooled.value, pooled.epsilon, pooled.uncalibrated) == (pytest.approx(12 / 15), 1.0, pytest.approx(10 / 15))


def test_a_threshold_fits_the_data_it_was_made_on():
    rng = np.random.default_rng(5)
    x, z = rng.normal(size=(6, 30)), rng.integers(1, 4, (6, 30)).astype(float)
    result = tied_accuracy(x, z)
    assert result.epsilon > 0
    assert result.value > result.uncalibrated
    assert tied_accuracy(x, z, epsilon=result.epsilon).value == result.value
    assert tied_accuracy(x, z, epsilon=result.epsilon * 0.99).value < result.value


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_MAX_PAIRS", 10)
    x = np.arange(6.0).reshape(3, 2)
    assert tied_accuracy(x, x).pairs == 6
    with pytest.raises(DataError, match="at the pooled level there are 15 pairs"):
        tied_accuracy(x, x, level="pooled")


# Pairs of systems, softly.


def plain_soft_accuracy(x, z, ways, ties):
    """1 less the mean difference of the two one-sided p-values, by loops over the given ways to swap."""
    x, z = shared(x, z)
    errors = []
    for i, j in itertools.combinations(range(len(x)), 2):
        met = ~np.isnan(x[i] + x[j])
        if not met.any():
            continue
        pvalues = []
        for table in (x, z):
            apart = (table[i] - table[j])[met]
            count = 0.0
            for way in ways:
                drawn = sum(-d if swap else d for swap, d in zip(np.asarray(way)[met], apart, strict=True))
                gap = drawn - apart.sum()
                count += 1.0 if gap > 1e-9 else 0.0 if gap < -1e-9 else 0.5 if ties == "half" else 1.0
            pvalues.append(count / len(ways))
        errors.append(abs(pvalues[0] - pvalues[1]))
    return 1 - np.mean(errors) if errors else None


@pytest.mark.parametrize("ties", ["count", "half"])
@given(pair=tables())
def test_soft_accuracy_of_all_ways_to_swap(ties, pair):
    ways = list(itertools.product((0, 1), repeat=pair[0].shape[1]))
    expected = plain_soft_accuracy(*pair, ways, ties)
    if expected is None:
        with pytest.raises(DataError):
            soft_accuracy(*pair, ties=ties)
        return
    result = soft_accuracy(*pair, ties=ties)
    assert (result.value, result.permutations) == (pytest.approx(expected, abs=1e-9), len(ways))


@pytest.mark.parametrize("ties", ["count", "half"])
def test_soft_accuracy_of_random_ways_to_swap(ties):
    rng = np.random.default_rng(2)
    x, z = rng.normal(size=(4, 12)), rng.integers(1, 4, (4, 12)).astype(float)
    x[1, 3], z[2, 5] = NAN, NAN
    # 4 systems make 6 pairs, in two tables.
    [(_, ways)] = draws.draw_swaps(12, 50, 12, np.random.default_rng(9))
    result = soft_accuracy(x, z, permutations=50, ties=ties, seed=9)
    assert result.value == pytest.approx(plain_soft_accuracy(x, z, ways, ties), abs=1e-9)
    assert (result.pairs, result.permutations, result.missing) == (6, 50, 2)


def test_random_ways_come_near_all_ways():
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(2, 5, 8))
    exact = soft_accuracy(x, z, permutations=256)
    # 10 pairs with p-values of standard error below .5 / sqrt(255) = .031 each, on the same swaps.
    assert soft_accuracy(x, z, permutations=255).value == pytest.approx(exact.value, abs=0.03)
    assert exact.permutations == 256


def test_soft_accuracy_by_hand():
    # Two documents. Metric differences 1 and 1: of the sums 2 0 0 -2 one is at least 2, p = 1/4.
    # Human differences -1 and 3: of the sums 2 4 -4 -2 two are at least 2, p = 1/2.
    assert soft_accuracy([[1, 1], [0, 0]], [[0, 3], [1, 0]]).value == 0.75
    # Counting half of the way that swaps nothing: 1/8 and 3/8.
    assert soft_accuracy([[1, 1], [0, 0]], [[0, 3], [1, 0]], ties="half").value == 0.75


def test_soft_accuracy_of_coarse_scores_and_the_order_of_systems():
    rng = np.random.default_rng(7)
    x, z = rng.normal(size=(5, 6)), rng.integers(1, 3, (5, 6)).astype(float)
    there, back = soft_accuracy(x, z), soft_accuracy(x[::-1], z[::-1])
    assert abs(there.value - back.value) > 0.01
    there, back = soft_accuracy(x, z, ties="half"), soft_accuracy(x[::-1], z[::-1], ties="half")
    assert there.value == pytest.approx(back.value, abs=1e-12)


def test_the_extremes_of_soft_accuracy():
    x = np.arange(4.0)[:, None] + np.zeros((1, 20))
    assert soft_accuracy(x, 3 * x + 1).value == 1.0
    assert soft_accuracy(x, -x).value < 0.01


def test_many_rounds_are_one(monkeypatch):
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=(2, 3, 30))
    whole = soft_accuracy(x, z, permutations=4000)
    monkeypatch.setattr(draws, "MAX_CELLS", 60)
    # Other draws, in rounds of 10 permutations and blocks of 6 documents.
    assert soft_accuracy(x, z, permutations=4000).value == pytest.approx(whole.value, abs=0.03)


@pytest.mark.parametrize("measure", [pairwise_accuracy, tied_accuracy, soft_accuracy])
def test_the_given_arrays_are_left_alone(measure):
    x, z = np.array([[1.0, NAN], [2.0, 3.0]]), np.array([[1.0, 2.0], [3.0, 3.0]])
    measure(x, z)
    assert z[0, 1] == 2.0


ONES = np.ones((3, 2))
RISING = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("measure", "x", "z", "options", "message"),
    [
        (pairwise_accuracy, ONES, np.ones((3, 4)), {}, "3 systems x 2 documents and 3 systems x 4 documents"),
        (tied_accuracy, np.ones(3), np.ones(3), {}, "systems x documents"),
        (soft_accuracy, np.full((2, 2), math.inf), np.ones((2, 2)), {}, "infinite"),
        (pairwise_accuracy, ONES[:1], ONES[:1], {}, "at least 2 systems with scores in both tables, not 1"),
        (pairwise_accuracy, RISING, ONES, {}, "people tie every pair"),
        (pairwise_accuracy, RISING, RISING, {"significant_only": True}, "no two systems differ significantly"),
        (pairwise_accuracy, RISING, RISING, {"significant_only": True, "alpha": 5}, "between 0 and 1"),
        (pairwise_accuracy, RISING, RISING, {"significant_only": True, "permutations": 10}, "10 permutations cannot"),
        (tied_accuracy, ONES, ONES, {"level": "sumary"}, "did you mean summary"),
        (tied_accuracy, ONES, ONES, {"epsilon": -1}, "0 or more, not -1"),
        (tied_accuracy, ONES, ONES, {"epsilon": NAN}, "0 or more, not nan"),
        (tied_accuracy, [[1, NAN], [NAN, 1]], np.ones((2, 2)), {}, "no two scores to compare at the summary level"),
        (soft_accuracy, [[1, NAN], [NAN, 1]], np.ones((2, 2)), {}, "scores of the same document"),
        (soft_accuracy, ONES, ONES, {"ties": "halves"}, "did you mean half"),
        (soft_accuracy, ONES, ONES, {"permutations": 0}, "permutations must be at least 1"),
    ],
)
def test_mistakes_are_named(measure, x, z, options, message):
    with pytest.raises(GistmeterError, match=message):
        measure(x, z, **options)
