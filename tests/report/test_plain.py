"""Rankings and comparisons as Markdown, LaTeX, HTML and JSON."""

import json
import math
import re

import numpy as np
import pytest

from gistmeter.ranking.rank import ColumnRanking, RankedSystem, Ranking, rank
from gistmeter.report.latex.tables import LatexOptions, write_latex
from gistmeter.report.tables import plain
from gistmeter.report.tables.board import BoardStyle
from gistmeter.report.tables.numbers import format_count, format_number
from gistmeter.scores import ScoreColumn


def ranking_of(*systems: RankedSystem, better="higher", name="rouge1.f1", notes=()) -> Ranking:
    column = ScoreColumn(name, "rouge1|v:0", better)
    pvalues = np.full((len(systems), len(systems)), np.nan)
    return Ranking((ColumnRanking(column, systems, pvalues),), 0.95, 0.05, 1000, 10_000, 7, 12, notes)


def test_markdown_shows_f1_alone_unless_every_column_is_wanted(demo_ranking):
    header = plain.markdown(demo_ranking).splitlines()[0]
    assert header == "| system | rouge1.f1 ↑ | rouge2.f1 ↑ | rougeLsum.f1 ↑ | bleu.bleu ↑ | bleu.corpus ↑ |"
    assert "rouge1.recall ↑" in plain.markdown(demo_ranking, BoardStyle(every=True)).splitlines()[0]


def test_markdown_rows_are_best_first_and_the_best_is_bold(demo_ranking):
    rows = plain.markdown(demo_ranking).splitlines()[2:7]
    assert [row.split(" ")[1] for row in rows] == ["careful", "lead3", "dreamer", "terse", "looper"]
    assert re.match(r"\| careful \| \*\*0\.629\*\* \[0\.\d+, 0\.\d+\] a \|", rows[0])
    assert not any("**" in row.split("|")[2] for row in rows[1:])


def test_markdown_caption_names_test_documents_and_seed(demo_ranking):
    text = plain.markdown(demo_ranking)
    assert "bootstrap over 12 documents, 200 resamples, seed 0" in text
    assert (
        "Systems that share a letter do not differ significantly (paired permutation test, Holm-corrected, alpha .05)."
    ) in text


def test_names_cannot_break_the_table():
    ranked = RankedSystem("a|b*c_d\n<e>", 0.5, 0.4, 0.6, 12, "")
    line = plain.markdown(ranking_of(ranked)).splitlines()[2]
    assert line == r"| a\|b\*c\_d \<e\> | 0.500 [0.40, 0.60] |"


def test_equal_numbers_are_bold_alike_and_missing_ones_never():
    systems = (
        RankedSystem("a", 0.50004, 0.4, 0.6, 12, "a"),
        RankedSystem("b", 0.49996, 0.4, 0.6, 12, "a"),
        RankedSystem("c", math.nan, math.nan, math.nan, 0, ""),
    )
    lines = plain.markdown(ranking_of(*systems)).splitlines()[2:5]
    assert lines[0] == "| a | **0.500** [0.40, 0.60] a |"
    assert lines[1] == "| b | **0.500** [0.40, 0.60] a |"
    assert lines[2] == "| c | – |"


def test_all_that_share_a_letter_with_the_best_are_bold():
    groups = ("ab", "a", "b", "c")  # the second and the third differ from each other, but not from the best
    systems = [RankedSystem(f"s{n}", 0.9 - n / 10, 0.1, 1.0, 12, group) for n, group in enumerate(groups)]
    rows = plain.markdown(ranking_of(*systems)).splitlines()[2:6]
    assert ["**" in row for row in rows] == [True, True, True, False]
    assert write_latex(ranking_of(*systems)).count(r"\textbf") == 3
    many = [RankedSystem(f"s{n}", 0.9 - n / 10, 0.1, 1.0, 12, group) for n, group in enumerate(("a", "aa", "a aa"))]
    assert ["**" in row for row in plain.markdown(ranking_of(*many)).splitlines()[2:5]] == [True, False, True]


def test_a_score_that_does_not_judge_has_no_best():
    systems = (RankedSystem("a", 60.0, 50.0, 70.0, 12, ""), RankedSystem("b", 20.0, 10.0, 30.0, 12, ""))
    text = plain.markdown(ranking_of(*systems, better="neither", name="length.words"))
    assert "**" not in text
    assert "share a letter" not in text


def test_markdown_comparison_has_differences_and_documents(demo_comparison):
    text = plain.markdown(demo_comparison)
    assert text.startswith("| score | careful | terse | difference | interval | p |")
    row = next(line for line in text.splitlines() if line.startswith("| rouge1.f1"))
    score, a, b, difference, bounds, p = row.strip("| ").split(" | ")
    assert (score, a, b) == ("rouge1.f1 ↑", "0.629", "0.387")
    assert difference == "+0.242"
    assert re.fullmatch(r"\[\+0\.\d{3}, \+0\.\d{3}\]", bounds)
    assert p == r"\<0.001"
    assert "Documents that differ most by rouge1.f1:" in text


def test_latex_is_booktabs_with_letters_raised_and_signatures_in_comments(demo_ranking):
    text = write_latex(demo_ranking)
    assert text.splitlines()[1].startswith("% ROUGE-1 is rouge1.f1: rouge1|alpha:0.5|")
    for part in ("\\toprule", "\\midrule", "\\bottomrule", "ROUGE-Lsum"):
        assert part in text
    assert "careful & \\textbf{0.629}\\textsuperscript{a} & " in text
    wide = write_latex(demo_ranking, LatexOptions(narrow=False))
    assert "careful & \\textbf{0.629}\\textsuperscript{a} {\\footnotesize [0.6" in wide


def test_latex_escapes_what_latex_reads():
    ranked = RankedSystem("[a] 50%_&#${}~^\\", 0.5, 0.4, 0.6, 12, "")
    line = next(item for item in write_latex(ranking_of(ranked)).splitlines() if "50" in item)
    wanted = "{}[a] 50\\%\\_\\&\\#\\$\\{\\}\\textasciitilde{}\\textasciicircum{}\\textbackslash{} & 0.500"
    assert line.strip().startswith(wanted)


def test_latex_comparison(demo_comparison):
    text = write_latex(demo_comparison)
    assert "Score & careful & terse & Difference & $p$" in text
    assert "−" not in text


def test_html_of_a_ranking_marks_the_best_and_has_signatures(demo_ranking):
    text = plain.html(demo_ranking)
    assert '<span title="rouge1|' in text
    assert '<td style="text-align: right"><strong>0.629</strong><sup>a</sup> <small>[0.6' in text


def test_html_shows_names_and_notes_as_they_are():
    ranked = RankedSystem('<b>x</b> & "y"', 0.5, 0.4, 0.6, 12, "")
    text = plain.html(ranking_of(ranked, name="<i>'s.f1", notes=("</table><script>",)))
    assert "&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;" in text
    assert re.findall("<(?:b|i|script)>", text) == []
    assert text.count("</table>") == 1


def test_html_comparison(demo_comparison):
    text = plain.html(demo_comparison)
    assert ">careful</th>" in text
    assert text.count("<tr>") == 1 + len(re.findall('<span title="', text))  # a heading, and a row for each score


def test_json_keeps_all_and_writes_missing_as_null(demo_ranking):
    read = json.loads(plain.json(demo_ranking))
    assert read["kind"] == "ranking"
    assert (read["seed"], read["documents"], read["permutations"]) == (0, 12, 2000)
    first = read["columns"][0]
    assert first["name"] == "rouge1.precision"
    assert first["signature"].startswith("rouge1|")
    assert first["pvalues"][0][0] is None
    assert 0 < first["pvalues"][0][1] <= 1
    assert [column["pooled"] for column in read["columns"] if column["name"].startswith("bleu")] == [False, True]


def test_json_of_a_comparison(demo_comparison):
    read = json.loads(plain.json(demo_comparison))
    assert (read["kind"], read["system_a"], read["system_b"]) == ("comparison", "careful", "terse")
    assert len(read["differences"]) == 11
    assert read["differences"][0]["largest"][0].keys() == {"doc_id", "a", "b", "difference"}


def test_hostile_names_stay_in_their_cells(hostile_scores):
    ranking = rank(hostile_scores, resamples=50, permutations=50)
    for line in plain.markdown(ranking).splitlines()[:5]:
        assert len(re.findall(r"(?<!\\)\|", line)) == 3
    assert json.loads(plain.json(ranking))


@pytest.mark.parametrize(("value", "written"), [(1234.5, "1,234.5"), (-0.04, "0.0"), (-0.06, "−0.1"), (math.nan, "–")])
def test_numbers(value, written):
    assert format_number(value, 1) == written


def test_counted():
    assert format_count(2, "summary") == "2 summaries"
