"""Rankings of systems and comparisons of two."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

import gistmeter.metrics
from gistmeter.errors import ArgumentError, DataError
from gistmeter.metrics import Column, Metric
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.scores import ScoreColumn, Scores

NAN = math.nan


def scores_of(columns, *, systems, better="higher"):
    """Scores from matrices, systems x documents; the documents are d1, d2, ..."""
    columns = {name: np.asarray(matrix, dtype=float) for name, matrix in columns.items()}
    documents = next(iter(columns.values())).shape[1]
    table = {
        "doc_id": [f"d{j + 1}" for _ in systems for j in range(documents)],
        "system": [system for system in systems for _ in range(documents)],
    }
    table |= {name: matrix.ravel() for name, matrix in columns.items()}
    return Scores(pl.DataFrame(table), tuple(ScoreColumn(name, "m|v:0", better) for name in columns))


def three_systems(better="higher"):
    """Twelve documents: `good` beats `bad` by 0.5 throughout, `twin` is `good` with its values swapped."""
    good = np.array([0.5, 0.75] * 6)
    return scores_of({"m.f1": [good - 0.5, good, 1.25 - good]}, systems=["bad", "good", "twin"], better=better)


def test_ranking_by_hand():
    [column] = rank(three_systems()).columns
    # Means: good and twin 0.625 (a tie stays in the table's order), bad 0.125.
    assert [item.system for item in column.systems] == ["good", "twin", "bad"]
    assert [item.value for item in column.systems] == [0.625, 0.625, 0.125]
    assert [item.documents for item in column.systems] == [12, 12, 12]
    assert [item.group for item in column.systems] == ["a", "a", "b"]
    for system in column.systems:
        assert system.value - 0.1 < system.low < system.value < system.high < system.value + 0.1
    # good and twin do not differ: every permutation is at least as extreme. good beats bad by 0.5 in all 12
    # documents: 2 of 4,096 permutations are as extreme, which Holm multiplies by 2 or 3.
    assert column.pvalues[0, 1] == column.pvalues[1, 0] == 1.0
    assert column.pvalues[0, 2] == pytest.approx(3 * 2 / 4096, abs=0.002)
    assert np.isnan(np.diag(column.pvalues)).all()


def test_lower_is_better():
    [column] = rank(three_systems(better="lower")).columns
    assert [system.system for system in column.systems] == ["bad", "good", "twin"]
    assert [system.group for system in column.systems] == ["a", "b", "b"]
    # The table of p-values has the systems in this order: bad differs from both others.
    assert column.pvalues[0, 1] < 0.05
    assert column.pvalues[1, 2] == 1.0


def test_a_score_that_does_not_judge_is_not_tested():
    [column] = rank(three_systems(better="neither")).columns
    assert [system.system for system in column.systems] == ["good", "twin", "bad"]
    assert [system.group for system in column.systems] == ["", "", ""]
    assert np.isnan(column.pvalues).all()


def test_pvalues_are_corrected_over_all_pairs():
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(3, 10)) + np.array([[0.0], [0.6], [1.0]])
    scores = scores_of({"m.f1": matrix}, systems=["x", "y", "z"])
    [column] = rank(scores).columns
    names = [system.system for system in column.systems]
    raw = {(i, j): compare(scores, names[i], names[j]).differences[0].pvalue for i, j in ((0, 1), (0, 2), (1, 2))}
    # Holm: the smallest times 3, the next times 2, the largest as it is, none below the one before.
    highest = 0.0
    for times, pair in zip((3, 2, 1), sorted(raw, key=raw.get), strict=True):
        highest = max(highest, min(1.0, times * raw[pair]))
        assert column.pvalues[pair] == pytest.approx(highest)
    assert len(set(raw.values())) == 3


def test_one_system_is_not_tested():
    [column] = rank(scores_of({"m.f1": [[0.1, 0.3]]}, systems=["only"])).columns
    [item] = column.systems
    assert (item.system, item.value, item.group) == ("only", pytest.approx(0.2), "")
    assert np.isnan(column.pvalues).tolist() == [[True]]


def test_systems_without_a_value_go_last():
    matrix = [[NAN, NAN], [0.2, 0.2], [0.1, 0.1]]
    for better in ("higher", "lower"):
        scores = scores_of({"m.f1": matrix}, systems=["none", "x", "y"], better=better)
        [column] = rank(scores).columns
        last = column.systems[-1]
        assert (last.system, last.documents, last.group) == ("none", 0, "")
        assert math.isnan(last.value)
        assert math.isnan(last.low)
        assert [system.group for system in column.systems[:2]] == ["a", "a"]
        # The only test is that of x and y; with two documents 2 of 4 permutations are as extreme.
        assert np.isnan(column.pvalues[2]).all()
        assert column.pvalues[0, 1] == pytest.approx(0.5, abs=0.03)


def test_missing_documents_are_noted_and_left_out_of_the_pair():
    full = np.arange(12.0)
    lead3 = full.copy()
    lead3[[0, 1]] = NAN
    ranking = rank(scores_of({"m.f1": [full, lead3]}, systems=["bart", "lead3"]))
    [column] = ranking.columns
    # lead3 has the higher mean only because it lacks documents 0 and 1; on the shared ones they are the same.
    assert [(system.system, system.value, system.documents) for system in column.systems] == [
        ("lead3", 6.5, 10),
        ("bart", 5.5, 12),
    ]
    assert column.pvalues[0, 1] == 1.0
    assert ranking.notes == ("lead3 has 10 of 12 documents; pairs are tested on shared documents",)


def test_a_note_names_the_scores_it_holds_for():
    sample, full = [[1.0] * 7 + [NAN], [1.0] * 8], [[1.0] * 8, [1.0] * 8]
    ranking = rank(scores_of({"m.p": sample, "m.r": full}, systems=["x", "y"]))
    assert ranking.notes == ("x has 7 of 8 documents for m.p; pairs are tested on shared documents",)
    # A document that no system has a score for does not set them apart.
    assert rank(scores_of({"m.p": [[1.0] * 7 + [NAN], [2.0] * 7 + [NAN]]}, systems=["x", "y"])).notes == ()


def test_too_few_documents_are_noted():
    # One pair on 5 documents: the smallest p-value is 2 / 2 ** 5 = .0625; on 6 documents .03125.
    five, six = ([[1.0] * n, [0.0] * n] for n in (5, 6))
    [note] = rank(scores_of({"m.f1": five}, systems=["x", "y"])).notes
    assert note.startswith("5 documents are too few for the test to find any difference at alpha 0.05")
    ranking = rank(scores_of({"m.f1": six}, systems=["x", "y"]))
    assert ranking.notes == ()
    assert ranking.columns[0].pvalues[0, 1] == 2 / 64


def test_many_notes_are_counted():
    matrix = np.ones((8, 12))
    matrix[np.arange(8), np.arange(8)] = NAN
    notes = rank(scores_of({"m.f1": matrix}, systems=list("abcdefgh"))).notes
    assert len(notes) == 6
    assert notes[-1] == "3 more notes like these on missing documents"


def test_pairs_that_share_nothing_are_noted():
    ranking = rank(scores_of({"m.f1": [[1.0, NAN], [NAN, 2.0]]}, systems=["x", "y"]))
    assert "x and y share no document that has m.f1: not tested" in ranking.notes
    assert np.isnan(ranking.columns[0].pvalues).all()


def test_too_few_permutations_are_noted():
    # Three pairs: the smallest corrected p-value is 3 / (permutations + 1), and 3 / 60 = 0.05.
    assert rank(three_systems(), permutations=59).notes == ()
    [note] = rank(three_systems(), permutations=58).notes
    assert note == ("58 permutations are too few to find any difference among 3 pairs at alpha 0.05; use at least 60")


def test_columns_and_options():
    matrix = np.random.default_rng(0).normal(size=(2, 8))
    scores = scores_of({"m.p": matrix, "m.r": -matrix}, systems=["x", "y"])
    assert [column.column.name for column in rank(scores).columns] == ["m.p", "m.r"]
    ranking = rank(scores, columns=["m.r"], resamples=50, permutations=70, confidence=0.5, alpha=0.3, seed=9)
    assert [column.column.name for column in ranking.columns] == ["m.r"]
    assert (ranking.resamples, ranking.permutations, ranking.confidence) == (50, 70, 0.5)
    assert (ranking.alpha, ranking.seed, ranking.documents) == (0.3, 9, 8)
    wide = rank(scores, columns=["m.r"], resamples=50, confidence=0.99, seed=9)
    narrow, wider = ranking.columns[0].systems[0], wide.columns[0].systems[0]
    assert wider.low < narrow.low < narrow.high < wider.high


def test_alpha_decides_the_groups():
    # One difference of 1 in all 5 documents: p = 2/32 = 0.0625.
    scores = scores_of({"m.f1": [[1.0, 2, 3, 4, 5], [2.0, 3, 4, 5, 6]]}, systems=["x", "y"])
    assert [system.group for system in rank(scores, alpha=0.05).columns[0].systems] == ["a", "a"]
    assert [system.group for system in rank(scores, alpha=0.08).columns[0].systems] == ["a", "b"]


def test_the_same_seed_gives_the_same_ranking():
    matrix = np.random.default_rng(0).normal(size=(3, 20))
    scores = scores_of({"m.f1": matrix}, systems=["x", "y", "z"])
    first, two, other = rank(scores, seed=1), rank(scores, seed=1), rank(scores, seed=2)
    assert first == two
    np.testing.assert_array_equal(first.columns[0].pvalues, two.columns[0].pvalues)
    assert first.columns[0].systems != other.columns[0].systems


@dataclass(frozen=True, slots=True)
class Pooled(Metric):
    """Precision and recall of all documents together, from counts of overlap, summary and reference."""

    parts = ("overlap", "summary", "reference")

    @property
    def name(self):
        return "pooled"

    @property
    def columns(self):
        return tuple(Column(name, "", pooled=name != "own") for name in ("own", "precision", "recall"))

    @property
    def needs(self):
        return frozenset({"references"})

    def score(self, examples):
        raise NotImplementedError

    def pool(self, sums):
        total = np.maximum(sums[..., 1:], 1e-9)
        return sums[..., :1] / total


@pytest.fixture
def pooled_scores(monkeypatch):
    asked = []
    monkeypatch.setattr(gistmeter.metrics, "parse_metric", lambda text: asked.append(text) or Pooled())
    parts = {
        "pooled(x=1.5).overlap": [[1, 8], [2, 2], [NAN, NAN]],
        "pooled(x=1.5).summary": [[10, 10], [4, 4], [NAN, NAN]],
        "pooled(x=1.5).reference": [[10, 20], [10, 20], [NAN, NAN]],
    }
    scores = scores_of(parts, systems=["x", "y", "none"])
    names = tuple(parts)
    columns = tuple(ScoreColumn(f"pooled(x=1.5).{name}", "", parts=names) for name in ("precision", "recall"))
    yield Scores(scores.table, columns)
    assert asked[0] == "pooled(x=1.5)"


def test_pooled_columns_are_computed_from_sums(pooled_scores):
    precision, recall = rank(pooled_scores).columns
    # x: (1 + 8) / 20 = 0.45 and 9 / 30; y: 4 / 8 = 0.5 and 4 / 30. A mean over
    # documents would give x a recall of (0.1 + 0.4) / 2 = 0.25 instead.
    assert [(system.system, system.value) for system in precision.systems[:2]] == [("y", 0.5), ("x", 0.45)]
    assert [system.system for system in recall.systems] == ["x", "y", "none"]
    assert [system.value for system in recall.systems[:2]] == pytest.approx([0.3, 4 / 30])
    # The metric would make 0 of no documents at all; that is not a score.
    assert math.isnan(recall.systems[2].value)
    assert (recall.systems[2].documents, recall.systems[2].group) == (0, "")
    assert np.isnan(recall.pvalues[2]).all()
    # Resampled documents d1 d1, d1 d2, d2 d2 give x recalls of 0.1, 0.3 and 0.4.
    assert (recall.systems[0].low, recall.systems[0].high) == pytest.approx((0.1, 0.4))


def test_pooled_columns_are_compared(pooled_scores):
    difference = compare(pooled_scores, "x", "y").differences[1]
    assert (difference.a, difference.b, difference.difference) == pytest.approx((0.3, 4 / 30, 5 / 30))
    # Swapping no or both documents gives 5/30; swapping d1 gives overlaps 10 and 3, 7/30; d2 the same: all 4.
    assert difference.pvalue == 1.0
    assert (difference.documents, difference.largest) == (2, ())


def test_an_unknown_pooled_column_is_named(pooled_scores):
    wrong = ScoreColumn("pooled(x=1.5).f1", "", parts=pooled_scores.columns[0].parts)
    with pytest.raises(DataError, match=r"no pooled score 'f1' \(it has precision, recall\)"):
        rank(Scores(pooled_scores.table, (wrong,)))


def test_comparison_by_hand():
    matrix = [[NAN, 0.5, 0.1, 0.9, 0.4], [0.9, 0.1, 0.5, 0.8, 0.4], [0.0] * 5]
    comparison = compare(scores_of({"m.f1": matrix}, systems=["x", "y", "z"]), "y", "x", largest=3)
    assert (comparison.system_a, comparison.system_b) == ("y", "x")
    [result] = comparison.differences
    # On d2 to d5: y (0.1 + 0.5 + 0.8 + 0.4) / 4 = 0.45, x (0.5 + 0.1 + 0.9 + 0.4) / 4 = 0.475.
    assert (result.a, result.b, result.difference) == pytest.approx((0.45, 0.475, -0.025))
    assert result.documents == 4
    # Differences -0.4, 0.4, -0.1, 0: sums of any signs are at least 0.1 in size, as observed.
    assert result.pvalue == 1.0
    assert -0.4 <= result.low < -0.025 < result.high <= 0.4
    # d2 and d3 differ most, alike, and stay in order; d1 is not shared.
    assert [item.doc_id for item in result.largest] == ["d2", "d3", "d4"]
    assert (result.largest[0].a, result.largest[0].b, result.largest[0].difference) == pytest.approx((0.1, 0.5, -0.4))
    assert comparison.notes == ("x has 4 of 5 documents; they are compared on shared documents",)


def test_comparison_finds_a_difference():
    comparison = compare(three_systems(), "good", "bad", permutations=999, resamples=100, confidence=0.9, seed=3)
    [result] = comparison.differences
    assert (result.difference, result.low, result.high) == pytest.approx((0.5, 0.5, 0.5))
    assert result.pvalue < 0.01
    assert (comparison.permutations, comparison.resamples) == (999, 100)
    assert (comparison.confidence, comparison.seed) == (0.9, 3)
    assert comparison.notes == ()


def test_comparison_without_shared_documents():
    scores = scores_of({"m.f1": [[1.0, NAN], [NAN, 2.0]]}, systems=["x", "y"])
    comparison = compare(scores, "x", "y")
    [result] = comparison.differences
    assert (result.documents, result.largest) == (0, ())
    assert math.isnan(result.difference)
    assert math.isnan(result.pvalue)
    assert "x and y share no document that has m.f1" in comparison.notes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda scores: compare(scores, "good", "godo"), "did you mean good"),
        (lambda scores: rank(scores, columns=["m.f2"]), "did you mean m.f1"),
        (lambda scores: rank(scores, columns=[]), "no column was named"),
        (lambda scores: rank(Scores(scores.table.clear(), scores.columns)), "no rows"),
        (
            lambda scores: rank(Scores(scores.table.with_columns(pl.lit(math.inf).alias("m.f1")), scores.columns)),
            "m.f1 has infinite values",
        ),
    ],
)
def test_mistakes_are_named(call, message):
    with pytest.raises(DataError, match=message):
        call(three_systems())


def test_wrong_arguments_are_value_errors():
    with pytest.raises(ArgumentError, match=r"`alpha` is between 0 and 1, such as 0.05, not 5"):
        rank(three_systems(), alpha=5)
    with pytest.raises(ArgumentError, match=r"such as 0.95"):
        rank(three_systems(), confidence=95)
    with pytest.raises(ValueError, match="good cannot be compared with itself"):
        compare(three_systems(), "good", "good")


@pytest.mark.slow
def test_a_ranking_of_equal_systems_finds_a_difference_in_5_percent():
    """Holm keeps the chance of any wrong difference among all pairs at alpha or below."""
    rng = np.random.default_rng(11)
    wrong = 0
    for trial in range(400):
        matrix = rng.normal(size=(1, 30)) + rng.normal(size=(4, 30))
        ranking = rank(scores_of({"m.f1": matrix}, systems=list("wxyz")), resamples=1, permutations=999, seed=trial)
        wrong += len({system.group for system in ranking.columns[0].systems}) > 1
    # At most 5 % of 400 is 20, with a standard error of 4.4; and a test that never rejects would give 0.
    assert 3 <= wrong <= 34


def test_a_table_of_another_program_has_the_direction_of_its_names(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "docid,model,js.divergence,own,length.words\n"
        + "".join(f"d{n},{s},{v},{v},{v}\n" for n in range(3) for s, v in (("a", 0.1), ("b", 0.9)))
    )
    ranking = rank(Scores.read(path), resamples=10, permutations=10)
    order = {ranked.column.name: [system.system for system in ranked.systems] for ranked in ranking.columns}
    assert order["js.divergence"] == ["a", "b"]
    assert order["own"] == ["b", "a"]
    assert {ranked.column.name: ranked.column.better for ranked in ranking.columns}["length.words"] == "neither"
