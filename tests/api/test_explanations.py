"""Explaining straight from a file of scores: which summaries, by which metrics, from where, and as what."""

import json
import shutil

import pytest

import gistmeter as gm
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scores")
    shutil.copy(demo_run(), folder / "run.jsonl")
    gm.score(folder / "run.jsonl", "rouge1,rouge2,length", output=folder / "scores.parquet", cache=False)
    return folder


def test_a_file_of_scores_knows_its_run_and_its_metrics(folder):
    explained = gm.explain_summaries(folder / "scores.parquet", documents=["hail-04"], systems=["terse"])
    (summary,) = explained.summaries
    assert list(summary.evidence) == ["rouge1", "rouge2"]
    assert summary.unexplained == ("length",)
    row = gm.Scores.read(folder / "scores.parquet").row("hail-04", "terse")
    assert summary.scores == pytest.approx(row)
    of_run = gm.explain_summaries(folder / "run.jsonl", documents=["hail-04"], systems=["terse"])
    assert of_run.summaries[0].evidence == {"rouge2": summary.evidence["rouge2"]}


def test_several_documents_all_systems_and_the_worst(folder):
    file = folder / "scores.parquet"
    explained = gm.explain_summaries(file, documents=["hail-04", "trial-08"], metrics="rouge1")
    pairs = [(each.example.doc_id, each.example.system) for each in explained.summaries]
    systems = gm.Scores.read(file).systems
    assert pairs == [(doc_id, system) for doc_id in ("hail-04", "trial-08") for system in systems]
    worst = gm.explain_summaries(file, worst=2, metrics="rouge2", systems=["careful"])
    assert [each.example.doc_id for each in worst.summaries] == [
        row.doc_id for row in gm.worst(file, "rouge2", count=2, systems=["careful"]).rows
    ]
    of_run = gm.explain_summaries(folder / "run.jsonl", worst=2, metrics="rouge2", systems=["careful"])
    assert [each.example for each in of_run.summaries] == [each.example for each in worst.summaries]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ArgumentError, "say which summaries"),
        ({"documents": ["hail-04"], "worst": 2}, ArgumentError, "say which summaries"),
        ({"documents": ["hail-05"]}, DataError, "no document 'hail-05'; did you mean hail-04"),
        ({"documents": ["hail-04"], "systems": ["ters"]}, DataError, "no system 'ters'; did you mean terse"),
        ({"worst": 2, "metrics": "length"}, DataError, "length does not judge single summaries"),
    ],
)
def test_mistakes(folder, arguments, error, message):
    with pytest.raises(error, match=message):
        gm.explain_summaries(folder / "scores.parquet", **arguments)


def test_scores_without_their_texts_say_what_to_give(folder, tmp_path):
    evidence = gm.explain(folder / "scores.parquet", "rouge2", doc_id="hail-04", system="terse")
    assert list(evidence) == ["rouge2"]
    shutil.copy(folder / "scores.parquet", tmp_path)
    (tmp_path / "bare.csv").write_text("doc_id,system,rouge2.f1\nhail-04,terse,0.5\n")
    absences = {
        "scores.parquet": "was not read, because it is outside the folder of the scores and the working directory",
        "bare.csv": "the scores do not say where they came from",
    }
    for file, absence in absences.items():
        with pytest.raises(DataError, match=f"there are no texts to these scores: .*{absence}; give the run itself$"):
            gm.explain(tmp_path / file, "rouge2", doc_id="hail-04", system="terse")


def test_a_changed_run_is_refused(folder, tmp_path):
    for name in ("run.jsonl", "scores.parquet"):
        shutil.copy(folder / name, tmp_path / name)
    text = (folder / "run.jsonl").read_text().replace('"summary": "', '"summary": "Changed ')
    (tmp_path / "run.jsonl").write_text(text)
    moved = gm.Scores.read(folder / "scores.parquet").origin.__class__(files=(str(tmp_path / "run.jsonl"),))
    with pytest.raises(DataError, match="the run has changed since it was scored"):
        gm.explain_summaries(tmp_path / "scores.parquet", documents=["hail-04"], moved=moved)


def test_files_elsewhere_are_not_read_unless_trusted_or_named(command, tmp_path, monkeypatch):
    home, received = tmp_path / "home", tmp_path / "received"
    home.mkdir()
    received.mkdir()
    shutil.copy(demo_run(), home / "run.jsonl")
    gm.score(home / "run.jsonl", "rouge2", output=received / "s.parquet", cache=False)
    monkeypatch.chdir(received)
    chosen = ("explain", "s.parquet", "--doc", "hail-04", "--system", "terse")
    code, _, err = command(*chosen)
    assert (code, "--trust-origin allows it" in err) == (2, True)
    assert command(*chosen, "--trust-origin")[0] == 0
    assert command(*chosen, "--run", home / "run.jsonl")[0] == 0


def test_the_command_gives_json_and_a_page(command, tmp_path):
    shutil.copy(demo_run(), tmp_path / "run.jsonl")
    assert command("score", "run.jsonl", "-m", "rouge1,rouge2", "-o", "s.parquet")[0] == 0
    code, out, err = command("explain", "s.parquet", "--worst", "2", "-m", "rouge2", "--json", "--html", "why.html")
    assert (code, "page: why.html" in err) == (0, True)
    first = json.loads(out)["rows"][0]
    assert (first["doc_id"], first["system"]) == ("trial-08", "looper")
    pane = first["evidence"]["rouge2"]["blocks"][0]
    assert (pane["kind"], pane["text"]) == ("pane", first["summary"])
    page = (tmp_path / "why.html").read_text()
    assert "Content-Security-Policy" in page
    assert "trial-08" in page
    assert "<script src" not in page
    assert "say which summaries" in command("explain", "s.parquet")[2]
    assert "give one of the two" in command("explain", "s.parquet", "--doc", "1", "--worst", "1")[2]


def test_a_report_takes_text_files_from_where_they_are(command, tmp_path, monkeypatch):
    old, here = tmp_path / "old", tmp_path / "here"
    old.mkdir()
    here.mkdir()
    (old / "a.txt").write_text("rain fell\nsun shone\n")
    (old / "refs.txt").write_text("rain fell here\nit was dark\n")
    monkeypatch.chdir(old)
    texts = ("--summaries", "a=a.txt", "--references", "refs.txt")
    assert command("score", *texts, "-m", "rouge1", "-o", here / "s.parquet")[0] == 0
    monkeypatch.chdir(here)
    code, _, err = command("report", "s.parquet")
    assert (code, "a.txt, refs.txt is not here; give --summaries and --references" in err) == (0, True)
    named = ("--summaries", f"a={old / 'a.txt'}", "--references", old / "refs.txt")
    code, _, err = command("report", "s.parquet", *named, "-o", "r.html")
    assert (code, "no texts" in err, "rain fell here" in (here / "r.html").read_text()) == (0, False, True)
    (old / "refs.txt").write_text("rain fell there\nit was dark\n")
    code, _, err = command("report", "s.parquet", *named, "-o", "r.html")
    assert (code, "the references of 1 document (1)" in err) == (2, True)
