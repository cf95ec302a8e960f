"""The command line, run as a user runs it."""

import io
import json
import subprocess
import sys

import pytest

from gistmeter import Scores
from gistmeter.demo import demo_run


@pytest.fixture
def gistmeter(command):
    """Run a command in an empty folder; gives exit code, output and errors."""
    return command


@pytest.fixture
def scored(gistmeter):
    assert gistmeter("score", demo_run(), "-o", "scores.parquet")[0] == 0
    return "scores.parquet"


def test_score_writes_ranks_and_reports(gistmeter, tmp_path):
    code, out, err = gistmeter(
        "score", demo_run(), "-m", "rouge1,rouge2(stem=none,alpha=0.8)", "-o", "s.parquet", "--report", "r.html"
    )
    assert code == 0
    assert out.index("careful") < out.index("lead3") < out.index("looper")
    assert "60 summaries scored: s.parquet" in err
    scores = Scores.read("s.parquet")
    assert scores.table.columns[2:5] == ["rouge1.precision", "rouge1.recall", "rouge1.f1"]
    assert scores.table.columns[5] == "rouge2(stem=none,alpha=0.8).precision"
    assert "careful" in (tmp_path / "r.html").read_text()


def test_score_reads_standard_input(gistmeter, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(demo_run().read_bytes()), encoding="utf-8"))
    code, out, err = gistmeter("score", "-", "-o", "s.csv", "--report", "r.html")
    assert code == 0, err
    assert "careful" in out
    assert len(Scores.read(tmp_path / "s.csv")) == 60
    assert (tmp_path / "r.html").exists()


def test_score_reads_aligned_lines(gistmeter, tmp_path):
    (tmp_path / "a.txt").write_text("the cat\nthe dog\n")
    (tmp_path / "b.txt").write_text("a cow\na dog\n")
    (tmp_path / "ref.txt").write_text("the cat\nthe dog\n")
    code, _, _ = gistmeter(
        "score", "--summaries", "a=a.txt", "--summaries", "b=b.txt", "--references", "ref.txt", "-o", "s.jsonl"
    )
    assert code == 0
    matrix = Scores.read("s.jsonl").matrix("rouge1.f1")
    assert matrix.systems == ("a", "b")
    assert matrix.values.tolist() == [[1, 1], [0, 0.5]]


def test_rank_forms(gistmeter, scored):
    code, out, _ = gistmeter("rank", scored)
    assert code == 0
    assert "careful" in out
    code, out, _ = gistmeter("rank", scored, "--json", "--seed", "3")
    data = json.loads(out)
    assert data["seed"] == 3
    assert out == gistmeter("rank", scored, "--json", "--seed", "3")[1]
    assert gistmeter("rank", scored, "--latex")[1].count(r"\\") >= 5
    assert gistmeter("rank", scored, "--markdown")[1].startswith("| system |")
    assert gistmeter("rank", scored, "--html")[1].startswith("<table>")
    assert "rouge1.recall" in gistmeter("rank", scored, "--all")[1]
    assert "rouge2" not in gistmeter("rank", scored, "-c", "rouge1.recall")[1]


def test_compare_shows_difference_and_documents(gistmeter, scored):
    code, out, _ = gistmeter("compare", scored, "careful", "looper")
    assert code == 0
    assert "<0.001" in out
    data = json.loads(gistmeter("compare", scored, "careful", "looper", "--json", "--largest", "2")[1])
    assert data["system_a"] == "careful"


def test_explain_shows_both_texts(gistmeter):
    code, out, _ = gistmeter(
        "explain", demo_run(), "--doc", "harbour-01", "--system", "careful", "-m", "rouge2,rougeL,length"
    )
    assert code == 0
    assert "harbour wall" in out
    assert "rouge2.f1 0." in out


@pytest.mark.more
def test_metrics_lists_and_shows(gistmeter):
    out = gistmeter("metrics")[1]
    assert "rougeLsum" in out
    assert "meteor" in out
    page = gistmeter("metrics", "rouge2(stem=none)")[1]
    assert "alpha" in page
    assert "rouge2|alpha:0.5" in page.replace("\n", "").replace(" ", "")
    assert "## " in gistmeter("metrics", "--markdown")[1]


def test_report_finds_the_run_it_was_scored_from(gistmeter, scored, tmp_path):
    code, _, err = gistmeter("report", scored, "-o", "out.html", "--title", "A <b>bold</b> title")
    assert code == 0
    assert "report: out.html" in err
    text = (tmp_path / "out.html").read_text()
    assert "Port Ellery" in text
    assert "<b>bold" not in text


def test_demo_and_cache_and_version(gistmeter, tmp_path):
    assert gistmeter("demo")[0] == 0
    assert (tmp_path / "report.html").exists()
    assert "scores.sqlite" in gistmeter("cache")[1]
    assert gistmeter("cache", "--clear")[1] == ""
    assert gistmeter("--version")[1].startswith("gistmeter ")


GOOD = '{"doc_id": "1", "system": "a", "summary": "x", "references": ["x"]}\n'


@pytest.mark.parametrize(
    ("arguments", "content", "message"),
    [
        (
            ["score", "run.jsonl", "-m", "roge2"],
            GOOD,
            "unknown metric 'roge2'; did you mean rouge2? (gistmeter metrics lists all)",
        ),
        (["score", "run.jsonl", "-m", "js"], GOOD, "js needs `document`, but a/1 (line 1 of run.jsonl) has none"),
        (["score", "run.jsonl"], GOOD + "{nope\n", "line 2 of run.jsonl is not valid JSON"),
        (["score", "run.jsonl"], GOOD + GOOD, "line 2 of run.jsonl: document '1' by system 'a' is there twice"),
        (["score", "run.jsonl"], "", "there are no summaries in run.jsonl"),
        (["score", "none.jsonl"], GOOD, "cannot read none.jsonl: there is no such file"),
        (["score", "."], GOOD, "cannot read .: it is a folder, not a file"),
        (
            ["score", "run.jsonl", "-o", "no/where.parquet"],
            GOOD,
            "cannot write no/where.parquet: the folder no does not exist",
        ),
        (["score", "run.jsonl", "-o", "scores.xls"], GOOD, "name it .parquet, .jsonl or .csv"),
        (["score", "run.jsonl", "--report", "no/r.html"], GOOD, "the folder no does not exist"),
        (["score"], GOOD, "there is nothing to read"),
        (
            ["score", "run.jsonl", "--summaries", "a=run.jsonl"],
            GOOD,
            "not both: each text file of summaries has its own --su",
        ),
        (["rank", "run.jsonl"], '{"a": 1}\n', "run.jsonl is not a file of scores: it has no column `doc_id`"),
        (["rank", "none.parquet"], GOOD, "there is no such file"),
        (["rank", "scores.csv", "-c", "rouge1.f"], GOOD, "there is no score 'rouge1.f'; did you mean rouge1.f1?"),
        (["rank", "scores.csv", "--latex", "--json"], GOOD, "choose one of --latex and --json"),
        (["compare", "scores.csv", "a", "bb"], GOOD, "there is no system 'bb'; did you mean b?"),
        (["compare", "scores.csv", "a", "a"], GOOD, "a"),
        (["explain", "run.jsonl", "--doc", "2", "--system", "a"], GOOD, "there is no document '2' by a"),
        (["explain", "run.jsonl", "--doc", "1", "--system", "b"], GOOD, "there is no system 'b'"),
        (["metrics", "rouge1(stm=none)"], GOOD, "rouge1 has no setting 'stm'; did you mean stem?"),
        (["report", "none.parquet"], GOOD, "there is no such file"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(gistmeter, tmp_path, arguments, content, message):
    (tmp_path / "run.jsonl").write_text(content)
    (tmp_path / "scores.csv").write_text("doc_id,system,rouge1.f1\n1,a,0.5\n1,b,0.25\n")
    code, out, err = gistmeter(*arguments)
    assert code == 2
    assert message in err
    assert err.startswith("gistmeter: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert out == ""


def test_empty_texts_are_noted_once(gistmeter, tmp_path):
    (tmp_path / "run.jsonl").write_text(
        '{"id": 1, "summary": "", "reference": "x"}\n{"id": 2, "summary": "x", "reference": ""}\n'
    )
    code, _, err = gistmeter("score", "run.jsonl", "-m", "rouge1,rouge2,rougeL")
    assert code == 0
    assert err.count("1 of 2 summaries are empty") == 1
    assert err.count("1 of 2 summaries have only empty references") == 1


def test_short_options_and_the_module(gistmeter):
    assert gistmeter("-V")[1] == gistmeter("--version")[1]
    for words in (("-h",), ("score", "-h"), ("meta", "test", "-h")):
        code, out, _ = gistmeter(*words)
        assert (code, "Usage" in out) == (0, True)
    module = subprocess.run([sys.executable, "-m", "gistmeter", "-V"], capture_output=True, text=True, check=True)
    assert module.stdout.startswith("gistmeter ")


def test_nothing_heavy_is_imported_at_the_start():
    heavy = ("numpy", "polars", "numba", "scipy", "torch")
    code = f"import sys, gistmeter, gistmeter.cli.main; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.more
def test_score_and_explain_join_units(gistmeter, tmp_path):
    (tmp_path / "run.jsonl").write_text('{"doc_id": "1", "system": "a", "summary": "Rain.", "scu_labels": [1, 0]}\n')
    (tmp_path / "units.jsonl").write_text('{"doc_id": "1", "scus": ["It rained.", "It was cold."]}\n')
    asked = ("run.jsonl", "--units", "units.jsonl", "-m", "litepyramid")
    code, out, err = gistmeter("score", *asked, "-o", "s.jsonl")
    assert code == 0, err
    assert "0.500" in out
    code, out, _ = gistmeter("explain", *asked, "--doc", "1", "--system", "a")
    assert code == 0
    assert "1 of 2 units are in the summary" in out
    assert out.index("It rained.") < out.index("present") < out.index("It was cold.") < out.index("absent")
    # The report finds the units again, from what the scores remember or as told.
    for more in ((), ("--run", "run.jsonl", "--units", "units.jsonl")):
        assert gistmeter("report", "s.jsonl", *more)[0] == 0
        assert "1 of 2 units are in the summary" in (tmp_path / "report.html").read_text()
    code, _, err = gistmeter("score", "run.jsonl", "-m", "litepyramid")
    assert code == 2
    assert "litepyramid needs `units`, but a/1 (line 1 of run.jsonl) has none" in err


def test_score_reads_the_files_of_lite_pyramids(gistmeter, tmp_path):
    for name, text in {"a.summary": "Rain.\nSun.\n", "a.label": "1\t0\n1\n", "u.txt": "u\tv\nw\n"}.items():
        (tmp_path / name).write_text(text)
    options = ("--summaries", "a=a.summary", "--units", "u.txt", "--labels", "a=a.label")
    assert gistmeter("score", *options, "-m", "litepyramid", "-o", "s.csv")[0] == 0
    assert Scores.read(tmp_path / "s.csv").table["litepyramid.recall"].to_list() == [0.5, 1.0]
    code, _, err = gistmeter(
        "score", "--summaries", "a=a.summary", "--units", "u.txt", "--labels", "=x", "-m", "rouge1"
    )
    assert code == 2
    assert "cannot read --labels '=x': write system=file" in err


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        (("score", "--engine", "spark"), "'local', 'ray'"),
        (("corrupt", "--of", "documents"), "'summaries', 'references'"),
        (("corrupt", "--golden", "luck"), "'presence', 'number'"),
        (("units", "judge", "-o", "x.jsonl", "--value", "p4c"), "'auto', 'p2c', 'l2c', 'p3c', 'l3c'"),
    ],
)
def test_a_choice_that_there_is_not_names_those_that_there_are(gistmeter, arguments, choices):
    code, _, err = gistmeter(*arguments)
    assert code == 2
    assert f"'{arguments[-1]}' is not one of {choices}" in " ".join(err.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score",), "or --summaries"),
        (("trust", "rouge1", "--gap", "5"), "if you mean points of 100, add --points"),
        (("score", "--summaries", "a=s.txt", "--labels", "b=s.txt"), "name the file of units with --units"),
    ],
)
def test_messages_name_options_not_arguments(gistmeter, tmp_path, arguments, message):
    (tmp_path / "s.txt").write_text("It rained.\n")
    code, _, err = gistmeter(*arguments)
    assert code == 2
    assert message in err
    assert "`" not in err
