"""The worst summaries: by direction, by system, of a run that is as it was, wherever its files are."""

import json
import math
import shutil

import polars as pl
import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.scores import ScoreColumn

ROWS = {
    "doc_id": ["1", "2", "3", "1", "2", "3"],
    "system": ["bart"] * 3 + ["lead"] * 3,
    "rouge2.f1": [0.4, 0.1, 0.4, 0.2, math.nan, 0.6],
    "js.divergence": [0.4, 0.1, 0.4, 0.2, 0.3, 0.6],
    "length.words": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
}


@pytest.fixture
def scores():
    columns = [
        ScoreColumn(name, f"{name}|v:1", better)
        for name, better in (("rouge2.f1", "higher"), ("js.divergence", "lower"), ("length.words", "neither"))
    ]
    return gm.Scores(pl.DataFrame(ROWS), tuple(columns))


def test_the_lowest_come_first_with_their_distance_to_the_mean(scores):
    worst = gm.worst(scores, "rouge2", count=2)
    # bart's mean is 0.3, lead's (0.2 + 0.6) / 2 = 0.4
    assert [(row.doc_id, row.system, row.score) for row in worst.rows] == [("2", "bart", 0.1), ("1", "lead", 0.2)]
    assert [row.below for row in worst.rows] == pytest.approx([0.2, 0.2])
    assert (worst.summaries, worst.missing, worst.column.name) == (5, 1, "rouge2.f1")


def test_where_lower_is_better_the_highest_come_first(scores):
    worst = gm.worst(scores, "js", count=1)
    assert (worst.rows[0].doc_id, worst.rows[0].system) == ("3", "lead")
    assert worst.rows[0].below == pytest.approx(0.6 - (0.2 + 0.3 + 0.6) / 3)


def test_of_a_system_and_of_each(scores):
    assert {row.system for row in gm.worst(scores, systems=["lead"]).rows} == {"lead"}
    assert [row.system for row in gm.worst(scores, count=1, each=True).rows] == ["bart", "lead"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "length.words"}, DataError, "does not judge"),
        ({"metric": "roge2"}, DataError, "did you mean rouge2"),
        ({"systems": ["brat"]}, DataError, "did you mean bart"),
        ({"count": 0}, ArgumentError, "1 or more"),
    ],
)
def test_mistakes(scores, arguments, error, message):
    with pytest.raises(error, match=message):
        gm.worst(scores, **arguments)


def test_a_changed_run_is_refused_and_one_that_is_gone_is_noted(tmp_path):
    run, file = tmp_path / "run.jsonl", tmp_path / "s.parquet"
    shutil.copy(demo_run(), run)
    gm.score(run, "rouge2", output=file, cache=False)
    assert gm.worst(file, "rouge2").notes == ()
    text = run.read_text()
    run.write_text(text.replace('summary": "', 'summary": "Changed ', 1))
    with pytest.raises(DataError, match="the run has changed since it was scored: the summary of 1 document"):
        gm.worst(file, "rouge2")
    run.unlink()
    assert "whether the run is as it was" in gm.worst(file, "rouge2").notes[0]


def test_the_command_says_what_to_do_next(command, tmp_path):
    shutil.copy(demo_run(), tmp_path / "run.jsonl")
    assert command("score", "run.jsonl", "-m", "rouge2", "-o", "s.parquet")[0] == 0
    code, out, err = command("worst", "s.parquet", "-m", "rouge2", "-n", "2")
    assert (code, out.count("looper")) == (0, 2)
    assert "next: gistmeter explain s.parquet --doc trial-08 --system looper -m rouge2" in err
    content = json.loads(command("worst", "s.parquet", "-n", "1", "--json")[1])
    assert (content["column"], content["rows"][0]["doc_id"], content["below"] > 0) == ("rouge2.f1", "trial-08", True)
    assert "give --metric once" in command("worst", "s.parquet", "-m", "rouge2,rouge2.recall")[2]


def test_text_files_are_found_beside_the_scores_and_where_they_moved(command, tmp_path, monkeypatch):
    old, new, here = tmp_path / "old", tmp_path / "new", tmp_path / "here"
    for folder in (old, new, here):
        folder.mkdir()
    (old / "a.txt").write_text("rain fell\nsun shone\n")
    (old / "refs.txt").write_text("rain fell here\nit was dark\n")
    monkeypatch.chdir(old)
    options = ("--summaries", "a=a.txt", "--references", "refs.txt", "-m", "rouge1")
    assert command("score", *options, "-o", "s.parquet")[0] == 0
    monkeypatch.chdir(here)
    assert "note" not in command("worst", old / "s.parquet")[1]  # beside the scores
    (old / "refs.txt").rename(new / "refs.txt")
    assert "refs.txt is not here; give --references" in command("worst", old / "s.parquet")[1]
    assert "note" not in command("worst", old / "s.parquet", "--references", new / "refs.txt")[1]
    (new / "refs.txt").write_text("rain fell there\nit was dark\n")
    code, _, err = command("worst", old / "s.parquet", "--references", new / "refs.txt")
    assert (code, "the references of 1 document (1)" in err) == (2, True)
