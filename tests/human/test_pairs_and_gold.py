"""Raters two by two, those who disagree with the majority dropped, and one sampled vote as gold."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import pearsonr, spearmanr

from gistmeter import meta
from gistmeter.errors import ArgumentError, DataError
from gistmeter.human import drop_disagreeing, pairwise_agreement, sample_gold
from gistmeter.io.records import read_records
from gistmeter.judgments import Judgments

NAN = math.nan


def judged(table, tasks=()):
    """Judgments from a table, items x raters, NaN where a rater did not judge; `tasks` names that of each item."""
    return Judgments.from_records(
        {
            "doc_id": f"d{i}",
            "system": "s",
            "aspect": "focus",
            "rater": f"r{j}",
            "value": value,
            "task": tasks[i] if tasks else None,
        }
        for i, row in enumerate(table)
        for j, value in enumerate(row)
        if not math.isnan(value)
    )


# Two by two.


def test_pairs_of_raters_by_hand():
    table = np.array([[1.0, 2, 4], [2, 5, 1], [4, 5, 5], [3, 1, NAN], [5, NAN, NAN]])
    result = pairwise_agreement(judged(table))
    expected = {
        ("r0", "r1"): pearsonr(table[:4, 0], table[:4, 1]).statistic,
        ("r0", "r2"): pearsonr(table[:3, 0], table[:3, 2]).statistic,
        ("r1", "r2"): pearsonr(table[:3, 1], table[:3, 2]).statistic,
    }
    assert {(pair.first, pair.second): pair.value for pair in result.pairs} == pytest.approx(expected)
    assert result.value == pytest.approx(np.mean(list(expected.values())))
    assert [pair.value for pair in result.pairs] == sorted(pair.value for pair in result.pairs)
    assert sorted(pair.items for pair in result.pairs) == [3, 3, 4]


def test_two_constant_raters_are_counted():
    table = np.array([[1.0, 5, 1], [2, 5, 3], [4, 5, 2], [3, 5, 4]])
    result = pairwise_agreement(judged(table), coefficient="spearman")
    assert result.undefined == 2
    assert result.value == pytest.approx(spearmanr(table[:, 0], table[:, 2]).statistic)
    assert math.isnan(result.pairs[-1].value)
    assert json.loads(result.to_json())["rows"][-1]["value"] is None
    with pytest.raises(DataError, match="no two raters have at least 3 items in common"):
        pairwise_agreement(judged(table[:, :2]))


def test_pairs_are_within_a_task():
    first, second = np.random.default_rng(0).normal(size=(2, 5, 2))
    judgments = judged(np.vstack([first, second]), tasks=["1"] * 5 + ["2"] * 5)
    expected = [pearsonr(*table.T).statistic for table in (first, second)]
    assert pairwise_agreement(judgments).value == pytest.approx(np.mean(expected))
    together = pairwise_agreement(judgments, columns="rater")
    assert together.value == pytest.approx(pearsonr(*np.vstack([first, second]).T).statistic)
    with pytest.raises(ArgumentError, match="`columns` cannot be 'raters'; did you mean rater"):
        pairwise_agreement(judgments, columns="raters")


def test_pairs_stand_beside_one_against_the_rest():
    table = np.random.default_rng(1).normal(size=(20, 3)) + np.arange(20)[:, None] / 5
    row = meta.agreement(judged(table)).records()[0]
    assert row["pairs of raters"] == pytest.approx(pairwise_agreement(judged(table)).value)
    assert row["pairs of raters"] < row["one against the rest"]  # a mean of two is a better judge than one


# Who disagrees with the majority.


def noisy_votes():
    """Three raters who are mostly right, and one who is not."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    rights = (0.95, 0.9, 0.9, 0.28)
    return np.array([np.where(rng.random(200) < right, truth, 1 - truth) for right in rights]).T.astype(float)


def test_a_noisy_rater_is_dropped():
    result = drop_disagreeing(judged(noisy_votes()))
    assert [row.rater for row in result.dropped] == ["r3"]
    assert result.records()[0]["dropped"] is True
    assert [row["dropped"] for row in result.records()[1:]] == [False] * 3
    assert result.judgments.table.equals(judged(noisy_votes()[:, :3]).table)
    # r3 did 200 items: of 201 at least, nobody is measured, and nobody is dropped.
    assert drop_disagreeing(judged(noisy_votes()), fewest=201).judgments.table.equals(judged(noisy_votes()).table)


def test_released_averages_go_with_a_rater():
    records = [
        {"doc_id": f"d{i}", "system": "s", "annotators": {"f": list(votes)}, "human": {"f": float(votes.mean())}}
        for i, votes in enumerate(noisy_votes())
    ]
    judgments = Judgments.from_records(records)
    assert "mean" not in drop_disagreeing(judgments).judgments.table["rater"].to_list()
    assert "mean" in drop_disagreeing(judgments, threshold=0).judgments.table["rater"].to_list()


def test_somebody_must_be_left():
    with pytest.raises(DataError, match="all 2 raters agree with the majority in less than 50%"):
        drop_disagreeing(judged([[1, 0], [0, 1], [1, 0]]), fewest=1)
    with pytest.raises(ArgumentError, match="from 0 to 1, not 72"):
        drop_disagreeing(judged([[1, 0]]), threshold=72)


# One sampled vote as gold.


def voted(*summaries):
    return Judgments.from_votes({"doc_id": f"d{i}", "system": "s", "votes": votes} for i, votes in enumerate(summaries))


def test_the_gold_of_votes_by_hand():
    # Majorities: 1, 0 (a tie), 1 of d0; 0 of d1, where a single vote is the same in every sample.
    gold = sample_gold(voted([[1, 1, 0], [1, 0], [1, 1, 1]], [[0]]), votes=True)
    means = gold.judgments.means("majority")
    assert means.rows() == [("d0", "s", 2 / 3), ("d1", "s", 0.0)]
    assert (gold.items, gold.several) == (4, 3)
    assert [row.aspect for row in gold.rows] == ["majority", "sample 1", "sample 2", "sample 3"]
    assert gold.rows[0].changed == 0
    for number in (1, 2, 3):
        (_, _, value), (_, _, single) = gold.judgments.means(f"sample {number}").rows()
        assert value in (1 / 3, 2 / 3, 1.0)  # the third unit is there whoever is drawn
        assert single == 0


def test_ratings_have_a_mean():
    gold = sample_gold(judged([[1, 3], [4, 4]]), rounds=1)
    assert gold.judgments.means("mean")["value"].to_list() == [2, 4]
    assert gold.judgments.means("sample 1")["value"][0] in (1, 3)
    with pytest.raises(DataError, match="votes must be 0"):
        sample_gold(judged([[1, 3], [4, 4]]), votes=True)
    with pytest.raises(ArgumentError, match="`rounds` is 1 or more, not 0"):
        sample_gold(judged([[1, 3]]), rounds=0)


@given(hnp.arrays(np.float64, (6, 3), elements=st.sampled_from([0.0, 1.0, NAN])), st.integers(0, 99))
def test_a_sample_is_one_of_the_votes(table, seed):
    table[:, 0] = np.nan_to_num(table[:, 0])  # somebody judged each item
    gold = sample_gold(judged(table), rounds=2, seed=seed)
    for number in (1, 2):
        values = gold.judgments.means(f"sample {number}")["value"].to_list()
        assert all(value in row for value, row in zip(values, table, strict=True))
    again = sample_gold(judged(table), rounds=2, seed=seed)
    assert gold.judgments.table.equals(again.judgments.table)


def test_every_vote_is_drawn_equally_often():
    # 2,000 items with votes 1, 0, 0, after one that is missing: a third of the samples are 1, +- 4 errors of .0105.
    gold = sample_gold(judged([[NAN, 1, 0, 0]] * 2000), rounds=1)
    assert gold.rows[1].mean == pytest.approx(1 / 3, abs=0.042)


@pytest.mark.data
def test_sampled_votes_of_realsumm(data):
    """Zhang and Bansal (2021), A.2: gold from one vote is close to gold from the majority.

    The released votes leave dissenting workers out: with those that are left 7.0, 7.3 and 7.1% of the labels change.
    """
    votes = Judgments.from_votes(read_records(str(data / "realsumm/realsumm.jsonl.gz")))
    gold = sample_gold(votes, votes=True)
    assert (gold.items, gold.several) == (26400, 26400)
    released = {
        (record["doc_id"], record["system_id"]): record["human"]["litepyramid_recall"]
        for record in read_records(str(data / "realsumm/realsumm.jsonl.gz"))
    }
    for doc_id, system, value in gold.judgments.means("majority").rows():
        assert value == pytest.approx(released[doc_id, system], abs=1e-9)
    assert [row.changed for row in gold.rows[1:]] == pytest.approx([0.0697, 0.0734, 0.0714], abs=5e-5)


def test_a_gold_of_several_aspects_says_that_it_mixes_them():
    records = [{"doc_id": "d", "system": "s", "annotators": {"focus": [1, 2], "depth": [4, 5]}}]
    ratings = Judgments.from_records(records)
    gold = sample_gold(ratings, rounds=1)
    assert gold.rows[0].mean == (1.5 + 4.5) / 2
    assert gold.notes == ("the gold of a summary is the mean over 2 aspects, focus, depth: `aspects` takes one",)
    assert sample_gold(ratings, aspects="focus", rounds=1).notes == ()
