"""Leaderboards as papers print them: by type of system, times 100, under short names (FFCI, Tables 6 and 7)."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from gistmeter import api
from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.report.latex.tables import write_latex
from gistmeter.report.tables import plain
from gistmeter.report.tables.board import BoardStyle, ranking_board
from gistmeter.scores import ScoreColumn, Scores

VALUES = {"lead": 0.30, "oracle": 0.40, "bart": 0.45, "pointer": 0.20}
KINDS = {"lead": "extractive", "oracle": "extractive", "bart": "abstractive", "pointer": "abstractive"}


@pytest.fixture
def scores():
    rows = [
        {"doc_id": str(document), "system": system, "focus.score": value + document / 100, "length.words": 50.0}
        for system, value in VALUES.items()
        for document in range(3)
    ]
    columns = (ScoreColumn("focus.score", "focus|v:0"), ScoreColumn("length.words", "length|v:0", "neither"))
    return Scores(pl.DataFrame(rows), columns)


@pytest.fixture
def with_kinds(scores):
    kinds = scores.table["system"].replace_strict(KINDS).alias("kind")
    return Scores(scores.table.with_columns(kinds), scores.columns)


def test_sections_and_points(with_kinds):
    ranking = api.add_sections(api.rank(with_kinds, resamples=20, permutations=20), with_kinds, "kind")
    board = ranking_board(ranking, BoardStyle(points=True, names=("Fo", "W")))
    assert board.headings == ("Fo ↑", "W")
    assert [(row.section, row.system, row.cells[0].value) for row in board.rows] == [
        ("abstractive", "bart", "46.00"),  # the section of the best system comes first; 100 * (.45 + .01)
        ("", "pointer", "21.00"),
        ("extractive", "oracle", "41.00"),
        ("", "lead", "31.00"),
    ]
    assert board.rows[0].cells[1].value == "50.00"
    assert board.caption.endswith("Scores are times 100, but for length.words.")
    markdown = plain.markdown(ranking, BoardStyle(points=True)).splitlines()
    assert markdown[:2] == ["| kind | system | focus.score ↑ | length.words |", "| --- | --- | ---: | ---: |"]
    assert "Kind & System" in write_latex(ranking)
    assert ">abstractive<" in plain.html(ranking)
    assert json.loads(plain.json(ranking))["sections"] == KINDS


def test_without_sections_nothing_changes(scores):
    ranking = api.rank(scores, resamples=20, permutations=20)
    assert plain.markdown(ranking).startswith("| system | focus.score ↑ |")
    assert "sections" not in json.loads(plain.json(ranking))


def test_what_cannot_be_shown_is_said(scores, with_kinds):
    ranking = api.rank(scores, resamples=20, permutations=20)
    with pytest.raises(ArgumentError, match=r"`names` has 1 name for 2 scores: focus.score, length.words"):
        ranking_board(ranking, BoardStyle(names=("Fo",)))
    with pytest.raises(DataError, match="there is no field 'colour' to group by"):
        api.add_sections(ranking, scores, "colour")
    mixed = with_kinds.table.with_columns(pl.col("doc_id").alias("kind"))
    with pytest.raises(DataError, match="system lead has two values of 'kind', 0 and 1"):
        api.add_sections(ranking, Scores(mixed, scores.columns), "kind")


def test_the_command_reads_the_field_from_the_run(tmp_path):
    run, scored = tmp_path / "run.jsonl", tmp_path / "scores.parquet"
    texts = {"lead": "The mayor opened a bridge.", "bart": "A mayor spoke.", "pointer": "Rain."}
    rows = [
        {"doc_id": "1", "system": name, "summary": text, "references": ["The mayor opened it."], "kind": KINDS[name]}
        for name, text in texts.items()
    ]
    run.write_text("\n".join(map(json.dumps, rows)))
    runner = CliRunner()
    assert runner.invoke(app, ["score", str(run), "-m", "rouge1", "-o", str(scored)]).exit_code == 0
    shown = runner.invoke(
        app, ["rank", str(scored), "--by", "kind", "--points", "--names", "R1", "--markdown"], catch_exceptions=False
    )
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("| kind | system | R1 ↑ |")
    assert "| extractive | lead | **66.67**" in shown.output  # P 3/5, R 3/4
    refused = runner.invoke(app, ["rank", str(scored), "--names", "a,b"])
    assert str(refused.exception) == "`names` has 2 names for 1 score: rouge1.f1"
