"""How metrics relate to one another, by hand and on TAC 2008."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest

from gistmeter.errors import ArgumentError, DataError, GistmeterError
from gistmeter.stats import correlate
from gistmeter.stats.relations import anchor_correlations, correlation_matrix

NAN = math.nan


@pytest.fixture
def tables():
    rng = np.random.default_rng(0)
    base = rng.normal(size=(6, 5))
    tables = {name: base + weight * rng.normal(size=(6, 5)) for name, weight in (("a", 0), ("b", 0.5), ("c", 2))}
    tables["b"][1, 1] = NAN
    return tables


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("level", ["system", "summary", "pooled", "per-system"])
def test_every_cell_is_a_correlation(tables, level, coefficient):
    metric_matrix = correlation_matrix(tables, level=level, coefficient=coefficient)
    assert (metric_matrix.names, metric_matrix.level, metric_matrix.coefficient) == (
        ("a", "b", "c"),
        level,
        coefficient,
    )
    for i, first in enumerate(metric_matrix.names):
        for j, second in enumerate(metric_matrix.names):
            item = correlate(tables[first], tables[second], level=level, coefficient=coefficient)
            assert metric_matrix.values[i, j] == pytest.approx(1.0 if i == j else item.value)
            assert metric_matrix.used[i, j] == item.used
            assert metric_matrix.value(first, second) == metric_matrix.values[i, j]


def test_anchors_are_columns_of_the_matrix(tables):
    tables["d"] = -tables["a"]
    matrix = correlation_matrix(tables, level="pooled", coefficient="spearman")
    anchors = anchor_correlations(tables, "c", "a", level="pooled", coefficient="spearman")
    assert anchors.between == matrix.value("c", "a")
    assert [row.name for row in anchors.rows] == ["b", "d"]
    for row in anchors.rows:
        assert (row.first, row.second) == (matrix.value(row.name, "c"), matrix.value(row.name, "a"))
        assert row.difference == row.first - row.second
    assert anchors.rows[1].second == pytest.approx(-1)


def test_a_constant_metric_is_undefined_and_harms_no_other(tables):
    tables["flat"] = np.ones((6, 5))
    metric_matrix = correlation_matrix(tables)
    assert np.isnan(metric_matrix.values[3]).all()
    assert np.isnan(metric_matrix.values[:, 3]).all()
    assert metric_matrix.used[3].tolist() == [0, 0, 0, 0]
    assert not np.isnan(metric_matrix.values[:3, :3]).any()
    assert math.isnan(anchor_correlations(tables, "a", "flat").rows[0].second)
    with pytest.raises(DataError, match="a with flat: the summary-level correlation is undefined"):
        correlation_matrix(tables, undefined="error")


TABLE = np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize(
    ("metrics", "options", "message"),
    [
        ({"a": TABLE}, {}, "at least 2 of them, not 1"),
        ({"a": TABLE, "b": TABLE[:2]}, {}, "a is 3 systems x 2 documents and b 2 systems x 2 documents"),
        ({"a": TABLE, "b": TABLE[0]}, {}, "systems x documents"),
        ({"a": TABLE, "b": TABLE}, {"level": "sumary"}, "did you mean summary"),
        ({"a": TABLE, "b": TABLE}, {"coefficient": "person"}, "did you mean pearson"),
        ({"a": TABLE, "b": TABLE}, {"undefined": "keep"}, "one of drop, zero, error"),
    ],
)
def test_mistakes_are_named(metrics, options, message):
    with pytest.raises(GistmeterError, match=message):
        correlation_matrix(metrics, **options)
    with pytest.raises(GistmeterError, match=message):
        anchor_correlations(metrics, "a", "b", **options)


def test_unknown_anchors_are_named():
    metrics = {"rouge1": TABLE, "pyramid": TABLE}
    with pytest.raises(ArgumentError, match=r"no metric 'roge1'; did you mean rouge1\? \(there is rouge1, pyramid\)"):
        anchor_correlations(metrics, "roge1", "pyramid")
    with pytest.raises(ArgumentError, match="two metrics, not 'rouge1' twice"):
        anchor_correlations(metrics, "rouge1", "rouge1")
    with pytest.raises(ArgumentError, match="no metric 'bleu'"):
        correlation_matrix(metrics).value("rouge1", "bleu")


@pytest.fixture(scope="module")
def tac2008(data):
    with gzip.open(data / "matrices/tac2008.json.gz") as file:
        scores = json.load(file)["scores"]
    return {name: np.array(values, dtype=float) for name, values in scores.items()}


TABLE_5 = {
    "AutoSummENG": (0.83, 0.61),
    "bertscore_recall": (0.74, 0.59),
    "BEwTE_recall": (0.81, 0.62),
    "MeMoG": (0.68, 0.52),
    "METEOR": (0.91, 0.63),
    "MoverScore": (0.79, 0.61),
    "NPowER": (0.81, 0.60),
    "rs_rouge2_recall": (0.79, 0.58),
    "s3_resp": (0.92, 0.63),
}


@pytest.mark.data
def test_table_5(tac2008):
    """Deutsch (2022), Table 5: summary-level Pearson with ROUGE-1 and the Pyramid score, to two decimals."""
    wanted = {name: tac2008[name] for name in (*TABLE_5, "rs_rouge1_recall", "pyr_score")}
    anchors = anchor_correlations(wanted, "rs_rouge1_recall", "pyr_score")
    assert anchors.between == pytest.approx(0.59, abs=0.0051)
    assert [row.name for row in anchors.rows] == list(TABLE_5)
    for row in anchors.rows:
        assert (row.first, row.second) == pytest.approx(TABLE_5[row.name], abs=0.0051), row


@pytest.mark.data
def test_rouge_and_question_answering_are_two_families(tac2008):
    """Deutsch (2022), section 4.9.2 and Fig. 12: ROUGE variants correlate at .80 or more, .47 and .62 with QAEval.

    Measured over all summaries: .80 to .96 among ROUGE recalls, .52 to .58 and .61 to .65 with QAEval (EM, F1).
    """
    rouge = ["rs_rouge1_recall", "rs_rouge2_recall", "rs_rougeLsum_recall"]
    metric_matrix = correlation_matrix(
        {name: tac2008[name] for name in (*rouge, "qa-eval_em", "qa-eval_f1")}, level="pooled"
    )
    assert metric_matrix.used.tolist() == [[58 * 48] * 5] * 5
    assert metric_matrix.values[:3, :3].min() == pytest.approx(0.80, abs=0.0051)
    assert metric_matrix.values[3, :3] == pytest.approx([0.52, 0.58, 0.52], abs=0.0051)
    assert metric_matrix.values[4, :3] == pytest.approx([0.61, 0.65, 0.61], abs=0.0051)
