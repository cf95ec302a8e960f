"""Tables of papers: names as people write them, what fits a column, and that a real LaTeX compiles what is printed."""

import re
import shutil
import subprocess

import numpy as np
import pytest

import gistmeter as gm
from gistmeter.errors import ArgumentError
from gistmeter.metrics.registry import BUILT_IN
from gistmeter.ranking.rank import ColumnRanking, RankedSystem, Ranking
from gistmeter.report.latex.tables import LatexOptions, write_latex
from gistmeter.report.latex.text import latex_text
from gistmeter.report.latex.titles import _read_titles, title_metric, title_scores
from gistmeter.report.tables.board import BoardStyle
from gistmeter.report.tables.sheet import Sheet
from gistmeter.scores import ScoreColumn

HARD_NAMES = (
    'a_b & 50% #1 $x$ ~ ^ \\cmd {x} "q" `t\' <|> --x ,,y',
    "Müller-Łódź-façade ñ Åß ő ş",
    "系统 ąę Ж 😀 \u200bx",
    "[0] *first* item",
    "a_very_long_name_of_a_system_that_nobody_would_shorten/checkpoint-12000",
    "x" * 70,
)
FEW = ("rouge1.f1", "rouge2.f1", "rougeL.f1")
MANY = (
    *("rouge1.f1", "rouge2(stem=none).f1", "rougeLsum.f1", "js.divergence", "qaeval.f1", "qaeval.em"),
    *("bertscore(model=microsoft/deberta-xlarge-mnli,layer=17).f1", "lite2.5pyramid.recall", "lite3pyramid.recall"),
    *("my_own_score", "length.words", "moverscore.score"),
)
OPTIONS = (
    LatexOptions(),
    LatexOptions(narrow=True, significance="daggers", label="tab:main_1", style=BoardStyle(points=True, digits=1)),
    LatexOptions(narrow=False, caption="50% of $all_ \\systems {"),
)


def make_ranking(systems, columns, sections=None):
    groups = ("a", "ab", "b", "c", "c", "d")
    ranked = []
    for number, name in enumerate(columns):
        better = "lower" if name.startswith("js") else "neither" if name.startswith("length") else "higher"
        rows = [
            RankedSystem(system, 0.6 - position / 20 - number / 100, 0.31, 0.62, 12, groups[position % 6])
            for position, system in enumerate(systems)
        ]
        column = ScoreColumn(name, f"{name.partition('.')[0]}|v:1", better)
        ranked.append(ColumnRanking(column, tuple(rows), np.full((len(rows), len(rows)), np.nan)))
    extra = {"by": "kind of_system", "sections": sections} if sections else {}
    return Ranking(tuple(ranked), 0.95, 0.05, 1000, 10_000, 7, 12, ("50% of\nx\\end{table}",), **extra)


def list_results(demo_comparison):
    short = [f"system{number}" for number in range(5)]
    yield make_ranking(short, FEW)
    yield make_ranking(short, MANY)
    yield make_ranking(HARD_NAMES, FEW, dict.fromkeys(HARD_NAMES, "neural_&_more"))
    yield make_ranking(HARD_NAMES, MANY)
    yield demo_comparison
    wide = [{"metric": name, **{f"column {n}": n / 10 - 0.3 for n in range(9)}, "p": 0.01} for name in MANY]
    yield Sheet.of(wide, caption="Spearman's ρ and τ ≥ 0.", notes=["100% ~"])
    yield Sheet.of([{"question": "why_ & what for " * 12, "answer": "b" * 90, "share": 0.5}])


def test_names_are_written_as_people_write_them():
    names = [*FEW, "bertscore.f1", "moverscore.score", "lite3pyramid.recall", "lite2.5pyramid.recall", "qaeval.em"]
    written = {name: title.text for name, title in title_scores([*names, "meteor.meteor", "coherence", "mine"]).items()}
    assert list(written.values()) == [
        *("ROUGE-1", "ROUGE-2", "ROUGE-L", "BERTScore", "MoverScore", "Lite³Pyramid", "Lite²·⁵Pyramid", "QAEval EM"),
        "METEOR",
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rouge2(stem=none).f1", "ROUGE-2 (stem=none)"),
        ("rouge2(stem=auto,alpha=0.8).f1", "ROUGE-2 (alpha=0.8)"),  # stem=auto is the default
        ("rouge1.precision", "ROUGE-1 P"),
        ("faithfulness(preset=paper).faithfulness", "Faithfulness (preset=paper)"),
    ],
)
def test_settings_that_are_no_defaults_stay_visible(name, text):
    assert title_scores([name])[name].text == text


def test_every_metric_has_a_title():
    assert {entry.template for entry in BUILT_IN} == set(_read_titles()["metrics"])
    assert all(title_metric(name)[0] != name for entry in BUILT_IN for name in entry.names)


def test_the_table_says_what_it_needs_and_keeps_signatures_and_notes():
    lines = write_latex(make_ranking(["a"], FEW)).splitlines()
    assert lines[0] == r"% needs \usepackage{booktabs} in the preamble"
    assert "% ROUGE-1 is rouge1.f1: rouge1|v:1" in lines
    assert r"% note: 50% of x\end{table}" in lines  # of two lines one, so that it stays a comment


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a_b&c%d#e$f{g}", r"a\_b\&c\%d\#e\$f\{g\}"),
        ("\\~^", r"\textbackslash{}\textasciitilde{}\textasciicircum{}"),
        ("é Å ş", r"\'{e} \r{A} \c{s}"),
        ("ą", r"\anyletter{ą}{a}"),
        ("a--b", "a-{}-b"),
        ("x\x1b\u200b\ud800", "x??"),
    ],
)
def test_texts_are_shown_as_they_are(text, latex):
    assert latex_text(text) == latex


def test_options_of_a_ranking():
    ranking = make_ranking(["one", "two", "three"], FEW)  # letters a, ab, b: the third differs from the best
    points = BoardStyle(points=True, digits=1)
    text = write_latex(ranking, LatexOptions(narrow=True, significance="daggers", style=points))
    assert r"one & \textbf{60.0} & " in text
    assert r"two & \textbf{55.0} & " in text
    assert r"three & 50.0\textsuperscript{\dag{}} & " in text
    assert r"\dag{} differs significantly from the best (paired permutation test" in text
    plain = write_latex(ranking, LatexOptions(significance="none", caption="Ours & theirs", label="tab:x"))
    assert "textsuperscript" not in plain
    assert "  \\caption{Ours \\& theirs}\n  \\label{tab:x}\n" in plain
    assert "% how the numbers came about: 95% intervals: bootstrap over 12 documents" in plain
    assert r"\begin{table*}" in write_latex(ranking, LatexOptions(narrow=False))
    assert "[0.31, 0.62]" in write_latex(ranking, LatexOptions(narrow=False))


def test_intervals_stay_where_they_fit_and_a_comment_says_where_not():
    assert "[0.31, 0.62]" in write_latex(make_ranking(["one", "two"], FEW[:1]))
    text = write_latex(make_ranking(["one", "two"], FEW))
    assert "[0.31" not in text
    assert "% intervals are left out" in text
    assert "Scores of systems over 12 documents." in text


def test_many_scores_stand_below_one_another():
    text = write_latex(make_ranking(["one", "two"], MANY))
    assert text.count(r"\begin{tabular}") > 1
    assert text.count("one &") == text.count(r"\begin{tabular}")
    assert "stem=none" in text.replace("\n", "")


@pytest.mark.parametrize("label", ["tab x", "a}b", "x%", "é"])
def test_a_label_that_latex_cannot_read_is_refused(label):
    with pytest.raises(ArgumentError, match="such as tab:main"):
        LatexOptions(label=label)


def test_a_sheet_has_titles_points_and_digits():
    rows = [{"metric": "rouge2.f1", "r": 0.256, "p": 0.0312, "documents": 12}]
    text = write_latex(Sheet.of(rows, caption="Pearson."), LatexOptions(style=BoardStyle(points=True, digits=0)))
    assert r"ROUGE-2 & 26 & 0.031 & 12 \\" in text
    assert "Times 100: r." in text


def test_the_command_takes_the_options_everywhere(command, tmp_path):
    gm.score(
        [gm.Example(doc_id=str(n), system=s, summary=s * n, references=("a b",)) for n in (1, 2) for s in "ab"],
        "rouge1,rouge2",
        cache=False,
    ).write(tmp_path / "s.parquet")
    code, out, _ = command("rank", "s.parquet", "--latex", "--label", "tab:x", "--digits", "1", "--narrow")
    assert (code, r"\label{tab:x}" in out, r"\begin{table}" in out) == (0, True, True)
    compared = command("compare", "s.parquet", "a", "b", "--latex", "--points", "--digits", "1")[1]
    assert re.search(r"ROUGE-1 & 33\.3 & 33\.3 & 0\.0 ", compared)
    assert command("rank", "s.parquet", "--label", "x")[0] == 2
    assert "--digits goes with --latex" in command("compare", "s.parquet", "a", "b", "--digits", "1")[2]
    assert "--narrow and --wide go with --latex" in command("rank", "s.parquet", "--wide")[2]
    assert "such as tab:main" in command("rank", "s.parquet", "--latex", "--label", "a b")[2]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed (texlive-latex-recommended)")
@pytest.mark.parametrize("encoding", ["", r"\usepackage[T1]{fontenc}"], ids=["OT1", "T1"])
def test_a_real_latex_compiles_every_table_and_none_is_too_wide(demo_comparison, tmp_path, encoding):
    tables = [write_latex(result, options) for result in list_results(demo_comparison) for options in OPTIONS]
    # Two columns of 3.3 inches.
    head = rf"\documentclass[10pt,twocolumn]{{article}}{encoding}\usepackage{{booktabs}}"
    widths = r"\setlength{\textwidth}{6.8in}\setlength{\columnsep}{0.2in}\setlength{\hfuzz}{0.5pt}"
    body = "\n\\clearpage\n".join(tables)
    source = f"{head}\n{widths}\n\\begin{{document}}\n{body}\n\\clearpage\\listoftables\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(source, encoding="utf-8")
    for _ in range(2):  # the list of tables is read the second time
        run = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "paper.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
    log = (tmp_path / "paper.log").read_text("latin-1")
    assert re.findall(r"^! .*", log, re.M) == []
    assert run.returncode == 0
    # Captions may have a long word in them; alignments are what tables are made of.
    assert re.findall(r"Overfull \\hbox.*", log) == []
