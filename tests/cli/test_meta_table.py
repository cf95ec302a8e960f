"""`gistmeter meta table`, run as a user runs it."""

import json

import pytest


@pytest.fixture
def table(checked_command, tmp_path):
    """What the command prints of six systems: the metric `<b>x</b>` agrees with people, `against` never does."""
    ranks = [[n, n] for n in range(6)]
    data = {
        "systems": [f"s{n}" for n in range(6)],
        "documents": ["d0", "d1"],
        "scores": {"<b>x</b>": ranks, "near": [*ranks[:4], ranks[5], ranks[4]], "against": ranks[::-1], "rated": ranks},
        "human": ["rated"],
        "better": "higher",
    }
    (tmp_path / "study.json").write_text(json.dumps(data))
    return lambda *options: checked_command("meta", "table", "study.json", *options).stdout


def test_html_marks_the_best_and_escapes_names(table):
    output = table("--html")
    assert output.startswith("<table>")
    assert "&lt;b&gt;x&lt;/b&gt;" in output
    assert "<b>" not in output
    assert output.count("<strong>1.000</strong>") == 6
    assert output.count("<u>") == 6
    assert "bonferroni-metric correction, alpha 0.05" in output


def test_latex_markdown_and_json_say_the_same(table):
    latex = table("--latex")
    assert latex.count(r"\textbf{1.000}") == 6
    assert r"$\rho$ &" in latex
    assert table("--markdown", "--level", "system").count("**1.000**") == 3
    content = json.loads(table("--json", "--coefficient", "kendall"))
    assert [column["level"] for column in content["columns"]] == ["system", "summary"]
    assert all(column["best"] == ["<b>x</b>"] and column["tied"] == ["near"] for column in content["columns"])
    assert content["rows"][2] == {"metric": "against", "system kendall": -1.0, "summary kendall": -1.0}


def test_a_note_stands_above_the_latex_table(table):
    latex = table("--latex", "--alpha", 0.01)  # of 64 ways the least p, for two tests, is 1/32
    assert latex.splitlines()[1].startswith("% note: 6 systems can be swapped in 64 ways only")
    assert latex.count(r"\underline") == 12


def test_the_terminal_shows_rows_and_how_ties_were_tested(table):
    output = table()
    assert output.splitlines()[0].split("  ")[0] == "metric"
    assert "all 64 ways to swap, one-sided" in " ".join(output.split())


def test_two_judgments_are_refused(checked_command, table):
    refused = checked_command("meta", "table", "study.json", "--human", "rated", "--human", "near", fails=True)
    assert "give --human once" in refused.stderr
