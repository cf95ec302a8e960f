"""Files of probes beside a file of scores are shown in its report, and those that are none are said."""

import json
import re

import pytest

import gistmeter as gm
from gistmeter.api import report_scores, write_report
from gistmeter.demo import demo_run
from gistmeter.errors import DataError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Scores of js and ROUGE-1, attacks on both, and a probe of js."""
    path = tmp_path_factory.mktemp("scored")
    run = gm.read_run(demo_run())[:20]
    gm.score(run, "js,rouge1").write(path / "scores.parquet")
    effects = gm.probe.attack(run, "js,rouge1", attacks=["copy", "empty"], resamples=20, cache=False)
    gm.probe.write_attacks(effects, path / "scores.probe-attacks.jsonl")
    gm.probe.write_probe(gm.probe.optimise(run, "js", words=60, cache=False), path / "scores.probe-js.jsonl")
    return path


def read_page(path):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(), re.S)[1])


def test_what_lies_beside_the_scores_is_shown(folder, tmp_path):
    written = report_scores(folder / "scores.parquet", tmp_path / "report.html")
    js, rouge1 = read_page(tmp_path / "report.html")["probes"]
    assert (js["title"], rouge1["title"]) == ("js.divergence° ↓", "rouge1.f1 ↑")  # precision and recall wait behind f1
    assert "Of 2 attacks 1 improves it: copy" in js["verdict"]
    assert [line["cells"][0] for line in js["attacks"]] == ["copy", "empty"]
    assert len(js["standings"]) == 7
    assert not any("probe" in note for note in written.notes)


def test_without_files_there_are_no_probes(folder, tmp_path):
    gm.Scores.read(folder / "scores.parquet").write(tmp_path / "other.parquet")
    report_scores(tmp_path / "other.parquet", tmp_path / "report.html")
    assert read_page(tmp_path / "report.html")["probes"] == []


def test_files_can_be_named(folder, tmp_path):
    scores = gm.Scores.read(folder / "scores.parquet")
    report_scores(scores, tmp_path / "report.html", probes=[folder / "scores.probe-js.jsonl"])
    (js,) = read_page(tmp_path / "report.html")["probes"]
    assert js["attacks"] == []
    with pytest.raises(DataError, match=r"cannot read nowhere\.jsonl"):
        write_report(scores, tmp_path / "report.html", probes=["nowhere.jsonl"])


def test_a_file_that_is_no_probe_stops_nothing_and_is_said(folder, tmp_path):
    for name in ("scores.parquet", "scores.probe-js.jsonl"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "scores.probe-notes.jsonl").write_text('{"a": 1}\n')
    written = report_scores(tmp_path / "scores.parquet", tmp_path / "report.html")
    assert len(read_page(tmp_path / "report.html")["probes"]) == 1
    assert any("a probe is not shown" in note and "scores.probe-notes.jsonl" in note for note in written.notes)


def test_a_probe_of_other_settings_is_said(folder, tmp_path):
    other = tmp_path / "scores.parquet"
    gm.score(gm.read_run(demo_run())[:20], {"js": gm.metric("js(order=2)")}).write(other)
    report_scores(other, tmp_path / "report.html", probes=[folder / "scores.probe-js.jsonl"])
    (js,) = read_page(tmp_path / "report.html")["probes"]
    assert js["notes"][0].startswith("the scores are of js|language:en|order:2")


def test_several_probes_of_a_score_and_attacks_of_several_files_are_all_shown(folder, tmp_path):
    run = gm.read_run(demo_run())[:20]
    gm.Scores.read(folder / "scores.parquet").write(tmp_path / "scores.parquet")
    for words in (40, 60):
        probe = gm.probe.optimise(run, "js", words=words, search="beam", cache=False)
        gm.probe.write_probe(probe, tmp_path / f"scores.probe-{words}.jsonl")
    for names in (["word"], ["copy", "word"]):
        effects = gm.probe.attack(run, "js", attacks=names, resamples=20, cache=False)
        gm.probe.write_attacks(effects, tmp_path / f"scores.probe-{'-'.join(names)}.jsonl")
    report_scores(tmp_path / "scores.parquet", tmp_path / "report.html")
    shorter, longer = read_page(tmp_path / "report.html")["probes"]
    assert shorter["title"] == "js.divergence° ↓ (beam search, at most 40 words, beam of 4)"
    assert "of 40 words at most" in shorter["verdict"]
    assert "of 60 words at most" in longer["verdict"]
    assert [line["cells"][0] for line in shorter["attacks"]] == ["copy", "word"]  # the most rewarded first
    assert longer["attacks"] == []
