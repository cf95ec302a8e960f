"""People answer and people verify: several files, what is kept between the two tasks, and the figures of Table 8."""

import json

import pytest

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.qa.human_answers import question_id

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
SUMMARY = "Ann won silver. The old man lost."
ANN = question_id("who won gold", "Ann", SUMMARY)
ROBERT = question_id("who lost money badly", "Robert", SUMMARY)
EXAMPLE = Example(doc_id="d", system="s", summary=SUMMARY, references=(REFERENCE,))


def write_lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def f1_of(metric):
    return metric.score([EXAMPLE])[0, 0]


@pytest.fixture
def gistmeter(checked_command, tmp_path):
    write_lines(tmp_path / "run.jsonl", {"doc_id": "d", "system": "s", "summary": SUMMARY, "references": [REFERENCE]})
    return checked_command


def test_verifying_keeps_what_people_called_unanswerable(gistmeter, tmp_path):
    # People: Ann is not to be found, Robert is the old man. The answers are then verified: Robert is right. F1 1/2.
    # (Were Ann left out of the second file, the model would answer it, rightly by F1, and the score would be 1.)
    write_lines(tmp_path / "own.jsonl", {"id": ANN, "answer": ""}, {"id": ROBERT, "answer": "The old man"})
    gistmeter("qa", "export", "run.jsonl", "-o", "verify.jsonl", "--verify", "-m", "qaeval(people=own.jsonl)")
    ann, robert = read_lines(tmp_path / "verify.jsonl")
    assert (ann["id"], ann["answer"], ann["correct"]) == (ANN, "", None)
    assert (robert["answer"], robert["correct"]) == ("The old man", None)
    robert["correct"] = True
    write_lines(tmp_path / "verify.jsonl", ann, robert)
    assert f1_of(QaEval(people=str(tmp_path / "verify.jsonl"))) == 0.5
    both = (str(tmp_path / "own.jsonl"), str(tmp_path / "verify.jsonl"))
    assert f1_of(QaEval(people=both)) == 0.5
    # Exported once more, what was verified is filled in.
    gistmeter("qa", "export", "run.jsonl", "-o", "again.jsonl", "--verify", "-m", "qaeval(people=verify.jsonl)")
    assert [record["correct"] for record in read_lines(tmp_path / "again.jsonl")] == [None, True]
    gistmeter("qa", "export", "run.jsonl", "-o", "answers.jsonl", "-m", "qaeval(people=verify.jsonl)")
    assert [record["answer"] for record in read_lines(tmp_path / "answers.jsonl")] == ["", "The old man"]


def test_questions_can_be_exported_although_people_verified_the_model(gistmeter, tmp_path):
    write_lines(tmp_path / "verdicts.jsonl", {"id": ANN, "predicted": "Ann", "correct": True})
    gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl", "-m", "qaeval(people=verdicts.jsonl)")
    assert [record["answer"] for record in read_lines(tmp_path / "ask.jsonl")] == [None, None]


def test_several_files_are_one(tmp_path):
    answers = write_lines(tmp_path / "a.jsonl", {"id": ROBERT, "answer": "The old man"}, {"id": ANN, "answer": None})
    verdicts = write_lines(tmp_path / "b.jsonl", {"id": ROBERT, "answer": "The old man", "correct": True})
    model = write_lines(tmp_path / "c.jsonl", {"id": ANN, "predicted": "Ann", "correct": False})
    # Ann: the model's answer, called wrong: 0. Robert: people's, called right: 1.
    metric = QaEval(people=(answers, verdicts, model))
    assert f1_of(metric) == 0.5
    assert [row[-1] for row in metric.explain(EXAMPLE).table.rows] == ["model, verified", "people, verified"]
    # In whatever order, they have one signature; a single file keeps its own.
    assert metric.signature() == QaEval(people=(model, answers, verdicts)).signature()
    assert metric.signature() != QaEval(people=(answers, verdicts)).signature()
    assert QaEval(people=answers).signature() == QaEval(people=(answers,)).signature()


def test_a_verdict_speaks_of_the_answer_beside_it(tmp_path):
    # People answer "Ann", which nobody verified (F1 1); the model's "Ann" was called wrong, which is another matter.
    file = write_lines(
        tmp_path / "a.jsonl", {"id": ANN, "answer": "Ann"}, {"id": ANN, "predicted": "Ann", "correct": False}
    )
    assert f1_of(QaEval(people=file)) == 0.5
    assert f1_of(QaEval(people=file, from_people="answers")) == 0.5
    assert f1_of(QaEval(people=file, from_people="verdicts")) == 0


def test_files_that_contradict_each_other_are_refused(tmp_path):
    first = write_lines(tmp_path / "a.jsonl", {"id": ANN, "answer": "Ann", "correct": True})
    for field, other, says in (
        ("answer", {"id": ANN, "answer": "Eve"}, "answers question"),
        ("correct", {"id": ANN, "answer": "Ann", "correct": False}, "judges the answer to question"),
    ):
        second = write_lines(tmp_path / f"{field}.jsonl", other)
        with pytest.raises(DataError, match=f"record 1 of .*{field}.jsonl {says} {ANN} otherwise than record 1 of .*a"):
            f1_of(QaEval(people=(first, second)))


@pytest.mark.parametrize(
    "name",
    ["answers (1).jsonl", "a, b.jsonl", "c++.jsonl", 'say "hi".jsonl', "x=y.jsonl", "50%:|.jsonl", "(open.jsonl"],
)
def test_paths_with_odd_characters_can_be_spelled(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / name, {"id": ROBERT, "answer": "Robert"})
    write_lines(tmp_path / "other.jsonl", {"id": ANN, "answer": ""})
    for files in ((name,), (name, "other.jsonl"), ("other.jsonl", name)):
        metric = QaEval(people=files)
        assert parse_metric(metric.spelling) == metric
        assert f1_of(parse_metric(metric.spelling)) == (1 if len(files) == 1 else 0.5)


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("qaeval(people=a.csv++b.csv)", "a file has no name there .several files have one plus sign between them"),
        ('qaeval(people="")', "a file has no name there"),
        ("qaeval(people=(a.csv)", "brackets do not match"),
        ("qaeval(from_people=answers)", "cannot have from_people=answers without people"),
        ("qaeval(people=a.csv,from_people=verdict)", "did you mean verdicts"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(spelling, says):
    with pytest.raises(MetricError, match=says):
        parse_metric(spelling)
    with pytest.raises(MetricError, match="takes the name of a file"):
        QaEval(people=3)


def test_import_says_how_often_people_call_the_model_right(gistmeter, tmp_path):
    # People answer both questions; the model answers Ann alone (who is asked for), which people call wrong.
    # Given that both answer: EM with people's "Ann Lee" 0, F1 2/3; Acc 0; EM and F1 with the phrase "Ann" 1.
    write_lines(tmp_path / "own.jsonl", {"id": ANN, "answer": "Ann Lee"}, {"id": ROBERT, "answer": "The old man"})
    write_lines(tmp_path / "verdicts.jsonl", {"id": ANN, "predicted": "Ann", "correct": False})
    shown = gistmeter(
        "qa", "import", "run.jsonl", "-a", "own.jsonl", "-a", "verdicts.jsonl", "-o", "all.jsonl", "--json"
    )
    assert "people answered 2 and verified 1 (0 correct) of 2 questions" in shown.stderr
    row = json.loads(shown.stdout)
    assert (row["EM"], row["F1"], row["Acc"], row["verified"]) == (0, pytest.approx(2 / 3), 0, 1)
    assert (row["EM ref"], row["F1 ref"]) == (1, 1)
    verdicts = ["-a", "own.jsonl", "-a", "verdicts.jsonl", "-a", "of_people.jsonl"]
    write_lines(tmp_path / "of_people.jsonl", {"id": ROBERT, "answer": "The old man", "correct": True})
    assert (
        "people answered 2 of 2 questions, verified 1 of their own answers (1 correct) and 1 of the model's (0 correct)"
        in gistmeter("qa", "import", "run.jsonl", *verdicts).stderr
    )
    # The merged file says the same as both.
    merged = QaEval(people=str(tmp_path / "all.jsonl"), from_people="verdicts")
    assert f1_of(merged) == 0
    assert f1_of(QaEval(people=str(tmp_path / "all.jsonl"), from_people="answers")) == pytest.approx(1 / 3)


def test_import_without_verdicts_on_the_model_says_nothing_of_them(gistmeter, tmp_path):
    write_lines(tmp_path / "own.jsonl", {"id": ANN, "answer": "Ann", "correct": True})
    shown = gistmeter(
        "qa", "import", "run.jsonl", "-a", "own.jsonl", "-m", "qaeval(people=own.jsonl,from_people=answers)"
    )
    assert "Acc" not in shown.stdout
