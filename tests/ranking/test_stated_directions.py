"""Which way is good survives what other programs do with a table; where it is lost, a note says what was taken."""

import polars as pl
import pytest

from gistmeter import api
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.stacking import stack_scores
from gistmeter.scores import ScoreColumn, Scores

REPETITION = "repetition.repeat1"


def two_systems(**columns):
    """Eight documents by `good` and `bad`: each column has the value of the good one, then of the bad one."""
    rows = {name: [good] * 8 + [bad] * 8 for name, (good, bad) in columns.items()}
    return pl.DataFrame({"doc_id": [*"12345678"] * 2, "system": ["good"] * 8 + ["bad"] * 8, **rows})


def best(ranking, column):
    ranked = next(ranked for ranked in ranking.columns if ranked.column.name == column)
    return ranked.systems[0].system


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """A file of scores of the demo, by metrics of which lower is better, with settings and without."""
    path = tmp_path_factory.mktemp("scored") / "s.parquet"
    api.score_to_file(demo_run(), "repetition,repetition(tokenizer=whitespace),js", path, cache=False)
    return path


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_a_round_trip_through_polars_turns_no_score_round(scored, tmp_path, suffix):
    table = pl.read_parquet(scored)
    rewritten = tmp_path / f"r{suffix}"
    write = {".parquet": table.write_parquet, ".csv": table.write_csv, ".jsonl": table.write_ndjson}[suffix]
    write(rewritten)
    before, after = (api.rank(Scores.read(path), resamples=20, permutations=20) for path in (scored, rewritten))
    assert [[system.system for system in ranked.systems] for ranked in after.columns] == [
        [system.system for system in ranked.systems] for ranked in before.columns
    ]
    assert "lower" in {ranked.column.better for ranked in after.columns}
    assert not [note for note in after.notes if "which way" in note]


def test_the_numbers_of_rows_that_pandas_keeps_are_no_score(tmp_path):
    table = two_systems(rouge1=(2.0, 1.0)).with_columns(pl.lit(0).alias("__index_level_0__"))
    table.write_parquet(tmp_path / "p.parquet")
    assert [column.name for column in Scores.read(tmp_path / "p.parquet").columns] == ["rouge1"]


def test_an_unknown_score_is_noted_and_may_be_stated():
    scores = Scores.from_metadata(two_systems(own=(1.0, 2.0), rouge1=(2.0, 1.0)), None)
    guessed = api.rank(scores)
    assert best(guessed, "own") == "bad"
    [note] = guessed.notes
    assert note == "own: nothing says which way is good, so higher is taken to be better (`lower=own` says otherwise)"
    stated = api.rank(scores, lower="own")
    assert best(stated, "own") == "good"
    assert stated.notes == ()
    assert api.rank(scores, higher=["own"]).notes == ()
    assert [
        difference.column.better for difference in api.compare(scores, "good", "bad", lower=["own"]).differences
    ] == [
        "lower",
        "higher",
    ]
    assert any("own: nothing says" in note for note in api.compare(scores, "good", "bad").notes)


def test_what_is_stated_of_a_direction_is_checked():
    scores = Scores.from_metadata(two_systems(own=(1.0, 2.0)), None)
    with pytest.raises(DataError, match="no score 'onw'; did you mean own"):
        api.rank(scores, lower="onw")
    with pytest.raises(ArgumentError, match="own is in `lower` and in `higher`"):
        api.rank(scores, lower="own", higher="own")


def test_a_length_may_be_made_to_judge():
    scores = Scores.from_metadata(two_systems(**{"length.words": (10.0, 20.0)}), None)
    assert api.rank(scores).columns[0].systems[0].group == ""
    [ranked] = api.rank(scores, lower="length.words").columns
    assert [(system.system, system.group) for system in ranked.systems] == [("good", "a"), ("bad", "b")]


def test_a_gate_knows_and_notes_directions():
    base = Scores.from_metadata(two_systems(own=(1.0, 1.0)), None)
    new = Scores.from_metadata(two_systems(own=(2.0, 2.0)), None)
    guessed = api.gate(base, new)
    assert guessed.passed
    assert any("own: nothing says which way is good" in note for note in guessed.notes)
    stated = api.gate(base, new, lower="own")
    assert not stated.passed
    assert stated.rows[0].column.better == "lower"  # the arrow of the table
    assert not [note for note in stated.notes if "which way" in note]


def test_a_report_points_its_arrows_as_the_ranking_does(tmp_path):
    from gistmeter.report.page.payload import page_data

    scores = Scores.from_metadata(two_systems(**{REPETITION: (0.0, 0.5), "own": (1.0, 2.0)}), None)
    from datetime import UTC, datetime

    data = page_data(
        scores,
        api.rank(scores, lower="own"),
        examples=(),
        metrics=None,
        title="t",
        evidence_rows=0,
        made_at=datetime.now(UTC),
    )
    assert [column["better"] for column in data["columns"]] == ["lower", "lower"]
    api.report_scores(scores, tmp_path / "r.html", lower="own")


def test_of_two_tables_the_one_that_knows_speaks():
    plain = Scores.from_metadata(two_systems(own=(1.0, 2.0)), None)
    stated = Scores(two_systems(own=(1.0, 2.0)), (ScoreColumn("own", "own|v:1", "lower"),))
    assert [column.better for column in stack_scores({"a": plain, "b": stated}).columns] == ["lower"]
    joined = Scores.join({"a": plain, "b": stated})
    assert [column.better for column in joined.columns] == ["lower"]
    assert joined.columns[0].signature == "unknown"  # of the values that are there, nobody says how they were made


def test_what_was_stated_once_stays_when_it_is_written_again(tmp_path):
    scores = Scores(two_systems(own=(1.0, 2.0)), (ScoreColumn("own", "unknown", "lower", direction_stated=True),))
    for suffix in (".parquet", ".csv", ".jsonl"):
        scores.write(tmp_path / f"s{suffix}")
        [column] = Scores.read(tmp_path / f"s{suffix}").columns
        assert column.better == "lower"
        assert column.has_direction


def test_the_command_names_the_option(command, tmp_path):
    path = tmp_path / "s.csv"
    two_systems(own=(1.0, 2.0)).write_csv(path)
    _, out, _ = command("rank", str(path))
    assert "(--lower own says otherwise)" in " ".join(out.split())
    for line in (["rank", str(path)], ["compare", str(path), "good", "bad"], ["gate", str(path), str(path)]):
        code, out, _ = command(*line, "--lower", "own")
        assert code == 0
        assert "own ↓" in out
        assert "which way" not in out
    code, _, errors = command("rank", str(path), "--lower", "own", "--higher", "own")
    assert (code, "own is in --lower and in --higher" in errors) == (2, True)
