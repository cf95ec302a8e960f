"""Where a study comes from: several files, other names of keys, wide tables, columns of a score file, short names."""

import csv
import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest

import gistmeter as gm
from gistmeter import Judgments, Scores, meta
from gistmeter.demo import demo_judgments, demo_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.meta import Study, open_study
from gistmeter.scores import ScoreColumn

KEYS = [("d1", "a"), ("d1", "b"), ("d1", "c"), ("d2", "a"), ("d2", "b"), ("d2", "c")]
RATED = [1, 2, 3, 2, 4, 5]
# By system: people (1 + 2) / 2, (2 + 4) / 2, (3 + 5) / 2 = 1.5, 3, 4; these scores 2, 1, 3: two of three pairs alike.
OWN = [2, 1, 3, 2, 1, 3]


def write_csv(path, header, columns):
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header)
        writer.writerows(zip(*columns, strict=True))
    return path


def write_scores(path, names, keys=("doc_id", "system")):
    """A table of scores of another program: each name has the scores `OWN`."""
    documents, systems = zip(*KEYS, strict=True)
    return write_csv(path, [*keys, *names], [documents, systems, *([OWN] * len(names))])


def write_people(path, keys=("doc_id", "system")):
    documents, systems = zip(*KEYS, strict=True)
    return write_csv(
        path, [*keys, "relevance", "fluency", "remark"], [documents, systems, RATED, RATED[::-1], ["ok"] * 6]
    )


def kendall(*sources, **options):
    answer = meta.correlate(*sources, level="system", coefficient="kendall", **options)
    return {(row.metric, row.aspect): pytest.approx(row.correlation.value) for row in answer.rows}


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
@pytest.mark.parametrize(
    "keys", [("doc_id", "system"), ("docid", "system_id"), ("id", "model"), ("document_id", "summarizer")]
)
def test_keys_have_other_names_in_scores_and_in_judgments(tmp_path, keys):
    scores, people = write_scores(tmp_path / "s.csv", ["own"], keys), write_people(tmp_path / "p.csv", keys)
    assert kendall(scores, people, aspect="relevance") == {("own", "relevance"): 1 / 3}
    long = tmp_path / "long.jsonl"
    rows = [
        dict(zip(keys, key, strict=True)) | {"aspect": "h", "value": value}
        for key, value in zip(KEYS, RATED, strict=True)
    ]
    long.write_text("\n".join(map(json.dumps, rows)))
    assert kendall(scores, long) == {("own", "h"): 1 / 3}


def test_a_wide_table_has_a_column_for_each_aspect(tmp_path):
    people = Judgments.read(write_people(tmp_path / "people.csv"))
    assert people.aspects == ["relevance", "fluency"]  # remarks are no numbers
    assert people.table["rater"].unique().to_list() == ["mean"]
    assert people.means("relevance")["value"].to_list() == RATED


def test_a_wide_table_may_name_raters(tmp_path):
    path = tmp_path / "raters.csv"
    path.write_text("doc_id,system,rater,relevance\nd1,a,ann,1\nd1,a,bob,4\nd1,b,ann,\n")
    people = Judgments.read(path)
    assert people.table.select("rater", "value").rows() == [("ann", 1.0), ("bob", 4.0)]
    assert people.means("relevance").rows() == [("d1", "a", 2.5)]
    path.write_text("doc_id,system,relevance\nd1,a,1\nd1,a,4\n")
    with pytest.raises(DataError, match="the average of relevance of a/d1 is given more than once"):
        Judgments.read(path)
    path.write_text("doc_id,system,relevance\nd1,a,1\nd1,b,good\n")
    with pytest.raises(DataError, match=r"record 2 of .*: the value of relevance is 'good', which is not a number"):
        Judgments.read(path)
    path.write_text("doc_id,system,remark\nd1,a,fine\n")
    with pytest.raises(DataError, match="there are no judgments in"):
        Judgments.read(path)


def test_a_run_without_judgments_is_no_wide_table():
    with pytest.raises(DataError, match="there are no judgments"):
        Judgments.from_records([{"doc_id": "d", "system": "s", "summary": "Rain.", "year": 2020}])


def test_several_files_are_joined_by_name(tmp_path):
    first, second = write_scores(tmp_path / "a.csv", ["own"]), tmp_path / "b.csv"
    documents, systems = zip(*reversed(KEYS), strict=True)  # another order
    write_csv(second, ["docid", "model", "other"], [documents, systems, RATED[::-1]])
    people = write_people(tmp_path / "people.csv")
    study = open_study([first, second], people)
    assert study.metrics == ("own", "other")
    assert study["other"].tolist() == study["relevance"].tolist()
    assert study.notes == ()
    # The last file may hold the judgments; that it does is a guess if it does not say so.
    assert open_study([first, second, people]).notes == (
        f"{people} is taken as judgments of people, as it is the last file",
    )
    long = tmp_path / "long.jsonl"
    long.write_text(json.dumps({"doc_id": "d1", "system": "a", "human": {"h": 1}}))
    assert open_study([long, first, second]).aspects == ("h",)
    with pytest.raises(ArgumentError, match="both hold judgments: say which with `judgments`"):
        open_study([first, long, Path(shutil.copy(long, tmp_path / "again.jsonl"))])


def test_a_column_of_two_files_is_refused_unless_it_says_the_same(tmp_path):
    first, second = write_scores(tmp_path / "a.csv", ["own"]), write_scores(tmp_path / "b.csv", ["own", "other"])
    people = write_people(tmp_path / "people.csv")
    assert open_study([first, second], people).metrics == ("own", "other")
    documents, systems = zip(*KEYS, strict=True)
    write_csv(second, ["doc_id", "system", "own"], [documents, systems, RATED])
    message = f"own is in {first} and in {second}, with other values: rename it in one of them"
    with pytest.raises(DataError, match=re.escape(message)):
        open_study([first, second], people)


def test_files_of_other_summaries_are_refused_or_noted(tmp_path):
    first, second = write_scores(tmp_path / "a.csv", ["own"]), tmp_path / "b.csv"
    people = write_people(tmp_path / "people.csv")
    second.write_text("doc_id,system,other\nd1,a,1\nd1,b,2\nd9,a,3\n")
    study = open_study([first, second], people)
    assert study.notes[0] == f"{second} lacks 4 summaries that {first} has, and has 1 that {first} lacks"
    assert (study["other"] > 0).tolist() == [[True, False], [True, False], [False, False]]
    second.write_text("doc_id,system,other\nx,a,1\n")
    with pytest.raises(DataError, match="have no summary in common"):
        open_study([first, second], people)


def test_scores_of_gistmeter_are_not_taken_for_judgments(tmp_path):
    table = pl.DataFrame([(*key, float(value)) for key, value in zip(KEYS, OWN, strict=True)], orient="row")
    scores = Scores(
        table.rename(dict(zip(table.columns, ["doc_id", "system", "m.f1"], strict=True))),
        (ScoreColumn("m.f1", "m|v:0"),),
    )
    scores.write(tmp_path / "m.parquet")
    with pytest.raises(ArgumentError, match="have scores only: say where people's judgments are with `judgments`"):
        open_study([write_scores(tmp_path / "a.csv", ["own"]), tmp_path / "m.parquet"])


def test_columns_of_a_score_file_may_be_judgments(tmp_path):
    documents, systems = zip(*KEYS, strict=True)
    path = write_csv(tmp_path / "s.csv", ["doc_id", "system", "own", "h1", "h2"], [documents, systems, OWN, RATED, OWN])
    expected = {("own", "h1"): 1 / 3, ("own", "h2"): 1}
    assert kendall(path, aspect=["h1", "h2"]) == expected
    study = open_study(path, aspects="h1")
    assert (study.metrics, study.aspects) == (("own", "h2"), ("h1",))
    assert meta.pairs(path, aspect="h1", metrics="own", permutations=20).rows[0].accuracy.value == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="there is no column 'h3'"):
        meta.correlate(path, aspect=["h1", "h3"])
    with pytest.raises(ArgumentError, match="or which columns they are with `aspect`"):
        meta.correlate(path)


def test_a_column_added_to_scores_of_gistmeter_may_be_a_judgment(tmp_path):
    scores = gm.score(
        [
            gm.Example(doc_id=d, system=s, summary="x " * n, references=("x x y",))
            for (d, s), n in zip(KEYS, OWN, strict=True)
        ],
        "rouge1,length",
    )
    scores.write(tmp_path / "s.csv")
    pl.read_csv(tmp_path / "s.csv").with_columns(h=pl.Series(RATED)).write_csv(tmp_path / "s.csv")
    study = open_study(tmp_path / "s.csv", aspects=["h"])
    assert study.direction("length.words") == "neither"
    assert study["h"].tolist() == [[1, 2], [2, 4], [3, 5]]


TABLE = [[1, 2], [2, 1], [3, 3]]


@pytest.mark.parametrize(
    ("names", "short", "whole"),
    [
        (["rouge1(stem=none).recall", "rouge1(stem=none).f1"], "rouge1.recall", "rouge1(stem=none).recall"),
        (["rouge1(stem=none).recall", "rouge1(stem=none).f1"], "rouge1", "rouge1(stem=none).f1"),
        (["rouge1(stem=none).recall", "rouge1(stem=none).f1"], "rouge1(stem=none)", "rouge1(stem=none).f1"),
        (["rouge1.f1", "rouge1(stem=none).f1"], "rouge1", "rouge1.f1"),
        (["rouge1.f1", "rouge1(stem=none).f1"], "rouge1.f1", "rouge1.f1"),
        (["js.divergence"], "js", "js.divergence"),
        (["meteor.recall", "meteor.meteor"], "meteor", "meteor.meteor"),
        (["rougeW(weight=1.2).f1", "rougeW(weight=1.2).recall"], "rougeW", "rougeW(weight=1.2).f1"),
        (["lite2.5pyramid.recall"], "lite2.5pyramid", "lite2.5pyramid.recall"),
    ],
)
def test_short_names(names, short, whole):
    study = Study.from_tables({**dict.fromkeys(names, TABLE), "h": TABLE}, aspects=["h"])
    assert study.resolve(short) == whole
    assert meta.correlate(study, metrics=short).rows[0].metric == whole
    assert study.with_directions(lower=[short]).direction(whole) == "lower"


@pytest.mark.parametrize(
    ("names", "short", "message"),
    [
        (
            ["rouge1(stem=none).f1", "rouge1(stem=porter).f1"],
            "rouge1",
            "'rouge1' may be rouge1(stem=none).f1 or rouge1(stem=porter).f1: say which",
        ),
        (
            ["rouge1(a=1).recall", "rouge1(a=2).recall"],
            "rouge1.recall",
            "'rouge1.recall' may be rouge1(a=1).recall or rouge1(a=2).recall",
        ),
        (["length.words", "length.sentences"], "length", "'length' may be length.words or length.sentences: say which"),
        (["rouge1.f1"], "roug", "there is no score or aspect 'roug'; did you mean rouge1?"),
    ],
)
def test_what_a_short_name_may_be_is_listed(names, short, message):
    study = Study.from_tables({**dict.fromkeys(names, TABLE), "h": TABLE}, aspects=["h"])
    with pytest.raises(DataError, match=re.escape(message)):
        meta.correlate(study, metrics=short)


def test_few_systems_are_warned_of():
    study = Study.from_tables({"own": [[1], [2]], "h": [[1], [3]]}, aspects=["h"], better="higher")
    answer = meta.correlate(study, level="system", coefficient="pearson")
    assert answer.rows[0].correlation.value == pytest.approx(1)
    assert answer.notes == ("there are 2 systems only: a correlation of fewer than 5 says little",)
    five = Study.from_tables(
        {"own": [[1], [2], [3], [4], [6]], "h": [[1], [3], [2], [5], [4]]}, aspects=["h"], better="higher"
    )
    assert meta.correlate(five, level="system").notes == ()


def test_commands_take_several_files_and_several_judgments(command, tmp_path):
    write_scores(tmp_path / "a.csv", ["own"])
    write_scores(tmp_path / "b.csv", ["rouge1(stem=none).f1"], ("docid", "model"))
    write_people(tmp_path / "people.csv")
    options = ("--level", "system", "--coefficient", "kendall", "--json")
    humans = ("--human", "relevance", "--human", "fluency")
    code, out, err = command(
        "meta", "correlate", "a.csv", "b.csv", "people.csv", "--metric", "rouge1", *humans, *options
    )
    assert code == 0, err
    rows = json.loads(out)["rows"]
    assert [(row["metric"], row["human"]) for row in rows] == [
        ("rouge1(stem=none).f1", aspect) for aspect in humans[1::2]
    ]
    assert rows[0]["value"] == pytest.approx(1 / 3)
    assert "people.csv is taken as judgments" in err
    code, again, _ = command(
        "meta", "correlate", "a.csv", "b.csv", "--judgments", "people.csv", "--metric", "rouge1", *humans, *options
    )
    assert json.loads(again)["rows"] == rows
    code, _, err = command("meta", "pairs", "a.csv", "people.csv", *humans)
    assert code == 2
    assert "give --human once: relevance and fluency are compared one at a time" in err


def test_text_in_a_column_of_scores_is_named_and_remarks_may_stay(tmp_path):
    documents, systems = zip(*KEYS, strict=True)
    remarks = ["fine", "3", "good", "bad", "4", "so so"]
    path = write_csv(
        tmp_path / "s.csv",
        ["docid", "model", "own", "remark"],
        [documents, systems, [2, 1, 3, "many", "", 3], remarks],
    )
    message = r"s\.csv, row 4 \(line 5\): own of a/d2 is 'many', which is not a number; leave it empty"
    with pytest.raises(DataError, match=message):
        Scores.read(path)
    write_csv(path, ["docid", "model", "own", "remark"], [documents, systems, [2, 1, 3, "", "", 3], remarks])
    assert [column.name for column in Scores.read(path).columns] == ["own"]


def test_files_of_scores_may_share_a_column_of_text(tmp_path):
    documents, systems = zip(*KEYS, strict=True)

    def write(name, score, language):
        header = ["doc_id", "system", "language", score]
        return write_csv(tmp_path / name, header, [documents, systems, [language] * 6, OWN])

    people = write_people(tmp_path / "p.csv")
    own, other = write("own.csv", "own", "en"), write("other.csv", "other", "en")
    answer = kendall([own, other], people, aspect="relevance")
    assert answer == {("own", "relevance"): 1 / 3, ("other", "relevance"): 1 / 3}
    write("other.csv", "other", "fr")
    with pytest.raises(DataError, match=r"language is in .*own\.csv and in .*other\.csv, with other values"):
        kendall([own, other], people, aspect="relevance")


def test_counts_that_a_metric_adds_up_are_no_scores_where_nothing_says_what_columns_are(tmp_path):
    path = tmp_path / "scores.csv"
    gm.score(demo_run(), "bleu").write(path)
    described = open_study(path, demo_judgments())
    (tmp_path / "scores.csv.meta.json").unlink()
    bare = open_study(path, demo_judgments())
    assert bare.metrics == described.metrics == ("bleu.bleu",)
    # Lengths of summary and references, correct n-grams and all n-grams of four sizes: ten columns.
    (note,) = bare.notes
    assert note.startswith(
        "left out 10 columns of counts that scores are computed from: bleu.correct_1, bleu.correct_2"
    )
    assert [ranked.column.name for ranked in gm.rank(gm.Scores.read(path)).columns] == ["bleu.bleu"]


def test_a_misspelt_short_name_suggests_a_short_name(tmp_path):
    study = open_study(
        write_scores(tmp_path / "s.csv", ["rouge1(stem=none).f1", "rouge2(stem=none).f1"]),
        write_people(tmp_path / "p.csv"),
    )
    with pytest.raises(DataError, match=r"there is no score or aspect 'roug1'; did you mean rouge1\?"):
        study.resolve("roug1")


def test_one_file_given_twice_has_scores_only(tmp_path):
    path = tmp_path / "scores.parquet"
    gm.score(demo_run(), "rouge1").write(path)
    with pytest.raises(ArgumentError, match=r"scores.parquet has scores only: say where"):
        open_study([path, path])


def test_a_matrix_file_given_twice_is_one_file(tmp_path):
    path = tmp_path / "study.json"
    data = {"systems": ["a", "b"], "documents": ["d"], "scores": {"m": [[1], [2]], "h": [[1], [2]]}, "human": ["h"]}
    path.write_text(json.dumps(data))
    assert open_study([path, path]).metrics == ("m",)
