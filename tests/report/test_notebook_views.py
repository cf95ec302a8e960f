"""Results in a notebook: HTML in which text is text, frames, LaTeX of the commands, pictures without a network."""

import json
import subprocess
import sys

import pandas as pd
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.demo import demo_judgments, demo_run
from gistmeter.errors import ArgumentError, GistmeterError, MissingExtraError
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.ranking.rank import Ranking
from gistmeter.report.latex.tables import write_latex
from gistmeter.report.notebook import tables
from gistmeter.report.sheets.human import result_sheet
from gistmeter.report.tables import plain

EVIL = '<img src=x onerror="alert(1)">&"\''


@pytest.fixture(scope="module")
def scores():
    return gm.score(demo_run(), "rouge1,rouge2")


@pytest.fixture(scope="module")
def results(scores):
    return {
        "scores": scores,
        "ranking": gm.rank(scores),
        "comparison": gm.compare(scores, "careful", "lead3"),
        "gate": gm.gate(scores, scores),
        "correlations": gm.meta.correlate(scores, demo_judgments(), metrics="rouge1.f1", aspect="content"),
        "alpha": gm.human.krippendorff_alpha(gm.Judgments.read(demo_judgments()), aspects=["content"]),
    }


KINDS = ("scores", "ranking", "comparison", "gate", "correlations", "alpha")


@pytest.mark.parametrize("kind", KINDS)
def test_every_result_becomes_html_and_frames_and_latex(results, kind):
    result = results[kind]
    assert "<table>" in result._repr_html_()
    frame = result.to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert len(frame)
    pandas = result.to_pandas()
    assert isinstance(pandas, pd.DataFrame)
    assert pandas.columns.to_list() == frame.columns
    assert len(pandas) == len(frame)
    assert "\\end{table" in result.to_latex()


def test_scores_show_the_leaderboard(results):
    page = results["scores"]._repr_html_()
    assert page.endswith(plain.html(results["ranking"]))
    assert "60 summaries, 12 documents, 5 systems" in page
    assert "[0.61, 0.65]" in page


def test_latex_is_what_commands_print(results):
    assert results["ranking"].to_latex() == write_latex(results["ranking"])
    assert results["scores"].to_latex() == write_latex(results["ranking"])
    assert results["comparison"].to_latex() == write_latex(results["comparison"])
    assert results["correlations"].to_latex() == write_latex(result_sheet(results["correlations"]))


def test_latex_has_the_options_of_the_command(results):
    assert "\\label{tab:main}" in results["ranking"].to_latex(label="tab:main")
    with pytest.raises(ArgumentError, match=r"to_latex: .*'labl'"):
        results["ranking"].to_latex(labl="x")


def test_frames_have_the_numbers_in_full(results):
    ranking = results["ranking"]
    row = ranking.to_polars().row(0, named=True)
    first = ranking.columns[0].systems[0]
    assert (row["score"], row["system"], row["value"]) == (ranking.columns[0].column.name, first.system, first.value)
    assert results["comparison"].to_polars()["p"].to_list() == [d.pvalue for d in results["comparison"].differences]
    assert results["scores"].to_polars().equals(results["scores"].table)


def test_sums_behind_pooled_scores_are_no_rows_for_people():
    scores = gm.score(demo_run(), "bleu")
    assert scores.to_polars().columns == ["doc_id", "system", "bleu.bleu"]


def test_evidence_shows_marks():
    evidence = gm.explain(demo_run(), "rouge2", doc_id="harbour-01", system="terse")
    page = evidence._repr_html_()
    assert page.count("<mark ") == len(evidence["rouge2"].to_polars())
    assert ">Port Ellery</mark>" in page
    assert "port elleri" in page
    assert "port elleri &" in evidence["rouge2"].to_latex()
    explained = gm.api.explain_summary(demo_run(), "harbour-01", "terse", "rouge2")
    assert "terse/harbour-01" in explained._repr_html_()


def test_text_of_users_is_text():
    run = [
        {
            "doc_id": EVIL + str(number),
            "system": EVIL + name,
            "summary": f"{EVIL} {name}",
            "reference": f"{EVIL} a\n\nb",
        }
        for number in range(3)
        for name in "ab"
    ]
    scores = gm.score(run, "rouge1")
    evidence = Evidence(EVIL, EVIL, (Pane(EVIL, EVIL, (Mark(0, 4, note=EVIL),)), Table((EVIL,), ((EVIL,),), "rows")))
    shown = [
        scores,
        gm.rank(scores),
        gm.compare(scores, EVIL + "a", EVIL + "b"),
        gm.explain(run, "rouge1", doc_id=EVIL + "1", system=EVIL + "a"),
        evidence,
    ]
    for result in shown:
        page = result._repr_html_()
        assert "<img" not in page
        assert 'onerror="' not in page
        assert "&lt;img" in page or "&lt;<" in page or "&lt;</mark>" in page
        assert "\n\n" not in page  # Markdown would read on as text


def test_what_cannot_be_ranked_is_a_sentence():
    table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], "m.f1": [float("inf")]})
    page = gm.Scores.from_metadata(table, None)._repr_html_()
    assert "There is no leaderboard: m.f1 has infinite values" in page
    assert "there are no scores" in gm.Scores.from_metadata(table.clear(), None)._repr_html_()


def test_a_long_table_shows_means(scores, monkeypatch):
    monkeypatch.setattr(tables, "MOST_RANKED_ROWS", 10)
    assert "Means of 60 summaries" in scores._repr_html_()


@pytest.mark.more
@pytest.mark.parametrize("kind", ["scores", "ranking", "comparison", "gate", "correlations"])
def test_pictures_are_svg_and_altair(results, kind, tmp_path):
    figure = results[kind].plot()
    svg = figure._repr_svg_()
    assert svg.startswith("<svg")
    assert "http" not in svg.replace("http://www.w3.org/", "")  # names of SVG itself
    assert figure.chart.to_dict()
    figure.write(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_text("utf-8").startswith("<svg")


def test_what_has_no_picture_says_so(results):
    with pytest.raises(ArgumentError, match=r"no picture of a KrippendorffAlpha; its rows are in `to_polars\(\)`"):
        results["alpha"].plot()


@pytest.mark.parametrize(
    ("package", "call", "sentence"),
    [
        ("altair", lambda result: result.plot(), r"figures need altair and vl-convert: pip install .*figures"),
        ("pandas", lambda result: result.to_pandas(), r"a pandas frame needs pandas: pip install pandas"),
    ],
)
def test_a_missing_package_is_a_sentence(results, monkeypatch, package, call, sentence):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=sentence) as raised:
        call(results["ranking"])
    assert isinstance(raised.value, GistmeterError)


@pytest.mark.more
def test_importing_gistmeter_loads_nothing_that_draws():
    code = "import sys, json, gistmeter.ranking.rank; print(json.dumps([m for m in sys.modules if 'gistmeter' in m]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "gistmeter.views" in loaded
    assert not [module for module in loaded if module.startswith("gistmeter.report")]
    assert Ranking.plot.__doc__
