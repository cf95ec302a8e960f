"""Control characters of files reach no terminal: not by tables, Markdown, LaTeX, notes, warnings, errors or JSON."""

import io
import json
import re
import sys
from pathlib import Path

import polars as pl
import pytest

from gistmeter.cli.door import terminal
from gistmeter.cli.main import app, main
from gistmeter.scores import ScoreColumn, Scores
from gistmeter.wording import escape_controls, replace_controls

EVIL = "a\x1b[31m\x07\x9b2J\u202egpj\u2066\x7f\r\u2028"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture
def evil_files(tmp_path):
    """A run, its scores and judgments whose systems, documents and fields are full of commands to a terminal."""
    texts = {"summary": f"It rained {EVIL}", "references": ["It rained."]}
    records = [{"doc_id": f"{EVIL}{doc}", "system": system, **texts} for system in (EVIL, "b") for doc in range(3)]
    judged = [
        {"doc_id": record["doc_id"], "system": record["system"], "human": {EVIL: number * number % 7}}
        for number, record in enumerate(records)
    ]
    for name, lines in (("run.jsonl", records), ("people.jsonl", judged)):
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    keys = {key: [record[key] for record in records] for key in ("doc_id", "system")}
    numbers = {"rouge1.f1": [0.1, 0.4, 0.3, 0.2, 0.7, 0.5], "rouge2.f1": [0.3, 0.1, 0.2, 0.5, 0.6, 0.1]}
    columns = tuple(ScoreColumn(name, f"x|{EVIL}", about=EVIL) for name in numbers)
    Scores(pl.DataFrame({**keys, **numbers}), columns, notes=(EVIL,)).write(tmp_path / "s.parquet")
    return tmp_path


FORMS = ((), ("--markdown",), ("--latex",), ("--html",), ("--json",))


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "".join(form) or "table")
def test_no_form_of_a_table_has_control_characters(command, evil_files, form):
    commands = [
        ("rank", "s.parquet"),
        ("compare", "s.parquet", EVIL, "b"),
        ("meta", "correlate", "s.parquet", "people.jsonl"),
        ("meta", "matrix", "s.parquet", "people.jsonl"),
    ]
    for words in commands:
        code, output, errors = command(*words, *form)
        assert code == 0, errors
        assert not FORBIDDEN.search(output + errors), words
        if form == ("--json",) and words[0] == "rank":
            systems = json.loads(output)["columns"][0]["systems"]
            assert {system["system"] for system in systems} == {EVIL, "b"}  # escaped, not lost


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "run.jsonl", "--doc", f"{EVIL}0", "--system", EVIL),
        ("explain", "run.jsonl", "--doc", "none", "--system", "b"),
        ("score", "run.jsonl", "-m", EVIL),
        ("score", f"{EVIL}.jsonl"),
        ("rank", "s.parquet", "-c", EVIL),
        ("rank", "s.parquet", "--by", EVIL),
        ("trust", "s.parquet", EVIL, "b"),
        (EVIL,),
        ("score", f"--{EVIL}"),
        ("rank", "s.parquet", "--seed", EVIL),
        ("meta", "correlate", "s.parquet", "people.jsonl", "--level", EVIL),
    ],
)
def test_no_sentence_has_control_characters(command, evil_files, words):
    _, output, errors = command(*words)
    assert output + errors
    assert not FORBIDDEN.search(output + errors)


def test_a_terminal_in_colours_gets_only_our_own_commands(monkeypatch):
    from gistmeter.report.tables.sheet import Sheet
    from gistmeter.report.tables.sheet import console as draw_sheet

    class Screen(io.StringIO):
        def isatty(self):
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    sheet = Sheet(columns=("name", EVIL), rows=((EVIL, 0.5),), caption=EVIL, notes=(EVIL,), marks={(0, 1): "best"})
    terminal.draw(draw_sheet(sheet))
    from rich.text import Text

    terminal.draw(Text(EVIL))  # even where somebody forgot to make a text safe
    written = screen.getvalue()
    assert "\x1b[1m" in written  # bold, by rich
    assert not FORBIDDEN.search(re.sub(r"\x1b\[[0-9;]*m", "", written.replace("\x1b[31m", "EVIL")))
    assert "EVIL" not in written.replace("\x1b[31m", "EVIL")


def test_replaced_texts_keep_their_length_and_what_people_write():
    assert replace_controls(EVIL).startswith("a␛[31m␇\ufffd2J\ufffdgpj")
    assert len(replace_controls(EVIL)) == len(EVIL)
    harmless = "naïve 中文 می\u200cخواهم 👩\u200d🚀 \u200fعربي\u200e\tx\n"
    assert replace_controls(harmless) == harmless
    assert replace_controls("\udc80") == "\ufffd"
    assert json.loads(escape_controls(json.dumps({"x": EVIL}, ensure_ascii=False))) == {"x": EVIL}


def test_commands_print_through_the_door_alone():
    """A new command that prints on its own would print what it likes."""
    folder = Path(terminal.__file__).parents[1]
    printing = re.compile(r"\btyper\.(echo|secho)\(|(?<![.\w])print\(|\.console\(\)\.print|sys\.std(out|err)\.write")
    lines = [
        f"{file.relative_to(folder)}: {line.strip()}"
        for file in folder.rglob("*.py")
        for line in file.read_text().splitlines()
        if printing.search(line) and not line.lstrip().startswith((">>>", "..."))
    ]
    assert {line.partition(":")[0] for line in lines} == {"door/terminal.py"}


def test_a_full_disk_behind_standard_output_is_one_sentence(monkeypatch, capsys):
    class Full(io.StringIO):
        def write(self, _text):
            raise OSError(28, "No space left on device")

    for words in (["--version"], ["trust"], ["trust", "--json"], ["models", "show", "next-sentence"]):
        monkeypatch.setattr(sys, "argv", ["gistmeter", *words])
        monkeypatch.setattr(sys, "stdout", Full())
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        assert capsys.readouterr().err == "gistmeter: cannot write to standard output: No space left on device\n"


def test_a_standard_output_that_was_closed_is_no_mistake(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gistmeter", "trust"])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--json",)])
def test_what_ascii_cannot_show_is_shown_as_far_as_it_can(evil_files, monkeypatch, form):
    monkeypatch.chdir(evil_files)
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "argv", ["gistmeter", "rank", "s.parquet", *form])
    monkeypatch.setattr(sys, "stdout", screen)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    written = screen.buffer.getvalue().decode("utf-8")
    if form == ("--json",):
        assert EVIL in {system["system"] for system in json.loads(written)["columns"][0]["systems"]}
    else:
        assert "rouge1.f1" in written


def test_what_nobody_foresaw_is_one_sentence(command, monkeypatch):
    failures = {
        OSError(30, "Read-only file system", "there"): "there: Read-only file system",
        MemoryError(): "not enough memory",
        RecursionError(): "nested too deeply",
        EOFError("Compressed file ended"): "a file ends too early",
        pl.exceptions.ComputeError("no such column\nmore"): "a table cannot be read or written: no such column",
    }
    from gistmeter.models import roles

    for failure, sentence in failures.items():

        def fail(_role, failure=failure):
            raise failure

        monkeypatch.setattr(roles, "read_card", fail)
        code, _, errors = command("models", "show", "asking")
        assert (code, errors.count("\n")) == (2, 1)
        assert sentence in errors
    assert app.info.cls is not None
