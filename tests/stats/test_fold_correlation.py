"""Correlations within folds."""

import numpy as np
import pytest

from gistmeter.errors import ArgumentError
from gistmeter.stats import correlate, correlate_by_folds

RNG = np.random.default_rng(5)
METRIC, JUDGES = RNG.normal(size=(2, 6, 10))
FOLDS = [[0, 3, 5], [1, 2, 9, 4], [6, 7, 8]]


def test_the_mean_over_folds_of_documents():
    fold_correlation = correlate_by_folds(METRIC, JUDGES, FOLDS, level="system")
    alone = [correlate(METRIC[:, fold], JUDGES[:, fold], level="system").value for fold in FOLDS]
    assert fold_correlation.values == pytest.approx(alone)
    assert fold_correlation.value == pytest.approx(np.mean(alone))


def test_folds_of_systems_leave_the_documents_whole():
    fold_correlation = correlate_by_folds(METRIC, JUDGES, [[0, 1, 2], [3, 4, 5]], axis="systems")
    assert fold_correlation.values[1] == pytest.approx(correlate(METRIC[3:], JUDGES[3:]).value)


def test_at_summary_level_folds_of_one_size_give_the_plain_mean():
    halves = [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert correlate_by_folds(METRIC, JUDGES, halves).value == pytest.approx(correlate(METRIC, JUDGES).value)


@pytest.mark.parametrize("folds", [[[0, 1]], [[0], []]])
def test_too_few_folds_are_refused(folds):
    with pytest.raises(ArgumentError, match="at least two folds, and none of them empty"):
        correlate_by_folds(METRIC, JUDGES, folds)
