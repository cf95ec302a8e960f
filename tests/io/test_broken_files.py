"""Files that are broken, of another shape or hostile: one sentence that names the file and what is wrong in it."""

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from gistmeter.errors import DataError, GistmeterError, MetricError
from gistmeter.linguistics.network_file import NetworkFormat
from gistmeter.meta import Study, correlate
from gistmeter.models.easiness.boosting import read_boosted_trees
from gistmeter.models.easiness.regressor import read_regressor
from gistmeter.models.next_sentence.heads import read_head
from gistmeter.models.presence.combination import read_combination
from gistmeter.models.presence.networks import read_networks
from gistmeter.probe import read_labelled_run
from gistmeter.qa.weighter import read_weighter
from gistmeter.scores import Scores
from gistmeter.weights import read_header, read_metadata

DEEP = "[" * 100_000 + "]" * 100_000
HUGE = "1" + "0" * 400  # more than a float holds
HUGER = "1" + "0" * 6000  # more than Python turns into an integer
NUL = "\0"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


MATRIX = {
    "systems": ["a", "b", "c"],
    "documents": ["1", "2"],
    "scores": {"m": [[1, 2], [3, 4], [5, 7]], "h": [[1, 2], [2, 4], [5, 5]]},
    "human": ["h"],
}
TABLE = "[[1, 2], [3, 4], [5, 7]]"


def matrix(**changed):
    return json.dumps({**MATRIX, **changed})


def cell(value):
    return matrix().replace("[[1, 2]", f"[[1, {value}]", 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (matrix(systems="abc"), "study.json is not a matrix file: `systems` is text, not a list"),
        (matrix(systems=3), "`systems` is a whole number, not a list"),
        (matrix(systems=None), "`systems` is null, not a list"),
        (matrix(systems={"a": 1, "b": 2, "c": 3}), "`systems` is an object, not a list"),
        (matrix(systems=[["a"], ["b"], ["c"]]), r"`systems\[0\]` is a list, not a number or text"),
        (matrix(systems=["a", "b", "a"]), r"study.json has the system 'a' twice \(1 and 3\): give each a name"),
        (matrix(documents=["1", "1"]), r"study.json has the document '1' twice \(1 and 2\)"),
        (matrix(documents=[1, "1"]), r"study.json has the document '1' twice \(1 and 2\)"),
        (matrix(scores=[1]), "`scores` is a list, not an object"),
        (matrix(scores=None), "`scores` is null, not an object"),
        (matrix(human=3), "`human` is a whole number, not a list or null"),
        (matrix(human="h"), "`human` is text, not a list or null"),
        (matrix(human=["h", "h"]), "study.json names 'h' as human twice: once is enough"),
        (matrix(human=["h", "zz"]), "study.json names 'zz' as human, but has no such scores"),
        (matrix(human=[["h"]]), r"`human\[0\]` is a list, not text"),
        ("[1, 2]", "study.json is not a matrix file: it is a list, not an object"),
        (cell('"2"'), 'm in .*study.json is not a table of numbers: a has "2" for document 2'),
        (cell("true"), "m in .*study.json is not a table of numbers: a has true for document 2"),
        (cell(HUGE), "m in .*study.json is not a table of numbers: a has 1000"),
        (cell(HUGER), "m in .*study.json is not a table of numbers: a has 1000"),
        (cell("1e308"), r"m in .*study.json has numbers beyond 1e\+100, which cannot be averaged"),
        (matrix().replace(TABLE, DEEP), "study.json is not a matrix file: it is nested too deeply"),
        ('{\n"systems": [\n"a",,\n', r"study.json is not a matrix file: line 3: .* \(column 5\)"),
        (matrix().encode().replace(b'"a"', b'"\xe9"'), "line 1 is not UTF-8"),
        (gzip.compress(matrix().encode())[:-9], "cannot read .*study.json: it is no whole gzip file"),
    ],
)
def test_matrix_files(tmp_path, content, message):
    file = write(tmp_path / "study.json", content)
    with pytest.raises(DataError, match=message):
        Study.read(file)
    with pytest.raises(GistmeterError):
        correlate(file)


def test_a_matrix_file_is_known_by_its_content(tmp_path):
    """A byte-order mark before it, or `systems` after 64 kB, do not make another file of it."""
    values = np.arange(3 * 6000).reshape(3, 6000) / 7
    late = {
        "scores": {"m": values.tolist(), "h": (values**2).tolist()},
        "documents": [str(number) for number in range(6000)],
        "human": ["h"],
        "systems": ["a", "b", "c"],
    }
    assert json.dumps(late).index('"systems"') > 1 << 16
    for number, content in enumerate((json.dumps(late), "\ufeff" + matrix())):
        file = write(tmp_path / f"{number}.json", content)
        assert correlate(file, coefficient="pearson").rows[0].correlation.value > 0.9


def test_tables_in_memory_name_a_system_once():
    tables = {"m": [[1], [2]], "h": [[1], [3]]}
    with pytest.raises(DataError, match=r"the study has the system 'a' twice \(1 and 2\)"):
        Study.from_tables(tables, aspects=["h"], systems=["a", "a"])
    with pytest.raises(DataError, match="m has numbers beyond"):
        Study.from_tables(tables | {"m": [[1e200], [2]]}, aspects=["h"])
    with pytest.raises(DataError, match="m is not a table of numbers: system 1, document 1 has 1000"):
        Study.from_tables(tables | {"m": [[10**400], [2]]}, aspects=["h"])


SCORES = "doc_id,system,m.f1\n1,a,0.5\n1,b,0.4\n"
COLUMN = {"name": "m.f1", "signature": "m|v:1", "better": "higher", "about": "", "parts": []}
ORIGIN = {"files": [], "summaries": {}, "references": [], "documents": [], "language": None}


def metadata(column=None, origin=None, **changed):
    stored = {"columns": [COLUMN | (column or {})], "origin": ORIGIN | (origin or {}), "notes": []}
    return json.dumps(stored | changed)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "it is a list, not an object"),
        (DEEP, "it is a list, not an object"),
        (metadata(notes=0).replace('"notes": 0', f'"notes": [{HUGER}]'), "`notes\\[0\\]`: Number out of range"),
        (b'{"notes": ["\xe9"]}', "line 1 is not UTF-8"),
        (metadata({"better": "sideways"}), r"`columns\[0\].better`: Invalid enum value 'sideways'"),
        (metadata({"better": ["higher"]}), r"`columns\[0\].better` is a list, not text"),
        (metadata({"about": [1]}), r"`columns\[0\].about` is a list, not text"),
        (metadata({"parts": "ab"}), r"`columns\[0\].parts` is text, not a list"),
        (metadata({"signature": 3}), r"`columns\[0\].signature` is a whole number, not text"),
        (metadata(notes="abc"), "`notes` is text, not a list"),
        (metadata(notes=[1]), r"`notes\[0\]` is a whole number, not text"),
        (metadata(origin={"files": "abc"}), "`origin.files` is text, not a list"),
        (metadata(origin={"files": [None]}), r"`origin.files\[0\]` is null, not text"),
        (metadata(origin={"summaries": {"a": 3}}), r"`origin.summaries\[...\]` is a whole number, not text"),
        (metadata(origin={"weights": [1]}), r"`origin.weights\[0\]` is a whole number, not text"),
        (metadata(origin={"human_row": "no"}), "`origin.human_row` is text, not true or false"),
        (metadata({"name": "zz"}), "describes zz, which is no column of scores: score again"),
        (metadata(columns=[COLUMN, COLUMN]), "describes m.f1 twice: score again"),
        ("\ufeff" + metadata({"name": 3}), r"`columns\[0\].name` is a whole number, not text"),
    ],
)
def test_what_is_kept_beside_scores(tmp_path, content, message):
    file = write(tmp_path / "s.csv", SCORES)
    write(tmp_path / "s.csv.meta.json", content)
    with pytest.raises(DataError, match=f"s.csv.meta.json .*{message}"):
        Scores.read(file)


def test_metadata_with_a_byte_order_mark_or_of_an_earlier_version_are_read(tmp_path):
    file = write(tmp_path / "s.csv", SCORES)
    write(tmp_path / "s.csv.meta.json", "\ufeff" + metadata())
    scores = Scores.read(file)
    assert scores.signatures == {"m.f1": "m|v:1"}
    assert scores.origin.markers == "keep"


TREE = {
    "split_indices": [0, 0, 0],
    "split_conditions": [0.5, 1.0, 2.0],
    "left_children": [1, -1, -1],
    "right_children": [2, -1, -1],
    "default_left": [0, 0, 0],
}


def forest(tree=None, **learner):
    settings = {"base_score": "0.5", "num_feature": "2"}
    stored = {
        "objective": {"name": "reg:squarederror"},
        "learner_model_param": settings,
        "gradient_booster": {"model": {"trees": [TREE | (tree or {})]}},
    }
    return json.dumps({"learner": stored | learner})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (forest({"left_children": [0, -1, -1], "right_children": [0, -1, -1]}), "tree 0 leads to a node twice"),
        (forest({"left_children": [1, 2, -1], "right_children": [2, 1, -1]}), "tree 0 leads to a node twice"),
        (forest({"left_children": [99, -1, -1]}), "or to one that there is not"),
        (forest({"left_children": [-5, -1, -1]}), "or to one that there is not"),
        (forest({"right_children": [-1, -1, -1]}), "tree 0 has a node with one child"),
        (forest({"split_indices": [9, 0, 0]}), r"tree 0 asks for a feature that there is not \(there are 2\)"),
        (forest({"split_indices": [10**30, 0, 0]}), "tree 0 asks for a feature that there is not"),
        (forest({"split_conditions": [1.0]}), "tree 0 has no nodes, or lists of different lengths"),
        (forest({name: [] for name in TREE}), "tree 0 has no nodes"),
        (forest({"split_conditions": ["x", 1, 2]}), r"`learner.*split_conditions\[0\]` is text, not a number"),
        (forest({"split_conditions": [1e308, 1, 2]}), "tree 0 has a number that single precision cannot hold"),
        (forest(learner_model_param={"base_score": 0.5, "num_feature": "2"}), "base_score` is a number, not text"),
        (forest(learner_model_param={"base_score": "nan", "num_feature": "2"}), "`base_score` is nan"),
        (forest(learner_model_param={"base_score": "1", "num_feature": "-2"}), "`num_feature` -2"),
        (forest(learner_model_param={"base_score": "1", "num_feature": "9" * 5000}), "`num_feature` are numbers"),
        (forest(gradient_booster={"model": {"trees": {"a": 1}}}), "trees` is an object, not a list"),
        (DEEP, "it is a list, not an object"),
        (gzip.compress(forest().encode())[:-9], "it is no whole gzip file"),
    ],
)
def test_regressors(tmp_path, content, message):
    file = write(tmp_path / "trees.json", content)
    for read in (read_boosted_trees, read_regressor):
        with pytest.raises(MetricError, match=f"trees.json.*{message}"):
            read(file)


def test_a_whole_regressor_is_asked(tmp_path):
    # 1.0 is not below 0.5, so that each row goes right, to 2.0; and the base is 0.5.
    file = write(tmp_path / "trees.json", "\ufeff" + forest())
    assert read_regressor(file).predict([[1.0, 0.0]]).tolist() == [2.5]


@pytest.mark.parametrize(
    "content", ["[]", '{"mean": "x"}', '{"networks": [1]}', '{"networks": 1e400}', DEEP, "{", b"\xe9"]
)
def test_weights_in_json(tmp_path, content):
    file = write(tmp_path / "w.json", content)
    for read in (read_weighter, lambda path: read_combination(Path(path)), read_regressor):
        with pytest.raises(MetricError, match=r"w\.json is not "):
            read(file)


def tensors(header, body=b""):
    packed = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(packed)) + packed + body


def tensor(dtype="F32", shape=(1,), end=4):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [0, end]}


HEAD_METADATA = {"__metadata__": {"reads": "mean@6"}}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"123",
        struct.pack("<Q", 1 << 63) + b"{}",
        tensors(b"[]"),
        tensors(b"3"),
        tensors(DEEP.encode()),
        tensors(b'{"\xe9": 1}'),
        tensors({"a": "x"}),
        tensors({"a": tensor(shape=["x"])}, bytes(4)),
        tensors({"a": tensor(end=800)}),
        tensors({"a": tensor("BF16", end=2)}, bytes(2)),
        tensors({"a": tensor("Q9")}, bytes(4)),
        tensors({"__metadata__": [1], "a": tensor()}, bytes(4)),
        tensors({"a": tensor()}, struct.pack("<f", float("nan"))),
    ],
)
def test_broken_safetensors(tmp_path, content):
    path = tmp_path / "w.safetensors"
    write(path, content)
    for read in (read_head, read_networks, NetworkFormat("network", "gistmeter train", ("a",)).read):
        with pytest.raises(MetricError, match=r"w.safetensors in .* is not a safetensors file"):
            read(path)
    for read in (read_header, read_metadata):
        try:
            read(path)
        except MetricError as error:
            assert "w.safetensors" in str(error)  # noqa: PT017  (what can be told from the header alone)


def test_a_head_whose_parts_do_not_fit_is_refused(tmp_path):
    path = tmp_path / "w.safetensors"
    write(path, tensors({"out.bias": tensor(), **HEAD_METADATA}, bytes(4)))
    with pytest.raises(MetricError, match="is not a next-sentence head"):
        read_head(path)
    with pytest.raises(MetricError, match="is not a presence judge"):
        read_networks(path)


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ([1], r"`\[0\]` is a whole number, not an object"),
        ("x", "it is text, not a list"),
        ([{"start": "0", "end": 1, "original": "a", "replacement": "b"}], r"`\[0\].start` is text, not a whole number"),
        ([{"start": 0}], r"`\[0\]` has no `end`"),
    ],
)
def test_labelled_runs(tmp_path, errors, message):
    record = {"doc_id": "1", "system": "a", "summary": "Rain.", "errors": errors}
    file = write(tmp_path / "l.jsonl", "\n" + json.dumps(record))
    with pytest.raises(DataError, match=rf"record 1 of .*\(line 2\) is no labelled summary: `errors`: {message}"):
        read_labelled_run([file])
