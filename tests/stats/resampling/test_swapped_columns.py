"""Whole columns swapped by matrix products, against the loop over all cells."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gistmeter.stats import permutation_test
from gistmeter.stats.hypothesis import share_as_extreme
from gistmeter.stats.resampling import kernels
from gistmeter.stats.resampling.samples import SwapSampler
from gistmeter.stats.resampling.swap_marks import draw_swap_marks
from gistmeter.stats.resampling.swapped_columns import swap_columns

# A few values, so that ties, constants and gaps are common; or any, the tiny and the huge among them.
TIED = st.sampled_from([0.0, 1.0, 2.0, 7.0, -3.0, math.nan])
UNTIED = st.floats(-1e9, 1e9)


@st.composite
def swaps(draw):
    """Two tables and the judges', rows x columns, and the columns to swap in each of four draws."""
    rows, columns = draw(st.tuples(st.integers(1, 5), st.integers(1, 8)))
    cells = draw(st.sampled_from([TIED, UNTIED]))
    tables = draw(hnp.arrays(np.float64, (3, rows, columns), elements=cells))
    tables = np.where(np.isnan(tables).any(axis=0), math.nan, tables)
    if draw(st.booleans()):
        tables = tables.round(3)
    return tables, draw(hnp.arrays(np.uint8, (4, columns), elements=st.integers(0, 1)))


@given(problem=swaps(), kind=st.sampled_from([kernels.PEARSON, kernels.TAU_B]), zero=st.booleans())
def test_products_equal_the_loop_over_cells(problem, kind, zero):
    (*xy, z), marks = problem
    repeated = np.ascontiguousarray(np.broadcast_to(marks[:, None], (4, *z.shape)))
    if kind == kernels.TAU_B:
        *xy, z = np.where(np.isnan([*xy, z]), math.nan, np.argsort(np.argsort([*xy, z], axis=2), axis=2))
    expected = kernels.swap_cells(kind, np.stack(xy), z, repeated, zero)
    np.testing.assert_allclose(swap_columns(kind, np.stack(xy), z, marks, zero), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("shift", "scale"), [(0, 1), (1e6, 1), (0, 1e-100), (0, 1e100)])
@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
def test_scores_far_from_zero_or_of_any_size_are_swapped_as_others(coefficient, shift, scale):
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, 9, 30))
    marks = draw_swap_marks((9, 30), 50, "systems", rng)
    expected = SwapSampler(x, y, z, level="summary", coefficient=coefficient).correlations(marks)
    moved = (scale * (table + shift) for table in (x, y, z))
    values = SwapSampler(*moved, level="summary", coefficient=coefficient).correlations(marks)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall"])
def test_swaps_that_change_nothing_tie_with_the_difference(coefficient):
    # The metrics differ on the first two systems only: half of the swaps leave the difference or turn it round, the
    # other half are of one of the two. A rounding error would make half of the ties smaller.
    rng = np.random.default_rng(0)
    z = rng.normal(size=(9, 12))
    x = z + rng.normal(size=z.shape)
    y = x.copy()
    y[:2] = x[:2][::-1]  # the same scale in each document
    result = permutation_test(x, y, z, coefficient=coefficient, permutations=512)
    assert result.exact
    turned = np.isclose(np.abs(result.samples), abs(result.statistic), rtol=0, atol=1e-9)
    assert turned.sum() == 256
    assert share_as_extreme(result.samples[turned], result.statistic, "two-sided", exact=True) == 1.0
