"""The compiled resampling against plain tables built from explicit draws and correlated by the textbook."""

import itertools
from functools import partial

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats as scipy_stats

import resampling_oracle as oracle
from gistmeter.errors import GistmeterError
from gistmeter.stats.resampling import kernels
from gistmeter.stats.resampling.samples import (
    PairSampler,
    SwapSampler,
    draw_counts,
    run_in_blocks,
    tally,
)
from gistmeter.stats.resampling.swap_marks import draw_swap_marks

COEFFICIENTS = sorted(oracle.COEFFICIENTS)
# A few values, so that ties, constants and gaps are common; all sums of them are exact.
CELLS = st.sampled_from([0.0, 0.125, 0.25, 0.75, 1.0, -3.0, np.nan])
pytestmark = pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:Degrees of freedom")


@st.composite
def problems(draw, tables=2):
    """Tables, and draws of their systems and documents."""
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6))
    values = [draw(hnp.arrays(np.float64, shape, elements=CELLS)) for _ in range(tables)]
    indices = [draw(hnp.arrays(np.int64, (3, side), elements=st.integers(0, side - 1))) for side in shape]
    return values, indices


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_the_plain_coefficients_are_scipys(coefficient):
    scipy_functions = {
        "pearson": scipy_stats.pearsonr,
        "spearman": scipy_stats.spearmanr,
        "kendall": scipy_stats.kendalltau,
        "kendall-c": partial(scipy_stats.kendalltau, variant="c"),
    }
    for a, b in np.random.default_rng(0).integers(0, 5, (20, 2, 9)).astype(float):
        expected = scipy_functions[coefficient](a, b).statistic
        assert oracle.COEFFICIENTS[coefficient](a, b) == pytest.approx(expected, abs=1e-12)


def agree(result, expected):
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    level=st.sampled_from(oracle.LEVELS),
    problem=problems(),
    method=st.sampled_from(["systems", "documents", "both"]),
    undefined=st.sampled_from(["drop", "zero"]),
)
def test_resamples_equal_plain_ones(level, coefficient, problem, method, undefined):
    tables, (rows, columns) = problem
    x, z = oracle.masked(*tables)
    sampler = PairSampler(x, z, level=level, coefficient=coefficient, undefined=undefined)
    values = sampler.correlations(
        systems=None if method == "documents" else tally(rows, len(x)),
        documents=None if method == "systems" else tally(columns, x.shape[1]),
    )
    expected = []
    for row, others in zip(rows, columns, strict=True):
        cells = np.ix_(
            np.arange(len(x)) if method == "documents" else row,
            np.arange(x.shape[1]) if method == "systems" else others,
        )
        expected.append(oracle.correlation(x[cells], z[cells], level, coefficient, undefined))
    agree(values, expected)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(
    level=st.sampled_from(oracle.LEVELS),
    problem=problems(tables=3),
    method=st.sampled_from(["systems", "documents", "both", "crossed"]),
    undefined=st.sampled_from(["drop", "zero"]),
    seed=st.integers(0, 9),
)
def test_swaps_equal_plain_ones(level, coefficient, problem, method, undefined, seed):
    tables, _ = problem
    x, y, z = oracle.masked(*tables)
    if np.isnan(x).all():
        return
    marks = draw_swap_marks(x.shape, 3, method, np.random.default_rng(seed))
    result = SwapSampler(x, y, z, level=level, coefficient=coefficient, undefined=undefined).correlations(marks)
    x, y = oracle.standardised(x), oracle.standardised(y)
    for values, mark in zip(result, marks, strict=True):
        swapped = np.where(mark, y, x), np.where(mark, x, y)
        agree(values, [oracle.correlation(item, z, level, coefficient, undefined) for item in swapped])


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("shape", "levels"), [((30, 25), oracle.LEVELS), ((530, 2), ("system", "summary"))], ids=["wide", "tall"]
)
def test_many_observations_equal_plain_ones(shape, levels, coefficient):
    """Beyond 512 observations the pairs are counted by a tree."""
    rng = np.random.default_rng(5)
    x, y, z = rng.integers(0, 40, (3, *shape)).astype(float)
    x[0, 0] = y[0, 0] = z[0, 0] = np.nan
    rows, columns = (rng.integers(side, size=(2, side)) for side in shape)
    marks = draw_swap_marks(shape, 2, "both", rng)
    a, b = oracle.standardised(x), oracle.standardised(y)
    for level in levels:
        values = PairSampler(x, z, level=level, coefficient=coefficient).correlations(
            systems=tally(rows, shape[0]), documents=tally(columns, shape[1])
        )
        cells = [np.ix_(row, others) for row, others in zip(rows, columns, strict=True)]
        agree(values, [oracle.correlation(x[position], z[position], level, coefficient) for position in cells])
        values = SwapSampler(x, y, z, level=level, coefficient=coefficient).correlations(marks)
        agree(values[:, 0], [oracle.correlation(np.where(m, b, a), z, level, coefficient) for m in marks])
        agree(values[:, 1], [oracle.correlation(np.where(m, a, b), z, level, coefficient) for m in marks])


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_unpaired_documents_equal_plain_ones(coefficient):
    rng = np.random.default_rng(2)
    x, z = rng.integers(0, 4, (6, 9)).astype(float), rng.integers(0, 4, (6, 4)).astype(float)
    x[1, :3], z[2, 1], z[4] = np.nan, np.nan, np.nan  # the fifth system has no judgment at all
    rows, of_x, of_z = (rng.integers(side, size=(20, side)) for side in (6, 9, 4))
    values = PairSampler(x, z, level="system", coefficient=coefficient).correlations(
        systems=tally(rows, 6), documents=tally(of_x, 9), z_documents=tally(of_z, 4)
    )
    plain = [
        oracle.correlation(x[np.ix_(r, c)], z[np.ix_(r, d)], "system", coefficient)
        for r, c, d in zip(rows, of_x, of_z, strict=True)
    ]
    agree(values, plain)


def test_systems_with_the_same_scores_in_another_order_tie():
    # Added from left to right, 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    x = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1]])
    z = np.array([[1.0, 2, 3], [4, 5, 6], [2, 2, 2]])
    for coefficient in COEFFICIENTS:
        sampler = PairSampler(x, z, level="system", coefficient=coefficient)
        assert np.isnan(sampler.correlations(documents=np.array([[1.0, 1, 1], [2, 2, 2]]))).all()


@pytest.mark.parametrize("method", ["systems", "documents", "both", "crossed"])
@pytest.mark.parametrize("level", oracle.LEVELS)
@pytest.mark.parametrize("shape", [(16, 1), (1, 16)])
def test_a_lone_document_or_system_is_swapped_whole(shape, level, method):
    x, y, z = tables = np.random.default_rng(0).normal(size=(3, *shape))
    marks = draw_swap_marks(shape, 8, method, np.random.default_rng(1))
    result = SwapSampler(*tables, level=level, coefficient="kendall").correlations(marks)
    x, y = oracle.standardised(x), oracle.standardised(y)
    for values, mark in zip(result, marks, strict=True):
        swapped = np.where(mark, y, x), np.where(mark, x, y)
        agree(values, [oracle.correlation(item, z, level, "kendall", "drop") for item in swapped])


def test_each_loop_meets_one_layout_of_arrays_and_is_compiled_once(monkeypatch):
    types = {name: set() for name in ("resample_rows", "resample_means", "swap_cells", "swap_means", "correlate_rows")}

    def record(name, loop, *arguments):
        types[name].add(tuple(numba.typeof(argument) for argument in arguments))
        return loop(*arguments)

    for name in types:
        monkeypatch.setattr(kernels, name, partial(record, name, getattr(kernels, name)))
    rng = np.random.default_rng(0)
    full = rng.normal(size=(3, 4, 5))
    gaps = np.where(rng.random((4, 5)) < 0.2, np.nan, full)
    systems, documents = tally(rng.integers(0, 4, (2, 4)), 4), tally(rng.integers(0, 5, (2, 5)), 5)
    for (x, y, z), level, coefficient in itertools.product((full, gaps), oracle.LEVELS, COEFFICIENTS):
        sampler = PairSampler(x, z, level=level, coefficient=coefficient)
        for counts in ({"systems": systems}, {"documents": documents}, {"systems": systems, "documents": documents}):
            sampler.correlations(**counts)
        for method in ("systems", "documents", "both", "crossed"):
            marks = draw_swap_marks(x.shape, 2, method, rng)
            SwapSampler(x, y, z, level=level, coefficient=coefficient).correlations(marks)
    assert {name: len(kinds) for name, kinds in types.items()} == dict.fromkeys(types, 1)


@pytest.mark.parametrize("scale", [1e-200, 1e150])
def test_tiny_and_huge_scores_neither_vanish_nor_overflow(scale):
    x, z = np.array([[1.0], [2.0], [4.0]]), np.array([[1.0], [3.0], [2.0]])
    sampler = PairSampler(x * scale, z * scale, level="summary", coefficient="pearson")
    # Each system once: deviations (-4, -1, 5)/3 and (-1, 1, 0), so 1 / sqrt(42/9 * 2).
    agree(sampler.correlations(systems=np.ones((1, 3))), [1 / np.sqrt(42 / 9 * 2)])


def test_marks_are_fair_and_go_together():
    rng = np.random.default_rng(0)
    both = draw_swap_marks((5, 7), 2000, "both", rng)
    assert both.shape == (2000, 5, 7)
    # 70,000 coins: the share of heads is within 4 standard errors of a half.
    assert abs(both.mean() - 0.5) < 4 * 0.5 / np.sqrt(both.size)
    crossed = draw_swap_marks((5, 7), 3, "crossed", rng)
    # Rows either agree everywhere or differ everywhere.
    assert all(len(set(row ^ draw[0])) == 1 for draw in crossed for row in draw)
    assert draw_swap_marks((5, 7), 4, "systems", rng).shape == (4, 5, 1)
    assert draw_swap_marks((5, 7), 4, "documents", rng).shape == (4, 1, 7)


def test_counts_are_of_as_many_draws_as_things():
    counts = draw_counts(9, 500, np.random.default_rng(0))
    assert counts.shape == (500, 9)
    assert (counts.sum(axis=1) == 9).all()


def test_blocks_are_the_same_for_any_number_of_workers_and_for_more_draws():
    def work(draws, rng):
        return rng.normal(size=draws)

    values = run_in_blocks(600, work, name="resamples", seed=3, workers=1)
    assert (values == run_in_blocks(600, work, name="resamples", seed=3, workers=3)).all()
    more = run_in_blocks(900, work, name="resamples", seed=3, workers=1)
    assert (values[:500] == more[:500]).all()  # the full blocks
    assert (values != run_in_blocks(600, work, name="resamples", seed=4, workers=1)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"total": 0}, "resamples must be at least 1, not 0"),
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"seed": -1}, "seed must be 0 or more, not -1"),
    ],
)
def test_mistakes_are_named(options, message):
    options = {"total": 10, "workers": 1, "seed": 0} | options
    with pytest.raises(GistmeterError, match=message):
        run_in_blocks(options.pop("total"), lambda draws, rng: np.zeros(draws), name="resamples", **options)
