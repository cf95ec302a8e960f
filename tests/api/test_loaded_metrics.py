"""Metrics called as in `evaluate`: its names, its keywords, and the numbers of rouge-score that it wraps."""

import pytest
from rouge_score.rouge_scorer import RougeScorer

import gistmeter as gm
from gistmeter.api.loaded import ROUGE
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError, GistmeterError, MetricError

PREDICTIONS = ["It rained.", "Snow fell today."]
REFERENCES = ["It rained a lot.", "Snow fell."]


def test_rouge_is_four_means():
    scores = gm.load("rouge").compute(predictions=PREDICTIONS, references=REFERENCES)
    assert list(scores) == list(ROUGE)
    assert all(type(value) is float for value in scores.values())
    # rouge1: 2 of 2 words and 2 of 4 give 2/3; 2 of 3 and 2 of 2 give 4/5.
    assert scores["rouge1"] == pytest.approx((2 / 3 + 4 / 5) / 2)
    assert isinstance(scores, dict)


def test_without_the_aggregator_there_are_lists():
    scores = gm.load("rouge").compute(predictions=PREDICTIONS, references=REFERENCES, use_aggregator=False)
    assert scores["rouge1"] == pytest.approx([2 / 3, 4 / 5])


@pytest.mark.parametrize("stemmed", [False, True])
def test_settings_give_the_numbers_of_rouge_score(stemmed):
    examples = gm.read_run(demo_run())[:20]
    predictions = [example.summary.replace(". ", ".\n") for example in examples]
    references = [[text.replace(". ", ".\n") for text in example.references] for example in examples]
    rouge = gm.load("rouge", stem="none", tokenizer="rouge155", references="max", sentences="newline")
    scores = rouge.compute(
        predictions=predictions, references=references, use_aggregator=False, use_stemmer=True if stemmed else None
    )
    scorer = RougeScorer(list(ROUGE), use_stemmer=stemmed)
    expected = [scorer.score_multi(texts, text) for texts, text in zip(references, predictions, strict=True)]
    for name in ROUGE:
        assert scores[name] == pytest.approx([score[name].fmeasure for score in expected], abs=1e-9)


def test_signatures_say_what_was_computed():
    rouge = gm.load("rouge", stem="porter")
    assert rouge.signature.split("\n")[0].startswith("rouge1|alpha:0.5|")
    assert len(rouge.signature.split("\n")) == 4
    scores = rouge.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert "language:en" in scores.signatures["rouge1"]
    assert "stem:porter" in scores.signatures["rougeL"]
    plain = rouge.compute(predictions=PREDICTIONS, references=REFERENCES, use_stemmer=False)
    assert "stem:none" in plain.signatures["rouge1"]


def test_rouge_types_choose():
    scores = gm.load("rouge").compute(predictions=PREDICTIONS, references=REFERENCES, rouge_types=["rougeL"])
    assert list(scores) == ["rougeL"]


def test_other_metrics_give_their_main_score():
    assert list(gm.load("meteor").compute(predictions=PREDICTIONS, references=REFERENCES)) == ["meteor"]
    assert gm.load("rouge2(stem=none)").compute(predictions=["a b"], references=["a b"]) == {"rouge2": 1.0}
    by_name = gm.load("compression").compute(predictions=["a"], sources=["a b c"])
    assert by_name == {"compression": 3.0} == gm.load("compression").compute(predictions=["a"], documents=["a b c"])


def test_a_corpus_metric_is_the_score_of_the_corpus():
    import sacrebleu

    predictions, references = ["the cat sat on the mat", "dogs bark at night"], ["the cat sat on a mat", "dogs bark"]
    bleu = gm.load("bleu").compute(predictions=predictions, references=references)
    assert bleu["bleu"] == pytest.approx(sacrebleu.corpus_bleu(predictions, [references]).score)
    single = gm.load("bleu").compute(predictions=predictions, references=references, use_aggregator=False)
    assert len(single["bleu"]) == 2


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: gm.load("roge"), MetricError, "did you mean rouge"),
        (lambda: gm.load("rouge", stems="none"), MetricError, "rouge has no setting 'stems'"),
        (lambda: gm.load("rouge", stem="no"), MetricError, "unknown stem=no; did you mean none"),
        (lambda: gm.load("rouge2", stems="none"), MetricError, "rouge2 has no setting 'stems'; did you mean stem"),
        (lambda: gm.load(3), ArgumentError, "`name` is a text"),
        (lambda: gm.load("rouge").compute(predictions=["a"], references=[]), DataError, "has 1 item and `references`"),
        (lambda: gm.load("rouge").compute(predictions=["a"]), DataError, "needs `references`"),
        (
            lambda: gm.load("rouge").compute(predictions="abc", references="abc"),
            GistmeterError,
            "`predictions` is a list",
        ),
        (
            lambda: gm.load("js").compute(predictions=["a"], sources=["a"], documents=["a"]),
            ArgumentError,
            "two names of the same",
        ),
        (
            lambda: gm.load("rouge").compute(predictions=["a"], references=["a"], rouge_types=["rouge9"]),
            ArgumentError,
            "rouge has rouge1, rouge2, rougeL, rougeLsum",
        ),
        (
            lambda: gm.load("bleu").compute(predictions=["a"], references=["a"], use_stemmer=True),
            ArgumentError,
            "`use_stemmer` goes with ROUGE",
        ),
    ],
)
def test_mistakes_are_sentences(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()
