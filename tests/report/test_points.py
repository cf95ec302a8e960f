"""Scores times 100: the table, the documents and the gaps of the trust notes speak of the same numbers."""

import re

import polars as pl
import pytest

from gistmeter.scores import ScoreColumn, Scores

# careful: .5 and .3, mean .4; lead: .4 and .2, mean .3: a gap of .1, which is 10 points. Words are no share.
TABLE = {
    "doc_id": ["1", "2", "1", "2"],
    "system": ["careful", "careful", "lead", "lead"],
    "rouge1.f1": [0.5, 0.3, 0.4, 0.2],
    "length.words": [40.0, 50.0, 20.0, 10.0],
}
SIGNATURE = (
    "rouge1|alpha:0.5|language:en|limit:none|references:average|stem:porter|stopwords:none|tokenizer:unicode|v:0.2.0"
)
COLUMNS = (ScoreColumn("rouge1.f1", SIGNATURE), ScoreColumn("length.words", "length|v:1", "neither"))


@pytest.fixture
def scores_file(command, tmp_path):
    Scores(pl.DataFrame(TABLE), COLUMNS).write(tmp_path / "scores.parquet")
    return "scores.parquet"


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--html",), ("--latex",)])
def test_gaps_of_a_ranking_are_in_the_points_of_its_table(command, scores_file, form):
    code, out, errors = command("rank", scores_file, "--points", *form)
    assert code == 0, errors
    assert "40.00" in out
    out = " ".join(out.split())
    assert "a gap of 10.00 rouge1.f1 (careful over lead)" in out
    assert re.search(r"80% takes \d{1,2}\.\d\d\b", out)


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--html",), ("--latex",)])
def test_a_comparison_is_written_in_points_in_every_form(command, scores_file, form):
    code, out, errors = command("compare", scores_file, "careful", "lead", "--points", *form)
    assert code == 0, errors
    out = " ".join(out.split())
    assert "a gap of 10.00 rouge1.f1" in out
    assert "+10.00" in out
    assert "Scores are times 100, but for length.words." in out
    if form in ((), ("--markdown",)):  # the forms with documents
        assert re.search(r"\b1 \|? ?50\.00 \|? ?40\.00 \|? ?\+10\.00", out)


def test_json_and_tables_without_points_keep_the_scale_of_the_metric(command, scores_file):
    for words in (("rank", scores_file), ("compare", scores_file, "careful", "lead")):
        for form in ((), ("--json", "--points")):
            out = " ".join(command(*words, *form)[1].split())
            assert "a gap of 0.1000 rouge1.f1" in out
            assert "times 100" not in out


def test_a_comparison_over_one_document_is_written_as_latex(command, tmp_path):
    single = {name: [values[0], values[2]] for name, values in TABLE.items()}
    Scores(pl.DataFrame(single), COLUMNS).write(tmp_path / "one.parquet")
    for narrow in ("--narrow", "--wide"):
        code, out, errors = command("compare", "one.parquet", "careful", "lead", "--latex", narrow)
        assert code == 0, errors
        assert r"\caption{1 shared document: no intervals, and no difference can be significant." in out


def test_comments_of_latex_call_scores_by_the_names_that_were_given(command, scores_file):
    code, out, errors = command("rank", scores_file, "--latex", "--names", "R-1,Words")
    assert code == 0, errors
    comments = [line for line in out.splitlines() if line.startswith("%")]
    assert f"% R-1 is rouge1.f1: {SIGNATURE}" in comments
    assert not any("ROUGE-1 is" in comment for comment in comments)
