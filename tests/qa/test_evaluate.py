"""`gistmeter qa evaluate`, by hand: what can be answered, and what was answered right."""

import gzip
import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.models.answering import answerer as answering
from gistmeter.models.answering.spans import Answer
from gistmeter.qa.evaluate import area_under_curve, evaluate_answerer, evaluate_answers
from gistmeter.qa.squad import read_squad, sample_questions

PASSAGE = "Ann won gold. Robert lost money badly."
QAS = [
    {"id": "1", "question": "who won gold", "answers": [{"text": "Eve", "answer_start": 0}, {"text": "the Ann"}]},
    {"id": "2", "question": "who lost money badly", "answers": [{"text": "old Robert"}], "is_impossible": False},
    {
        "id": "3",
        "question": "who won silver",
        "answers": [],
        "is_impossible": True,
        "plausible_answers": [{"text": "x"}],
    },
    {"id": "4", "question": "who slept", "answers": [{"text": "Ann"}]},
]
SQUAD = {"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"context": PASSAGE, "qas": QAS}]}]}


def test_figures_by_hand():
    # Answered: 1 (right by its second answer), 2 (F1 2/3), 3 (which has no answer); not 4, which has one.
    gold = [["Eve", "the Ann"], ["old Robert"], [], ["Ann"]]
    answers = [
        Answer("Ann", 0, 3, 1, 0.0, True),
        Answer("Robert", 14, 20, 1, 0.1, True),
        Answer("Ann", 0, 3, 0.5, 0.5, True),
        Answer("", 0, 0, 0, 1.0, False),
    ]
    answering_figures = evaluate_answers(gold, answers)
    assert (answering_figures.questions, answering_figures.answerable) == (4, 0.75)
    assert answering_figures.is_answerable_f1 == pytest.approx(
        2 / 3
    )  # 2 of 3 answered have one, 2 of 3 with one were answered
    assert answering_figures.em == pytest.approx(1 / 2)
    assert answering_figures.f1 == pytest.approx((1 + 2 / 3) / 2)
    assert answering_figures.auc == pytest.approx(2 / 3)  # 0.0 and 0.1 are below 0.5, 1.0 is not


def test_figures_of_nothing_are_missing():
    none = evaluate_answers([[], []], [Answer("", 0, 0, 0, 1.0, False)] * 2)
    assert np.isnan([none.auc, none.em, none.f1, none.is_answerable_f1]).all()
    assert none.answerable == 0


def test_area_counts_ties_half():
    assert area_under_curve(np.array([True, True, False, False]), np.array([1.0, 0.5, 0.5, 0.0])) == 0.875


@pytest.mark.parametrize("packed", [False, True])
def test_squad_is_read_gzipped_or_not(tmp_path, packed):
    file = tmp_path / ("dev.json.gz" if packed else "dev.json")
    text = json.dumps(SQUAD).encode()
    file.write_bytes(gzip.compress(text) if packed else text)
    tasks = read_squad(str(file))
    assert [task.answers for task in tasks] == [("Eve", "the Ann"), ("old Robert",), (), ("Ann",)]
    assert sample_questions(tasks, 2, seed=1) == sample_questions(tasks, 2, seed=1)
    assert len(sample_questions(tasks, 2)) == 2
    assert sample_questions(tasks, None) == sample_questions(tasks, 9) == tasks


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1, 2]", "is not in SQuAD's format: an object with `data`"),
        ('{"data": [{"title": "x"}]}', "is not in SQuAD's format: there is no `paragraphs`"),
        ('{"data": [3]}', "is not in SQuAD's format"),
        ('{"data": []}', "has no questions"),
        (
            '{"data": [{"paragraphs": [{"context": "x", "qas": [{"question": 5, "answers": []}]}]}]}',
            "is not in SQuAD's format: `question` is not a text: 5",
        ),
        ("{", "is not valid JSON"),
    ],
)
def test_what_is_not_squad_is_refused(tmp_path, text, says):
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(DataError, match=says):
        read_squad(str(file))


def test_an_answerer_is_evaluated_in_one_call(tmp_path, monkeypatch, by_hand):
    thresholds, steps = [], []

    def load(model, null_threshold=None):
        thresholds.append((model, null_threshold))
        return by_hand.answerer(null_threshold)

    monkeypatch.setattr(answering, "load_answerer", load)
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(SQUAD))
    figures = evaluate_answerer(file, progress=lambda *step: steps.append(step))
    assert (figures.questions, figures.answerable, figures.em) == (4, 0.75, 0.5)
    assert steps == [(4, 4)]
    drawn = evaluate_answerer(str(file), model="slots", threshold=0.25, limit=2, seed=1)
    assert drawn.questions == 2
    assert thresholds == [("embedded", None), ("slots", 0.25)]


def test_the_command(tmp_path, monkeypatch, command, by_hand):
    monkeypatch.setattr(answering, "load_answerer", lambda model, null_threshold=None: by_hand.answerer(null_threshold))
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(SQUAD))
    code, output, _ = command("qa", "evaluate", file, "--json")
    assert not code
    data = json.loads(output)
    assert data["answerable"] == 0.75
    assert data["EM"] == 0.5
    assert data["AUC"] == pytest.approx(2 / 3)


def test_a_model_that_is_not_there_is_one_sentence(tmp_path, command):
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(SQUAD))
    for model, says in (("./nowhere", "there is no model folder"), ("nowhere.safetensors", "no trained weights")):
        code, _, errors = command("qa", "evaluate", file, "--model", model)
        assert code == 2
        (sentence,) = errors.splitlines()
        assert says in sentence
