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


@pytest.mark.more
def test_a_baseline_gives_intervals_and_p_values_in_every_form(table, tmp_path):
    options = ("--baseline", "against", "--resamples", 50)
    content = json.loads(table(*options, "--json"))
    assert len(content["rows"]) == 3 * 2 * 3  # metrics, levels, coefficients
    by_cell = {(row["metric"], row["level"], row["coefficient"]): row for row in content["rows"]}
    cell = by_cell["<b>x</b>", "system", "kendall"]
    # Of 64 ways to swap systems, the two that swap none and all have a difference as large as 2: p = 2/64. The other
    # metric, swapped against `against`, is the larger of two p-values; Holm doubles the least.
    assert cell["value"] == pytest.approx(1)
    assert cell["p"] == pytest.approx(2 / 64)
    assert cell["corrected p"] == pytest.approx(2 * 2 / 64)
    assert cell["low"] <= cell["value"] <= cell["high"]
    assert by_cell["against", "system", "kendall"]["p"] is None
    lines = table(*options, "--csv").splitlines()
    assert lines[0] == "metric,level,coefficient,value,low,high,p,corrected p"
    assert len(lines) == 19
    assert "against,system,pearson,-1.0," in "\n".join(lines)
    assert "\\textbf{1.000}" in table(*options, "--latex")
    assert "**1.000**" in table(*options, "--markdown")
    assert "<strong>1.000</strong>" in table(*options, "--html")
    shown = " ".join(table(*options, "--figure", "t.svg").split())
    assert "p: against against, two-sided permutation test by scaled-systems; corrected: by Holm" in shown
    assert "Intervals: 95%, percentile bootstrap of systems and documents, 50 resamples" in shown
    assert "summary, kendall" in (tmp_path / "t.svg").read_text()


def test_intervals_go_without_a_baseline_and_a_baseline_without_intervals(table):
    assert table("--intervals", "--resamples", 20, "--csv").startswith("metric,level,coefficient,value,low,high\n")
    assert table("--baseline", "near", "--no-intervals", "--csv").startswith(
        "metric,level,coefficient,value,p,corrected p\n"
    )
    assert table("--csv").startswith("metric,system pearson,system spearman,system kendall,summary pearson")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--baseline", "agianst"], "did you mean against"),
        (["--baseline", "rated"], "--baseline: rated is not among the metrics of the table"),
        (["--csv", "--json"], "choose one of --csv and --json"),
    ],
)
def test_a_wrong_baseline_is_one_sentence(checked_command, table, options, message):
    assert message in checked_command("meta", "table", "study.json", *options, fails=True).stderr
