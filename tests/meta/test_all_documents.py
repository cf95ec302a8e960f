"""A metric on all documents, people on the judged ones: correlations by hand, names, directions, and the pictures."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from gistmeter import Scores, meta, write_figure
from gistmeter.errors import DataError

SYSTEMS = ("a", "b", "c")
# On the judged documents d1 and d2 the metric's means are 2, 1, 3; on all four they are 1, 2, 3, as people's are.
METRIC = {"a": [2, 2, 0, 0], "b": [1, 1, 3, 3], "c": [3, 3, 3, 3]}
PEOPLE = [[1, 1], [2, 2], [3, 3]]


def all_scores(systems=SYSTEMS, name="own", sign=1):
    cells = [(f"d{n + 1}", system, sign * value) for system in systems for n, value in enumerate(METRIC[system])]
    return Scores.from_metadata(pl.DataFrame(cells, schema=["doc_id", "system", name], orient="row"), None)


@pytest.fixture
def study():
    tables = {"own": [METRIC[system][:2] for system in SYSTEMS], "rated": PEOPLE}
    return meta.Study.from_tables(tables, aspects=["rated"], systems=SYSTEMS, documents=["d1", "d2"])


def ask(study, everything, **options):
    return meta.interval_all_documents(study, everything=everything, method="documents", resamples=30, **options)


def test_by_hand(study):
    # Judged: 2, 1, 3 against 1, 2, 3, two of three pairs alike: (2 - 1) / 3. All: 1, 2, 3 against 1, 2, 3.
    [row] = ask(study, all_scores(), coefficient="kendall").rows
    assert row.change.judged.value == pytest.approx(1 / 3)
    assert row.change.everything.value == pytest.approx(1)
    answer = ask(study, all_scores())
    assert (answer.judged, answer.scored) == (2, 4)


def test_other_settings_are_another_metric(study):
    with pytest.raises(DataError, match=r"there is no such score of all documents.*own\(stem=none\)"):
        ask(study, all_scores(name="own(stem=none)"))


def test_systems_are_matched_by_name_whatever_their_order(study):
    assert ask(study, all_scores(("c", "a", "b"))).records() == ask(study, all_scores()).records()
    with pytest.raises(DataError, match="own: there are no scores of all documents by b"):
        ask(study, all_scores(("a", "c")))
    with pytest.raises(DataError, match="own: there is no such score of all documents; did you mean own2"):
        ask(study, all_scores(name="own2"))


def test_lower_is_turned_on_both_sides(study):
    turned = meta.Study.from_tables(
        {"own": -study["own"], "rated": PEOPLE}, aspects=["rated"], systems=SYSTEMS, documents=["d1", "d2"]
    )
    assert ask(turned, all_scores(sign=-1), lower="own").records() == ask(study, all_scores()).records()


def test_a_table_without_scores_says_that_it_has_none(study):
    keys_only = Scores.from_metadata(all_scores().table.select("doc_id", "system"), None)
    with pytest.raises(DataError, match=r"there is no such score of all documents \(there is none\)"):
        ask(study, keys_only)


def test_documents_that_do_not_fit_are_noted(study):
    assert not any("documents" in note for note in ask(study, all_scores()).notes)
    judged_only = Scores.from_metadata(all_scores().table.filter(pl.col("doc_id").is_in(["d1", "d2"])), None)
    assert "there is nothing to gain" in ask(study, judged_only).notes[0]
    others = Scores.from_metadata(all_scores().table.filter(pl.col("doc_id") != "d1"), None)
    assert ask(study, others).notes[0] == "1 of 2 judged documents are not among all documents"


def test_more_documents_make_narrower_intervals_and_surer_means():
    rng = np.random.default_rng(1)
    quality = np.linspace(0, 1, 10)[:, None]
    metric = quality + 2 * rng.normal(size=(10, 600))
    cells = [(f"document {d + 1}", f"system {s + 1}", metric[s, d]) for s in range(10) for d in range(600)]
    everything = Scores.from_metadata(pl.DataFrame(cells, schema=["doc_id", "system", "own"], orient="row"), None)
    tables = {"own": metric[:, :30], "rated": quality + 0.2 * rng.normal(size=(10, 30))}
    study = meta.Study.from_tables(tables, aspects=["rated"])
    answer = meta.interval_all_documents(study, everything=everything, method="documents", resamples=300)
    assert answer.mean_narrowed > 0.3
    scores = meta.systems(study, everything=everything, resamples=300)
    widths = [(row.judged.high - row.judged.low, row.everything.high - row.everything.low) for row in scores.rows]
    # Twenty times as many documents: the deviation of a mean is sqrt(20) = 4.5 times smaller.
    assert np.mean([before / after for before, after in widths]) == pytest.approx(np.sqrt(20), rel=0.15)
    assert scores.rows[3].everything.value == pytest.approx(metric[3].mean())
    assert scores.rows[3].judged.value == pytest.approx(metric[3, :30].mean())
    assert scores.rows[3].people == pytest.approx(tables["rated"][3].mean())


@pytest.mark.more
def test_the_commands_print_and_draw_both(checked_command, study, tmp_path):
    all_scores().table.write_csv("all.csv")
    records = [
        {"doc_id": f"d{n + 1}", "system": system, "human": {"rated": PEOPLE[row][n]}}
        for row, system in enumerate(SYSTEMS)
        for n in range(2)
    ]
    Path("judged.jsonl").write_text("\n".join(map(json.dumps, records)))
    source = ("all.csv", "--judgments", "judged.jsonl", "--all-documents", "all.csv")
    options = ("--method", "documents", "--resamples", 30, "--figure", "widths.svg", "--coefficient", "kendall")
    output = checked_command("meta", "interval", *source, *options).stdout
    assert output.splitlines()[2].split()[:2] == ["own", "0.333"]
    assert "over 2 judged documents, and over all 4" in " ".join(output.split())
    assert all(text in Path("widths.svg").read_text() for text in ("2 judged documents", "all 4 documents", "own"))
    checked_command("meta", "systems", *source, "--resamples", 20, "--figure", "means.svg")
    assert "all 4 documents" in Path("means.svg").read_text()
    checked_command("meta", "systems", *source[:3], "--resamples", 20, "--figure", "points.svg")
    assert all(f">{system}<" in Path("points.svg").read_text() for system in SYSTEMS)
    refused = checked_command("meta", "interval", *source, "--level", "pooled", fails=True)
    assert "--all-documents goes with the system level" in refused.stderr
    write_figure(meta.systems(study, resamples=20), tmp_path / "python.svg")
    assert (tmp_path / "python.svg").exists()


def test_close_pairs_are_of_all_documents_and_accuracies_of_judged_ones(study):
    # Kendall over all pairs: judged (2 - 1) / 3, on all documents 1; the accuracy stays two of three.
    asked = {"permutations": 20, "gap_from": 0}
    [judged] = meta.pairs(study, **asked).rows
    answer = meta.pairs(study, everything=all_scores(("c", "a", "b")), **asked)
    [row] = answer.rows
    assert [part.closest.points[-1].value for part in (judged, row)] == pytest.approx([1 / 3, 1])
    assert [part.between.value for part in (judged, row)] == pytest.approx([1 / 3, 1])
    assert judged.accuracy == row.accuracy
    assert row.accuracy.value == pytest.approx(2 / 3)
    assert answer.notes[0] == "close pairs by means over all 4 documents; the accuracies over 2 judged documents"
    turned = meta.Study.from_tables(
        {"own": -study["own"], "rated": PEOPLE}, aspects=["rated"], systems=SYSTEMS, documents=["d1", "d2"]
    )
    mirrored = meta.pairs(turned, everything=all_scores(sign=-1), lower="own", **asked)
    assert mirrored.records() == answer.records()


def test_pairs_command_takes_all_documents(study, command, tmp_path):
    data = {"systems": SYSTEMS, "documents": study.documents, "human": ["rated"]}
    (tmp_path / "study.json").write_text(json.dumps(data | {"scores": {name: study[name].tolist() for name in study}}))
    all_scores().write(tmp_path / "all.csv")
    asked = ["meta", "pairs", "study.json", "--permutations", "20", "--all-documents"]
    code, out, err = command(*asked, "all.csv")
    assert (code, "close pairs by means over all 4 documents" in out) == (0, True), err
    code, _, err = command(*asked, "none.csv")
    assert (code, "none.csv" in err) == (2, True)
