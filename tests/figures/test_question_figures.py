"""docs/question-numbers.md: its main figures are pinned; the slow tests measure them again from the research data."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from bench.figures import questions
from bench.figures.page import cells, figure
from bench.figures.runs import realsumm, summeval

from gistmeter.example import Example
from gistmeter.insight import measure_question_coverage
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.answering.answerer import load_answerer

PAGE = Path(__file__).parents[2] / "docs" / "question-numbers.md"

# Title, row, then r, rho and tau over systems and within documents. In brackets the thesis' Table 11, ELECTRA-large.
PINNED = [
    ("SummEval, relevance", "`embedded` F1", [0.790, 0.885, 0.700, 0.262, 0.249, 0.194]),  # (.82 .91 .77 .30 .29 .22)
    ("SummEval, relevance", "`embedded` graded F1", [0.805, 0.924, 0.767, 0.269, 0.261, 0.200]),
    ("SummEval, relevance", "`slots` F1", [0.820, 0.832, 0.633, 0.205, 0.204, 0.161]),
    ("REALSumm", "`embedded` F1", [0.883, 0.829, 0.667, 0.393, 0.349, 0.280]),
    ("REALSumm", "`embedded` graded F1", [0.826, 0.712, 0.560, 0.392, 0.339, 0.266]),
    ("REALSumm", "`slots` F1", [0.906, 0.873, 0.713, 0.323, 0.293, 0.242]),
]


@pytest.mark.parametrize(("title", "start", "expected"), PINNED)
def test_the_page_shows_what_is_pinned(title, start, expected):
    assert cells(PAGE.read_text("utf-8"), title, f"{start} |")[1:7] == [figure(value) for value in expected]


def test_rose_is_on_the_page_with_intervals():
    """The yardstick is the floor, which asks nothing: `qaeval` does not pass it on content units."""
    text = PAGE.read_text("utf-8")
    floor, asked = (
        cells(text, "RoSE, content units", start) for start in ("noun-phrase tokens (floor) |", "`qaeval` F1 |")
    )
    assert floor[1:3] == [".87 [.65, .93]", ".51 [.44, .57]"]
    assert asked[1:3] == [".70 [.38, .84]", ".41 [.33, .48]"]


@pytest.mark.data
@pytest.mark.parametrize("model", ["embedded", "slots"])
def test_the_page_measures_what_the_metric_gives(data, model):
    examples = realsumm().examples[:2]
    scores = parse_metric(f"qaeval(model={model})").score(examples)
    given = questions.qaeval(examples, load_answerer(model))
    np.testing.assert_allclose(scores[:, 0], given["F1"], atol=1e-6)
    np.testing.assert_allclose(scores[:, 2], given["graded F1"], atol=1e-6)
    np.testing.assert_allclose(scores[:, 3], given["answered"], atol=1e-6)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("title", "start", "expected"), PINNED)
def test_agreement_is_measured_again(data, title, start, expected):
    name = "realsumm" if title == "REALSumm" else "summeval"
    judged = realsumm() if name == "realsumm" else questions.first_reference(summeval())
    _, answerer, what = start.split("`")
    result = questions.qaeval(judged.examples, load_answerer(answerer))[what.strip()]
    human = judged.human["litepyramid_recall" if name == "realsumm" else "relevance"]
    assert questions.correlations(judged, result, human) == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    # In brackets the thesis' Table 7: TAC 2008, questions by people, mapped by people.
    ("kind", "precision", "coverage"),
    [("entities", 0.705, 0.566), ("chunks", 0.680, 0.757), ("maximal", 0.652, 0.644)],  # (.83 .57, .79 .91, .82 .77)
)
def test_what_questions_cover_is_measured_again(data, kind, precision, coverage):
    lines = gzip.decompress((data / "realsumm" / "documents.jsonl.gz").read_bytes()).decode().splitlines()[:25]
    documents = [
        Example(
            doc_id=r["doc_id"],
            system="s",
            summary="",
            references=(" ".join(r["reference_sentences"]),),
            units=r["scus"],
        )
        for r in map(json.loads, lines)
    ]
    (row,) = measure_question_coverage([parse_metric(f"qaeval(answers={kind})")], documents).rows
    assert (row.precision, row.coverage) == pytest.approx((precision, coverage), abs=0.01)
