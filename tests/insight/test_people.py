"""People in the place of models: the four setups of Table 9, by hand."""

import json

import pytest

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.insight import compare_human_setups
from gistmeter.judgments import Judgments
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.qa.human_answers import question_id

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
SUMMARIES = {"s": "Ann won silver. The old man lost.", "t": "Eve won gold. Robert lost money.", "u": "It rained."}
EXAMPLES = [
    Example(doc_id="d", system=system, summary=text, references=(REFERENCE,)) for system, text in SUMMARIES.items()
]


def ann(system):
    return question_id("who won gold", "Ann", SUMMARIES[system])


def robert(system):
    return question_id("who lost money badly", "Robert", SUMMARIES[system])


# By hand, F1 of each summary. The model answers s: Ann (right), nothing. t: Eve (wrong), Robert (right).
#   model, F1         s 1/2, t 1/2
# People answer s: nothing, "The old man" (F1 0 with Robert). t: nothing, "Robert".
#   people, F1        s 0, t 1/2
# People say of the model's answers, s: Ann wrong; t: Eve right, Robert right.
#   model, people     s 0, t 1
# People say of people's answers, s: the old man right; t: Robert right.
#   people, people    s 1/2, t 1/2
ANSWERS = [
    {"id": ann("s"), "answer": ""},
    {"id": robert("s"), "answer": "The old man"},
    {"id": ann("t"), "answer": ""},
    {"id": robert("t"), "answer": "Robert"},
]
OF_PEOPLE = [
    {"id": robert("s"), "answer": "The old man", "correct": True},
    {"id": robert("t"), "answer": "Robert", "correct": True},
]
OF_MODEL = [
    {"id": ann("s"), "predicted": "Ann", "correct": False},
    {"id": ann("t"), "predicted": "Eve", "correct": True},
    {"id": robert("t"), "predicted": "Robert", "correct": True},
]
RATED = {"s": 1, "t": 3, "u": 2}


@pytest.fixture
def files(tmp_path):
    for name, records in (("answers", ANSWERS), ("of_people", OF_PEOPLE), ("of_model", OF_MODEL)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tuple(str(tmp_path / f"{name}.jsonl") for name in ("answers", "of_people", "of_model"))


@pytest.fixture
def judgments():
    return Judgments.from_records(
        [{"doc_id": "d", "system": system, "human": {"good": value}} for system, value in RATED.items()]
    )


def test_the_four_setups_by_hand(files):
    setups = compare_human_setups(QaEval(people=files), EXAMPLES)
    assert [(row.answers_by, row.verified_by, row.score) for row in setups.rows] == [
        ("model", "metric", 0.5),
        ("people", "metric", 0.25),
        ("model", "people", 0.5),
        ("people", "people", 0.5),
    ]
    assert [(row.questions, row.by_people, row.answered, row.verified) for row in setups.rows] == [
        (4, 0, 3, 0),
        (4, 4, 2, 0),
        (4, 0, 3, 3),
        (4, 4, 2, 2),
    ]
    assert (setups.summaries, setups.left_out) == (2, 1)
    assert setups.notes == ("left out 1 summary: people judged none of the questions",)


def test_setups_are_correlated_with_judgments(files, judgments):
    # On document d: model/F1 and people/people are constant (undefined), the other two rise with the judgments 1, 3.
    setups = compare_human_setups(QaEval(people=files), EXAMPLES, judgments, undefined="zero")
    assert [row.pearson for row in setups.rows] == pytest.approx([0, 1, 1, 0])
    assert [row.kendall for row in setups.rows] == pytest.approx([0, 1, 1, 0])
    assert setups.aspect == "good"
    with pytest.raises(DataError, match="undefined"):
        compare_human_setups(QaEval(people=files), EXAMPLES, judgments, undefined="error")
    assert list(setups.records()[0])[-3:] == ["r", "rho", "tau"]


def test_what_people_did_not_do_is_told(files):
    answers, _, of_model = files
    setups = compare_human_setups(QaEval(people=of_model), EXAMPLES)
    assert [(row.answers_by, row.verified_by) for row in setups.rows] == [("model", "metric"), ("model", "people")]
    assert "people answered no question: the model answers all" in setups.notes
    setups = compare_human_setups(QaEval(people=answers), EXAMPLES)
    assert [(row.answers_by, row.verified_by) for row in setups.rows] == [("model", "metric"), ("people", "metric")]
    assert "nobody verified the model's answers (export them with `verify=True`)" in setups.notes


def test_nothing_to_compare_is_refused(files, tmp_path, judgments):
    with pytest.raises(ArgumentError, match=r"has no people: name the files with what they said \(`answers`, or"):
        compare_human_setups(QaEval(), EXAMPLES)
    (tmp_path / "other.jsonl").write_text(json.dumps({"id": "0" * 12, "answer": "x"}))
    with pytest.raises(DataError, match="people judged no question of this run"):
        compare_human_setups(QaEval(people=str(tmp_path / "other.jsonl")), EXAMPLES)
    with pytest.raises(DataError, match="nobody judged 'good' of the summaries"):
        compare_human_setups(
            QaEval(people=files),
            EXAMPLES,
            Judgments.from_records([{"doc_id": "other", "system": "s", "human": {"good": 1}}]),
        )


def test_the_command_prints_the_table(checked_command, files, tmp_path):
    records = [
        {"doc_id": "d", "system": s, "summary": text, "references": [REFERENCE], "human": {"good": RATED[s]}}
        for s, text in SUMMARIES.items()
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    named = [part for file in files for part in ("-a", file)]
    shown = json.loads(checked_command("qa", "people", "run.jsonl", *named, "--human", "good", "--json").stdout)
    assert [(row["QA"], row["verification"], row["score"]) for row in shown["rows"]] == [
        ("model", "f1", 0.5),
        ("people", "f1", 0.25),
        ("model", "people", 0.5),
        ("people", "people", 0.5),
    ]
    assert [row["r"] for row in shown["rows"]] == [None, 1, 1, None]
    assert (
        "summary-level correlations with good"
        in checked_command(
            "qa", "people", "run.jsonl", "-m", f"qaeval(people={'+'.join(files)})", "--human", "good"
        ).stdout
    )
    refused = checked_command("qa", "people", "run.jsonl", *named, "--human", "god", fails=True)
    assert "there is no judgment 'god'; did you mean good?" in refused.stderr
    refused = checked_command("qa", "people", "run.jsonl", *named, "--human", "good", "--human", "bad", fails=True)
    assert "give --human once: good and bad are compared one at a time" in refused.stderr
