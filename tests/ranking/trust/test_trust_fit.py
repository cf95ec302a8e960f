"""Tables of a user's own: fitting, asking, and files that were written before."""

import dataclasses
import datetime
import io
import json

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from gistmeter.errors import ArgumentError, DataError
from gistmeter.judgments import Judgments
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.ranking.trust import (
    FitOptions,
    JudgedScores,
    add_trust_to_comparison,
    add_trust_to_ranking,
    available,
    calibrate,
    fit,
    fit_table,
    read_tables,
    trust,
    trust_pair,
    write_tables,
)
from gistmeter.ranking.trust.fit import digest_inputs
from gistmeter.ranking.trust.tables import Dataset
from gistmeter.report.sheets.trust import answer_json, available_view
from gistmeter.scores import ScoreColumn, Scores

OPTIONS = FitOptions(command="a test", resamples=50)


def simulate(systems=8, documents=30, *, seed=0, scale=1.0):
    """A metric and people who both see the quality of systems, with errors of their own."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0.4, 0.05, size=(systems, 1))
    metric = quality + rng.normal(0, 0.05, size=(systems, documents))
    return scale * metric, quality + rng.normal(0, 0.1, size=(systems, documents))


def scores_of(metric, columns):
    """Scores with the same values in each column (name, signature, better)."""
    rows = [
        (f"d{doc}", f"s{system}", *[value] * len(columns))
        for system, values in enumerate(metric)
        for doc, value in enumerate(values)
    ]
    table = pl.DataFrame(rows, schema=["doc_id", "system", *(name for name, *_ in columns)], orient="row")
    return Scores(table, tuple(ScoreColumn(*column) for column in columns))


def judgments_of(people, *, aspects=("overall",), start=0):
    return Judgments.from_records(
        {"doc_id": f"d{doc}", "system": f"s{system + start}", "human": dict.fromkeys(aspects, value)}
        for system, values in enumerate(people)
        for doc, value in enumerate(values)
    )


MINE = (("mine.score", "mine|way:new|v:1.0", "higher"),)


def test_a_fitted_table_holds_what_calibrate_gives(tmp_path):
    metric, people = simulate()
    path, described = tmp_path / "my.json", {"name": "ours", "about": "news", "date": "2026-02-28", "seed": 3}
    fitted = fit(scores_of(metric, MINE), judgments_of(people), output=path, **described)
    (table,) = fitted.tables
    assert (table.name, table.signature, table.scale) == ("mine.score", "mine|way:new", 1.0)
    assert (fitted.skipped, fitted.notes) == ((), ())
    (judged,) = table.people["all"].sets
    assert judged.dataset == Dataset("ours", "overall", "news", references=0)
    expected = calibrate(metric, people, seed=3)
    assert judged.slope == pytest.approx(expected.slope, rel=1e-4)
    assert (judged.systems, judged.documents, judged.pairs) == (8, 30, 28)
    assert judged.inputs == digest_inputs(metric, people)
    assert (table.provenance.command, table.provenance.date) == ("gistmeter trust fit", "2026-02-28")
    assert read_tables(path) == fitted.tables
    # The same inputs and date give the same bytes, on any day.
    before = path.read_bytes()
    fit(scores_of(metric, MINE), judgments_of(people), output=path, **described)
    assert path.read_bytes() == before


def test_a_table_gives_the_day_of_its_making():
    metric, people = simulate()
    with pytest.raises(ArgumentError, match=r"^`date` is a day such as 2026-01-31, not yesterday"):
        fit(scores_of(metric, MINE), judgments_of(people), date="yesterday", resamples=10)
    earliest = datetime.date.today().isoformat()
    (table,) = fit(scores_of(metric, MINE), judgments_of(people), resamples=10).tables
    assert earliest <= table.provenance.date <= datetime.date.today().isoformat()


def test_a_table_that_says_nothing_of_its_columns_has_the_directions_of_their_metrics():
    metric, people = simulate()
    divergence = (("js.divergence", "unknown", "higher"),)
    # People like what the divergence puts low: it agrees with them as much as its mirror image does.
    (table,) = fit(scores_of(-metric, divergence), judgments_of(people), resamples=10).tables
    (mirror,) = fit(scores_of(metric, MINE), judgments_of(people), resamples=10).tables
    (turned,), (own,) = table.people["all"].sets, mirror.people["all"].sets
    assert turned.slope == pytest.approx(own.slope)
    assert own.slope > 0
    assert (
        trust_pair(scores_of(-metric, divergence), "s0", "s1", tables=[table]).winners
        == trust_pair(scores_of(metric, MINE), "s0", "s1", tables=[mirror]).winners
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_farthest_pair_of_a_table_is_not_beyond_it(seed):
    # Gaps in a file have five digits: cut down, the farthest pair itself would lie outside.
    metric, people = simulate(seed=seed)
    scores = scores_of(metric, MINE)
    tables = fit(scores, judgments_of(people), name="ours", resamples=50).tables
    means = metric.mean(axis=1)
    pair = trust_pair(scores, f"s{means.argmax()}", f"s{means.argmin()}", tables=tables)
    assert not [note for answer in pair.answers for note in answer.notes if "that far apart" in note]


def test_own_tables_come_before_the_shipped_ones():
    metric, people = simulate()
    signature = trust("rouge1", 0.01).signature
    scores = scores_of(metric, (("rouge1.f1", f"{signature}|v:1", "higher"), *MINE))
    tables = fit(scores, judgments_of(people), name="ours", resamples=50).tables
    for answer in (trust("rouge1", 0.02, tables=tables), trust("mine", 0.02, tables=tables)):
        assert [judged.dataset.name for judged in answer.sets] == ["ours"]
    assert trust("rouge2", 0.02, tables=tables) == trust("rouge2", 0.02)
    pair = trust_pair(scores, "s0", "s1", tables=tables)
    assert [judged.dataset.name for answer in pair.answers for judged in answer.sets] == ["ours", "ours"]
    assert pair.uncalibrated == ()
    assert trust_pair(scores, "s0", "s1").uncalibrated == ("mine.score",)


def test_notes_under_rankings_and_comparisons_ask_own_tables():
    metric, people = simulate()
    scores = scores_of(metric, MINE)
    tables = fit(scores, judgments_of(people), name="ours", resamples=50).tables
    ranking = rank(scores, permutations=10, resamples=10)
    assert "(ours " in add_trust_to_ranking(ranking, tables=tables).notes[-1]
    assert "is not known for mine.score" in add_trust_to_ranking(ranking).notes[-1]
    comparison = compare(scores, "s0", "s1", permutations=10, resamples=10)
    assert "(ours " in add_trust_to_comparison(comparison, tables=tables).notes[-1]


def test_scores_of_another_program_are_told_apart_by_name():
    """A plain table has no signatures: `a.score` must not answer for `b.score`."""
    metric, people = simulate()
    columns = (("a.score", "unknown", "higher"), ("b.score", "unknown", "higher"), ("plain", "unknown", "higher"))
    scores = scores_of(metric, columns)
    tables = fit(scores, judgments_of(people), columns=["a.score"], resamples=50).tables
    pair = trust_pair(scores, "s0", "s1", tables=tables)
    assert [answer.name for answer in pair.answers] == ["a.score"]
    assert pair.uncalibrated == ("b.score", "plain")
    (table,) = fit(scores, judgments_of(people), columns=["plain"], resamples=50).tables
    assert table.name == "plain"
    assert trust("plain", 0.02, tables=[table]).name == "plain"


@pytest.mark.parametrize(
    ("scale", "signature", "expected"), [(1, "m", 1.0), (100, "bleu|x:y", 100.0), (100, "m", None)]
)
def test_the_scale_of_scores(scale, signature, expected):
    metric, people = simulate(scale=scale)
    column = ScoreColumn("m.s", signature)
    dataset = Dataset("ours", "overall", "", references=0)
    table = fit_table(column, [JudgedScores(dataset, metric, people)], OPTIONS)
    assert table.scale == expected
    # Whatever the scale, the same systems are as far apart: the share must be the same.
    plain = fit_table(column, [JudgedScores(dataset, metric / scale, people)], OPTIONS)
    (share,) = (answer.share for answer in [trust("m.s", 0.02 * scale, tables=[table])])
    assert share == pytest.approx(trust("m.s", 0.02, tables=[plain]).share, rel=1e-3)
    if expected is None:
        with pytest.raises(ArgumentError, match=r"m.s has no scale of 0 to 100.* without `points`"):
            trust("m.s", 1, points=True, tables=[table])
        assert trust("m.s", 500, tables=[table]).notes[0].startswith("no two judged systems are that far apart")


def test_lower_may_be_better():
    metric, people = simulate()
    columns = (("mine.error", "mine", "lower"),)
    higher = fit(scores_of(metric, MINE), judgments_of(people), resamples=50).tables[0]
    lower = fit(scores_of(-metric, columns), judgments_of(people), resamples=50).tables[0]
    assert lower.people["all"].sets[0].slope == pytest.approx(higher.people["all"].sets[0].slope)


def test_few_documents_have_pooled_slopes_in_order():
    """With 8 documents there are subsets of 5 only; the pooled interval is for 5 and 8."""
    metric, people = simulate(documents=8)
    (table,) = fit(scores_of(metric, MINE), judgments_of(people), resamples=50).tables
    assert [slopes.documents for slopes in table.people["all"].pooled] == [5, 8]
    answers = [trust("mine", 0.02, documents=count, tables=[table]) for count in (5, 8)]
    assert answers[0].share <= answers[1].share


def test_pairs_that_nobody_tells_apart_are_left_out():
    """Over 4 documents the smallest p of a paired permutation test is 2 of 16 ways to swap: never below .05."""
    metric, people = simulate(documents=4)
    fitted = fit(scores_of(metric, MINE), judgments_of(people), resamples=50)
    assert set(fitted.tables[0].people) == {"all"}
    assert "people tell no pair of systems apart significantly" in fitted.notes[0]
    with pytest.raises(DataError, match="too few pairs that people tell apart significantly"):
        trust("mine", 0.02, people="significant", tables=fitted.tables)


def test_what_cannot_be_fitted_is_named():
    metric, people = simulate()
    columns = (*MINE, ("length.words", "length", "neither"), ("flat.s", "flat", "higher"))
    scores = scores_of(metric, columns)
    scores = dataclasses.replace(scores, table=scores.table.with_columns(pl.lit(0.5).alias("flat.s")))
    fitted = fit(scores, judgments_of(people, start=2), resamples=50)
    assert [table.name for table in fitted.tables] == ["mine.score"]
    (why,) = fitted.skipped
    assert why.startswith("flat.s cannot be calibrated on judgments: the metric gives half of all pairs")
    assert fitted.notes == (
        "left out 2 systems without judgments: s0, s1",
        "left out 2 judged systems without scores: s8, s9",
    )
    with pytest.raises(DataError, match=r"length.words describes and does not judge"):
        fit(scores, judgments_of(people), columns=["length.words"])


@pytest.mark.parametrize(
    ("people", "options", "error", "words"),
    [
        (judgments_of(np.ones((3, 2)), aspects=("a", "b")), {}, ArgumentError, r"say which .* `aspect` \(a, b\)"),
        (judgments_of(np.ones((3, 2))), {"aspect": "overal"}, DataError, "no judgment 'overal'; did you mean overall"),
        (judgments_of(np.ones((3, 2)), start=90), {}, DataError, "share no summary: do the names"),
        (judgments_of(np.ones((2, 2))), {}, DataError, "needs at least 3 judged systems, not 2"),
        (judgments_of(np.ones((3, 2))), {}, DataError, "people rank: they tie all of them"),
        (judgments_of(np.ones((3, 2))), {"columns": ["mine.scor"]}, DataError, "did you mean mine.score"),
    ],
)
def test_mistakes_say_what_to_do(people, options, error, words):
    metric, _ = simulate()
    with pytest.raises(error, match=words):
        fit(scores_of(metric, MINE), people, **options)


def test_one_set_alone_says_so_and_a_set_that_taught_the_metric_too():
    metric, people = simulate()
    other_metric, other_people = simulate(seed=1)
    column = ScoreColumn("m.s", "m")
    taught = JudgedScores(
        Dataset("taught", "overall", "", references=1, pooled=False),
        metric,
        people,
        bias="its judge learned from these",
    )
    fresh = JudgedScores(Dataset("fresh", "overall", "", references=1), other_metric, other_people)
    table = fit_table(column, [taught, fresh], OPTIONS)
    answer = trust("m", 0.02, tables=[table])
    # The answer is that of the set which the metric did not learn from.
    assert answer.share == pytest.approx(answer.sets[1].share)
    assert answer.left_out == ()
    assert answer.notes == (
        '"another set" rests on fresh alone: how much sets differ is not in its interval',
        "taught: its judge learned from these, so this is optimistic",
    )
    with pytest.raises(DataError, match="has no dataset to be calibrated on"):
        fit_table(column, [taught], OPTIONS)


def test_a_set_that_people_rank_the_other_way_is_told():
    metric, people = simulate(systems=12, documents=60)
    table = fit_table(
        ScoreColumn("m.s", "m"), [JudgedScores(Dataset("odd", "overall", "", references=1), metric, -people)], OPTIONS
    )
    answer = trust("m", 0.02, tables=[table])
    assert answer.share < 0.5
    assert np.isnan([needed.gap for needed in answer.needed]).all()
    assert "in odd people prefer the system that this score puts second" in answer.notes


def test_files_written_before_there_were_digests_are_read(tmp_path):
    """Version 0.1 wrote neither `inputs` nor `bias`, and indented."""
    metric, people = simulate()
    fitted = fit(scores_of(metric, MINE), judgments_of(people), resamples=50)
    write_tables(fitted.tables, tmp_path / "new.json")
    tables = json.loads((tmp_path / "new.json").read_text())
    for people_table in tables[0]["people"].values():
        for judged in people_table["sets"]:
            del judged["inputs"], judged["bias"]
    (tmp_path / "old.json").write_text(json.dumps(tables, indent=1))
    (old,) = read_tables(tmp_path / "old.json")
    assert old.people["all"].sets[0].inputs == ""
    assert trust("mine", 0.02, tables=[old]).share == trust("mine", 0.02, tables=fitted.tables).share


def test_gzipped_tables(tmp_path):
    metric, people = simulate()
    fitted = fit(scores_of(metric, MINE), judgments_of(people), resamples=50, output=tmp_path / "my.json.gz")
    assert (tmp_path / "my.json.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert read_tables(tmp_path / "my.json.gz") == fitted.tables


def test_answers_carry_their_provenance():
    result = json.loads(answer_json(trust("rouge1", 0.005)))
    assert result["provenance"]["command"] == "python scripts/fit_trust_tables.py"
    assert all(len(judged["inputs"]) == 16 for judged in result["sets"])
    assert [judged["dataset"]["aspect"] for judged in result["sets"]][:2] == ["relevance", "litepyramid_recall"]


def test_a_sample_is_named_in_the_answer_and_in_the_list():
    metric, people = simulate()
    sampled = Dataset("ours", "overall", "news", references=1, sample="every 4th document")
    whole = Dataset("theirs", "overall", "news", references=1)
    column = ScoreColumn("mine.score", "mine|v:1.0")
    table = fit_table(column, [JudgedScores(sampled, metric, people), JudgedScores(whole, metric, people)], OPTIONS)
    (answer,) = available([table])
    assert (
        "fitted to a sample, every 4th document of ours, because the score takes long: intervals are wider"
        in answer.notes
    )
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(available_view([answer]))
    shown = console.export_text()
    assert "ours, theirs (every 4th document)" in shown
    assert "ours overall, 8 systems x 30 documents (every 4th document), 1 reference: news." in shown
    assert "theirs overall, 8 systems x 30 documents, 1 reference: news." in shown
    plain = fit_table(column, [JudgedScores(whole, metric, people)], OPTIONS)
    assert not any("sample" in note for note in available([plain])[0].notes)
