"""ROUGE-1.5.5 itself: what the original Perl script gave on the example run.

tests/data/rouge155_demo.json was written by scripts/make_rouge155_golden.py. The script prints five decimals and
computes F from rounded precision and recall, hence the tolerances.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gistmeter.api import read_run
from gistmeter.demo import demo_run
from gistmeter.metrics import parse_metric

GOLDEN = json.loads((Path(__file__).parents[2] / "data/rouge155_demo.json").read_text())
MEASURES = {
    "ROUGE-1": "rouge1",
    "ROUGE-2": "rouge2",
    "ROUGE-3": "rouge3",
    "ROUGE-4": "rouge4",
    "ROUGE-L": "rougeLsum(sentences=newline)",
    "ROUGE-W-1.2": "rougeW(sentences=newline)",
    "ROUGE-S4": "rougeS4",
    "ROUGE-SU4": "rougeSU4",
}
OPTIONS = {
    "plain": "stem=none",
    "stemmed (-m)": "stem=wordnet",
    "stop words removed (-s)": "stem=none,stopwords=smart",
    "first 20 words (-l 20)": "stem=none,limit=20w",
    "best reference (-f B)": "stem=none,references=best",
    "precision weighs more (-p 0.8)": "stem=none,alpha=0.8",
}


@pytest.fixture(scope="module")
def examples():
    def lines(text):
        return re.sub(r"(?<=[.!?]) ", "\n", text)

    return [
        replace(example, summary=lines(example.summary), references=tuple(map(lines, example.references)))
        for example in read_run(demo_run())
    ]


def test_the_golden_file_is_whole():
    assert set(GOLDEN) == set(OPTIONS)
    assert all(len(rows) == 60 for run in GOLDEN.values() for rows in run.values())


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("run", OPTIONS)
def test_equals_the_script(examples, run, measure):
    name, _, more = MEASURES[measure].partition("(")
    settings = ",".join(part for part in (more.rstrip(")"), OPTIONS[run], "tokenizer=rouge155") if part)
    scores = parse_metric(f"{name}({settings})").score(examples)
    expected = np.array([GOLDEN[run][measure][example.name] for example in examples])
    np.testing.assert_allclose(scores[:, [1, 0]], expected[:, :2], atol=6e-6, rtol=0)
    np.testing.assert_allclose(scores[:, 2], expected[:, 2], atol=2e-5, rtol=0)
