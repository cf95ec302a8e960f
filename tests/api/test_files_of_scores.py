"""A file of scores stands for the scores: every verb that takes them takes the file."""

import shutil

import pytest

import gistmeter as gm
from gistmeter.demo import demo_judgments, demo_run
from gistmeter.errors import ArgumentError, DataError, GistmeterError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scores")
    shutil.copy(demo_run(), folder / "run.jsonl")
    gm.score(folder / "run.jsonl", "rouge1,rouge2", output=folder / "scores.parquet", cache=False)
    return folder


@pytest.fixture(scope="module")
def file(folder):
    return folder / "scores.parquet"


@pytest.mark.parametrize("spell", [str, lambda path: path], ids=["text", "path"])
def test_rank_and_compare_and_gate_take_files(file, spell):
    scores = gm.Scores.read(file)
    assert gm.rank(spell(file), columns=["rouge2.f1"]) == gm.rank(scores, columns=["rouge2.f1"])
    assert gm.compare(spell(file), "careful", "lead3") == gm.compare(scores, "careful", "lead3")
    assert gm.gate(spell(file), spell(file)) == gm.gate(scores, scores)


def test_correlate_takes_files(file):
    by_file = gm.correlate(file, str(demo_judgments()), column="rouge1.f1", aspect="content")
    people = gm.Judgments.read(demo_judgments())
    assert by_file == gm.correlate(gm.Scores.read(file), people, column="rouge1.f1", aspect="content")


def test_a_report_and_citations_come_from_a_file(file, tmp_path):
    gm.write_report(file, tmp_path / "report.html", title="From a file")
    assert "<title>From a file</title>" in (tmp_path / "report.html").read_text("utf-8")
    assert "lin2004rouge" in gm.cite(str(file)).entries
    with pytest.raises(DataError, match="one of the inputs"):
        gm.write_report(file, file)


def test_meta_questions_take_files(file):
    answer = gm.meta.correlate(str(file), str(demo_judgments()), metrics="rouge1.f1", aspect="content")
    assert answer.rows[0].metric == "rouge1.f1"


def test_explain_finds_the_summary_in_a_run_or_behind_scores(folder, file, monkeypatch):
    named = {"doc_id": "harbour-01", "system": "terse"}
    example = next(e for e in gm.read_run(demo_run()) if (e.doc_id, e.system) == ("harbour-01", "terse"))
    expected = gm.explain(example, "rouge2")["rouge2"]
    assert gm.explain(demo_run(), "rouge2", **named)["rouge2"] == expected
    assert gm.explain(str(file), "rouge2", **named)["rouge2"] == expected
    assert gm.explain(gm.Scores.read(file), "rouge2", **named)["rouge2"] == expected


def test_explain_says_what_is_missing(folder, file, tmp_path):
    with pytest.raises(ArgumentError, match="`doc_id` and `system` name the summary"):
        gm.explain(file, "rouge2")
    for half in ({"doc_id": "harbour-01"}, {"system": "terse"}):
        with pytest.raises(ArgumentError, match="`doc_id` and `system` name the summary"):
            gm.explain(file, "rouge2", **half)
    example = gm.Example(doc_id="1", system="a", summary="It rained.", references=("Rain.",))
    with pytest.raises(ArgumentError, match="single Example"):
        gm.explain(example, "rouge2", doc_id="1")
    shutil.copy(file, tmp_path / "moved.parquet")
    with pytest.raises(DataError, match=r"was not read.*give the run itself"):
        gm.explain(tmp_path / "moved.parquet", "rouge2", doc_id="harbour-01", system="terse")


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    missing = tmp_path / "none.parquet"
    calls = [
        lambda: gm.rank(missing),
        lambda: gm.compare(missing, "a", "b"),
        lambda: gm.gate(missing, missing),
        lambda: gm.write_report(missing, tmp_path / "report.html"),
        lambda: gm.correlate(missing, missing, column="a", aspect="b"),
        lambda: gm.explain(missing, "rouge1", doc_id="1", system="a"),
    ]
    for call in calls:
        with pytest.raises(GistmeterError, match=r"none\.parquet"):
            call()
