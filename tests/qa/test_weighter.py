"""The weighter of questions: what it learns, what it says of bad files, and how questeval uses it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics.question.questeval import QuestEval
from gistmeter.qa.examiner import Examiner
from gistmeter.qa.weighter import FEATURES, AskedPhrase, Weighter, describe_phrases, fit_weighter, read_weighter
from gistmeter.training.question_weights.recipe import QuestionWeightsData
from gistmeter.training.question_weights.training import collect_lessons, train_question_weights
from gistmeter.training.sources.evaluated import word_runs

# The reference repeats the first sentence of each document: questions about it are answered, the others not.
RUN = [
    Example(
        doc_id=str(n),
        system="s",
        summary="x",
        document=f"Ann won gold number {word}. Bob went home. Cid slept long. Dan ate late.",
        references=(f"Ann won gold number {word}.",),
    )
    for n, word in enumerate(("one", "two", "three", "four", "five", "six"))
]


def test_the_fit_is_that_of_a_general_optimiser():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, len(FEATURES)))
    labels = rows[:, 0] + rng.normal(size=80) > 0
    weighter = fit_weighter(rows, labels)

    def loss(all_of_them):
        logits = (rows - rows.mean(0)) / rows.std(0) @ all_of_them[:-1] + all_of_them[-1]
        return np.logaddexp(0, np.where(labels, -logits, logits)).sum() + 0.5 * all_of_them[:-1] @ all_of_them[:-1]

    best = minimize(loss, np.zeros(len(FEATURES) + 1), tol=1e-10).x
    assert np.append(weighter.weights, weighter.bias) == pytest.approx(best, abs=1e-3)


def test_features_by_hand():
    (row,) = describe_phrases("Ann won. It rained. Ann left 3 times.", [AskedPhrase("Who won?", 0, 3)])
    result = dict(zip(FEATURES, row.tolist(), strict=True))
    assert (result["place"], result["first sentence"], result["capital"], result["digit"]) == (0, 1, 1, 0)
    assert result["phrase said most"] == pytest.approx(np.log(3))  # Ann is said twice: log(1 + 2)
    assert describe_phrases("x", []).shape == (0, len(FEATURES))


def write_run(folder, examples):
    file = folder / "run.jsonl"
    records = [
        {
            "doc_id": example.doc_id,
            "system": example.system,
            "summary": example.summary,
            "document": example.document,
            "references": list(example.references),
        }
        for example in examples
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return QuestionWeightsData(data=(str(file),))


def test_it_learns_which_questions_references_answer(tmp_path, by_hand):
    file = tmp_path / "weighter.json"
    trained = train_question_weights(file, write_run(tmp_path, RUN), command="gistmeter train weighter")
    assert (trained.documents, trained.questions, trained.answered) == (6, 24, 0.25)
    assert trained.auc == 1
    weighter = read_weighter(str(file))
    chances = weighter.weigh(
        RUN[0].document, [AskedPhrase("who won gold", 0, 3), AskedPhrase("who slept long", 36, 39)]
    )
    assert chances[0] > 0.5 > chances[1]
    card = trained.card.read_text()
    assert "1.000 (0.5 is chance)" in card
    assert "model by hand" in card


def test_evaluation_documents_are_left_out(by_hand):
    lessons = collect_lessons(RUN, Examiner(), refused=frozenset(word_runs(RUN[0].document)))
    assert lessons.refused >= 1
    # A document whose references say nothing is not one of them, and another reference to it may still come.
    silent = replace(RUN[0], references=(" ",))
    assert collect_lessons([silent], Examiner()).refused == 0
    assert len(collect_lessons([silent, *RUN], Examiner()).labels) == 24


def test_too_little_to_learn_from_is_said(tmp_path, by_hand):
    with pytest.raises(DataError, match=r"at least 5 documents with references .* there are 2"):
        train_question_weights(tmp_path / "w.json", write_run(tmp_path, RUN[:2]))
    with pytest.raises(DataError, match=r"a weighter is written to a \.json file, not to w\.bin"):
        train_question_weights(tmp_path / "w.bin", write_run(tmp_path, RUN))
    with pytest.raises(DataError, match=r"cannot write .*: there is no folder .*nowhere"):
        train_question_weights(tmp_path / "nowhere/w.json", write_run(tmp_path, RUN))
    assert len(by_hand.texts) == 2  # said before anything is asked: only the two documents above were


def test_questeval_weighs_the_document_s_questions(tmp_path, by_hand):
    # Two questions about the document; the summary answers the first (recall 1) and not the second (0).
    example = Example(doc_id="d", system="s", summary="Ann won gold.", document="Ann won gold. Bob slept.")
    file = tmp_path / "w.json"
    position = FEATURES.index("first sentence")
    zeros = np.zeros(len(FEATURES))
    weights = np.eye(len(FEATURES))[position] * np.log(3)  # odds 3 in the first sentence, 1 elsewhere: 3/4 and 1/2
    file.write_text(json.dumps(Weighter(zeros, zeros + 1, weights, 0.0).to_dict()))
    plain, weighed = (QuestEval(weighter=name).score([example])[0, 1] for name in (None, str(file)))
    assert plain == 0.5
    assert weighed == pytest.approx(0.75 / (0.75 + 0.5))
    assert QuestEval(weighter=str(file)).signature() != QuestEval().signature()


def test_a_file_that_is_no_weighter_is_refused(tmp_path):
    with pytest.raises(MetricError, match=r"there is no weighter nowhere\.json"):
        read_weighter("nowhere.json")
    file = tmp_path / "w.json"
    bad = {"[]": "not a weighter", "{": "not a weighter", '{"features": []}': "another version"}
    for text, says in bad.items():
        file.write_text(text)
        with pytest.raises(MetricError, match=says):
            read_weighter(str(file))
