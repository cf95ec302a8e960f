"""Tables of scores as CSV: what a spreadsheet would run is marked, and the mark comes off again."""

import csv

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.ranking.means import measure_means
from gistmeter.scores import ScoreColumn, Scores

NAMES = [
    "=cmd|' /C calc'!A0",
    "+1+2",
    "-x",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'=1",
    "''=1",
    "'tis",
    "-5",
    "+3.5e2",
    "=",
    "a=b",
]


def make_scores(names, label="x.f1"):
    table = pl.DataFrame({"doc_id": names, "system": names[::-1], label: [-0.5] * len(names)})
    return Scores(table, (ScoreColumn(label, "x|v:0"),))


def test_no_cell_of_a_csv_runs(tmp_path):
    make_scores(NAMES).write(tmp_path / "s.csv")
    with (tmp_path / "s.csv").open(newline="", encoding="utf-8") as stream:
        _, *rows = csv.reader(stream)
    documents = [row[0] for row in rows]
    assert documents[:5] == ["'=cmd|' /C calc'!A0", "'+1+2", "'-x", "'@SUM(A1)", "'\t=1"]
    assert documents[6:11] == ["''=1", "'''=1", "'tis", "-5", "+3.5e2"]  # numbers stay numbers
    assert {row[2] for row in rows} == {"-0.5"}
    assert Scores.read(tmp_path / "s.csv").documents == NAMES
    assert Scores.read(tmp_path / "s.csv").systems == NAMES[::-1]


def test_names_of_columns_are_marked_too(tmp_path):
    make_scores(["1"], "=1+1.f1").write(tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text().splitlines()[0] == "doc_id,system,'=1+1.f1"
    assert Scores.read(tmp_path / "s.csv").column("=1+1.f1").signature == "x|v:0"


def test_means_of_a_long_file_have_the_names_as_they_were(tmp_path):
    scores = make_scores(["=1", "2"])
    scores.write(tmp_path / "s.csv")
    assert set(measure_means(tmp_path / "s.csv", scores.columns, summaries=2).by_system) == {"=1", "2"}


@given(st.lists(st.text(st.sampled_from("=+-@'\t1.eax "), min_size=1, max_size=6), min_size=1, max_size=8, unique=True))
def test_every_name_comes_back(tmp_path_factory, names):
    path = tmp_path_factory.mktemp("csv") / "s.csv"
    make_scores(names).write(path)
    assert Scores.read(path).documents == names


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_other_formats_need_no_marks(tmp_path, suffix):
    make_scores(["=1"]).write(tmp_path / f"s{suffix}")
    assert Scores.read(tmp_path / f"s{suffix}").table["doc_id"].to_list() == ["=1"]
