"""Salience: training on silver spans, ranking curves, prediction, the metric, and bad weights."""

import json
import math

import numpy as np
import pytest

from gistmeter import summarize
from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.models.salience.candidates import find_candidates
from gistmeter.models.salience.features import FEATURES, describe_candidates
from gistmeter.models.salience.fitting import fit_balanced
from gistmeter.models.salience.predictor import load_predictor
from gistmeter.summarize.span_files import read_all_spans
from gistmeter.training.salience.curves import measure_ranking
from gistmeter.training.salience.recipe import SalienceData, SalienceRecipe
from gistmeter.training.salience.training import train_salience

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


def test_curves_by_hand():
    # Two documents: the first span of the one is salient, of the other the second; one more without any is left out.
    labels = [np.array([True, False]), np.array([False, True]), np.array([False, False])]
    scores = [np.array([0.9, 0.1])] * 3
    curves = measure_ranking(labels, scores)
    assert (curves.documents, curves.at(1).precision, curves.at(1).recall) == (2, 1 / 2, 1 / 2)
    assert (curves.at(2).precision, curves.at(2).recall) == (1 / 2, 1)


def test_weights_of_another_kind_are_refused(tmp_path):
    with pytest.raises(MetricError, match="there is no predictor of salience"):
        load_predictor(str(tmp_path / "nothing.json"))
    other = tmp_path / "other.json"
    other.write_text('{"features": ["place"]}')
    with pytest.raises(MetricError, match="is a predictor of another version"):
        load_predictor(str(other))


def test_less_than_one_span_is_refused():
    with pytest.raises(ArgumentError, match="`k` is at least 1, not 0"):
        summarize.predict([{"document": "It rained in Rome."}], k=0)


def write_lessons(folder):
    """Documents whose first sentence is salient, as its silver spans say."""
    run, spans = [], []
    for name in NAMES:
        document = f"{name} Hill won the race in Rome. It rained on the roof of a barn. A dog slept by the gate."
        start = document.index("the race")
        run.append({"doc_id": name, "document": document})
        marked = [(0, len(name) + 5), (start, start + 8)]
        spans.append({"doc_id": name, "spans": [{"start": s, "end": e, "text": document[s:e]} for s, e in marked]})
    for file, rows in (("run.jsonl", run), ("spans.jsonl", spans)):
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return run


@pytest.mark.more
def test_a_predictor_learns_and_leaves_evaluation_documents_out(tmp_path):
    run = write_lessons(tmp_path)
    (tmp_path / "evaluation.jsonl").write_text(json.dumps(run[0]) + "\n")
    files = {"data": (str(tmp_path / "run.jsonl"),), "spans": (str(tmp_path / "spans.jsonl"),)}
    recipe = SalienceRecipe(encoder="none", folds=2)
    trained = train_salience(tmp_path / "salience.json", SalienceData(**files), recipe=recipe)
    assert (trained.documents, trained.refused, trained.curves.precision[0]) == (6, 0, 1.0)
    (predicted, *_) = summarize.predict(run, k=2, model=str(trained.file))
    assert {span.text for span in predicted.spans} == {"Ann Hill", "the race"}
    # All documents share runs of ten words with the one of the evaluation: nothing is left to learn from.
    data = SalienceData(**files, without=(str(tmp_path / "evaluation.jsonl"),))
    with pytest.raises(DataError, match="6 of 6 documents are evaluation"):
        train_salience(tmp_path / "other.json", data, recipe=recipe)


def spans_record(name, document, *texts):
    ends = [(document.index(text), document.index(text) + len(text)) for text in texts]
    return {"doc_id": name, "spans": [{"start": start, "end": end, "text": document[start:end]} for start, end in ends]}


def every_phrase(name):
    return (f"{name} Hill", "the race", "Rome", "the roof", "a barn", "A dog", "the gate")


@pytest.mark.more
@pytest.mark.parametrize(
    ("salient", "message"),
    [
        (lambda name: (), "no noun phrase is a silver span; it takes salient phrases and others"),
        (
            every_phrase,
            "every noun phrase is a silver span",
        ),
        # The fold that holds the only salient phrase out would learn from none.
        # And the one that holds all others out would learn from salient phrases alone.
        (lambda name: every_phrase(name) if name != "Ann" else ("Rome",), "without one of 6 folds"),
        (lambda name: ("Rome",) if name == "Ann" else (), "needs at least as many documents with salient phrases"),
    ],
)
def test_phrases_that_are_all_alike_teach_nothing(tmp_path, salient, message):
    run = write_lessons(tmp_path)
    rows = [spans_record(row["doc_id"], row["document"], *salient(row["doc_id"])) for row in run]
    (tmp_path / "spans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = SalienceData(data=(str(tmp_path / "run.jsonl"),), spans=(str(tmp_path / "spans.jsonl"),))
    with pytest.raises(DataError, match=message):
        train_salience(tmp_path / "out.json", data, recipe=SalienceRecipe(encoder="none", folds=len(run)))


@pytest.mark.more
def test_what_is_left_out_is_said(tmp_path):
    run = write_lessons(tmp_path)
    rows = [spans_record(row["doc_id"], row["document"], "the race", "won") for row in run[1:]]
    (tmp_path / "spans.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = SalienceData(data=(str(tmp_path / "run.jsonl"),), spans=(str(tmp_path / "spans.jsonl"),))
    trained = train_salience(tmp_path / "out.json", data, recipe=SalienceRecipe(encoder="none", folds=2))
    left_out = (
        "Left out: 0 documents as evaluation data, 1 without silver spans; 5 silver spans that are no noun phrases."
    )
    assert left_out in trained.summary()
    assert left_out in trained.card.read_text()


def test_a_document_in_two_files_of_spans_is_refused(tmp_path):
    write_lessons(tmp_path)
    (tmp_path / "again.jsonl").write_text((tmp_path / "spans.jsonl").read_text())
    files = [tmp_path / "spans.jsonl", tmp_path / "again.jsonl"]
    with pytest.raises(DataError, match=r"both .*spans.jsonl and .*again.jsonl have spans of document 'Ann'"):
        read_all_spans(files)


@pytest.mark.more
def test_features_by_hand():
    document = "Ann Lee won the race. Ann Lee won the long race in Rome. A dog slept."
    phrases = find_candidates(document)
    table = dict(zip(FEATURES, describe_candidates(phrases).T, strict=True))
    texts = [candidate.phrase.text for candidate in phrases.candidates]
    first, dog = texts.index("Ann Lee"), texts.index("A dog")
    # `Who won the race?`: all of `won`, `race` stands in the second sentence, nothing in the third.
    assert (table["question said elsewhere"][first], table["question said on average"][first]) == (1, 0.5)
    assert (table["rank of that"][first], table["rank of that"][dog]) == (0.5, 1)
    assert table["sentence like the document"][first] > table["sentence like the document"][dog] > 0
    assert (table["name said most"][first], table["name said most"][dog]) == (1, 0)
    assert table["phrase said again"][first] == pytest.approx(math.log(3))  # twice, and one for the logarithm


@pytest.mark.more
def test_first_mentions_are_told_from_later_ones():
    document = "The race was long. Ann won the race. A dog slept. The race was hers."
    phrases = find_candidates(document)
    table = dict(zip(FEATURES, describe_candidates(phrases).T, strict=True))
    first, later, last = (n for n, each in enumerate(phrases.candidates) if each.phrase.text.lower() == "the race")
    dog = next(n for n, each in enumerate(phrases.candidates) if each.phrase.text == "A dog")
    assert table["words first said here"][[first, later, last, dog]].tolist() == [1, 0, 0, 1]
    # "race" is said three times whatever its article, "dog" once; the last feature counts what follows a first mention.
    assert np.expm1(table["words said in all"])[[first, later, dog]] == pytest.approx([3, 3, 1])
    assert np.expm1(table["words said first here and again"])[[first, later, dog]] == pytest.approx([2, 0, 0])


def test_what_is_predicted_is_how_likely_a_span_is_salient():
    # Rows that tell nothing: of eight, two are salient, so each is with a probability of a quarter.
    labels = np.array([True, True, False, False, False, False, False, False])
    fitted = fit_balanced(np.zeros((8, 1)), labels, ridge=1.0)
    assert 1 / (1 + math.exp(-fitted.bias)) == pytest.approx(1 / 4)


@pytest.mark.more
def test_predicted_spans_have_scores_and_questions():
    (predicted,) = summarize.predict([{"document": "Ann Lee won the race in Rome. It rained."}], k=10)
    scores = [span.score for span in predicted.spans]
    assert scores == sorted(scores, reverse=True)
    assert {span.text: span.question for span in predicted.spans}["Ann Lee"] == "Who won the race in Rome?"


@pytest.mark.more
def test_the_metric_counts_what_the_summary_states():
    document = "Ann Lee won the race in Rome."

    def score(summary, text=document):
        return parse_metric("salience").score([Example(doc_id="1", system="s", summary=summary, document=text)])[0]

    whole, nothing = score(document), score("It was a cold day in May.")
    assert whole[0] == 1  # all three phrases are stated
    assert nothing[0] == 0
    assert score("").tolist() == [0, 0, 0]
    assert math.isnan(score("x", "Go!")[0])


def test_the_metric_asks_for_no_other_phrases():
    with pytest.raises(MetricError, match="leave asker and answers out"):
        parse_metric("salience(answers=entities)")
