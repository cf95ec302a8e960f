"""The one reader of JSON lines, whose errors name file and line, and the one way to write a file whole."""

import ast
import gzip
from pathlib import Path

import pytest

import gistmeter
from gistmeter.errors import DataError
from gistmeter.io.atomic import write_atomically
from gistmeter.io.json_lines import decode_json_line, read_json, read_json_lines, write_json_lines


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_lines_keep_their_numbers(tmp_path, compress):
    file = tmp_path / "a.jsonl"
    file.write_bytes(compress(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"a": 2}'))
    assert list(read_json_lines(file)) == [(1, {"a": 1}), (4, {"a": 2})]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 2 of .*a.jsonl is not valid JSON: "),
        (b'{"a": "\xe9"}', r"line 2 of .*a.jsonl is not UTF-8 \(byte 0xe9 at column 8\)"),
        (b"[1]", "line 2 of .*a.jsonl: a record is an object with named fields, not list"),
        (b"[" * 100_000, "line 2 of .*a.jsonl is nested too deeply"),
    ],
)
def test_a_fault_names_its_line(tmp_path, line, message):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"a": 1}\n' + line)
    with pytest.raises(DataError, match=message):
        list(read_json_lines(file))


def test_what_was_written_is_read(tmp_path):
    file = tmp_path / "a.jsonl"
    assert write_json_lines([{"text": "Grüße"}, {"text": "a\nb"}], file) == 2
    assert [record["text"] for _, record in read_json_lines(file)] == ["Grüße", "a\nb"]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    def records():
        yield {"a": 2}
        raise RuntimeError("no more")

    file = tmp_path / "a.jsonl"
    write_json_lines([{"a": 1}], file)
    with pytest.raises(RuntimeError):
        write_json_lines(records(), file)
    assert [record for _, record in read_json_lines(file)] == [{"a": 1}]
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with (
        pytest.raises(DataError, match=r"the folder .*nowhere does not exist"),
        write_atomically(tmp_path / "nowhere/a"),
    ):
        pass


def test_a_file_of_one_value(tmp_path):
    file = tmp_path / "a.json"
    file.write_text("{")
    with pytest.raises(DataError, match=r"a\.json is not a file of folds: "):
        read_json(file, "a file of folds")


def test_nothing_else_decodes_line_by_line():
    """A loop that decodes JSON in its body, anywhere but here, would be a second reader."""
    package = Path(gistmeter.__file__).parent
    readers = []
    for file in package.rglob("*.py"):
        source = file.read_text("utf-8")
        if "json.loads(" not in source and "json.decode(" not in source:
            continue
        for loop in ast.walk(ast.parse(source)):
            if isinstance(loop, ast.For) and "line" in ast.unparse(loop.target):
                text = ast.unparse(loop)
                if "json.loads(" in text or "json.decode(" in text:
                    readers.append(file.relative_to(package).as_posix())
    assert readers == []


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "Infinity"])
def test_what_python_writes_for_no_number_is_told(number):
    with pytest.raises(DataError, match="there is no NaN or Infinity in JSON, write null for what is missing"):
        decode_json_line(b'{"human": {"focus": %s}}' % number.encode(), "line 1 of people.jsonl")
    with pytest.raises(DataError) as refused:  # a word of a text is no number
        decode_json_line(b'{"summary": "a NaN, Infinity"', "line 1 of runs.jsonl")
    assert "write null" not in str(refused.value)
