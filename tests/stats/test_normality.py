"""Normality against scipy and thesis Table 22."""

import math

import numpy as np
import pytest
from scipy.stats import shapiro

from gistmeter.errors import DataError
from gistmeter.meta.study import Study
from gistmeter.stats.normality import normality

RNG = np.random.default_rng(0)


def test_each_level_tests_what_it_correlates():
    table = RNG.exponential(size=(9, 5))
    expected = {
        "system": [table.mean(axis=1)],
        "summary": list(table.T),
        "per-system": list(table),
        "pooled": [table.ravel()],
    }
    for level, sets in expected.items():
        result = normality(table, level=level)
        assert result.pvalues == pytest.approx([shapiro(values).pvalue for values in sets], abs=1e-12)
        assert result.rejected == sum(shapiro(values).pvalue <= 0.05 for values in sets)
        assert result.tested == len(sets)
    assert normality(table, level="pooled").pvalue == pytest.approx(shapiro(table.ravel()).pvalue)


def test_constant_and_missing_scores_are_counted_and_not_tested():
    table = np.column_stack([[1.0, 2, 4, 8, 16], [3.0] * 5, [1.0, 2, math.nan, math.nan, math.nan]])
    result = normality(table)
    assert (result.tested, result.undefined, result.missing) == (1, 2, 3)
    assert np.isnan(result.pvalues).tolist() == [False, True, True]
    assert result.share in (0.0, 1.0)


def test_about_one_in_twenty_normal_sets_is_rejected():
    assert normality(RNG.normal(size=(20, 2000)), alpha=0.05).share == pytest.approx(0.05, abs=0.015)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.ones((5, 3)), "normality at summary level needs 3 systems or more whose scores are not all the same"),
        (RNG.normal(size=(2, 3)), "needs 3 systems"),
        (np.ones(5), "systems x documents, not 1-d"),
    ],
)
def test_what_cannot_be_tested_is_refused(table, message):
    with pytest.raises(DataError, match=message):
        normality(table)


# Thesis Table 22: the percentage of documents rejected, and the p-value of the systems' means. All rows whose
# scores are there; ROUGE on TAC was computed anew and is left out. S3 is its responsiveness version, and the 24
# systems of REALSumm are those of the table.
TABLE_22 = {
    "tac2008": {
        "responsiveness": (100.0, 0.00),
        "AutoSummENG": (18.8, 0.26),
        "MeMoG": (37.5, 0.53),
        "NPowER": (29.2, 0.36),
        "bertscore_recall": (35.4, 0.00),
        "BEwTE_recall": (22.9, 0.06),
        "METEOR": (27.1, 0.15),
        "MoverScore": (47.9, 0.25),
        "qa-eval_f1": (58.3, 0.00),
        "s3_resp": (20.8, 0.32),
    },
    "summeval": {
        "expert_relevance": (32.0, 0.52),
        "AutoSummENG": (33.0, 0.01),
        "MeMoG": (33.0, 0.01),
        "NPowER": (33.0, 0.01),
        "bertscore_recall": (26.0, 0.15),
        "BEwTE_f1": (37.0, 0.00),
        "METEOR": (27.0, 0.00),
        "MoverScore": (35.0, 0.00),
        "qa-eval_f1": (40.0, 0.01),
        "rouge-1_f1": (32.0, 0.00),
        "rouge-2_f1": (34.0, 0.00),
        "rouge-l_f1": (26.0, 0.13),
        "rouge-su4_f1": (32.0, 0.00),
        "s3_resp": (26.0, 0.00),
    },
    "realsumm24": {
        "litepyramid_recall": (75.0, 0.84),
        "AutoSummENG": (28.0, 0.55),
        "MeMoG": (28.0, 0.55),
        "NPowER": (28.0, 0.55),
        "bertscore_recall": (28.0, 0.18),
        "BEwTE_recall": (33.0, 0.68),
        "METEOR": (30.0, 0.61),
        "MoverScore": (31.0, 0.50),
        "qa-eval_f1": (45.0, 0.21),
        "rouge-1_recall": (30.0, 0.91),
        "rouge-2_recall": (61.0, 0.62),
        "rouge-l_recall": (37.0, 0.12),
        "s3_resp": (47.0, 0.66),
    },
}


@pytest.mark.data
@pytest.mark.parametrize("dataset", TABLE_22)
def test_table_22(data, dataset):
    """To the digits printed."""
    matrices = Study.read(data / "matrices" / f"{dataset}.json.gz")
    for name, (share, pvalue) in TABLE_22[dataset].items():
        assert 100 * normality(matrices[name], level="summary").share == pytest.approx(share, abs=0.051), name
        assert normality(matrices[name], level="system").pvalue == pytest.approx(pvalue, abs=0.0051), name
