"""Focus and coverage: one side of any metric that has both."""

import gzip
import json

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.ffci.aspects import Coverage, Focus
from gistmeter.metrics.registry import parse_metric


def example(summary, references, language="en"):
    return Example(doc_id="d", system="s", summary=summary, references=references, language=language)


CATS = example("the cat sat", "the cat sat on the mat")


@pytest.mark.parametrize("spelling", ["rouge1", "rouge2", "rougeL", "content", "sts", "bertscore"])
def test_they_are_the_metric_s_precision_and_recall(spelling):
    metric = parse_metric(spelling) if spelling not in ("sts", "bertscore") else _model_metric(spelling)
    names = [column.name for column in metric.columns]
    scores = metric.score([CATS])[0]
    assert Focus(metric).score([CATS])[0] == pytest.approx(scores[names.index("precision")])
    assert Coverage(metric).score([CATS])[0] == pytest.approx(scores[names.index("recall")])


def _model_metric(name):
    from gistmeter.metrics.embedding.sts import Sts

    return Sts() if name == "sts" else BertScore(idf="none")


def test_bertscore_inside_them_is_weighed_as_they_weigh():
    """A layer comes with the weights it was chosen with: none for an aspect, so focus(metric=bertscore) is focus."""
    assert Focus(BertScore()).score([CATS])[0] == pytest.approx(Focus().score([CATS])[0])
    assert Coverage(BertScore(model="gpt2-xl")).metric.choose_idf("en") == "none"
    assert BertScore(model="roberta-large").choose_idf("de") == "none"
    assert BertScore().choose_idf("en") == "background"


def test_a_metric_without_them_is_refused():
    with pytest.raises(MetricError, match="focus needs a metric with the column precision; moverscore has score"):
        Focus(parse_metric("moverscore"))
    with pytest.raises(MetricError, match="coverage needs a metric with the column recall; bleu has bleu"):
        Coverage(parse_metric("bleu"))
    with pytest.raises(MetricError, match="coverage needs a metric with the column recall; length has words"):
        Coverage(parse_metric("length"))


def test_bleu_is_a_focus_and_meteor_a_coverage():
    """FFCI, Table 4, has BLEU among the measures of focus and METEOR among those of coverage."""
    case = [Example(doc_id="d", system="s", summary="the cat sat on a mat", references="a cat sat on the red mat")]
    assert parse_metric("focus(metric=bleu)").score(case) == parse_metric("bleu").score(case)[:, :1]
    assert parse_metric("coverage(metric=meteor)").score(case) == parse_metric("meteor").score(case)[:, :1]
    precision = parse_metric("meteor").score(case)[:, 1:2]
    assert parse_metric("focus(metric=meteor)").score(case) == precision
    assert "|metric:bleu|" in parse_metric("focus(metric=bleu)").signature()


def test_bertscore_reads_the_layer_recommended_for_the_aspect():
    assert Focus().metric.aspect == "focus"
    assert Coverage(BertScore(model="gpt2-xl")).metric.resolved_layer == 4  # FFCI, Table 9
    assert Focus(BertScore(model="gpt2-xl")).metric.resolved_layer == 29
    assert Focus(BertScore(model="gpt2-xl", layer=2)).metric.resolved_layer == 2
    assert Focus(BertScore(idf="auto")) == Focus()
    assert Focus().facts()["metric.idf"] == "none"  # in English, as in FFCI


def test_spelling_and_signature():
    assert Focus().spelling == "focus"
    assert Coverage(parse_metric("rouge1(stem=none)")).spelling == "coverage(metric=rouge1(stem=none))"
    signature = Focus(parse_metric("rouge1")).signature({"language": {"en"}, "metric.stem": {"porter"}})
    assert "|metric:rouge1|" in signature
    assert "|metric.stem:porter|" in signature
    assert "metric.layer:6" in Coverage().signature()


def test_what_the_metric_within_needs_is_passed_on():
    metric = Focus(BertScore(idf="references"))
    assert metric.fits
    fitted = metric.fit([CATS, example("a", "a dog")])
    assert not fitted.fits
    assert fitted.spelling == metric.spelling
    assert "metric.idf:references-" in fitted.signature()
    assert Focus(parse_metric("content(against=document)")).needs == {"document"}


def test_empty_texts():
    batch = [example("", "a b"), example("a b", "")]
    for metric in (Focus(), Coverage(), Focus(parse_metric("rouge1"))):
        scores = metric.score(batch)
        assert scores[0, 0] == 0
        assert np.isnan(scores[1, 0])


def test_evidence_is_the_metric_s_under_its_own_name():
    assert Focus(parse_metric("rouge1")).explain(CATS).metric == "focus(metric=rouge1)"
    assert Focus(parse_metric("meteor")).explain(CATS) is None


@pytest.mark.data
@pytest.mark.slow
def test_focus_and_coverage_on_the_paper_s_data(data):
    """FFCI, Table 4: Pearson's r for CNN/DM PG and BERT, XSum PG and BERT, by the embedded encoder.

    GPT2Score (gpt2-xl), the paper's best: focus .665 .625 .577 .581, coverage .680 .695 .617 .623.
    """
    with gzip.open(data / "ffci/focus_coverage.jsonl.gz", "rt") as lines:
        rows = list(map(json.loads, lines))
    examples = [example(row["summary"]["text"], row["references"]) for row in rows]
    for metric, expected in ((Focus(), FOCUS), (Coverage(), COVERAGE)):
        scores = metric.score(examples)[:, 0]
        correlations = []
        for group in (("cnndm", "PG"), ("cnndm", "BERT"), ("xsum", "PG"), ("xsum", "BERT")):
            rows_of_group = [i for i, row in enumerate(rows) if (row["subset"], row["system_id"]) == group]
            correlations.append(
                np.corrcoef(scores[rows_of_group], [rows[i]["human"][metric.name] for i in rows_of_group])[0, 1]
            )
        np.testing.assert_allclose(correlations, expected, atol=0.01)


FOCUS = [0.640, 0.591, 0.563, 0.645]
COVERAGE = [0.682, 0.673, 0.630, 0.705]
