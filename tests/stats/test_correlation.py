"""Correlations at each level, against hand computations and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats as scipy_stats

from gistmeter.errors import DataError, GistmeterError
from gistmeter.stats import correlate, correlation

NAN = math.nan
SCIPY = {
    "pearson": scipy_stats.pearsonr,
    "spearman": scipy_stats.spearmanr,
    "kendall": scipy_stats.kendalltau,
    "kendall-c": lambda a, b: scipy_stats.kendalltau(a, b, variant="c"),
}
COEFFICIENTS = sorted(SCIPY)


def plain(a, b, coefficient):
    """One correlation by scipy; NaN when it is undefined."""
    shared = ~(np.isnan(a) | np.isnan(b))
    a, b = a[shared], b[shared]
    if len(a) < 2 or len(set(a)) == 1 or len(set(b)) == 1:
        return NAN
    return SCIPY[coefficient](a, b).statistic


def plain_rows(x, z, level):
    """The vectors that the level correlates, by loops."""
    if level == "summary":
        return [(x[:, j], z[:, j]) for j in range(x.shape[1])]
    if level == "per-system":
        return [(x[i], z[i]) for i in range(len(x))]
    if level == "pooled":
        return [(x.ravel(), z.ravel())]
    means = []
    for a, b in zip(x, z, strict=True):
        shared = ~(np.isnan(a) | np.isnan(b))
        n = shared.sum()
        means.append([math.fsum(v[shared]) / n if n else NAN for v in (a, b)])
    return [tuple(np.array(means).T)]


# A few values, so that ties, constants and gaps are common; all sums of them are exact.
MAX_CELLS = st.sampled_from([0.0, 0.125, 0.25, 0.75, 1.0, -3.0, NAN])
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=7)


@st.composite
def tables(draw):
    shape = draw(SHAPES)
    return tuple(draw(hnp.arrays(np.float64, shape, elements=MAX_CELLS)) for _ in range(2))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
@settings(deadline=None)
@given(pair=tables())
def test_equals_scipy_with_ties_constants_and_gaps(level, coefficient, pair):
    x, z = pair
    values = np.array([plain(a, b, coefficient) for a, b in plain_rows(x, z, level)])
    if np.isnan(values).all():
        with pytest.raises(DataError):
            correlate(x, z, level=level, coefficient=coefficient)
        return
    result = correlate(x, z, level=level, coefficient=coefficient)
    assert result.value == pytest.approx(np.nanmean(values), abs=1e-9)
    assert result.missing == np.isnan(x + z).sum()
    if level in ("summary", "per-system"):
        assert result.used == np.count_nonzero(~np.isnan(values))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_equals_scipy_on_real_numbers(coefficient):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(9, 30))
    z = x + rng.normal(size=(9, 30))
    each = [SCIPY[coefficient](x[:, j], z[:, j]).statistic for j in range(30)]
    assert correlate(x, z, coefficient=coefficient).value == pytest.approx(np.mean(each), abs=1e-12)


def test_levels_by_hand():
    x = np.array([[1.0, 4.0], [2.0, 3.0], [3.0, 5.0]])
    z = np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 3.0]])
    # Document 1: deviations (-1, 0, 1) and (-4, -1, 5)/3; r = 3 / sqrt(2 * 42/9) = 0.98198.
    # Document 2: (4, 3, 5) and (2, 1, 3) are on a line: r = 1. The mean is 0.99099.
    assert correlate(x, z, level="summary").value == pytest.approx(0.990990, abs=1e-6)
    # Means (2.5, 2.5, 4) and (1.5, 1.5, 3.5) are on a line.
    assert correlate(x, z, level="system").value == pytest.approx(1.0)
    # Flattened x = 1 4 2 3 3 5 (mean 3), z = 1 2 2 1 4 3 (mean 13/6): sum of products of deviations
    # = -2(-7/6) + 1(-1/6) + -1(-1/6) + 0 + 0 + 2(5/6) = 4; squares 10 and 41/6; r = 4 / sqrt(410/6).
    assert correlate(x, z, level="pooled").value == pytest.approx(0.483887, abs=1e-6)
    # Systems' two documents: (1, 4) with (1, 2): 1; (2, 3) with (2, 1): -1; (3, 5) with (4, 3): -1.
    assert correlate(x, z, level="per-system").value == pytest.approx(-1 / 3)


def test_kendall_is_tau_b():
    # Pairs of (1, 1), (2, 3), (2, 2), (3, 3): concordant 12 13 14 34 -> 4, discordant 0, tied in x only 23,
    # tied in z only 24. tau-b = 4 / sqrt((4 + 1) * (4 + 1)) = 0.8.
    x, z = np.array([[1.0, 2, 2, 3]]).T, np.array([[1.0, 3, 2, 3]]).T
    assert correlate(x, z, coefficient="kendall").value == pytest.approx(0.8)


def test_kendall_c_by_hand():
    # The same pairs: 4 concordant, none discordant, 3 values on each side: tau-c = 2 * 4 / (4 ** 2 * 2 / 3) = 0.75.
    x, z = np.array([[1.0, 2, 2, 3]]).T, np.array([[1.0, 3, 2, 3]]).T
    assert correlate(x, z, coefficient="kendall-c").value == pytest.approx(0.75)


def test_unpaired_tables_have_documents_of_their_own():
    # Means of x: 2, 3, 7 (its NaN left out); of z: 1, 2, 3. Deviations (-2, -1, 3) and (-1, 0, 1): 5 / sqrt(14 * 2).
    x = np.array([[1.0, 2, 3], [3, 3, 3], [6, 8, NAN]])
    z = np.array([[1.0], [2.0], [3.0]])
    result = correlate(x, z, level="system", paired=False)
    assert result.value == pytest.approx(5 / math.sqrt(28))
    assert (result.used, result.undefined, result.missing) == (3, 0, 1)


def test_used_counts_what_the_level_rests_on():
    x = np.array([[1.0, 4, NAN], [2, 3, 1], [3, 5, 1], [NAN, NAN, NAN]])
    z = np.array([[1.0, 2, 3], [2, 1, 4], [4, 3, 9], [1, 2, 3]])
    used = {level: correlate(x, z, level=level).used for level in ("system", "summary", "pooled", "per-system")}
    # The fourth system has no score; the third document is constant in x; 12 cells less 4 missing are 8.
    assert used == {"system": 3, "summary": 2, "pooled": 8, "per-system": 3}
    assert correlate(x, z).missing == 4


def test_policies_for_a_constant_document():
    x = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    z = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    dropped = correlate(x, z)
    assert (dropped.value, dropped.used, dropped.undefined) == (pytest.approx(1.0), 1, 1)
    zero = correlate(x, z, undefined="zero")
    assert (zero.value, zero.used, zero.undefined) == (pytest.approx(0.5), 2, 1)
    with pytest.raises(DataError, match="undefined for 1 of 2 documents"):
        correlate(x, z, undefined="error")


def test_one_observation_is_never_zero():
    x = np.array([[1.0, 5.0], [2.0, NAN]])
    z = np.array([[1.0, 1.0], [2.0, 2.0]])
    result = correlate(x, z, undefined="zero")
    assert (result.value, result.used, result.undefined, result.missing) == (1.0, 1, 1, 1)


def test_a_document_without_any_shared_cell_is_missing_not_undefined():
    x = np.array([[1.0, NAN], [2.0, 3.0]])
    z = np.array([[1.0, 1.0], [2.0, NAN]])
    result = correlate(x, z, undefined="error")
    assert (result.value, result.used, result.undefined, result.missing) == (1.0, 1, 0, 2)


@pytest.mark.parametrize("level", ["system", "pooled"])
def test_zero_at_a_level_of_one_correlation(level):
    x, z = np.full((3, 2), 0.1), np.arange(6.0).reshape(3, 2)
    assert correlate(x, z, level=level, undefined="zero").value == 0.0
    with pytest.raises(DataError, match=f"{level}-level correlation is undefined: the scores"):
        correlate(x, z, level=level)


def test_systems_with_the_same_scores_in_another_order_tie():
    # Added from left to right, 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert x[0, 0] + x[0, 1] + x[0, 2] != x[1, 0] + x[1, 1] + x[1, 2]
    with pytest.raises(DataError, match="undefined"):
        correlate(x, [[1.0, 2, 3], [4, 5, 6]], level="system")


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_tiny_and_huge_scores_neither_vanish_nor_overflow(scale):
    x, z = np.array([[1.0], [2.0], [4.0]]), np.array([[1.0], [3.0], [2.0]])
    # Deviations (-4, -1, 5)/3 and (-1, 1, 0): 1 / sqrt(42/9 * 2) = 0.32733.
    assert correlate(x * scale, z * scale).value == pytest.approx(0.327327, abs=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("coefficient", ["kendall", "kendall-c"])
def test_long_rows_agree_with_short_ones(monkeypatch, coefficient):
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 5, (2, 6, 40)).astype(float)
    x[0, 3], z[5, 7] = NAN, NAN
    x[:, 1], x[1:, 2] = 2.0, NAN
    short = correlate(x, z, coefficient=coefficient)
    monkeypatch.setattr(correlation, "_MAX_PAIRWISE_OBSERVATIONS", 3)
    long = correlate(x, z, coefficient=coefficient)
    assert long.value == pytest.approx(short.value, abs=1e-12)
    assert (long.used, long.undefined, long.missing) == (short.used, short.undefined, short.missing) == (38, 2, 7)


def test_the_given_arrays_are_left_alone():
    x, z = np.array([[1.0, NAN], [2.0, 3.0]]), np.array([[1.0, 2.0], [NAN, 3.0]])
    correlate(x, z, level="pooled")
    assert (x[1, 0], z[0, 1]) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("x", "z", "options", "message"),
    [
        (np.ones((2, 3)), np.ones((2, 4)), {}, "2 systems x 3 documents and 2 systems x 4 documents"),
        (np.ones(3), np.ones(3), {}, "systems x documents, not 1-d"),
        (np.ones((1, 3)), np.ones((1, 3)), {}, "at least 2 systems"),
        (np.ones((1, 3)), np.ones((1, 3)), {"level": "system"}, "at least 2 systems"),
        (np.ones((3, 1)), np.ones((3, 1)), {"level": "per-system"}, "at least 2 documents"),
        (np.full((3, 2), NAN), np.ones((3, 2)), {"level": "pooled"}, "at least 2 cells"),
        (np.ones((3, 2)), np.ones((3, 2)), {}, "undefined for 2 of 2 documents"),
        (np.array([[1.0], [math.inf]]), np.ones((2, 1)), {}, "must not be infinite"),
        (np.ones((3, 2)), np.ones((3, 2)), {"level": "sumary"}, "did you mean summary"),
        (np.ones((3, 2)), np.ones((3, 2)), {"coefficient": "kendal"}, "did you mean kendall"),
        (np.ones((3, 2)), np.ones((3, 4)), {"paired": False}, "system level only, no summary level"),
        (np.ones((3, 2)), np.ones((4, 2)), {"paired": False, "level": "system"}, "they are of 3 and 4"),
        (np.ones((3, 2)), np.ones((3, 2)), {"undefined": "keep"}, "one of drop, zero, error"),
    ],
)
def test_mistakes_are_named(x, z, options, message):
    with pytest.raises(GistmeterError, match=message):
        correlate(x, z, **options)


def test_missing_cells_of_tables_that_are_not_paired_are_added_up():
    x = [[0.1, np.nan, 0.2], [0.3, 0.4, 0.2], [0.4, 0.9, 0.1]]
    z = [[1.0, np.nan], [2.0, np.nan], [3.0, 4.0]]
    assert correlate(x, z, level="system", paired=False).missing == 3  # one of x, two of z


def test_a_document_that_nobody_has_is_not_zero():
    # Document 1 correlates perfectly, document 2 is constant (0 when asked for), document 3 is nobody's.
    x = [[1.0, 1.0, np.nan], [2.0, 1.0, np.nan], [3.0, 1.0, np.nan]]
    z = [[1.0, 2.0, 1.0], [2.0, 3.0, 2.0], [3.0, 1.0, 3.0]]
    assert correlate(x, z, undefined="zero").value == pytest.approx(0.5)
