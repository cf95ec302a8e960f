"""Fields under other names: runs and judgments whose columns a user maps, and tables with common headers."""

import io
import sys

import pytest

import gistmeter as gm
from gistmeter.errors import ArgumentError
from gistmeter.io.runs import open_run

RUN = """article_id,id,bot,output,gold,summary
a1,1,x,It rained a lot.,It rained.,wrong
a1,2,y,The sun shone.,It rained.,wrong
a2,3,x,Birds sang.,Birds sang loudly.,wrong
a2,4,y,,Birds sang loudly.,wrong
a3,5,x,It was cold.,It was cold and wet.,wrong
a3,6,y,Snow fell.,It was cold and wet.,wrong
"""
MAP = ("doc_id=article_id", "system=bot", "summary=output", "reference=gold")
FIELDS = dict(text.split("=") for text in MAP)
LONG = """article_id,bot,worker_id,quality,stars
a1,x,w1,fluency,5
a1,y,w1,fluency,1
a2,x,w1,fluency,4
a2,y,w1,fluency,1
a3,x,w2,fluency,3
a3,y,w2,fluency,2
"""
LONG_MAP = ("doc_id=article_id", "system=bot", "rater=worker_id", "aspect=quality", "value=stars")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_text(RUN)
    (tmp_path / "people.csv").write_text(LONG)
    return tmp_path


def options(pairs):
    return [part for pair in pairs for part in ("--map", pair)]


def test_a_run_is_read_by_the_columns_that_are_named(folder):
    first, *_, last = gm.read_run("run.csv", fields=FIELDS)
    assert (first.doc_id, first.system, first.summary) == ("a1", "x", "It rained a lot.")
    assert first.references == ("It rained.",)
    assert last.doc_id == "a3"
    assert gm.read_run("run.csv", fields=FIELDS)[3].summary == ""  # an empty cell is an empty summary, not "wrong"


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_formats_agree_and_the_scores_find_the_run_again(folder, command):
    import polars as pl

    records = pl.read_csv("run.csv").with_columns(pl.col("output").fill_null(""))
    records.write_parquet("run.parquet")
    records.write_ndjson("run.jsonl")
    tables = [
        gm.score(open_run([name], fields=FIELDS), "rouge1").table for name in ("run.csv", "run.parquet", "run.jsonl")
    ]
    assert tables[0].equals(tables[1])
    assert tables[0].equals(tables[2])
    code, _, err = command("score", "run.csv", *options(MAP), "-m", "rouge1", "-o", "s.parquet")
    assert code == 0, err
    assert gm.Scores.read("s.parquet").table.equals(tables[0])
    code, _, err = command("report", "s.parquet", "-o", "r.html")
    assert (code, "no texts" in err) == (0, False)
    assert "It rained a lot." in (folder / "r.html").read_text()


def test_joined_files_are_mapped_where_they_have_the_column(folder):
    (folder / "refs.csv").write_text("article_id,best\na1,Rain.\na2,Birds.\na3,Cold.\n")
    (folder / "bare.csv").write_text("article_id,output\na1,It rained.\n")
    fields = {"doc_id": "article_id", "summary": "output", "reference": "best"}
    assert gm.read_run("bare.csv", references=["refs.csv"], fields=fields)[0].references == ("Rain.",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["summary=outptu"],
            "there is no column 'outptu' for summary; did you mean output? (run.csv has article_id, id",
        ),
        (["sumary=output"], "a run has no field 'sumary'; did you mean summary? (it has doc_id, system"),
        (["rater=output"], "a run has no field 'rater'"),
        (["summary"], "--map takes FIELD=COLUMN, such as summary=output, not 'summary'"),
        (["summary=output", "summary=gold"], "--map gives summary twice: output and gold"),
    ],
)
def test_a_wrong_map_is_one_sentence(folder, command, given, message):
    code, _, err = command("score", "run.csv", *options(given))
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_wrong_column_is_told_of_standard_input_too(folder, command, monkeypatch):
    line = b'{"id": 1, "output": "It rained.", "reference": "Rain."}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line), encoding="utf-8"))
    code, _, err = command("score", "-", *options(["summary=outptu"]))
    assert code == 2
    assert "there is no column 'outptu' for summary; did you mean output? (standard input has id, output" in err


def test_a_missing_field_lists_those_there_are_and_the_way_out(folder, command):
    (folder / "odd.jsonl").write_text('{"article": "x", "output": "y"}\n')
    code, _, err = command("score", "odd.jsonl")
    assert code == 2
    assert "there is no `summary` (the record has article, output; --map summary=NAME says which it is)" in err
    (folder / "odd.csv").write_text("article_id,system,fluency\na1,x,3\n")
    code, _, err = command("meta", "correlate", "run.csv", "--judgments", "odd.csv", "--metric", "rouge1.f1")
    assert code == 2
    with pytest.raises(gm.GistmeterError, match=r"no `doc_id` \(the record has article_id, system, fluency; `fields="):
        gm.Judgments.read("odd.csv")


def test_a_need_that_another_column_holds_is_told_with_the_columns_that_nothing_reads(folder, command):
    (folder / "hugging.jsonl").write_text('{"prediction": "It rained.", "label": "Rain."}\n')
    code, _, err = command("score", "hugging.jsonl", "-m", "rouge1")
    assert code == 2
    assert "has none; where another column holds it (label), --map references=NAME says which" in err
    assert command("score", "hugging.jsonl", "-m", "rouge1", *options(["references=label"]))[0] == 0


@pytest.mark.parametrize(
    ("name", "text", "separator"),
    [
        ("a.csv", "doc_id;system;summary\n1;a;It rained, a lot.\n", "semicolons"),
        ("a.csv", "doc_id\tsummary\n1\tRain.\n", "tabs"),
        ("a.tsv", "doc_id,summary\n1,Rain.\n", "commas"),
    ],
)
def test_a_table_with_another_separator_is_refused_as_such(folder, command, name, text, separator):
    (folder / name).write_text(text)
    code, _, err = command("score", name, "-m", "length")
    assert (code, f"the columns of {name} are separated by {separator}: save it with" in err) == (2, True), err
    with pytest.raises(gm.GistmeterError, match=separator):
        gm.Judgments.read(name)


def test_judgments_are_read_by_the_columns_that_are_named(folder):
    judgments = gm.Judgments.read("people.csv", fields=dict(text.split("=") for text in LONG_MAP))
    assert judgments.aspects == ["fluency"]
    assert judgments.table.select("doc_id", "system", "rater", "value").row(1) == ("a1", "y", "w1", 1.0)
    with pytest.raises(ArgumentError, match="no column 'worker' for rater; did you mean worker_id"):
        gm.Judgments.read("people.csv", fields={"rater": "worker"})
    with pytest.raises(ArgumentError, match="a judgment has no field 'summary'"):
        gm.Judgments.read("people.csv", fields={"summary": "stars"})


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_meta_maps_the_run_and_the_judgments(folder, command):
    pairs = dict.fromkeys((*MAP, *LONG_MAP))
    code, out, err = command(
        "meta", "correlate", "run.csv", "--judgments", "people.csv", "--metric", "rouge1.f1", *options(pairs), "--json"
    )
    assert code == 0, err
    assert '"metric":"rouge1.f1"' in out.replace(" ", "")
    code, _, err = command("meta", "correlate", "run.csv", "--judgments", "people.csv", "--map", "value=starz")
    assert code == 2
    assert "there is no column 'starz' for value; did you mean stars? (run.csv and people.csv have" in err


def test_a_number_that_names_a_document_is_no_aspect(folder):
    (folder / "wide.csv").write_text("number,bot,fluency,focus\n1,x,5,4\n2,x,3,2\n")
    judgments = gm.Judgments.read("wide.csv", fields={"doc_id": "number", "system": "bot"})
    assert judgments.aspects == ["fluency", "focus"]
    assert judgments.table["doc_id"].to_list() == ["1", "1", "2", "2"]


@pytest.mark.parametrize(
    ("text", "aspects", "raters"),
    [
        ("document,model,annotator,score\nd1,x,ann,5\nd1,y,ann,2\n", ["score"], {"ann"}),
        ("document,model,annotator,aspect,score\nd1,x,ann,focus,5\nd1,y,ann,focus,2\n", ["focus"], {"ann"}),
        ("document,model,annotator,aspect,rating\nd1,x,ann,focus,5\nd1,y,ann,focus,2\n", ["focus"], {"ann"}),
        ("doc_id,system,rater,value\nd1,x,ann,5\nd1,y,ann,2\n", ["value"], {"ann"}),
        ("document,model,fluency,focus\nd1,x,5,4\nd1,y,2,3\n", ["fluency", "focus"], {"mean"}),
    ],
)
def test_common_headers_are_understood(folder, text, aspects, raters):
    (folder / "table.csv").write_text(text)
    judgments = gm.Judgments.read("table.csv")
    assert judgments.aspects == aspects
    assert set(judgments.table["rater"]) == raters
    assert judgments.table.filter(aspect=aspects[0])["value"].to_list() == [5, 2]
    assert set(judgments.table["doc_id"]) == {"d1"}


def test_wide_judgments_work_from_end_to_end(folder, command):
    pairs = [f"--map={pair}" for pair in MAP]
    assert command("score", "run.csv", *pairs, "-m", "rouge1,rouge2", "-o", "s.parquet")[0] == 0
    (folder / "wide.csv").write_text(
        "document,model,fluency,focus\n" + "".join(f"a{n},{s},{n + (s == 'x')},{n}\n" for n in (1, 2, 3) for s in "xy")
    )
    for human in ("fluency", "focus"):
        code, out, err = command("meta", "correlate", "s.parquet", "wide.csv", "--human", human, "--level", "pooled")
        assert code == 0, err
        assert human in out
