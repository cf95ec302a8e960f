"""Training to answer: what may be learned from, variants of texts, and a training that learns, stops and goes on."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.training.answering.examples import QaExample, read_questions
from gistmeter.training.answering.variants import add_variants
from gistmeter.training.sources.evaluated import word_runs
from recorded_progress import RecordedProgress
from tiny_encoder import make_tiny_encoder

pytestmark = pytest.mark.more

TEXT = "It rained all day in Bergen. Anna Brown left early on Monday. The bus was late again."


def _record(question="Who left?", answer="Anna Brown", context=TEXT, **more):
    start = context.find(answer)
    answers = [{"text": answer, "start": start}] if answer else []
    return {
        "question": question,
        "context": context,
        "answers": answers,
        "answerable": bool(answer),
        "source": "qamr",
    } | more


def _write(folder, *records):
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(file)


def test_left_out_is_what_must_not_be_learned(tmp_path):
    evaluated = "Ten or more words of a text that is evaluated on stand in this sentence."
    file = _write(
        tmp_path,
        _record(),
        _record(),
        _record("Who?", nc=True),
        _record("What is late?", "The bus", source="bipar_en"),
        _record("Where?", "Bergen", in_squad_v2_dev_half=True),
        _record("What stands?", "words", evaluated),
        _record("Who stayed?", ""),
    )
    data = read_questions([file], refused=frozenset(word_runs(evaluated)))
    assert [(item.question, item.answerable) for item in data.train] == [("Who left?", True), ("Who stayed?", False)]
    assert data.left_out == {
        "seen before": 1, "non-commercial licence": 2, "in the tested half of SQuAD 2": 1, "evaluation text": 1,
    }  # fmt: skip


def test_squad_format_is_read(tmp_path):
    asked = {"id": "q1", "question": "Who left?", "answers": [{"text": "Anna Brown", "answer_start": 29}]}
    nobody = {"id": "q2", "question": "Who came?", "answers": [], "is_impossible": True}
    content = {"data": [{"title": "Rain", "paragraphs": [{"context": TEXT, "qas": [asked, nobody]}]}]}
    file = tmp_path / "squad.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    data = read_questions([str(file)])
    assert [(item.start, item.end) for item in data.train] == [(29, 39), (0, 0)]
    file.write_text(json.dumps({"data": [{"title": "Rain"}]}), encoding="utf-8")
    with pytest.raises(DataError, match=r"squad\.json is not in SQuAD's format"):
        read_questions([str(file)])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (_record(question=" "), "line 1 of questions.jsonl lacks a question"),
        (_record(source="unheard"), "is of the set 'unheard'"),
        (_record() | {"answers": [{"text": "Anna", "start": 3}]}, "starts at 3, where other text stands"),
        (_record() | {"answers": []}, "is answerable but has no answer"),
    ],
)
def test_bad_records_are_named(tmp_path, record, message):
    with pytest.raises(DataError, match=message):
        read_questions([_write(tmp_path, record)])


def test_variants_keep_the_answer_or_take_it_away():
    texts = [f"It rained in town {n}. Anna{n} left early. The bus was late. All went home." for n in range(60)]
    examples = [
        QaExample(f"Who left {n}?", text, text.find("Anna"), text.find(" left"), "qamr") for n, text in enumerate(texts)
    ]
    qa_examples = add_variants(examples, cut=0.8, unanswerable=0.5, seed=1)
    assert qa_examples == add_variants(examples, cut=0.8, unanswerable=0.5, seed=1)
    for item, original in zip(qa_examples, examples, strict=False):
        assert item.context[item.start : item.end] == original.context[original.start : original.end]
    assert min(len(qa_example.context) for qa_example in qa_examples[:60]) < len(examples[0].context) // 2
    without = qa_examples[60:]
    assert 15 <= len(without) <= 45
    names = {qa_example.question: qa_example.context[qa_example.start : qa_example.end] for qa_example in examples}
    for item in without:
        assert not item.answerable
        assert names[item.question] not in item.context


def test_a_short_training_writes_weights_that_answer_and_a_card(tmp_path, monkeypatch):
    from gistmeter.models.runtime.adapters import read_adapter
    from gistmeter.training.answering.recipe import AnsweringData, AnsweringRecipe
    from gistmeter.training.answering.training import train_answering

    names = ["anna", "peter", "maria", "ivan"]
    base = make_tiny_encoder(
        tmp_path / "base", ["who", "left", "early", "?", ".", *names], layers=2, initializer_range=0.3
    )
    monkeypatch.setattr("gistmeter.training.loop.adapted_weights.locate", lambda *_: base)
    records = [_record("who left?", name, f"{name} left early {n}. {other} left .") for n in range(3)
               for name in names for other in names if other != name]  # fmt: skip
    file = _write(tmp_path, *records)
    test = tmp_path / "test.jsonl"
    test.write_text(json.dumps(_record("who left early?", "maria", "ivan left . maria left early .")) + "\n")
    data = AnsweringData(data=(file,), test=(str(test),), notes=("All invented.",))
    recipe = AnsweringRecipe(epochs=1, rank=2, batch=8, precision="fp32", check_every=3)
    progress = RecordedProgress()
    trained = train_answering(tmp_path / "out", data, recipe=recipe, command="gistmeter train x", progress=progress)
    assert set(trained.figures) >= {"f1", "em", "auc"}
    assert trained.run.checks[-1].step == progress.steps[-1][1] == progress.steps[-1][2]
    assert f"{len(trained.data.train):,} questions to learn from" in progress.lines[0]
    assert "head.out.weight" in read_adapter(trained.file, base=base)
    card = trained.card.read_text("utf-8")
    assert f"| qamr | {len(trained.data.train)} |" in card
    assert "All invented." in card
    assert "cut 0.7, unanswerable 0.35" in card


@pytest.mark.slow
def test_a_training_learns_stops_and_goes_on(tmp_path):
    pytest.importorskip("torch")
    from safetensors.numpy import load_file

    from gistmeter.training.answering.examples import QaExamples
    from gistmeter.training.answering.recipe import AnsweringRecipe
    from gistmeter.training.answering.training import fit_answering, measure_answers, predict_answers

    rng = np.random.default_rng(1)
    names = ["Anna", "Peter", "Maria", "Ivan", "Laura", "James", "Nina", "Oscar"]
    verbs = ["left", "won", "sang", "slept", "fell", "spoke"]
    examples = []
    for _ in range(80):
        (first, second), (item, other) = rng.permutation(names)[:2], rng.permutation(verbs)[:2]
        text = f"{first} {item} early. {second} {other} late."
        examples.append(QaExample(f"Who {item}?", text, 0, len(first), "qamr"))
        examples.append(QaExample(f"Who {other}?", text, text.find(second), text.find(second) + len(second), "qamr"))
    data = QaExamples(tuple(examples), {})
    recipe = AnsweringRecipe(
        epochs=7, rate=2e-3, batch=16, first=3, rank=8, dropout=0, precision="fp32", check_every=40, cut=0,
        unanswerable=0.3,
    )  # fmt: skip
    whole = fit_answering(data, tmp_path / "whole", recipe=recipe, held_out=examples[:40])
    assert whole.figures["em"] > 0.9
    assert measure_answers(examples[:40], predict_answers(whole.learner, examples[:40]))["f1"] > 0.9

    class Stop(Exception):  # noqa: N818
        pass

    def stop(at):
        if at.step == 40:
            raise Stop

    with pytest.raises(Stop):
        fit_answering(data, tmp_path / "parts", recipe=recipe, report=stop)
    parts = fit_answering(data, tmp_path / "parts", recipe=recipe)
    once, twice = (load_file(entry.run.file) for entry in (whole, parts))
    assert once.keys() == twice.keys()
    for name, tensor in once.items():
        np.testing.assert_array_equal(tensor, twice[name])
