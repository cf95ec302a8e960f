"""Terminal tables, rendered to a recording console 80 columns wide."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from gistmeter.api import explain
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.naming.names import list_families
from gistmeter.ranking.rank import rank
from gistmeter.report import console
from gistmeter.report.catalogue import catalogue_markdown, describe, pages
from gistmeter.report.evidence import evidence_view
from gistmeter.report.tables.board import BoardStyle


def rendered(renderable, width=80, *, colours=False) -> str:
    system = "256" if colours else None
    recording = Console(
        file=io.StringIO(), width=width, record=True, force_terminal=colours, color_system=system, legacy_windows=False
    )
    recording.print(renderable)
    return recording.export_text(styles=colours)


@pytest.fixture(scope="module")
def rouge_ranking(demo_scores):
    columns = [f"{name}.{part}" for name in ("rouge1", "rouge2", "rougeLsum") for part in ("precision", "recall", "f1")]
    return rank(demo_scores, columns=columns, resamples=200, permutations=2000)


def test_three_scores_fit_in_80_columns(rouge_ranking):
    lines = rendered(console.ranking_table(rouge_ranking)).splitlines()
    assert lines[0].split() == ["system", "rouge1.f1", "↑", "rouge2.f1", "↑", "rougeLsum.f1", "↑"]
    assert [line.split()[0] for line in lines[2:7]] == ["careful", "lead3", "dreamer", "terse", "looper"]
    assert all(len(line) <= 80 and "…" not in line for line in lines)
    assert all(line.rstrip()[-1] in "abcdef" for line in lines[2:7])


def test_the_caption_says_how_to_read_letters(rouge_ranking):
    text = " ".join(rendered(console.ranking_table(rouge_ranking)).split())
    assert "95% intervals: bootstrap over 12 documents, 200 resamples, seed 0." in text
    assert "(paired permutation test, Holm-corrected, alpha .05)" in text


def test_many_scores_become_several_tables_not_torn_cells(rouge_ranking):
    text = rendered(console.ranking_table(rouge_ranking, BoardStyle(every=True)))
    assert text.count("system ") == 3
    assert "…" not in text
    assert rendered(console.ranking_table(rouge_ranking, BoardStyle(every=True)), width=250).count("system ") == 1


def test_names_stay_whole_beside_more_letters_than_a_line_holds(rouge_ranking):
    """As among thousands of systems: the letters go on below the score."""
    ranked = rouge_ranking.columns[0]
    letters = [" ".join(f"{first}{second}" for second in "abcdefghijklmnopqrstuvwxyz") for first in "abcde"]
    systems = tuple(replace(own, group=group) for own, group in zip(ranked.systems, letters, strict=True))
    crowded = replace(rouge_ranking, columns=(replace(ranked, systems=systems),))
    lines = rendered(console.ranking_table(crowded)).splitlines()
    names = [line[: len("careful")].strip() for line in lines[2:]]
    assert [name for name in names[: names.index("95% int")] if name] == [own.system for own in systems]
    assert " ".join(" ".join(lines).split()).count(" az") == 1
    assert all(len(line) <= 80 for line in lines)


def test_best_is_bold_and_intervals_are_dim(rouge_ranking):
    text = rendered(console.ranking_table(rouge_ranking), colours=True)
    assert "\x1b[1m0.629\x1b[0m\x1b[2m [0." in text


def test_notes_are_shown(rouge_ranking):
    noted = replace(rouge_ranking, notes=("terse has 11 of 12 documents; pairs are tested on shared documents",))
    assert "note: terse has 11 of 12 documents" in rendered(console.ranking_table(noted))


def test_comparison_shows_differences_then_documents(demo_comparison):
    text = rendered(console.comparison_table(demo_comparison))
    assert text.splitlines()[0].split() == ["score", "careful", "terse", "difference", "p"]
    assert "documents that differ most by rouge1.f1" in text
    assert max(map(len, text.splitlines())) <= 80


def test_evidence_is_side_by_side_when_wide_and_stacked_when_narrow(demo_examples):
    view = evidence_view(explain(demo_examples[0], "rouge2")["rouge2"])
    wide, narrow = rendered(view, width=120), rendered(view, width=60)
    assert any("summary" in line and "reference 1 of 2" in line for line in wide.splitlines()[1:])
    assert not any("summary" in line and "reference 1 of 2" in line for line in narrow.splitlines()[2:])
    assert "harbour wall" in wide


def test_marks_are_coloured_by_group_and_underlined():
    pane = Pane("summary", "one two three", (Mark(0, 3, 0), Mark(4, 7, 1)))
    text = rendered(evidence_view(Evidence("rouge1", "why", (pane,))), colours=True)
    assert "\x1b[4;38;5;32mone\x1b[0m \x1b[4;38;5;166mtwo\x1b[0m three" in text


def test_long_evidence_tables_are_cut_and_say_so():
    table = Table(("1-gram", "matched"), tuple((f"w{i}", "1") for i in range(30)))
    text = rendered(evidence_view(Evidence("rouge1", "why", (Pane("summary", "w"), table))))
    assert "w19" in text
    assert "w20" not in text
    assert "and 10 more" in text


def test_text_is_never_markup_nor_control_codes(hostile_scores, hostile_examples):
    text = rendered(console.ranking_table(rank(hostile_scores, resamples=50, permutations=50)))
    assert "[bold]x[/bold]␛[31m" in text
    pane = Pane("[red]t", "a\r\nb \x1b[31m[link=x]c", (Mark(3, 4, 0),))
    view = rendered(evidence_view(Evidence("[x]", "[y]", (pane,))), colours=True)
    assert "\x1b[31m" not in view
    assert "\x1b[4;38;5;32mb" in view
    assert "[link=x]c" in view


def test_metric_page_says_what_there_is_to_say():
    text = rendered(console.metric_page(describe("rougeW")))
    for part in ("needs", "references", "Lin (2004)", "sentences", "auto, newline, split", "rougeW|alpha:0.5|"):
        assert part in text


def test_a_set_metric_shows_its_own_values():
    page = describe("rouge2(stem=none)")
    assert next(setting.default for setting in page.settings if setting.name == "stem") == "none"
    assert "order" not in [setting.name for setting in page.settings]
    assert page.names == ("rouge1", "rouge2", "rouge3", "rouge4")


def test_metrics_table_lists_names_and_needs():
    lines = rendered(console.metrics_table([describe("rouge1"), describe("js"), describe("length")]), width=80).split(
        "\n"
    )
    assert lines[0].startswith("ROUGE: words, n-grams")
    marks = {
        line[:16].strip(): line[18:25].strip()
        for line in lines
        if line[:16].strip() in ("rouge1 to rouge4", "js", "length")
    }
    assert marks == {"rouge1 to rouge4": "R", "js": "D *", "length": "*"}
    assert "* works without references" in " ".join(lines)


def test_every_metric_has_a_line_under_the_heading_of_its_family():
    described = pages()
    lines = [line.rstrip() for line in rendered(console.metrics_table(described), width=80).split("\n")]
    assert sum(line.endswith(("…", ".")) for line in lines) >= len(described)
    headings = [line.partition(":")[0] for line in lines if line.startswith(tuple(f.title for f in list_families()))]
    assert headings == [family.title for family in list_families()]
    assert "(-m rouge: rouge1, rouge2, rougeL, rougeLsum)" in " ".join(lines)


def test_metrics_are_json_too(command):
    code, out, _ = command("metrics", "--json")
    assert code == 0
    by_name = {metric["name"]: metric for metric in json.loads(out)}
    assert by_name["rouge1"]["family"] == "rouge"
    assert by_name["estime"]["reference_free"]
    assert not by_name["litepyramid"]["reference_free"]
    assert by_name["js"]["scores"] == [{"name": "divergence", "better": "lower"}]
    assert command("metrics", "--json", "--markdown")[0] == 2


def test_a_family_is_shown_by_its_name(command):
    code, out, _ = command("metrics", "ROUGE")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:5]] == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def test_catalogue_has_a_section_for_each_family():
    text = catalogue_markdown()
    assert "## rouge1, rouge2, rouge3, rouge4 {#rouge1}" in text
    assert "| `alpha` | `0.5` | a share from 0 to 1 |" in text
    assert "Signature: `bleu\\|" not in text  # no escapes within code
    assert text.count("\n## ") == text.count("Signature: `")


def test_what_a_table_lists_is_not_shown_as_a_text_too():
    panes = (Pane("summary", "Ann won."), Pane("questions", "Who won?"))
    shown = rendered(
        evidence_view(Evidence("qaeval", "", (*panes, Table(("question",), (("Who won?",),), "questions"))))
    )
    assert shown.count("Who won?") == 1
    assert "Who won?" in rendered(
        evidence_view(Evidence("qaeval", "", (*panes, Table(("question",), (), "questions"))))
    )
