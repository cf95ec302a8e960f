"""The door of every command: no output is an input, a folder or another output, and nothing is done before that."""

import inspect
import os
from pathlib import Path
from typing import get_args, get_type_hints

import polars as pl
import pytest

from gistmeter.cli.door import files
from gistmeter.cli.main import app
from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output, protect_files, write_atomically

RUN = (
    '{"doc_id": "1", "system": "a", "summary": "It rained.", "references": ["It rained."], "document": "It rained."}\n'
)
NOT_WRITTEN = ("roles", "scores", "date", "aspect", "metric", "folds", "file")
"""Options whose help speaks of what others write or of what is drawn at random."""
WRITING_WORDS = ("write", "draw", "folder for")
"""How the help of an option begins or goes on that writes."""


def list_commands(application, prefix=()):
    for info in application.registered_commands:
        yield (*prefix, info.name or info.callback.__name__.replace("_", "-")), info.callback
    for group in application.registered_groups:
        yield from list_commands(group.typer_instance, (*prefix, group.name))


COMMANDS = dict(list_commands(app))
WRITERS = [
    pytest.param(callback, name, id=" ".join((*words, name)))
    for words, callback in COMMANDS.items()
    for name in files.list_outputs(callback)
    if words != ("demo",)  # which reads a file of its own alone
]


def find_mark(hint, kind):
    return next((mark for mark in getattr(hint, "__metadata__", ()) if type(mark) is kind), None)


def test_every_path_says_whether_it_is_read_or_written():
    for words, callback in COMMANDS.items():
        for name, hint in get_type_hints(callback, include_extras=True).items():
            types = str(get_args(hint)[0]) if hasattr(hint, "__metadata__") else str(hint)
            if "Path" in types:
                marks = [find_mark(hint, files.Reads), find_mark(hint, files.Writes)]
                assert any(marks), f"{' '.join(words)}: whether `{name}` is read or written is not said"


def test_every_option_that_says_it_writes_is_known_to_write():
    writing = set()
    for words, callback in COMMANDS.items():
        for name, hint in get_type_hints(callback, include_extras=True).items():
            help_text = next(
                (mark.help or "" for mark in getattr(hint, "__metadata__", ()) if hasattr(mark, "help")), ""
            )
            takes_name = "Path" in str(hint) or "str" in str(get_args(hint)[:1])
            if takes_name and any(word in help_text.lower() for word in WRITING_WORDS):
                writing.add((*words, name))
    marked = {(*words, name) for words, callback in COMMANDS.items() for name in files.list_outputs(callback)}
    assert {entry for entry in writing - marked if entry[-1] not in NOT_WRITTEN} == set()
    assert len(marked) > 30  # score, report, figures, units, people, questions, tables, trainings


@pytest.mark.parametrize(("callback", "name"), WRITERS)
def test_no_output_is_an_input(callback, name, tmp_path):
    """Every option that writes, of every command: refused before the command does anything."""
    mark = files.list_outputs(callback)[name]
    others = set(inspect.signature(callback).parameters) - set(files.list_outputs(callback))
    other = min(others)
    target = tmp_path / "x.jsonl"
    if mark.kind == "folder":
        target.mkdir()
    else:
        target.write_text(RUN)
    before = sorted(tmp_path.iterdir())
    for spelled in (target, tmp_path / "." / "x.jsonl", [target], f"bart={target}", [f"qaeval(people={target})"]):
        values = dict.fromkeys(inspect.signature(callback).parameters) | {other: spelled, name: target}
        with pytest.raises(DataError, match="is one of the inputs"):
            callback(**values)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_a_link_to_an_input_is_that_input(link, tmp_path):
    (tmp_path / "run.jsonl").write_text(RUN)
    link(tmp_path / "run.jsonl", tmp_path / "linked.jsonl")
    with pytest.raises(DataError, match=r"is one of the inputs \(.*run.jsonl\)"):
        check_output(tmp_path / "linked.jsonl", [tmp_path / "run.jsonl"])
    check_output(tmp_path / "new.jsonl", [tmp_path / "run.jsonl"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "x.jsonl", "--report", "x.jsonl"),
        ("score", "x.jsonl", "-o", "./x.jsonl"),
        ("score", "--summaries", "a=x.jsonl", "--references", "x.jsonl", "--report", "x.jsonl"),
        ("score", "x.jsonl", "-o", "s.csv", "--references", "s.csv.meta.json"),
        ("corrupt", "x.jsonl", "-o", "x.jsonl"),
        ("units", "judge", "x.jsonl", "-o", "x.jsonl"),
        ("units", "extract", "x.jsonl", "-o", "x.jsonl"),
        ("units", "easiness", "x.jsonl", "--sheet", "x.jsonl"),
        ("qa", "export", "x.jsonl", "-o", "x.jsonl"),
        ("qa", "import", "x.jsonl", "-a", "y.jsonl", "-o", "y.jsonl"),
        ("human", "standardise", "x.jsonl", "-o", "x.jsonl"),
        ("train", "easiness", "easy.json", "--data", "easy.json"),
        ("train", "easiness", "easy.json", "--data", "easy.md"),
    ],
)
def test_a_command_leaves_its_input_alone(command, tmp_path, arguments):
    names = ("x.jsonl", "y.jsonl", "s.csv.meta.json", "easy.json", "easy.md")
    for name in names:
        (tmp_path / name).write_text(RUN)
    code, output, errors = command(*arguments)
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert "is one of the inputs" in errors
    assert {(tmp_path / name).read_text() for name in names} == {RUN}


def test_what_scores_were_computed_from_is_an_input(command, tmp_path):
    (tmp_path / "x.jsonl").write_text(RUN)
    for scores in ("s.parquet", "s.csv"):
        assert command("score", "x.jsonl", "-m", "rouge1", "-o", scores)[0] == 0
        before = (tmp_path / scores).read_bytes()
        for output in ("x.jsonl", scores):
            code, _, errors = command("report", scores, "-o", output)
            assert (code, errors.count("\n")) == (2, 1)
            assert "is one of the inputs" in errors
        assert (tmp_path / scores).read_bytes() == before
    assert (tmp_path / "x.jsonl").read_text() == RUN


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "s.csv", "--doc", "1", "--system", "a", "--html", "s.csv.meta.json"),
        ("report", "s.csv", "-o", "s.csv.meta.json"),
        ("report", "s.csv", "-o", "s.probe-js.jsonl"),
        ("report", "s.csv", "-o", "s.csv.marks.html"),
        ("gate", "s.csv", "s.csv", "-m", "rouge1", "--margin", "0.1", "--junit", "s.csv.meta.json"),
    ],
)
def test_what_is_read_along_with_scores_is_an_input(command, tmp_path, words):
    """Nobody names these files: they are found beside the scores."""
    (tmp_path / "x.jsonl").write_text(RUN)
    assert command("score", "x.jsonl", "-m", "rouge1", "-o", "s.csv")[0] == 0
    assert command("probe", "optimise", "x.jsonl", "-m", "js", "-o", "s.probe-js.jsonl")[0] == 0
    assert command("summarize", "x.jsonl", "--mark", "rained", "--page", "s.csv.marks.html")[0] == 0
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    code, _, errors = command(*words)
    assert (code, errors.count("\n")) == (2, 1)
    assert f"cannot write {words[-1]}: it is one of the inputs" in errors
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("folder.html", "it is a folder"),
        ("pipe.html", "not a regular file"),
        ("-", "name a file"),
        ("nowhere/x.html", "the folder nowhere does not exist"),
        ("x" * 300, "File name too long"),
    ],
)
def test_what_is_no_file_is_not_written(command, tmp_path, output, reason):
    (tmp_path / "x.jsonl").write_text(RUN)
    (tmp_path / "folder.html").mkdir()
    os.mkfifo(tmp_path / "pipe.html")
    code, _, errors = command("score", "x.jsonl", "-m", "rouge1", "--report", output)
    assert (code, errors.count("\n")) == (2, 1)
    assert reason in errors


def test_an_output_without_a_name_is_a_folder(command, tmp_path):
    (tmp_path / "x.jsonl").write_text(RUN)
    for option in ("--output", "--report"):
        code, _, errors = command("score", "x.jsonl", "-m", "rouge1", option, "")
        assert (code, errors) == (2, "gistmeter: cannot write .: it is a folder\n")


def test_the_root_of_all_folders_is_no_input(command, tmp_path):
    (tmp_path / "s.parquet").write_text("there before")
    code, _, errors = command("score", "/", "-m", "rouge1", "-o", "s.parquet", "--replace")
    assert (code, errors) == (2, "gistmeter: cannot read /: it is a folder, not a file\n")
    assert (tmp_path / "s.parquet").read_text() == "there before"


@pytest.mark.parametrize("link", [None, os.link, os.symlink])
@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "vocab.txt"])
def test_a_model_that_is_named_by_its_folder_is_read(command, tmp_path, file, link):
    model, output = tmp_path / "model", tmp_path / "model" / file
    model.mkdir()
    for name in ("config.json", "model.safetensors", "vocab.txt"):
        (model / name).write_text("there before")
    (tmp_path / "x.jsonl").write_text(RUN)
    if link is not None:
        output = tmp_path / "link.json"
        link(model / file, output)
    output = output.relative_to(tmp_path)
    for words in (
        ("models", "baseline", "model", "--text", "x.jsonl", "-o", output),
        ("score", "x.jsonl", "-m", "bertscore(model=model,layer=2)", "--report", output),
    ):
        code, _, errors = command(*words)
        assert (code, errors.count("\n")) == (2, 1)
        assert f"cannot write {output}: it is one of the inputs" in errors
    assert (model / file).read_text() == "there before"


def test_scores_may_lie_in_the_folder_of_a_model(tmp_path):
    for name in ("config.json", "scores.parquet"):
        (tmp_path / name).write_text("there before")
    outputs = {"output": files.WRITES_FILE}
    values = {"metrics": [f"bertscore(model={tmp_path})"], "output": tmp_path / "scores.parquet"}
    assert tmp_path.name in files.check_files(outputs, values)[0]
    values["output"] = tmp_path / "config.json"
    with pytest.raises(DataError, match="it is one of the inputs"):
        files.check_files(outputs, values)


def test_the_demo_is_not_overwritten(command):
    from gistmeter.demo import demo_run

    code, _, errors = command("demo", "--report", demo_run())
    assert code == 2
    assert "is one of the inputs" in errors


def test_two_outputs_have_two_names(command, tmp_path):
    (tmp_path / "x.jsonl").write_text(RUN)
    code, _, errors = command("score", "x.jsonl", "-o", "s.csv", "--report", "s.csv.meta.json")
    assert (code, errors) == (
        2,
        "gistmeter: cannot write s.csv.meta.json twice: two outputs of this command have the same name\n",
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("human", "majority", "x.jsonl", "-o", "a.jsonl", "--output", "b.jsonl"), "--output"),
        (("score", "x.jsonl", "-m", "rouge1", "--workers", "1", "--workers=2"), "--workers"),
        (("rank", "x.csv", "--seed", "1", "--seed", "1"), "--seed"),
    ],
)
def test_an_option_that_counts_once_is_given_once(command, tmp_path, words, name):
    (tmp_path / "x.jsonl").write_text(RUN)
    code, output, errors = command(*words)
    assert (code, output) == (2, "")
    assert errors == f"gistmeter: {name} is given 2 times, and counts once: keep one of them\n"
    assert [path.name for path in tmp_path.iterdir()] == ["x.jsonl"]


def test_options_that_may_be_repeated_still_may(command, tmp_path):
    (tmp_path / "x.jsonl").write_text(RUN)
    assert command("score", "x.jsonl", "-m", "rouge1", "-m", "rouge2", "--no-cache", "--no-cache")[0] == 0


def test_no_writer_writes_a_protected_file(tmp_path):
    """What an option forgot to say is stopped by the one function through which all files are written."""
    (tmp_path / "run.jsonl").write_text(RUN)
    with (
        protect_files([tmp_path / "run.jsonl"]),
        pytest.raises(DataError, match="is one of the inputs"),
        write_atomically(tmp_path / "run.jsonl") as part,
    ):
        part.write_text("lost")
    assert (tmp_path / "run.jsonl").read_text() == RUN


def test_all_files_are_written_by_one_function():
    source = Path(files.__file__).parents[2]
    writing = (".write_text(", ".write_bytes(", '.open("w', '.open("a', 'open(path, "w', "save_file(")
    writing_lines = {
        f"{file.relative_to(source).as_posix()}: {line.strip()}"
        for file in source.rglob("*.py")
        if file != source / "io/atomic.py"
        for line in file.read_text().splitlines()
        if any(word in line for word in writing) and not line.lstrip().startswith((">>>", "...", "#"))
    }
    # `part` is the file that replaces the output at once; the lock of the spool is nobody's data.
    others = {
        line for line in writing_lines if "part.write" not in line and "part.open" not in line and "_lock" not in line
    }
    assert others == {"training/loop/resumable.py: save_file(state, temporary, metadata=notes)"} | {
        line for line in others if "save_file(halves, part" in line or "import save_file" in line
    }


@pytest.mark.parametrize("call", ["score", "report", "corrupt", "export", "import", "fit"])
def test_a_call_in_python_leaves_its_input_alone(tmp_path, call):
    import gistmeter
    from gistmeter import api
    from gistmeter.probe import corrupt_run
    from gistmeter.ranking import trust

    run, scores = tmp_path / "x.jsonl", tmp_path / "s.parquet"
    run.write_text(RUN)
    gistmeter.score(run, "rouge1", output=scores)
    calls = {
        "score": lambda: api.score(run, "rouge1", output=run),
        "report": lambda: api.report_scores(scores, run),
        "corrupt": lambda: corrupt_run(run, output=run),
        "export": lambda: api.export_questions(run, run),
        "import": lambda: api.import_answers([run], run, output=run),
        "fit": lambda: trust.fit(scores, run, output=run),
    }
    with pytest.raises(DataError, match="is one of the inputs"):
        calls[call]()
    assert run.read_text() == RUN


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl", ".jsonl.gz", ".csv.gz", ".tsv"])
def test_a_name_is_no_pattern(command, tmp_path, suffix):
    """`q[1].parquet` beside `q1.parquet`: as a pattern the first means the second."""
    import gzip
    import io

    folder = tmp_path / "res[v2]*"
    folder.mkdir()
    for name, summary in (("q[1]", "It rained."), ("q1", "Snow fell.")):
        table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], "summary": [summary], "reference": ["It rained."]})
        stream = io.BytesIO()
        if suffix == ".parquet":
            table.write_parquet(stream)
        elif ".jsonl" in suffix:
            table.write_ndjson(stream)
        else:
            table.write_csv(stream, separator="\t" if suffix == ".tsv" else ",")
        content = gzip.compress(stream.getvalue()) if suffix.endswith(".gz") else stream.getvalue()
        (folder / f"{name}{suffix}").write_bytes(content)
    for output in ("s[1].parquet", "s[1].csv", "s[1].jsonl"):
        code, _, errors = command("score", f"res[v2]*/q[1]{suffix}", "-m", "rouge1", "-o", f"res[v2]*/{output}")
        assert (code, errors) == (0, f"1 summary scored: res[v2]*/{output}\n")
        code, shown, _ = command("rank", f"res[v2]*/{output}", "--json", "-c", "rouge1.f1")
        assert code == 0
        assert '"value": 1.0' in shown
        assert command("report", f"res[v2]*/{output}", "-o", "res[v2]*/r[1].html")[0] == 0


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_means_and_parts_take_names_as_they_are(tmp_path, suffix):
    from gistmeter.ranking.means import measure_means
    from gistmeter.scores import ScoreColumn, Scores

    column = ScoreColumn("rouge1.f1", "rouge1")
    for name, value in (("s[1]", 0.25), ("s1", 0.75)):
        table = pl.DataFrame({"doc_id": ["1"], "system": ["a"], "rouge1.f1": [value]})
        Scores(table, (column,)).write(tmp_path / f"{name}{suffix}")
    assert measure_means(tmp_path / f"s[1]{suffix}", [column], summaries=1).by_system == {"a": (0.25,)}
