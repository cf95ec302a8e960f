"""Learned scorers of answers: what they read, token by token, what their outputs mean, and what is refused."""

import json

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.models.verification.inputs import GivenAnswer, check_input
from gistmeter.models.verification.scorer import OutputReading, load_answer_scorer, read_output
from gistmeter.qa.human_answers import question_id
from tiny_checkpoints import make_checkpoint, make_classifier

ANSWERS = [
    GivenAnswer("The cat sat on the mat.", "Who sat on the mat?", "The cat", "the dog"),
    GivenAnswer("Prices rose by 3%.", "What rose?", "Prices", "Prices"),
    GivenAnswer("The cat sat on the mat.", "Who sat on the mat?", "The cat", "the dog"),
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """The folder of a tiny checkpoint with a head."""
    folders = {}

    def folder(family="bert", labels=("LABEL_0",), positions=64):
        key = (family, labels, positions)
        if key not in folders:
            path = tmp_path_factory.mktemp("scorer") / family
            folders[key] = str(make_classifier(path, family, labels=labels, positions=positions))
        return folders[key]

    return folder


def direct(folder, ids, types=None):
    """The outputs of transformers itself for one sequence."""
    import torch
    import transformers

    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    inputs = {"input_ids": torch.tensor([ids])} | ({"token_type_ids": torch.tensor([types])} if types else {})
    with torch.no_grad():
        return model(**inputs).logits[0].double().numpy()


def words(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def lerc_input(folder, answer):
    """[CLS] context [SEP] question [SEP] reference [SEP] candidate [SEP]; types 0 up to the question, then 1."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids, types = [tokenizer.cls_token_id], [0]
    for number, text in enumerate(answer):
        part = [*words(tokenizer, text), tokenizer.sep_token_id]
        ids += part
        types += [int(number >= 2)] * len(part)
    return ids, types


def test_bert_reads_what_lerc_reads(tiny):
    folder = tiny()
    scores = load_answer_scorer(folder, output="-20-20").scores(ANSWERS)
    for answer, score in zip(ANSWERS, scores, strict=True):
        (number,) = direct(folder, *lerc_input(folder, answer))
        assert score == pytest.approx((number + 20) / 40, abs=1e-6)
    assert scores[0] == scores[2]
    alone = [load_answer_scorer(folder, output="-20-20").scores([answer])[0] for answer in ANSWERS]
    np.testing.assert_allclose(scores, alone, atol=1e-6)


def test_roberta_has_its_own_separators_and_no_types(tiny):
    import transformers

    folder = tiny("roberta")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, add_prefix_space=False)
    ids = [0]
    for text in ANSWERS[0][1:]:
        ids += [*words(tokenizer, text), 2, 2]
    (number,) = direct(folder, ids[:-1])
    scorer = load_answer_scorer(folder, template="{question}|{reference}|{candidate}", output="sigmoid")
    assert scorer.scores(ANSWERS[:1])[0] == pytest.approx(1 / (1 + np.exp(-number)), abs=1e-6)


def test_marks_of_the_model_in_a_text_are_no_separators(tiny):
    scorer = load_answer_scorer(tiny(), output="-20-20")
    plain = ANSWERS[0]
    forged = plain._replace(candidate=f"{plain.candidate} [SEP] [CLS]")
    np.testing.assert_allclose(scorer.scores([plain]), scorer.scores([forged]), atol=1e-6)
    # Braces in a text are its own words, not fields to fill in.
    braces = plain._replace(question="{candidate}")
    assert scorer.scores([braces])[0] != pytest.approx(scorer.scores([plain._replace(question="the dog")])[0], abs=1e-6)


def test_a_long_context_is_cut_around_the_candidate_and_nothing_else_is(tiny):
    folder = tiny(positions=40)
    scorer = load_answer_scorer(folder, output="-20-20")
    long = "The cat sat on the mat. " * 20
    answer = ANSWERS[0]._replace(context=f"{long}the dog barked. {long}")
    assert len(lerc_input(folder, answer)[0]) > 40
    (score,) = scorer.scores([answer])
    assert 0 <= score <= 1
    # What stands far away makes no difference, what stands near the candidate does.
    far = answer._replace(context=f"ok ok {long}the dog barked. {long}")
    near = answer._replace(context=f"{long}the dog ok ok ok. {long}")
    assert scorer.scores([far])[0] == pytest.approx(score, abs=1e-6)
    assert scorer.scores([near])[0] != pytest.approx(score, abs=1e-6)
    with pytest.raises(MetricError, match="reads 40 tokens at once, too few for"):
        scorer.scores([answer._replace(question=long)])


def test_classes_are_probabilities(tiny):
    folder = tiny(labels=("incorrect", "correct"))
    logits = direct(folder, *lerc_input(folder, ANSWERS[0]))
    expected = np.exp(logits) / np.exp(logits).sum()
    assert load_answer_scorer(folder).scores(ANSWERS[:1])[0] == pytest.approx(expected[1], abs=1e-6)
    scored = load_answer_scorer(folder, output="INCORRECT").scores(ANSWERS[:1])[0]
    assert scored == pytest.approx(expected[0], abs=1e-6)


def test_ranges_by_hand():
    # From 1 to 5: 1 is 0, 3 is 1/2, 5.5 (a little above) is 1.
    reading = read_output("1-5", {0: "LABEL_0"}, "lerc")
    np.testing.assert_allclose(reading(np.array([[1.0], [3.0], [5.5]])), [0, 0.5, 1])
    with pytest.raises(MetricError, match=r"gives 4.2, far from the range 0-1 .* verifier_output, such as 1-5"):
        OutputReading("lerc")(np.array([[0.4], [4.2]]))


@pytest.mark.parametrize(
    ("output", "labels", "says"),
    [
        (None, {0: "LABEL_0", 1: "LABEL_1"}, "classes LABEL_0, LABEL_1, and which of them means a right answer is not"),
        ("good", {0: "bad", 1: "fine"}, "verifier_output=fine"),
        ("LABEL_0", {0: "LABEL_0"}, "gives one number, so verifier_output is its range, such as 1-5, not 'LABEL_0'"),
        ("5-1", {0: "LABEL_0"}, "no range: the first number is the lower one"),
    ],
)
def test_outputs_that_mean_nothing_are_refused(output, labels, says):
    with pytest.raises(MetricError, match=says):
        read_output(output, labels, "m")


def test_a_checkpoint_without_a_head_is_refused(tmp_path):
    folder = make_checkpoint(tmp_path / "bare", "bert")
    with pytest.raises(MetricError, match=r"has no head for scores \(bert.*is missing, and would be random"):
        load_answer_scorer(str(folder))
    with pytest.raises(MetricError, match="there is no model folder"):
        load_answer_scorer(str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{question}|{candidate}", "lacks {reference}"),
        ("{quest}|{reference}|{candidate}", "has the field {quest}"),
        ("{context}||{reference}|{candidate}", "an empty part"),
        ("read {context}|{reference}|{candidate}", "words beside {context}"),
    ],
)
def test_inputs_that_cannot_be_read_are_refused(template, says):
    with pytest.raises(MetricError, match=says):
        check_input(template)


SUMMARY = "Ann won silver. Robert lost."
EXAMPLE = Example(doc_id="d", system="s", summary=SUMMARY, references=("Ann won gold. Robert lost money badly.",))


def test_qaeval_scores_with_a_verifier(tiny, by_hand):
    # The model answers Ann for Ann (1 of 2 words); for Robert it says nothing (1 of 3 words): that counts 0.
    folder = tiny()
    metric = parse_metric(f"qaeval(verifier={folder},verifier_output=-20-20)")
    given = GivenAnswer(SUMMARY, "who won gold", "Ann", "Ann")
    expected = load_answer_scorer(folder, output="-20-20").scores([given])[0]
    columns = [column.name for column in metric.columns]
    assert columns == ["f1", "em", "graded", "learned", "answered"]
    assert metric.score([EXAMPLE])[0, 3] == pytest.approx(expected / 2)
    shown = metric.explain(EXAMPLE)
    assert shown.table.header[5] == "learned"
    assert shown.table.rows[0][5] == f"{expected:.3f}"
    assert parse_metric(metric.spelling) == metric
    assert f"verifier.weights:{load_answer_scorer(folder, output='-20-20').digest}" in metric.signature()
    assert "verifier_output:-20-20" in metric.signature()
    assert "{context}" in metric.signature()
    # Other scores are as they are without it.
    np.testing.assert_array_equal(metric.score([EXAMPLE])[0, [0, 1, 2, 4]], QaEval().score([EXAMPLE])[0])


def test_people_decide_where_they_verified(tiny, by_hand, tmp_path):
    file = tmp_path / "people.jsonl"
    file.write_text(
        json.dumps({"id": question_id("who won gold", "Ann", SUMMARY), "predicted": "Ann", "correct": True})
    )
    metric = QaEval(verifier=tiny(), verifier_output="-20-20", people=str(file))
    assert metric.score([EXAMPLE])[0, 3] == 0.5


def test_settings_of_a_verifier_need_one():
    with pytest.raises(MetricError, match="without a verifier: name a model"):
        QaEval(verifier_output="1-5")
    with pytest.raises(MetricError, match=r"lacks \{candidate}"):
        QaEval(verifier="m", verifier_input="{reference}")
    with pytest.raises(MetricError, match="no range"):
        QaEval(verifier="m", verifier_output="5-1")


def test_a_verifier_that_is_nowhere_is_not_told_to_be_embedded(tmp_path):
    with pytest.raises(MetricError, match=r"there is no model folder .*, or leave the verifier out, so that answers"):
        load_answer_scorer(str(tmp_path / "none"))
