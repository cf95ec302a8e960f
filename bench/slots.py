"""Weigh the features of the slot answerer: `python -m bench.slots` prints its weights.toml.

Questions are asked of the references of REALSumm and looked for in its summaries. A noun phrase counts as right when it
has more than half of its tokens in common with the phrase that was asked for (F1); no human judgment is used. The
weights are those of a conditional logit: of all noun phrases and "there is none", the right ones shall be likely.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bench.figures.runs import realsumm
from gistmeter.models.answering.slots.features import FEATURE_NAMES, compute_features
from gistmeter.models.answering.slots.texts import describe_passages, describe_questions
from gistmeter.models.asking.asker import load_asker
from gistmeter.qa.compare import token_f1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.figures.runs import FloatArray
    from gistmeter import Example

_RIGHT = 0.5
_RIDGE = 1e-4


class Cases(NamedTuple):
    """All phrases of all questions: their features, whether each is right, and where each question begins."""

    table: FloatArray
    right: FloatArray
    starts: FloatArray
    owner: FloatArray


def main() -> None:
    """Print the weights."""
    found = weighed(cases(realsumm().every(2).examples))
    print(f"bias = {found[-1]:.2f}\n\n[weights]")
    for name, weight in zip(FEATURE_NAMES, found[:-1], strict=True):
        print(f'"{name}" = {weight:.2f}')


def cases(examples: Sequence[Example]) -> Cases:
    """The questions of the references, with the noun phrases of the summaries; texts without any are left out."""
    texts = list(dict.fromkeys(text for one in examples for text in one.references))
    asked = dict(zip(texts, load_asker().questions(texts), strict=True))
    questions = list(dict.fromkeys(question.text for some in asked.values() for question in some))
    gaps = dict(zip(questions, describe_questions(questions), strict=True))
    summaries = list(dict.fromkeys(one.summary for one in examples))
    sides = dict(zip(summaries, describe_passages(summaries), strict=True))
    f1 = functools.cache(token_f1)
    tables, right = [], []
    for one in examples:
        side = sides[one.summary]
        phrases = [one.summary[slot.start : slot.end] for slot in side.slots]
        wanted = [question for text in one.references for question in asked[text]]
        for question, table in zip(wanted, compute_features(side, [gaps[q.text] for q in wanted]), strict=True):
            if len(table) and gaps[question.text].slots:
                tables.append(table)
                right.append([f1(question.answer, phrase) > _RIGHT for phrase in phrases])
    sizes = [len(table) for table in tables]
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Cases(np.concatenate(tables), np.concatenate(right).astype(np.float64), starts, owner)


def weighed(given: Cases) -> FloatArray:
    """The weights of the features, and last the bias."""
    from scipy.optimize import minimize

    table, right, starts, owner = given
    known = np.add.reduceat(right, starts) > 0

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        logits = table @ weights[:-1] + weights[-1]
        most = np.maximum(np.maximum.reduceat(logits, starts), 0.0)
        powers, none = np.exp(logits - most[owner]), np.exp(-most)
        whole = np.add.reduceat(powers, starts) + none
        hits = np.add.reduceat(powers * right, starts)
        likelihood = np.where(known, hits, none) / whole
        wanted = powers * right / np.where(known, hits, 1.0)[owner]
        slopes = (powers / whole[owner] - wanted) / len(starts)
        ridge = _RIDGE * weights[:-1]
        gradient = np.append(slopes @ table + 2 * ridge, slopes.sum())
        return float(-np.log(likelihood).mean() + ridge @ weights[:-1]), gradient

    start = np.append(np.zeros(table.shape[1]), -3.0)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x)


if __name__ == "__main__":
    main()
