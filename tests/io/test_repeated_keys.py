"""A key that is there twice in one JSON object is refused, wherever JSON is read: the reader would keep the last."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.io.folds import read_folds
from gistmeter.io.json_lines import decode_json, decode_json_line
from gistmeter.io.units import parse_units
from gistmeter.meta import open_study

GOOD = (
    '{"doc_id": "1", "system": "a", "summary": "It rained.", "reference": "Rain fell.", "aspect": "focus", "value": 1}'
)
MATRIX = """{"systems": ["a", "b"], "documents": ["1"],
 "scores": {"m": [[1], [2]],
  "h": [[1], [3]],
  "m": [[2], [1]]}, "human": ["h"]}"""


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"doc_id": "1", "summary": "It rained.", "doc_id": "2"}', "'doc_id'"),
        ('{"doc_id": "1", "summary": "It rained.", "doc_id"\t : "2"}', "'doc_id'"),
        ('{"doc_id": "1", "summary": {"text": "a", "text": "b"}}', "'text'"),
        ('{"doc_id": "1", "summary": "a", "units": ["x", {"text": "a", "weight": 1, "weight": 2}]}', "'weight'"),
        ('{"doc_id": "1", "summary": "a", "doc\\u005fid": "2"}', "'doc_id'"),
        ('{"summary": "He said \\"rain\\": twice.", "a": 1, "a": 2}', "'a'"),
        ('{"summary": "x", "human": {"focus": 1, "focus": 2}}', "'focus'"),
    ],
)
def test_a_line_of_a_run_or_of_judgments(tmp_path, line, key):
    file = tmp_path / "run.jsonl"
    file.write_text(f"{GOOD}\n\n{line}\n")
    sentence = f"line 3 of {file} has the key {key} twice in one object: keep one of them"
    for read in (lambda: gm.score(file, "rouge1"), lambda: gm.Judgments.read(file)):
        with pytest.raises(DataError) as raised:
            read()
        assert str(raised.value) == sentence


@pytest.mark.parametrize(
    ("name", "text", "read", "line"),
    [
        ("study.json", MATRIX, open_study, 4),
        ("run.json", f'[{GOOD},\n{{"doc_id": "2",\n"doc_id": "3"}}]', gm.Judgments.read, 3),
        ("folds.json", '{"by_systems": [["a"], ["b"]],\n"by_systems": [["b"], ["a"]]}', read_folds, 2),
    ],
)
def test_a_file_of_one_value(tmp_path, name, text, read, line):
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=rf"^line {line} of .*{name} has the key '\w+' twice in one object"):
        read(tmp_path / name)


def test_what_lies_beside_a_table_of_scores(tmp_path):
    example = gm.Example(doc_id="1", system="a", summary="It rained.", references="Rain fell.")
    gm.score([example], "rouge1").write(tmp_path / "scores.csv")
    beside = tmp_path / "scores.csv.meta.json"
    beside.write_text(beside.read_text().rstrip()[:-1] + ', "notes": ["another"]}')
    with pytest.raises(DataError, match=r"scores\.csv\.meta\.json has the key 'notes' twice in one object"):
        gm.Scores.read(tmp_path / "scores.csv")


def test_units_in_a_cell():
    with pytest.raises(DataError, match="`units` has the key 'text' twice in one object"):
        parse_units('[{"text": "a", "text": "b"}]')
    with pytest.raises(DataError, match="`units` is not valid JSON"):
        parse_units("[a]")


def test_the_same_key_in_several_objects_is_fine():
    text = '[{"a": {"a": ":"}, "b": [{"a": 1}, 1, {"a": "\\\\"}]}, {"a": "{\\"a\\": 1, \\"a\\": 2}"}]'
    assert decode_json_line(text.encode(), "here") == decode_json(text.encode(), "here") == json.loads(text)


KEYS = st.sampled_from(["a", "b", '"', "\\", ":", "a:", "{", "é", ""])
TREES = st.recursive(
    KEYS | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(KEYS, inner), max_size=3).map(tuple),
    max_leaves=12,
)


def spell(tree, space):
    """A tree as JSON, whose objects are tuples of pairs and may repeat a key."""
    if isinstance(tree, tuple):
        members = (f"{json.dumps(key)}{space}:{space}{spell(member, space)}" for key, member in tree)
        return "{" + f"{space},".join(members) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(spell(member, space) for member in tree) + "]"
    return json.dumps(tree)


def repeats_a_key(tree):
    """Whether any object has a key twice, found the plain way."""
    if isinstance(tree, tuple):
        keys = [key for key, _ in tree]
        return len(set(keys)) < len(keys) or any(repeats_a_key(member) for _, member in tree)
    return isinstance(tree, list) and any(map(repeats_a_key, tree))


@given(TREES, st.sampled_from(["", " ", "\t \r", "\n"]))
def test_refused_are_exactly_those_that_repeat_a_key(tree, space):
    data = spell(tree, space).encode()
    for decode in (decode_json_line, decode_json):
        if repeats_a_key(tree):
            with pytest.raises(DataError, match="twice in one object"):
                decode(data, "here")
        else:
            assert decode(data, "here") == json.loads(data)
