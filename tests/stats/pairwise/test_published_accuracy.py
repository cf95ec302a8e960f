"""Pairwise accuracies on SummEval: those of published correlations, and of the pairs that people tell apart."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from gistmeter.stats.pairwise.accuracy import pairwise_accuracy
from gistmeter.stats.pairwise.soft_accuracy import soft_accuracy


@pytest.fixture(scope="module")
def summeval(data):
    with gzip.open(data / "matrices/summeval.json.gz") as file:
        scores = json.load(file)["scores"]
    return {name: np.array(values, dtype=float) for name, values in scores.items()}


@pytest.mark.data
@pytest.mark.parametrize(
    ("metric", "tau"),
    [("rouge-1_f1", 0.50), ("rouge-2_f1", 0.43), ("rouge-l_f1", 0.32), ("MoverScore", 0.42), ("qa-eval_f1", 0.77)],
)
def test_summeval_accuracies(summeval, metric, tau):
    """Deutsch (2022), Table 11: system-level tau, to its two decimals; no pair of the 120 is tied."""
    accuracy = pairwise_accuracy(summeval[metric], summeval["expert_relevance"])
    assert (accuracy.pairs, accuracy.tied) == (120, 0)
    assert 2 * accuracy.value - 1 == pytest.approx(tau, abs=0.0051)


@pytest.mark.data
def test_summeval_pairs_that_people_tell_apart(summeval):
    """Measured here: people tell 93 of the 120 pairs apart, and metrics do better on those."""
    human = summeval["expert_relevance"]
    for metric, share, soft in (("rouge-1_f1", 0.796, 0.73), ("qa-eval_f1", 0.978, 0.89)):
        accuracy = pairwise_accuracy(summeval[metric], human, significant_only=True)
        # One pair at the border may fall either way with the draws.
        assert accuracy.pairs == pytest.approx(93, abs=2)
        assert accuracy.value == pytest.approx(share, abs=0.01)
        assert soft_accuracy(summeval[metric], human).value == pytest.approx(soft, abs=0.01)
