"""Questions for people: exported, answered or verified, read back, and scored with."""

import json

import pytest

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.qa.human_answers import question_id

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
SUMMARY = "Ann won silver. The old man lost."
ANN = question_id("who won gold", "Ann", SUMMARY)
ROBERT = question_id("who lost money badly", "Robert", SUMMARY)


def example(**others):
    return Example(doc_id="d", system="s", summary=SUMMARY, references=(REFERENCE,), **others)


@pytest.fixture
def answers(tmp_path):
    """A file with these records."""

    def written(*records, name="people.jsonl"):
        file = tmp_path / name
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return str(file)

    return written


@pytest.fixture
def gistmeter(checked_command, tmp_path):
    (tmp_path / "run.jsonl").write_text(
        json.dumps({"doc_id": "d", "system": "s", "summary": SUMMARY, "references": [REFERENCE]})
        + "\n"
        + json.dumps({"doc_id": "d", "system": "t", "summary": SUMMARY, "references": [REFERENCE]})
    )
    return checked_command


def scored(file):
    f1, em, graded, answered = QaEval(people=file).score([example()])[0]
    return f1, em, graded, answered


def records(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_people_s_answers_replace_the_model_s(answers):
    # By the model: Ann, right; and for Robert "The" (1 of 3 words is 0.667 not answerable): no answer. F1 1/2.
    # Ann has a probability of one half: graded F1 1/4.
    assert QaEval().score([example()])[0].tolist() == [0.5, 0.5, 0.25, 0.5]
    # A person says that Ann is not to be found, and finds Robert: "Robert" against "old Robert" is 2/3.
    file = answers({"id": ANN, "answer": ""}, {"id": ROBERT, "answer": "old Robert"})
    assert scored(file) == pytest.approx((1 / 3, 0, 1 / 3, 0.5))
    # Where a line was left as it is, the model answers.
    assert scored(answers({"id": ANN, "answer": None}, {"id": ROBERT, "answer": "Robert"})) == (1, 1, 0.75, 1)


def test_people_s_word_on_an_answer_counts(answers):
    # The model's answer "Ann" is called wrong; a person's "The old man" for Robert is called right.
    file = answers({"id": ANN, "predicted": "Ann", "correct": False},
                   {"id": ROBERT, "answer": "The old man", "correct": True})  # fmt: skip
    assert scored(file) == (0.5, 0.5, 0.5, 1)
    shown = QaEval(people=file).explain(example())
    assert [row[-1] for row in shown.table.rows] == ["model, verified", "people, verified"]
    assert [shown.panes[0].text[m.start : m.end] for m in shown.panes[0].marks] == ["Ann", "The old man"]


def test_people_s_word_counts_in_every_comparison(answers):
    # Called wrong, `Ann` for `Ann` is 0 in meaning too; called right, `The old man` for `Robert` is 1.
    file = answers({"id": ANN, "correct": False}, {"id": ROBERT, "answer": "The old man", "correct": True})
    f1, _, graded, near, _ = QaEval(people=file, soft=True).score([example()])[0]
    assert (f1, graded, near) == (0.5, 0.5, 0.5)


def test_a_table_says_that_there_is_no_answer(tmp_path):
    # An empty cell says nothing (the model answers `Ann`, which is right), `answerable` says that there is no answer.
    table = tmp_path / "people.csv"
    table.write_text(f"id,answer,answerable\n{ANN},,\n{ROBERT},Robert,yes\n")
    assert scored(str(table)) == (1, 1, 0.75, 1)
    table.write_text(f"id,answer,answerable\n{ANN},,no\n{ROBERT},Robert,1.0\n")
    assert scored(str(table)) == (0.5, 0.5, 0.5, 0.5)


def test_the_file_is_in_the_signature(answers):
    record = QaEval(people=answers({"id": ANN, "answer": "x"})).signature()
    other = QaEval(people=answers({"id": ANN, "answer": "y"}, name="other.jsonl")).signature()
    assert record != other
    assert "people.jsonl" not in record


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"answer": "x"}, "record 1 of .* has no `id`"),
        ({"id": ANN, "answer": 3}, "has an `answer` that is not a text: 3"),
        ({"id": ANN, "correct": "perhaps"}, "says `correct`, but neither true nor false: 'perhaps'"),
        ({"id": ANN, "answer": "x", "answerable": "no"}, "says that the text does not answer, and has an answer: 'x'"),
        ({"id": ANN, "answerable": True}, "says that the text answers, but has no `answer`"),
        ({"id": ANN, "answer": " ", "correct": True}, "says that there is no answer and that it is correct"),
        ({"id": ANN, "predicted": "Eve", "correct": True}, "verifies the answer 'Eve', but the model now says 'Ann'"),
        ({"id": "0" * 12, "doc_id": "d", "system": "s", "answer": "x"}, "question 0{12} of s/d, which is not asked"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_sentence(answers, record, says):
    with pytest.raises(DataError, match=says):
        scored(answers(record))


def test_two_answers_an_empty_file_and_no_file(answers, tmp_path):
    with pytest.raises(DataError, match=r"record 2 of .* answers question .* otherwise than record 1"):
        scored(answers({"id": ANN, "answer": "x"}, {"id": ANN, "answer": "y"}))
    with pytest.raises(DataError, match="has no answers"):
        scored(answers(name="empty.jsonl"))
    with pytest.raises(DataError, match="there is no such file"):
        scored(str(tmp_path / "none.jsonl"))


def test_export_fill_in_import_and_score(gistmeter, tmp_path):
    output = gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl")
    assert "2 questions to answer written" in output.stderr  # the two systems wrote the same: asked once
    asked = records(tmp_path / "ask.jsonl")
    assert [record["id"] for record in asked] == [ANN, ROBERT]
    assert asked[0] == {"id": ANN, "doc_id": "d", "system": "s", "text": SUMMARY,
                        "question": "who won gold", "answer": None}  # fmt: skip
    asked[0]["answer"], asked[1]["answer"] = "Ann", ""
    (tmp_path / "filled.jsonl").write_text("\n".join(map(json.dumps, asked)))
    back = gistmeter("qa", "import", "run.jsonl", "--answers", "filled.jsonl", "-o", "people.jsonl", "--json")
    assert "people answered 2 and verified none of 2 questions" in back.stderr
    # The model also answers the first and not the second: it agrees in all.
    data = json.loads(back.stdout)
    assert (data["questions"], data["answerable"], data["IsAns-F1"], data["EM"]) == (2, 0.5, 1, 1)
    assert [sorted(record) for record in records(tmp_path / "people.jsonl")] == [
        ["answer", "doc_id", "id", "system"]
    ] * 2
    gistmeter("score", "run.jsonl", "-m", "qaeval(people=people.jsonl)", "-o", "scores.jsonl")
    assert records(tmp_path / "scores.jsonl")[0]["qaeval(people=people.jsonl).f1"] == 0.5


def test_a_run_without_questions_is_not_exported(gistmeter, tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    output = gistmeter("qa", "export", "empty.jsonl", "-o", "none.jsonl", fails=True)
    assert "there are no questions to write: qaeval asks none about this run" in output.stderr
    assert not (tmp_path / "none.jsonl").exists()


def test_export_to_verify_shows_both_answers(gistmeter, tmp_path):
    gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl", "--verify")
    (record,) = records(tmp_path / "ask.jsonl")  # what was not answered needs no verifying
    assert (record["expected"], record["predicted"], record["correct"]) == ("Ann", "Ann", None)
    record["correct"] = False
    (tmp_path / "ask.jsonl").write_text(json.dumps(record))
    output = gistmeter("qa", "import", "run.jsonl", "-a", "ask.jsonl")
    assert "people answered 0 and verified 1 (0 correct) of 2 questions" in output.stderr


def test_import_refuses_verdicts_on_answers_that_are_not_given(gistmeter, tmp_path):
    (tmp_path / "people.jsonl").write_text(json.dumps({"id": ANN, "predicted": "Eve", "correct": True}))
    output = gistmeter("qa", "import", "run.jsonl", "-a", "people.jsonl", fails=True)
    assert "verifies the answer 'Eve', but the model now says 'Ann': export the questions again" in output.stderr


def test_people_verify_people(gistmeter, tmp_path):
    (tmp_path / "people.jsonl").write_text(json.dumps({"id": ROBERT, "answer": "The old man"}))
    gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl", "--verify", "-m", "qaeval(people=people.jsonl)")
    robert = records(tmp_path / "ask.jsonl")[1]
    assert robert["answer"] == "The old man"
    assert "predicted" not in robert


def test_unknown_ids_and_metrics_without_questions_are_refused(gistmeter, tmp_path):
    (tmp_path / "people.jsonl").write_text(json.dumps({"id": ANN[:-1] + "x", "answer": "Ann"}))
    output = gistmeter("qa", "import", "run.jsonl", "-a", "people.jsonl", fails=True)
    assert f"answers question {ANN[:-1]}x, which the run does not ask; did you mean {ANN}?" in output.stderr
    output = gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl", "-m", "rouge1", fails=True)
    assert "rouge1 asks no questions: take qaeval" in output.stderr
    output = gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl", "-m", "feqa", fails=True)
    assert "feqa needs `document`, but s/d has none" in output.stderr


def test_export_to_answer_needs_no_answerer(gistmeter, by_hand):
    gistmeter("qa", "export", "run.jsonl", "-o", "ask.jsonl")
    assert by_hand.pairs == []


def test_scores_are_cached_by_what_people_said(answers):
    first = gm.score([example()], f"qaeval(people={answers({'id': ROBERT, 'answer': 'Robert'})})", cache=True)
    second = gm.score([example()], f"qaeval(people={answers({'id': ROBERT, 'answer': ''})})", cache=True)
    assert first.table["qaeval(people=" + answers({"id": ROBERT, "answer": ""}) + ").f1"][0] == 1
    assert second.table[second.columns[0].name][0] == 0.5
