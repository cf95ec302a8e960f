"""The options that name the files of a run: the same in each command that takes them, and one value within."""

import inspect

import pytest

from gistmeter.cli.report import report
from gistmeter.cli.run_files import _OPTIONS, RunFiles, take_run_files
from gistmeter.cli.score import score
from gistmeter.cli.summaries.explain import explain
from gistmeter.cli.summaries.worst import worst


@pytest.mark.parametrize("command", [score, explain, worst, report], ids=lambda command: command.__name__)
def test_the_options_are_all_there_in_their_order(command):
    parameters = inspect.signature(command).parameters
    assert [name for name in parameters if name in _OPTIONS] == [*_OPTIONS]
    assert "files" not in parameters


def test_what_is_given_comes_as_one_value():
    calls = []

    @take_run_files
    def command(first: int, files: RunFiles, last: str = "") -> None:
        calls.append((first, files, last))

    assert [*inspect.signature(command).parameters] == ["first", *_OPTIONS, "last"]
    command(first=1, references=["r.txt"], language="de", last="x")
    assert calls == [(1, RunFiles(references=["r.txt"], language="de"), "x")]


def test_files_that_moved():
    assert RunFiles().list_moved(None) is None
    moved = RunFiles(summaries=["a=new/a.txt"], weights="w.txt", fields=["summary=output"]).list_moved(["run.jsonl"])
    assert moved.files == ("run.jsonl",)
    assert moved.all_files == ("run.jsonl", "w.txt")  # files of records come before summaries of lines
    assert moved.fields == {"summary": "output"}


def test_worst_names_the_command_that_finds_the_texts_as_it_did(command, tmp_path, monkeypatch):
    (tmp_path / "moved").mkdir()
    for name, text in {"a.txt": "It rained.\nIt snowed.", "refs.txt": "It rained a lot.\nIt snowed a lot."}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    files = ("--summaries", "a=a.txt", "--references", "refs.txt")
    assert command("score", *files, "-m", "rouge1", "-o", "moved/scores.parquet")[0] == 0
    for name in ("a.txt", "refs.txt"):
        (tmp_path / name).rename(tmp_path / "moved" / f"new-{name}")
    now = ("--summaries", "a=moved/new-a.txt", "--references", "moved/new-refs.txt")
    code, _, errors = command("worst", "moved/scores.parquet", "-n", "1", *now)
    assert code == 0
    words = errors.rpartition("next: gistmeter ")[2].split()
    assert words[-4:] == [*now]
    assert command(*words)[0] == 0
