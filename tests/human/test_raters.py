"""Tables of raters and their z-scores."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import zscore

from gistmeter.errors import DataError, GistmeterError, GistmeterWarning
from gistmeter.human import pairwise_agreement, rater_table, standardise, without_raters
from gistmeter.judgments import Judgments


def judged(rows, scale=""):
    """Judgments from rows (doc_id, system, aspect, rater, value)."""
    names = ("doc_id", "system", "aspect", "rater", "value")
    return Judgments.from_records([{**dict(zip(names, row, strict=True)), "scale": scale} for row in rows])


SMALL = [
    ("d1", "s", "focus", "ann", 1),
    ("d1", "s", "focus", "bob", 50),
    ("d2", "s", "focus", "ann", 3),
    ("d2", "t", "focus", "bob", 70),
    ("d1", "s", "cover", "ann", 5),
    ("d2", "s", "cover", "ann", 9),
]


def test_a_table_of_items_and_raters():
    table = rater_table(judged(SMALL))
    assert table.raters == ("ann", "bob")
    assert table.items.rows() == [
        ("d1", "s", "focus"),
        ("d2", "s", "focus"),
        ("d2", "t", "focus"),
        ("d1", "s", "cover"),
        ("d2", "s", "cover"),
    ]
    nan = math.nan
    np.testing.assert_array_equal(table.values, [[1, 50], [3, nan], [nan, 70], [5, nan], [9, nan]])


def test_some_aspects_only():
    assert rater_table(judged(SMALL), aspects="cover").values.tolist() == [[5], [9]]
    assert rater_table(judged(SMALL), aspects=["cover", "focus"]).values.shape == (5, 2)


def test_averages_and_missing_values_are_no_ratings():
    table = rater_table(judged([*SMALL, ("d1", "s", "focus", "mean", 25), ("d1", "t", "focus", "ann", math.nan)]))
    assert table.raters == ("ann", "bob")
    assert len(table.items) == 5


def test_z_scores_by_rater_and_aspect():
    # ann on focus: 1 and 3, mean 2, deviation 1; on cover: 5 and 9, mean 7, deviation 2. bob: 50 and 70.
    judgments = standardise(judged(SMALL, scale="0-100"))
    assert judgments.table["value"].to_list() == pytest.approx([-1, -1, 1, 1, -1, 1])
    assert judgments.table["scale"].unique().to_list() == ["z"]
    assert judgments.table.drop("value", "scale").equals(judged(SMALL).table.drop("value", "scale"))


def test_z_scores_by_rater_over_all_aspects():
    # ann: 1 3 5 9, mean 4.5, squares 12.25 + 2.25 + .25 + 20.25 = 35, deviation sqrt(35 / 4) = 2.958.
    judgments = standardise(judged(SMALL), across_aspects=True)
    ann = [-3.5 / 2.95804, -1.5 / 2.95804, 0.5 / 2.95804, 4.5 / 2.95804]
    assert judgments.table["value"].to_list() == pytest.approx([ann[0], -1, ann[1], 1, ann[2], ann[3]], abs=1e-5)


def test_z_scores_equal_scipy():
    rng = np.random.default_rng(0)
    values = rng.normal(50, 20, size=(40, 3))
    rows = [(f"d{i}", "s", "focus", f"r{j}", values[i, j]) for i in range(40) for j in range(3)]
    result = rater_table(standardise(judged(rows))).values
    np.testing.assert_allclose(result, zscore(values, axis=0), atol=1e-12)


def test_the_mean_of_z_scores_takes_the_place_of_the_released_average():
    # ann -1 and 1, bob 1 and -1: both means are 0, whatever was released.
    rows = [
        ("d1", "s", "f", "ann", 1),
        ("d2", "s", "f", "ann", 2),
        ("d1", "s", "f", "bob", 9),
        ("d2", "s", "f", "bob", 5),
    ]
    judgments = standardise(judged([*rows, ("d1", "s", "f", "mean", 5), ("d2", "s", "f", "mean", 3.5)]))
    assert judgments.means("f")["value"].to_list() == pytest.approx([0, 0])


def test_a_rater_with_one_value_has_no_z_scores():
    rows = [
        ("d1", "s", "f", "ann", 1),
        ("d2", "s", "f", "ann", 2),
        *[(f"d{i}", "s", "f", "bob", 0.1) for i in range(3)],
    ]
    with pytest.warns(GistmeterWarning, match="left out 3 judgments without a z-score: bob gave the same value"):
        judgments = standardise(judged(rows))
    assert judgments.table["rater"].unique().to_list() == ["ann"]
    with pytest.raises(DataError, match="no rater gave two different values"):
        standardise(judged(rows[2:]))


def test_scales_are_not_mixed():
    rows = judged(SMALL[:4], "1-5").table.vstack(judged(SMALL[4:], "0-100").table)
    assert len(standardise(Judgments(rows)).table) == 6
    with pytest.raises(DataError, match="rater ann judged on several scales \\('0-100', '1-5'\\)"):
        standardise(Judgments(rows), across_aspects=True)


def test_judging_twice_is_refused():
    with pytest.raises(DataError, match="rater ann judged focus of s/d1 more than once"):
        rater_table(judged([*SMALL, ("d1", "s", "focus", "ann", 2)]))


def test_without_some_raters():
    judgments = without_raters(judged([*SMALL, ("d1", "s", "focus", "mean", 25)]), ["ann"])
    assert judgments.table["value"].to_list() == [50, 70]
    with pytest.raises(DataError, match=r"no rater 'anne'; did you mean ann\?"):
        without_raters(judged(SMALL), ["anne"])


def test_mistakes_are_named():
    with pytest.raises(GistmeterError, match=r"no judgment 'focuss'; did you mean focus\? \(there is focus, cover\)"):
        rater_table(judged(SMALL), aspects="focuss")
    with pytest.raises(GistmeterError, match="no judgments by single raters of focus: only averages"):
        rater_table(judged([("d1", "s", "focus", "mean", 25)]))


def test_a_wide_table_names_its_raters(tmp_path):
    # As spreadsheets have it: a row for each rater, a column for each aspect. Both raters rank a and b alike.
    table = tmp_path / "judgments.csv"
    table.write_text("docid,model,rater,content\n1,a,ann,1\n1,b,ann,2\n1,a,ben,3\n1,b,ben,4\n2,a,ann,1\n2,a,ben,3\n")
    agreement = pairwise_agreement(table)
    assert agreement.value == pytest.approx(1)
    assert [(pair.first, pair.second) for pair in agreement.pairs] == [("ann", "ben")]


def test_a_wide_table_without_raters_has_none(tmp_path):
    table = tmp_path / "judgments.csv"
    table.write_text("docid,model,content\n1,a,1\n1,b,2\n")
    with pytest.raises(DataError, match="has no judgments by single raters"):
        pairwise_agreement(table)
