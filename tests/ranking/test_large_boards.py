"""Large boards: tests by saddlepoint against exact ones, no table of all pairs, and what is said of it."""

import json
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from gistmeter import stats
from gistmeter.cli import output
from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking import large
from gistmeter.ranking import rank as rank_module
from gistmeter.ranking.rank import rank
from gistmeter.report.tables.board import ranking_caption
from gistmeter.scores import ScoreColumn, Scores


def make_scores(values, *, name="m.f1", better="higher"):
    """Scores of a table systems x documents; NaN is a summary that is not there."""
    systems, documents = np.nonzero(~np.isnan(values))
    table = {
        "doc_id": [f"d{j}" for j in documents],
        "system": [f"s{i:05d}" for i in systems],
        name: values[systems, documents],
    }
    return Scores(pl.DataFrame(table), (ScoreColumn(name, "m|v:0", better),))


def draw_board(systems, documents, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(systems, documents)) + np.linspace(0, spread, systems)[:, None] + rng.normal(size=documents)


def exact_pvalue(differences):
    """All ways to sign the differences."""
    ways = ((np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences))) & 1) * 2 - 1
    return np.mean(np.abs(ways @ differences) >= abs(differences.sum()) - 1e-9)


@pytest.mark.more
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.normal(size=15) + 0.8,
        lambda rng: rng.exponential(size=15) - 0.3,
        lambda rng: rng.integers(-1, 3, 15).astype(float),  # a grid: many ways add up to the same
        lambda rng: rng.integers(0, 2, 15).astype(float),
        lambda rng: (rng.normal(size=15) + 0.7) * (np.arange(15) < 12),  # three documents without a difference
    ],
)
def test_the_approximation_is_close_to_all_ways(draw):
    rng = np.random.default_rng(5)
    for _ in range(12):
        differences = draw(rng)
        exact = exact_pvalue(differences)
        [approximate] = stats.swap_pvalues(differences[None], [differences.sum()])
        # Where five ways or more are as extreme; a few ways of 32,768 are as smooth as they are.
        limits = (0.8, 1.25) if 10 / 2**15 < exact < 0.3 else (0.5, 2.0)
        assert limits[0] * exact <= approximate <= limits[1] * exact


@pytest.mark.more
def test_many_documents_come_within_a_few_percent_of_permutations():
    values = draw_board(6, 60, seed=2)
    permuted = stats.pairwise_mean_pvalues(values[None], permutations=40_000, seed=1)[0]
    approximate = stats.pairwise_saddlepoint_pvalues(values)
    likely = permuted > 0.01
    np.testing.assert_allclose(approximate[likely], permuted[likely], rtol=0.08)
    np.testing.assert_array_equal(np.isnan(approximate), np.eye(6, dtype=bool))
    np.testing.assert_array_equal(approximate, approximate.T)


def test_pairs_are_tested_on_shared_documents():
    values = draw_board(4, 20, seed=3)
    values[0, :12] = np.nan
    values[1, 12:] = np.nan
    pvalues = stats.pairwise_saddlepoint_pvalues(values)
    assert np.isnan(pvalues[0, 1])  # nothing in common
    assert pvalues[0, 2] == stats.pairwise_saddlepoint_pvalues(values[[0, 2], 12:])[0, 1]
    against = stats.pairwise_saddlepoint_pvalues(values, others=[2, 0])
    np.testing.assert_array_equal(against, pvalues[:, [2, 0]])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([0.5] * 10, [0.25] * 10, 2 / 1024),  # one difference throughout: all signs alike, or all turned
        ([0.5] * 10, [0.5] * 10, 1.0),
        ([1.0, 0, 0], [0, 0, 0], 1.0),  # one document differs: both signs are as extreme
        ([0.1 + 0.2, 0.4], [0.3, 0.4], 1.0),  # a difference of rounding is none
    ],
)
def test_pvalues_by_hand(first, second, expected):
    assert stats.pairwise_saddlepoint_pvalues([first, second])[0, 1] == expected


def test_what_cannot_be_tested_is_refused():
    for scores, message in (([1.0, 2.0], "systems x documents"), ([[np.inf, 1.0]], "finite")):
        with pytest.raises(DataError, match=message):
            stats.pairwise_saddlepoint_pvalues(scores)
    with pytest.raises(DataError, match="a statistic for each pair"):
        stats.swap_pvalues([[1.0, 2.0]], [1.0, 2.0])
    assert np.isnan(stats.swap_pvalues([[1.0, 2.0]], [np.nan])[0])


def test_runs_of_the_ranking_have_letters():
    differs = np.zeros((5, 5), dtype=bool)
    for pair in ((0, 2), (0, 3), (0, 4), (1, 4), (2, 4)):
        differs[pair] = differs[pair[::-1]] = True
    # from 0 up to 1; from 1 up to 3; from 2 up to 3 lies within; from 3 up to 4
    assert stats.letter_runs(differs) == ("a", "ab", "b", "bc", "c")
    assert stats.letter_runs(np.zeros((0, 0))) == ()
    many = stats.letter_runs(~np.eye(30, dtype=bool))
    assert (many[0], many[25], many[26]) == ("a", "z", "aa")
    for table in ([[False, True], [False, False]], [[False, True]], [False]):
        with pytest.raises(ArgumentError, match="a symmetric table"):
            stats.letter_runs(table)


def test_up_to_40_systems_permutations_decide(monkeypatch):
    monkeypatch.setattr(large, "rank_large", None)
    small = rank(make_scores(draw_board(40, 8)), resamples=20)
    assert (small.tests, small.letters, small.permutations) == ("permutations", "groups", 31_200)
    given = rank(make_scores(draw_board(41, 8)), resamples=20, permutations=50)  # a number given is a number drawn
    assert (given.tests, given.permutations) == ("permutations", 50)


def test_both_ways_agree_on_a_board(monkeypatch):
    scores = make_scores(draw_board(12, 40, spread=2.5))
    permuted = rank(scores, resamples=200, permutations=60_000)
    monkeypatch.setattr(rank_module, "MOST_PERMUTED_SYSTEMS", 11)
    approximate = rank(scores, resamples=200)
    assert approximate.tests == "saddlepoint"
    [before], [after] = permuted.columns, approximate.columns
    for first, second in zip(before.systems, after.systems, strict=True):
        assert (first.system, first.documents, first.group) == (second.system, second.documents, second.group)
        assert second.value == pytest.approx(first.value)
        assert [second.low, second.high] == pytest.approx([first.low, first.high], abs=0.05)
    likely = (before.pvalues > 0.1) & (before.pvalues < 1)
    np.testing.assert_allclose(after.pvalues[likely], before.pvalues[likely], rtol=0.15)
    assert "by saddlepoint approximation, all pairs, Holm-corrected" in ranking_caption(approximate)


def test_pooled_scores_are_tested_too(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(40)]
    lines = []
    for document in range(25):
        reference = list(rng.choice(words, 12))
        for system, noise in (("good", 2), ("fair", 3), ("poor", 8)):
            summary = ["x", *(word if rng.random() > noise / 12 else "x" for word in reference[1:])]
            lines.append(
                {
                    "doc_id": str(document),
                    "system": system,
                    "summary": " ".join(summary),
                    "reference": " ".join(reference),
                }
            )
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps(line) + "\n" for line in lines))
    import gistmeter as gm

    scores = gm.score(run, "bleu")
    exact = rank(scores, columns=["bleu.corpus"], resamples=50, permutations=20_000)
    monkeypatch.setattr(rank_module, "MOST_PERMUTED_SYSTEMS", 2)
    [pairs] = rank(scores, columns=["bleu.corpus"], resamples=50).columns
    monkeypatch.setattr(large, "MOST_PAIRED_SYSTEMS", 2)
    [best] = rank(scores, columns=["bleu.corpus"], resamples=50).columns
    assert [system.system for system in pairs.systems] == ["good", "fair", "poor"]
    np.testing.assert_allclose(pairs.pvalues[0, 1], exact.columns[0].pvalues[0, 1], rtol=0.15, atol=1e-3)
    assert [system.group for system in pairs.systems] == [system.group for system in exact.columns[0].systems]
    assert best.pvalues.shape == (1, 3)
    assert best.pvalues[0, 2] < 0.001
    assert best.systems[2].group == ""


@pytest.mark.more
def test_very_many_systems_are_tested_against_the_best(monkeypatch):
    monkeypatch.setattr(large, "MOST_PAIRED_SYSTEMS", 5)
    monkeypatch.setattr(large, "_BLOCK_SYSTEMS", 3)
    values = draw_board(8, 30, spread=3.0)
    values[2, 5:] = np.nan
    ranking = rank(make_scores(values), resamples=50)
    [column] = ranking.columns
    assert (ranking.tests, ranking.letters, ranking.permutations) == ("best", "best", 0)
    order = [int(system.system[1:]) for system in column.systems]
    raw = stats.pairwise_saddlepoint_pvalues(values)[order[0], order]
    np.testing.assert_array_equal(column.pvalues, [stats.holm(raw)])
    for system, pvalue in zip(column.systems, column.pvalues[0], strict=True):
        assert system.group == ("" if pvalue <= 0.05 else "a")
    assert {system.group for system in column.systems} == {"", "a"}
    assert ranking_caption(ranking).endswith(
        "Systems with an a do not differ significantly from the best (paired permutation test by saddlepoint "
        "approximation, no other pairs, Holm-corrected, alpha .05)."
    )
    assert ranking.notes == ("s00002 has 5 of 30 documents; pairs are tested on shared documents",)


def test_systems_with_documents_of_their_own_take_no_table(monkeypatch):
    # 2,100 systems with a document each: a table of all cells would have four million, one of all pairs as many.
    table = pl.DataFrame(
        {"doc_id": [f"d{i}" for i in range(2100)], "system": [f"s{i}" for i in range(2100)], "m.f1": np.arange(2100.0)}
    )
    ranking = rank(Scores(table, (ScoreColumn("m.f1", "m|v:0"),)), resamples=2)
    [column] = ranking.columns
    assert column.pvalues.shape == (1, 2100)
    assert [system.value for system in column.systems[:2]] == [2099, 2098]
    assert np.isnan(column.pvalues).all()
    assert "2,099 pairs share no document that has m.f1: not tested" in ranking.notes


def test_lower_scores_and_scores_that_do_not_judge(monkeypatch):
    monkeypatch.setattr(rank_module, "MOST_PERMUTED_SYSTEMS", 2)
    values = draw_board(4, 20, spread=6.0)
    [lower] = rank(make_scores(values, better="lower"), resamples=20).columns
    assert [system.system for system in lower.systems] == ["s00000", "s00001", "s00002", "s00003"]
    [neither] = rank(make_scores(values, better="neither"), resamples=20).columns
    assert {system.group for system in neither.systems} == {""}
    values[0, 0] = np.inf
    with pytest.raises(DataError, match=r"m\.f1 has infinite values"):
        rank(make_scores(values))


def test_progress_in_a_pipe_is_a_line_now_and_then(tmp_path, monkeypatch, capsys):
    with output.share_progress("ranking") as progress:
        progress(0.5)  # work that has not taken two seconds says nothing
    assert capsys.readouterr().err == ""
    path = tmp_path / "scores.parquet"
    make_scores(draw_board(45, 10)).write(path)
    monkeypatch.setattr(output, "FIRST_LINE_SECONDS", 0.0)
    answered = CliRunner().invoke(app, ["rank", str(path), "--json", "--resamples", "20"])
    assert answered.stderr == "ranking: 50% done\n"
    described = json.loads(answered.stdout)
    assert (described["tests"], described["letters"], described["permutations"]) == ("saddlepoint", "groups", 0)


def test_a_hundred_systems_take_no_time():
    # One column by permutations took four seconds of this machine's time, and 16 times that for 200 systems.
    scores = make_scores(draw_board(100, 50))
    rank(make_scores(draw_board(41, 5)), resamples=10)  # compiled loops are loaded
    start = time.process_time()
    ranking = rank(scores)
    assert ranking.tests == "saddlepoint"
    assert time.process_time() - start < 2.0


MEASURE = """
import resource, sys
import gistmeter as gm
from gistmeter.scores import Scores
ranking = gm.rank(Scores.read(sys.argv[1]))
usage = resource.getrusage(resource.RUSAGE_SELF)
print(ranking.tests, usage.ru_maxrss // 1024, usage.ru_utime + usage.ru_stime)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("systems", "documents", "tests", "seconds"), [(2000, 100, "saddlepoint", 20), (50_000, 20, "best", 60)]
)
def test_many_systems_in_a_fresh_process(systems, documents, tests, seconds, tmp_path):
    path = tmp_path / "scores.parquet"
    make_scores(draw_board(systems, documents)).write(path)
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    way, megabytes, used = done.stdout.split()
    assert (way, int(megabytes) < 1000, float(used) < seconds) == (tests, True, True)
