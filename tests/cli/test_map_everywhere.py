"""`--map FIELD=COLUMN` in every command that reads runs or judgments: the answer is that of files with usual names."""

import csv
import io
import json
import sys

import pytest
from typer.main import get_command

from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.insight.judged_summaries import read_judged_summaries
from gistmeter.units.documents import read_documents

OTHER_NAMES = {
    "doc_id": "article_id",
    "system": "bot",
    "summary": "output",
    "references": "gold",
    "rater": "turker",
    "value": "stars",
    "aspect": "question",
    "task": "hit",
    "language": "tongue",
}
SUMMARIES = [(doc_id, system) for doc_id in ("d1", "d2", "d3", "d4") for system in "abc"]
WORDS = {"a": "It rained a lot.", "b": "It was {doc_id}.", "c": "A lot of sun"}
RUN = [
    {
        "doc_id": doc_id,
        "system": system,
        "summary": WORDS[system].format(doc_id=doc_id),
        "references": json.dumps(["It rained.", f"A lot of rain, {doc_id}."]),
        "language": "en" if doc_id < "d3" else "de",
    }
    for doc_id, system in SUMMARIES
]
PEOPLE = [
    {
        "doc_id": doc_id,
        "system": system,
        "rater": rater,
        "aspect": "content",
        "value": (position * step) % 7,
        "language": "en" if doc_id < "d3" else "de",
    }
    for rater, step in (("ann", 2), ("bob", 3))
    for position, (doc_id, system) in enumerate(SUMMARIES)
]
WORK = [
    {"rater": rater, "task": "t", "language": "en", **answer}
    for rater, answers in (("ann", (95, 3)), ("bob", (95, 80)))
    for answer in (
        {"trap": "same", "value": answers[0]},
        {"trap": "different", "value": answers[1]},
        {"doc_id": "d1", "system": "a", "aspect": "content", "value": 50},
    )
]


def write(path, records, names):
    columns = list(dict.fromkeys(name for record in records for name in record))
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, [names.get(name, name) for name in columns], restval="")
        table.writeheader()
        table.writerows({names.get(name, name): value for name, value in record.items()} for record in records)


@pytest.fixture
def folders(tmp_path):
    """The same files twice: with the usual names of fields, and with others."""
    for folder, names in (("usual", {}), ("other", OTHER_NAMES)):
        (tmp_path / folder).mkdir()
        for file, records in (("run.csv", RUN), ("people.csv", PEOPLE), ("work.csv", WORK)):
            write(tmp_path / folder / file, records, names)
    return tmp_path


def mapped(*fields):
    return [word for field in fields for word in ("--map", f"{field}={OTHER_NAMES[field]}")]


RATED = ("doc_id", "system", "rater", "value", "aspect")
QUESTIONS = {
    "agreement": (("meta", "agreement", "people.csv"), RATED),
    "agreement by": (("meta", "agreement", "people.csv", "--by", "language"), (*RATED, "language")),
    "agreement in groups": (("meta", "agreement", "people.csv", "--group", "language"), (*RATED, "language")),
    "references": (
        ("meta", "references", "run.csv", "people.csv", "-m", "rouge1", "--trials", "2", "--level", "summary"),
        (*RATED, "summary", "references", "language"),
    ),
    "quality": (("human", "quality", "work.csv"), (*RATED, "task")),
    "quality by": (("human", "quality", "work.csv", "--by", "language"), (*RATED, "task", "language")),
    "plan": (("meta", "plan", "people.csv", "--reliability", ".5", "--human", "content"), RATED),
    "groups": (
        ("meta", "correlate", "run.csv", "people.csv", "-m", "rouge1", "--level", "pooled", "--group", "language"),
        (*RATED, "summary", "references", "language"),
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_that_of_usual_names(command, folders, monkeypatch, question):
    words, fields = QUESTIONS[question]
    monkeypatch.chdir(folders / "usual")
    code, usual, errors = command(*words, "--json")
    assert code == 0, errors
    monkeypatch.chdir(folders / "other")
    assert command(*words, "--json")[0] == 2
    code, other, errors = command(*words, *mapped(*fields), "--json")
    assert code == 0, errors
    assert json.loads(other) == json.loads(usual)


@pytest.mark.parametrize(
    "words",
    [
        ("meta", "agreement", "people.csv", "--by", "tongue"),
        ("meta", "correlate", "run.csv", "people.csv", "-m", "rouge1", "--level", "pooled", "--group", "tongue"),
        ("human", "quality", "work.csv", "--by", "tongue"),
    ],
)
def test_groups_are_called_by_the_name_of_their_column_too(command, folders, monkeypatch, words):
    """Whether that column is mapped to a field or to none."""
    monkeypatch.chdir(folders / "other")
    fields = (
        *RATED,
        *(("task",) if "work.csv" in words else ()),
        *(("summary", "references") if "-m" in words else ()),
    )
    for also in ((), ("language",)):
        code, out, errors = command(*words, *mapped(*fields, *also), "--json")
        assert (code, '"en"' in out) == (0, True), errors


def test_tables_of_trust_are_fitted_and_layers_are_searched(command, folders, monkeypatch):
    monkeypatch.chdir(folders / "other")
    texts = mapped("doc_id", "system", "summary", "references")
    assert command("score", "run.csv", "-m", "rouge1", "-o", "scores.parquet", *texts)[0] == 0
    fit = ("trust", "fit", "scores.parquet", "people.csv", "-o", "own.json", "--resamples", "20")
    assert command(*fit)[0] == 2
    code, out, errors = command(*fit, *mapped(*RATED))
    assert (code, "people" in out) == (0, True), errors
    named = {field: OTHER_NAMES[field] for field in (*RATED, "summary", "references")}
    read = read_judged_summaries(["run.csv"], human="content", judgments="people.csv", groups=["tongue"], fields=named)
    assert [(each.example.doc_id, each.example.system, each.group) for each in read][:2] == [
        ("d1", "a", "en"),
        ("d1", "b", "en"),
    ]
    assert [each.human for each in read][:3] == [0.0, 2.5, 5.0]  # means of 0 and 0, 2 and 3, 4 and 6


@pytest.mark.more
def test_answers_of_people_are_imported(command, folders, monkeypatch):
    texts = mapped("doc_id", "system", "summary", "references")
    monkeypatch.chdir(folders / "other")
    (folders / "other" / "answers.jsonl").write_text('{"id": "no-such-question", "answer": "rain"}\n')
    _, _, without = command("qa", "import", "run.csv", "-a", "answers.jsonl")
    assert "there is no `summary`" in without
    _, _, errors = command("qa", "import", "run.csv", "-a", "answers.jsonl", *texts)
    assert "`summary`" not in errors


def write_units(folder, doc_id):
    lines = [
        json.dumps({doc_id: f"d{number}", "units": [{"text": "It rained.", "sentence": 0}]}) for number in range(1, 5)
    ]
    (folder / "units.jsonl").write_text("\n".join(lines))


def test_references_of_other_names_are_read_for_units(folders, monkeypatch):
    fields = {field: OTHER_NAMES[field] for field in ("doc_id", "system", "references", "language", "summary")}
    read = []
    for folder, names in (("usual", {}), ("other", OTHER_NAMES)):
        monkeypatch.chdir(folders / folder)
        write_units(folders / folder, names.get("doc_id", "doc_id"))
        read.append(read_documents(["run.csv"], units=["units.jsonl"], fields=fields if names else None))
    assert read[0] == read[1]
    assert [(example.doc_id, example.language) for example in read[1]][1:3] == [("d2", "en"), ("d3", "de")]
    assert read[1][0].references == ("It rained.", "A lot of rain, d1.")
    with pytest.raises(DataError, match="no references"):
        read_documents(["run.csv"], fields={"doc_id": "article_id"})


def test_standard_input_is_mapped_and_text_files_are_not(folders, monkeypatch):
    line = json.dumps({"article_id": "d1", "gold": "Ann Lee opened the new bridge.", "output": None}).encode()
    fields = {field: OTHER_NAMES[field] for field in ("doc_id", "references", "summary")}

    def read(file, fields):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
        return [(example.doc_id, example.references) for example in read_documents([file], fields=fields)]

    assert read("-", fields) == [("d1", ("Ann Lee opened the new bridge.",))]
    with pytest.raises(
        ArgumentError, match=r"no column 'golden' for references; did you mean gold.*standard input has"
    ):
        read("-", {"references": "golden"})
    (folders / "refs.txt").write_text("Ann Lee opened the new bridge.\n")
    with pytest.raises(ArgumentError, match="text files have lines, and no columns"):
        read(folders / "refs.txt", fields)


@pytest.mark.more
@pytest.mark.parametrize("task", ["extract", "easiness", "mix"])
def test_units_are_cut_from_references_of_other_names(command, folders, monkeypatch, task):
    written = []
    for folder, names in (("usual", {}), ("other", OTHER_NAMES)):
        monkeypatch.chdir(folders / folder)
        write_units(folders / folder, names.get("doc_id", "doc_id"))
        units = [] if task == "extract" else ["--units", "units.jsonl"]
        write(folders / folder / "english.csv", RUN[:6], names)
        words = ("units", task, "english.csv", *units, "-o", "out.jsonl")
        code, _, errors = command(*words, *(mapped("doc_id", "references") if names else ()))
        assert code == 0, errors
        written.append((folders / folder / "out.jsonl").read_text())
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("meta", "agreement", "people.csv", "--map", "raterr=turker"), "no field 'raterr'; did you mean rater?"),
        (("human", "quality", "work.csv", "--map", "task=hti"), "no column 'hti' for task; did you mean hit?"),
        (("meta", "references", "run.csv", "-m", "rouge1", "--map", "summary=outptu"), "did you mean output?"),
        (("units", "extract", "run.csv", "-o", "u.jsonl", "--map", "doc=article_id"), "no field 'doc'"),
        (
            ("units", "mix", "--plan", "plan.jsonl", "--units", "u.jsonl", "-o", "m.jsonl", "--map", "doc_id=article"),
            "--map says where fields of the references are: name their file beside the --plan",
        ),
    ],
)
def test_a_wrong_name_is_refused(command, folders, monkeypatch, words, message):
    monkeypatch.chdir(folders / "other")
    code, _, errors = command(*words)
    assert (code, message in errors) == (2, True), errors


def test_every_command_that_reads_runs_or_judgments_has_it():
    def commands(group, path=()):
        for name, each in group.commands.items():
            if hasattr(each, "commands"):
                yield from commands(each, (*path, name))
            else:
                yield " ".join((*path, name)), {word for option in each.params for word in option.opts}

    reading = {"--judgments", "--summaries", "--references", "--human", "--data"}
    other_files = {"qa evaluate", "models baseline"}
    lacking = [
        name
        for name, options in commands(get_command(app))
        if options & reading and "--map" not in options and name not in other_files and not name.startswith("train")
    ]
    assert lacking == []
