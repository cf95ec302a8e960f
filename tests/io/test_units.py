"""Content units as data: in records, joined, in text files, by label and by vote; and what wrong ones give."""

import json
import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example, Unit
from gistmeter.human import majority_vote
from gistmeter.io.runs import open_run, reopen_run
from gistmeter.io.units import label_units, majority, parse_units
from gistmeter.metrics.pyramid.litepyramid import LitePyramid
from gistmeter.scores import Scores

RECORD = {"doc_id": "d1", "system": "a", "summary": "x y"}


def jsonl(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("fields", "units"),
    [
        ({"units": ["u", "v"]}, (Unit("u"), Unit("v"))),
        ({"scus": ["u", {"text": "v", "weight": 3, "sentence": 1}]}, (Unit("u"), Unit("v", 3.0, 1))),
        ({"units": [{"text": "u", "present": 1}]}, (Unit("u", present=True),)),
        ({"scus": ["u", "v"], "scu_labels": [0, 1]}, (Unit("u", present=False), Unit("v", present=True))),
        ({"units": ["u", "v"], "presence": [True, None]}, (Unit("u", present=True), Unit("v"))),
        ({"units": ["u", "v"], "labels": [1.0, 0]}, (Unit("u", present=True), Unit("v", present=False))),
        # 2 of 3 is a majority, 2 of 4 is not, nobody's vote is none.
        (
            {"units": ["u", "v", "w"], "scu_votes": [[1, 1, 0], [1, 1, 0, 0], []]},
            (Unit("u", present=True), Unit("v", present=False), Unit("w")),
        ),
        # Labels count before votes.
        ({"units": ["u"], "labels": [1], "votes": [[0, 0, 1]]}, (Unit("u", present=True),)),
        # Without units there is nothing to label.
        ({"scu_labels": [0, 1]}, ()),
    ],
)
def test_units_of_a_record(tmp_path, fields, units):
    (example,) = gm.read_run(jsonl(tmp_path / "run.jsonl", RECORD | fields))
    assert example.units == units


def test_units_in_tables(tmp_path):
    frame = pl.DataFrame([RECORD | {"units": ["u", "v"], "labels": [0, 1]}])
    frame.write_parquet(tmp_path / "run.parquet")
    cells = frame.with_columns(units=pl.lit('["u", "v"]'), labels=pl.lit("[0, 1]"))
    cells.write_csv(tmp_path / "run.csv")
    for name in ("run.parquet", "run.csv"):
        (example,) = gm.read_run(tmp_path / name)
        assert example.units == (Unit("u", present=False), Unit("v", present=True))


def test_units_are_joined_by_document_and_a_record_keeps_its_own(tmp_path):
    run = jsonl(
        tmp_path / "run.jsonl",
        RECORD | {"scu_labels": [1, 0]},
        RECORD | {"system": "b", "units": ["own"]},
        RECORD | {"doc_id": "d2"},
    )
    units = jsonl(tmp_path / "documents.jsonl", {"doc_id": "d1", "document": "long", "scus": ["u", "v"]})
    first, second, third = gm.read_run(run, units=[units])
    assert first.units == (Unit("u", present=True), Unit("v", present=False))
    assert second.units == (Unit("own"),)
    assert third.units == ()
    with pytest.raises(DataError, match=r"litepyramid needs `units`, but a/d2 \(line 3 of .*run.jsonl\) has none"):
        gm.score(open_run([run], units=[units]), "litepyramid")


def test_scores_remember_where_their_units_came_from(tmp_path):
    run = jsonl(tmp_path / "run.jsonl", RECORD | {"labels": [1, 0]})
    units = jsonl(tmp_path / "units.jsonl", {"doc_id": "d1", "units": ["u", "v"]})
    gm.score(open_run([run], units=[units]), "litepyramid", output=tmp_path / "scores.jsonl")
    origin = Scores.read(tmp_path / "scores.jsonl").origin
    assert origin.units == (str(units),)
    assert [unit.present for unit in next(reopen_run(origin).examples()).units] == [True, False]


def test_a_run_with_other_units_is_not_resumed_as_the_same(tmp_path):
    fingerprints = []
    for texts in (["u"], ["v"]):
        path = jsonl(tmp_path / "units.jsonl", {"doc_id": "d1", "units": texts})
        run = open_run([jsonl(tmp_path / "run.jsonl", RECORD)], units=[path])
        fingerprints.append(run.defaults.fingerprint())
    assert fingerprints[0] != fingerprints[1]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"units": ["u", " "]}, "unit 2: a content unit has no text"),
        ({"units": [{"weight": 2}]}, "unit 1: a content unit has no text"),
        ({"units": [{"text": "u", "weight": -1}]}, "unit 1: the weight of a content unit is 0 or more, not -1"),
        ({"units": [{"text": "u", "weight": "2"}]}, "unit 1: the weight of a content unit is a number, not '2'"),
        (
            {"units": [{"text": "u", "sentence": -3}]},
            "unit 1: the sentence of a content unit is counted from 0, not -3",
        ),
        ({"units": [{"text": "u", "present": "yes"}]}, "unit 1: `present` is 1 .present., 0 .absent. or null"),
        ({"units": [7]}, "unit 1 is a text or an object with `text`, not int"),
        ({"units": "u"}, "`units` must be a list of texts, or of objects"),
        ({"units": ["u", "v"], "labels": [1]}, "there are labels for 1 units, but 2 units"),
        ({"units": ["u"], "labels": [2]}, "label 1 is 1 .present., 0 .absent. or null .not judged., not 2"),
        ({"units": ["u"], "labels": 1}, "`labels` must be a list of 0 and 1, not int"),
        ({"units": ["u"], "votes": [[1], [0]]}, "there are votes for 2 units, but 1 units"),
        ({"units": ["u"], "votes": [[1, 3]]}, "vote 2 on unit 1 is 1 .present."),
        ({"units": ["u"], "votes": [1]}, "`votes` must be a list of 0 and 1, not int"),
    ],
)
def test_wrong_units_are_named_with_their_place(tmp_path, fields, message):
    run = jsonl(tmp_path / "run.jsonl", RECORD | {"doc_id": "d0"}, RECORD | fields)
    with pytest.raises(DataError, match=f"line 2 of .*run.jsonl: {message}"):
        gm.read_run(run)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"units": ["u"]}, "there is no `doc_id` to join on"),
        ({"doc_id": "d1", "document": "x"}, "there are no `units` .the record has doc_id, document"),
        ({"doc_id": "d1", "units": [""]}, "unit 1: a content unit has no text"),
    ],
)
def test_a_wrong_file_of_units(tmp_path, record, message):
    run, units = jsonl(tmp_path / "run.jsonl", RECORD), jsonl(tmp_path / "units.jsonl", record)
    with pytest.raises(DataError, match=f"record 1 of .*units.jsonl: {message}"):
        gm.read_run(run, units=[units])


def test_text_files_of_lite_pyramids(tmp_path):
    files = {
        "a.summary": "It rained.\nSun.\n",
        "b.summary": "Rain.\nIt was sunny.\n",
        "a.label": "1\t0\n1\n",
        "SCUs.txt": "It rained.\tIt was wet.\nThe sun shone.\t\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    named = {name: str(tmp_path / f"{name}.summary") for name in "ab"}
    run = open_run(summaries=named, units=[tmp_path / "SCUs.txt"], labels={"a": str(tmp_path / "a.label")})
    result = {
        (example.system, example.doc_id): [(unit.text, unit.present) for unit in example.units]
        for example in run.examples()
    }
    assert result["a", "1"] == [("It rained.", True), ("It was wet.", False)]
    assert result["a", "2"] == [("The sun shone.", True)]
    assert result["b", "2"] == [("The sun shone.", None)]


@pytest.mark.parametrize(
    ("units", "labels", "message"),
    [
        ("u\t\tv\nw\n", "1\t0\t1\n0\n", "line 1 of .*units.txt: unit 2: a content unit has no text"),
        ("u\tv\nw\n", "1\t0\n0\t1\n", "line 2 of .*labels.txt: there are labels for 2 units, but 1 units"),
        ("u\tv\nw\n", "1\tx\n0\n", "line 1 of .*labels.txt: label 2 is 1 .present."),
        ("u\tv\n", "1\t0\n0\n", "the files do not line up: .* has 2 lines and .*units.txt has 1"),
    ],
)
def test_wrong_text_files(tmp_path, units, labels, message):
    for name, text in {"s.txt": "x\ny\n", "units.txt": units, "labels.txt": labels}.items():
        (tmp_path / name).write_text(text)
    run = open_run(
        summaries={"s": str(tmp_path / "s.txt")},
        units=[tmp_path / "units.txt"],
        labels={"s": str(tmp_path / "labels.txt")},
    )
    with pytest.raises(DataError, match=message):
        list(run.examples())


def test_labels_of_nobody(tmp_path):
    for name in ("s.txt", "l.txt", "u.txt"):
        (tmp_path / name).write_text("1\n")
    summaries, labels = {"bart": str(tmp_path / "s.txt")}, {"bert": str(tmp_path / "l.txt")}
    with pytest.raises(ArgumentError, match="`labels` names the system 'bert', which `summaries` does not; did you"):
        list(open_run(summaries=summaries, units=[tmp_path / "u.txt"], labels=labels).examples())
    with pytest.raises(ArgumentError, match="name the file of units with `units`"):
        list(open_run(summaries=summaries, labels={"bart": str(tmp_path / "l.txt")}).examples())
    with pytest.raises(ArgumentError, match="`labels` are text files, for `summaries`"):
        open_run([tmp_path / "s.txt"], labels=labels)


def test_units_in_python():
    assert Example(doc_id="d", system="s", summary="x", units=["u"]).units == (Unit("u"),)
    with pytest.raises(DataError, match="`units` of s/d must be Unit objects or texts, not int"):
        Example(doc_id="d", system="s", summary="x", units=[1])
    units = [Unit("u", present=True), Unit("v", present=False)]
    assert gm.score_one(summary="x", units=units, metrics="litepyramid") == {"litepyramid.recall": 0.5}


def test_a_written_run_reads_back_the_same(tmp_path):
    units = (Unit("u", 2.0, 1, True), Unit("v", 0.0), Unit("w", present=False))
    examples = [
        Example(doc_id="d", system="s", summary="x", references=("r",), documents=("a", "b"), units=units),
        Example(doc_id="e", system="s", summary="", document="a", language="de"),
    ]
    assert gm.write_run(examples, tmp_path / "run.jsonl") == 2
    assert gm.read_run(tmp_path / "run.jsonl") == examples
    with pytest.raises(DataError, match=r"name it \.jsonl"):
        gm.write_run(examples, tmp_path / "run.csv")


@given(st.lists(st.sampled_from([True, False, None]), max_size=6))
def test_the_majority_is_that_of_human(votes):
    row = [float("nan") if vote is None else float(vote) for vote in votes] or [float("nan")]
    label = majority_vote([row]).labels[0]
    assert majority(votes) is (None if math.isnan(label) else bool(label))


def test_labels_do_not_change_the_units_they_are_given():
    units = parse_units(["u"])
    label_units(units, [1])
    assert units[0].present is None


def weighted_run(folder, weights):
    """Two documents of two and one unit, with labels that say that the first of each is there, and weights."""
    for name, text in {"s.txt": "x\ny\n", "u.txt": "u\tv\nw\n", "l.txt": "1\t0\n1\n", "w.txt": weights}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return open_run(
        summaries={"s": str(folder / "s.txt")},
        units=[folder / "u.txt"],
        weights=[folder / "w.txt"],
        labels={"s": str(folder / "l.txt")},
    )


def test_weights_of_text_files(tmp_path):
    run = weighted_run(tmp_path, "3\t1\n2\n")
    assert [[unit.weight for unit in example.units] for example in run.examples()] == [[3, 1], [2]]
    assert [example.units for example in reopen_run(run.origin).examples()] == [e.units for e in run.examples()]
    # 3 of 3 + 1, and 2 of 2.
    assert LitePyramid().score(list(run.examples())).tolist() == [[0.75], [1.0]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("3\n2\n", "line 1 of .*w.txt: there are weights for 1 units, but 2 units"),
        ("3\tx\n2\n", "line 1 of .*w.txt: weight 2 is a number from 0 up, not 'x'"),
        ("3\t1\n-2\n", "line 2 of .*w.txt: weight 1 is a number from 0 up, not '-2'"),
        ("3\tnan\n2\n", "line 1 of .*w.txt: weight 2 is a number from 0 up, not 'nan'"),
        ("3\t1\n", "do not line up: .*s.txt has 2 lines and .*w.txt has 1"),
    ],
)
def test_wrong_weights(tmp_path, weights, message):
    with pytest.raises(DataError, match=message):
        list(weighted_run(tmp_path, weights).examples())


def test_weights_of_nothing(tmp_path):
    weighted_run(tmp_path, "1\n1\n")
    with pytest.raises(ArgumentError, match="`weights` say how much units weigh: name the file of units"):
        list(open_run(summaries={"s": str(tmp_path / "s.txt")}, weights=[tmp_path / "w.txt"]).examples())
    with pytest.raises(ArgumentError, match="`weights` is a text file, for `summaries`"):
        open_run([tmp_path / "s.txt"], weights=[tmp_path / "w.txt"])
