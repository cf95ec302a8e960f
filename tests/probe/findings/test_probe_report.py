"""Reports of probes: what is gathered, files in the place of work, the page, the command, and bad input."""

import io
import itertools
import json
import math
import re

import pytest
from typer.testing import CliRunner

import gistmeter as gm
from gistmeter.cli.main import app
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.probe.findings.files import choose_readable, gather_findings, list_files_beside
from gistmeter.report.page.markup import html_text
from gistmeter.report.page.probes.slopes import draw_slopes, spread_labels
from gistmeter.report.page.probes.write import write_probe_page
from gistmeter.report.sheets.probe.findings import findings_sheet

OPTIONS = {"resamples": 20, "attacks": ["copy", "empty"], "cache": False}


@pytest.fixture(scope="module")
def run():
    """Five systems on four documents."""
    return gm.read_run(demo_run())[:20]


@pytest.fixture(scope="module")
def report(run):
    return gm.probe.report(run, "js,rouge1", against="rouge2", words=60, **OPTIONS)


def test_everything_about_a_score_is_there(report, run):
    js = report["js.divergence"]
    probe = gm.probe.optimise(run, "js", words=60, cache=False)
    assert js.probe == probe
    assert js.ranked == gm.probe.rank_by_references(probe, run, "rouge2", cache=False)
    assert js.pseudo == gm.probe.correlate_pseudo_references(probe, run, "rouge2", cache=False)
    assert js.above == gm.probe.find_systems_above_reference(probe)
    assert {row.attack: row.works for row in js.attacks} == {"copy": True, "empty": False}
    names = {standing.name: standing for standing in js.standings}
    assert names["lead3"].against == js.ranked.system_scores["lead3"]
    assert names["(optimised)"].against == js.ranked.score
    assert math.isnan(names["(reference)"].against)  # it is not compared with itself
    assert names["(optimised)"].words == probe.optimised.words


def test_every_probe_of_a_score_is_reported(run, tmp_path):
    probes = [gm.probe.optimise(run, "js", words=words, search="beam", cache=False) for words in (40, 60)]
    attacks = [gm.probe.attack(run, "js", attacks=[name], resamples=20, cache=False) for name in ("word", "copy")]
    report = gm.probe.report(run, "js", probes=[*probes, *attacks], cache=False)
    assert [findings.probe for findings in report.scores] == probes
    assert [[row.attack for row in findings.attacks] for findings in report.scores] == [["copy", "word"], []]
    write_probe_page(report, tmp_path / "probe.html")
    page = (tmp_path / "probe.html").read_text()
    assert "(beam search, at most 40 words, beam of 4)</h2>" in page
    assert "2 scores" not in page


def test_the_search_can_be_another_one(run, checked_command, tmp_path):
    exact = gm.probe.report(run, "js", words=60, search="exact", **OPTIONS)["js.divergence"].probe
    assert exact == gm.probe.optimise(run, "js", words=60, search="exact", cache=False)
    options = ("--words", "60", "--search", "exact", "-a", "copy", "--resamples", "20", "--no-cache", "--json")
    printed = json.loads(checked_command("probe", "report", demo_run(), "-m", "js", *options).stdout)
    assert printed["scores"][0]["settings"]["search"] == "exact"


def test_a_metric_with_references_is_attacked_alone(report):
    rouge1 = report["rouge1.f1"]
    assert (rouge1.probe, rouge1.ranked, rouge1.pseudo, rouge1.above, rouge1.standings) == (None, None, None, None, ())
    assert [row.attack for row in rouge1.attacks] == ["copy", "empty"]
    assert rouge1.verdict.startswith("rouge1.f1 compares with references")


def test_json_has_all_numbers_and_the_verdicts(report):
    data = json.loads(report.to_json())
    js = data["scores"][0]
    assert js["verdict"] == report["js.divergence"].verdict
    assert js["above_reference"] == {"systems": ["lead3", "careful"], "of": 5}
    assert (js["reference_rank"]["of"], js["pseudo_reference"]["score"]) == (6, "rouge2.f1")
    assert len(js["standings"]) == 7
    assert data["rows"][1]["optimised"] is None
    assert "It rained" not in report.to_json()  # no texts


def test_what_was_found_before_is_not_made_again(report, run, tmp_path, monkeypatch):
    js = report["js.divergence"]
    gm.probe.write_probe(js.probe, tmp_path / "probe.jsonl")
    effects = gm.probe.attack(run, "js", attacks=["copy"], resamples=20, cache=False)
    gm.probe.write_attacks(effects, tmp_path / "attacks.jsonl")
    for name in ("optimise", "attack"):
        monkeypatch.setattr(f"gistmeter.probe.findings.gather.{name}", lambda *_, **__: pytest.fail("made again"))
    files = [tmp_path / "probe.jsonl", tmp_path / "attacks.jsonl"]
    again = gm.probe.report(run, probes=files, against="rouge2", cache=False)["js.divergence"]
    assert again.standings == js.standings
    assert [row.attack for row in again.attacks] == ["copy"]
    effects = gm.probe.report(run, probes=[files[1], js.probe], against="rouge2", cache=False)
    assert [findings.name for findings in effects.scores] == ["js.divergence"]


def test_a_run_without_references_has_a_verdict_all_the_same():
    document = "It rained in Rome. Nobody was there. In Rome it rained all day, and rain fell at night."
    run = [
        {"doc_id": doc_id, "system": system, "summary": text, "document": document}
        for doc_id in "12"
        for system, text in {"a": "A dry day.", "b": "It rained."}.items()
    ]
    js = gm.probe.report(run, "js", **OPTIONS)["js.divergence"]
    assert (js.ranked, js.above) == (None, None)
    assert any("no references" in note for note in js.notes)
    assert draw_slopes(js) is None
    assert "references" not in js.verdict
    assert "own favourites" in js.verdict


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (((), {}), ArgumentError, "there is nothing to report on"),
        ((("jss",), {}), MetricError, "unknown metric 'jss'"),
        ((("js",), {"against": "js"}), ArgumentError, "`against` is a metric that compares with references"),
        ((("js",), {"probes": ["nowhere.jsonl"]}), DataError, "cannot read nowhere.jsonl"),
        ((("js",), {"attacks": ["cpy"]}), ArgumentError, "unknown attack 'cpy'; did you mean copy?"),
    ],
)
def test_bad_input_is_one_sentence(run, arguments, kind, words):
    metrics, options = arguments
    with pytest.raises(kind, match=re.escape(words)):
        gm.probe.report(run, metrics, **options)


def test_slopes_have_the_better_end_above(report):
    js = report["js.divergence"]
    chart = draw_slopes(js)
    ends = {slope.name: slope for slope in chart.slopes}
    scores = {standing.name: standing for standing in js.standings}
    for first, second in (("lead3", "looper"), ("careful", "terse")):
        assert scores[first].score < scores[second].score  # divergence: lower is better
        assert ends[first].right.y < ends[second].right.y
        assert (scores[first].against > scores[second].against) == (ends[first].left.y < ends[second].left.y)
    assert ends["(reference)"].left is None
    assert chart.slopes[-1].kind != "system"  # drawn above the others
    assert chart.width < 560  # names are short here, so that the chart fits a phone
    labels = sorted(slope.right.label_y for slope in chart.slopes)
    assert all(after - before >= 16 for before, after in itertools.pairwise(labels))


def test_labels_keep_their_order_and_distance():
    assert spread_labels([0, 0, 0], 5, lowest=0, highest=100) == [0, 5, 10]
    assert spread_labels([], 5, lowest=0, highest=10) == []


def test_the_page_has_everything_and_nothing_is_raw(report, tmp_path):
    write_probe_page(report, tmp_path / "probe.html", title="<b>T</b>")
    page = (tmp_path / "probe.html").read_text()
    assert "<title>&lt;b&gt;T&lt;/b&gt;</title>" in page
    assert page.count("<svg viewBox") == 2  # the button's and one chart: rouge1 has none
    for text in ("js.divergence° ↓", "rouge1.f1 ↑", "2 of 5", "the whole document in the place of the summary"):
        assert text in page
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"\b(?:src|href)=\"(?!#|data:)", page)


def test_files_beside_scores_are_found_and_broken_ones_are_said(report, tmp_path):
    js = report["js.divergence"]
    gm.probe.write_probe(js.probe, tmp_path / "scores.probe.jsonl")
    (tmp_path / "scores.probe-broken.jsonl").write_text("{}\n")
    (tmp_path / "scores2.probe.jsonl").write_text("{}\n")
    gm.probe.write_probe(js.probe, tmp_path / "other.parquet.probe-js.jsonl")  # called as the whole file
    assert [file.name for file in list_files_beside(tmp_path / "other.parquet")] == ["other.parquet.probe-js.jsonl"]
    files = list_files_beside(tmp_path / "scores.parquet")
    assert [file.name for file in files] == ["scores.probe-broken.jsonl", "scores.probe.jsonl"]
    readable = choose_readable(files)
    assert [file.name for file in readable.files] == ["scores.probe.jsonl"]
    assert len(readable.notes) == 1
    assert "scores.probe-broken.jsonl" in readable.notes[0]
    assert list_files_beside(tmp_path / "sc*.parquet") == []


def test_standard_input_is_read_once(report, tmp_path, monkeypatch):
    probe = report["js.divergence"].probe
    gm.probe.write_probe(probe, tmp_path / "p.jsonl")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((tmp_path / "p.jsonl").read_bytes())))
    assert gm.probe.read_finding("-") == probe
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(DataError, match="- is no file of a probe"):
        gm.probe.read_finding("-")


def test_a_file_alone_says_what_it_has_and_no_more(report):
    js = report["js.divergence"]
    (alone,) = gather_findings([js.probe])
    assert "compares with references" not in alone.verdict
    assert "attack" not in alone.verdict
    assert "above the references" in alone.verdict


def test_the_sheet_has_the_verdicts(report):
    sheet = findings_sheet(report)
    assert sheet.notes[:2] == (report["js.divergence"].verdict, report["rouge1.f1"].verdict)
    assert [row[0] for row in sheet.rows] == ["js.divergence ↓", "rouge1.f1 ↑"]


def test_notebooks_show_what_the_commands_print(report, run):
    assert "What works" not in report._repr_html_()
    assert f"Note: {html_text(report['js.divergence'].verdict)}" in report._repr_html_()
    effects = gm.probe.attack(run, "js", attacks=["copy"], resamples=20, cache=False)
    assert "What works: copy" in effects._repr_html_()
    assert "JS" in effects.to_latex()


@pytest.mark.more
def test_the_command_writes_the_page_and_json(tmp_path):
    options = ["probe", "report", str(demo_run()), "-m", "js", "-a", "copy", "--resamples", "20"]
    result = CliRunner().invoke(app, [*options, "-o", str(tmp_path / "p.html"), "--title", "Mine"])
    assert result.exit_code == 0
    assert "<title>Mine</title>" in (tmp_path / "p.html").read_text()
    assert "--words" in (tmp_path / "p.html").read_text()  # notes are worded for the command line
    shown = json.loads(CliRunner().invoke(app, [*options, "--json"]).stdout)
    assert shown["scores"][0]["verdict"].startswith("Summaries made for js.divergence")
    for arguments, words in [
        (["probe", "report", str(demo_run())], "say which metric to probe"),
        ([*options, "-o", str(demo_run())], "one of the inputs"),
    ]:
        assert words in str(CliRunner().invoke(app, arguments).exception)
