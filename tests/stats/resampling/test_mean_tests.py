"""Permutation tests of means: the fast way gives the p-values of the general one, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter import stats
from gistmeter.errors import DataError


def one_by_one(scores, *, permutations, seed):
    """Every column on its own, by the test that takes any pooled score."""
    tables = []
    for column in np.asarray(scores, dtype=float):
        parts = np.stack([np.nan_to_num(column), ~np.isnan(column)], axis=-1)
        tables.append(stats.pairwise_pvalues(parts, stats.ratio, permutations=permutations, seed=seed))
    return np.stack(tables)


def random_scores(rng, shape, *, missing=0.0, decimals=None):
    scores = rng.normal(0.3, 0.05, size=(1, shape[1], 1)) + rng.normal(0.0, 0.1, size=shape)
    scores = scores if decimals is None else scores.round(decimals)
    scores[:, rng.random(shape[1:]) < missing] = np.nan
    return scores


@settings(max_examples=60, deadline=None)
@given(
    columns=st.integers(1, 3),
    systems=st.integers(1, 6),
    documents=st.integers(1, 14),
    permutations=st.sampled_from([50, 300, 5000]),
    missing=st.sampled_from([0.0, 0.1, 0.5]),
    decimals=st.sampled_from([None, 1]),
    seed=st.integers(0, 50),
)
def test_the_general_test_agrees(columns, systems, documents, permutations, missing, decimals, seed):
    # One decimal makes many ties, which both must count; few documents make both look at all permutations.
    shape = (columns, systems, documents)
    scores = random_scores(np.random.default_rng(seed), shape, missing=missing, decimals=decimals)
    fast = stats.pairwise_mean_pvalues(scores, permutations=permutations, seed=seed)
    np.testing.assert_array_equal(fast, one_by_one(scores, permutations=permutations, seed=seed))


@pytest.mark.parametrize(
    ("shape", "missing", "permutations"),
    [((3, 25, 100), 0.0, 12_000), ((2, 12, 100), 0.05, 3_000), ((1, 3, 3_000), 0.0, 2_000), ((2, 40, 30), 0.02, 500)],
)
def test_it_agrees_over_many_rounds_and_blocks_of_draws(shape, missing, permutations):
    scores = random_scores(np.random.default_rng(1), shape, missing=missing)
    fast = stats.pairwise_mean_pvalues(scores, permutations=permutations, seed=3)
    np.testing.assert_array_equal(fast, one_by_one(scores, permutations=permutations, seed=3))


def test_columns_may_lack_different_documents():
    scores = random_scores(np.random.default_rng(2), (3, 5, 20))
    scores[0, 1, :5] = scores[2, 4, 3:] = np.nan
    fast = stats.pairwise_mean_pvalues(scores, permutations=400)
    np.testing.assert_array_equal(fast, one_by_one(scores, permutations=400, seed=0))


def test_by_hand():
    # 4 documents, the difference the same throughout: 2 of the 16 ways (all, none) are as extreme.
    first = np.array([0.5, 0.7, 0.6, 0.8])
    [table] = stats.pairwise_mean_pvalues([[first, first - 0.1]])
    assert table[0, 1] == table[1, 0] == 2 / 16
    assert np.isnan(np.diag(table)).all()


def test_a_pair_without_a_common_document_is_not_tested():
    [table] = stats.pairwise_mean_pvalues([[[1.0, np.nan], [np.nan, 2.0], [1.5, 2.5]]])
    assert np.isnan(table[0, 1])
    assert table[0, 2] == 1.0


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1.0, 2.0]], "2 dimensions"),
        (np.empty((1, 2, 0)), "nothing to test"),
        ([[[np.inf, 1.0], [1.0, 1.0]]], "finite"),
    ],
)
def test_what_cannot_be_tested_is_refused(scores, message):
    with pytest.raises(DataError, match=message):
        stats.pairwise_mean_pvalues(scores)
