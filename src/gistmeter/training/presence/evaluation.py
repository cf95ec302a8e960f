"""Figures of presence judges on what they did not learn from, beside scores that need no training."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.metrics.overlap.content import Content
from gistmeter.metrics.overlap.rouge import RougeN
from gistmeter.training.presence.figures import ScoredDocument, correlate_recall, measure_accuracy, measure_gain
from gistmeter.training.presence.fitting import HeldOutJudgments, fit_networks, judge_group
from gistmeter.training.presence.groups import group_names
from gistmeter.training.presence.result import FLOORS, JudgeFigures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.training.presence.groups import LabelledGroup
    from gistmeter.training.presence.recipe import PresenceRecipe

    FloorScores = Mapping["SummaryKey", tuple[float, float]]


class SummaryKey(NamedTuple):
    """A summary by its run, its document and its system."""

    run: str
    doc_id: str
    system: str


def score_floors(run: str, examples: Sequence[Example]) -> dict[SummaryKey, tuple[float, float]]:
    """For each summary what needs no training: the recall of the reference's content words, and ROUGE-1 recall."""
    content, rouge = (metric.score(examples)[:, 1].tolist() for metric in (Content(), RougeN(order=1)))
    return {
        SummaryKey(run, example.doc_id, example.system): scores
        for example, scores in zip(examples, zip(content, rouge, strict=True), strict=True)
    }


def measure_judges(
    judgments: HeldOutJudgments, test: str, floors: FloorScores, combined: Sequence[FloatArray] | None = None
) -> list[JudgeFigures]:
    """The figures of held-out judgments by run, with the reference in sight and without, and those of the floors.

    `combined` are the judgments together with a reader, in the order of the groups.
    """
    judges = [("judge, seeing the reference", judgments.with_reference), ("judge alone", judgments.alone)]
    if combined is not None:
        judges.append(("judge and reader, seeing the reference", tuple(combined)))
    figures = []
    for run in group_names(judgments.groups):
        numbers = [number for number, group in enumerate(judgments.groups) if group.source == run]
        groups = [judgments.groups[number] for number in numbers]
        folds = [judgments.folds[number] for number in numbers]
        pairs = sum(group.labels.size for group in groups)
        floor_scores = [[floors[SummaryKey(run, group.doc_id, system)] for system in group.systems] for group in groups]
        floor_documents = [
            _score_documents(groups, folds, [[scores[floor] for scores in of_group] for of_group in floor_scores])
            for floor in range(len(FLOORS))
        ]
        for judge, probabilities in judges:
            of_run = [probabilities[number] for number in numbers]
            documents = _score_documents(groups, folds, [of_group.mean(axis=1) for of_group in of_run])
            figures.append(
                JudgeFigures(
                    run=run,
                    test=test,
                    judge=judge,
                    pairs=pairs,
                    correlations=correlate_recall(documents),
                    accuracy=measure_accuracy(groups, of_run),
                    gains=tuple(measure_gain(documents, floor) for floor in floor_documents),
                )
            )
        for floor_name, documents in zip(FLOORS, floor_documents, strict=True):
            figures.append(
                JudgeFigures(
                    run=run,
                    test=test,
                    judge=floor_name,
                    pairs=pairs,
                    correlations=correlate_recall(documents),
                    accuracy=float("nan"),
                )
            )
    return figures


def merge_systems(judgments: HeldOutJudgments) -> HeldOutJudgments:
    """Judgments by folds of systems put together by document, since a fold alone has too few systems to correlate."""
    numbers_of: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for number, group in enumerate(judgments.groups):
        numbers_of.setdefault((group.source, group.doc_id, group.units), []).append(number)
    groups = []
    for numbers in numbers_of.values():
        parts = [judgments.groups[number] for number in numbers]
        groups.append(
            replace(
                parts[0],
                systems=tuple(system for part in parts for system in part.systems),
                labels=np.concatenate([part.labels for part in parts]),
                compared=tuple(features for part in parts for features in part.compared),
                context=np.concatenate([part.context for part in parts]),
            )
        )
    with_reference, alone = (
        tuple(np.concatenate([probabilities[number] for number in numbers]) for numbers in numbers_of.values())
        for probabilities in (judgments.with_reference, judgments.alone)
    )
    return HeldOutJudgments(groups=tuple(groups), with_reference=with_reference, alone=alone, folds=(0,) * len(groups))


def measure_transfer(
    groups: Sequence[LabelledGroup], recipe: PresenceRecipe, floors: FloorScores
) -> list[JudgeFigures]:
    """The figures of judges trained on one run and tested on each other; none where there is one run."""
    figures: list[JudgeFigures] = []
    runs = group_names(groups)
    for run in runs if len(runs) > 1 else ():
        networks = fit_networks([group for group in groups if group.source == run], recipe)
        others = tuple(group for group in groups if group.source != run)
        with_reference, alone = (
            tuple(judge_group(networks, group, context=context) for group in others) for context in (True, False)
        )
        judgments = HeldOutJudgments(
            groups=others, with_reference=with_reference, alone=alone, folds=(0,) * len(others)
        )
        figures += measure_judges(judgments, f"trained on {run}", floors)
    return [row for row in figures if row.judge not in FLOORS]


def _score_documents(
    groups: Sequence[LabelledGroup], folds: Sequence[int], scores: Sequence[Sequence[float] | FloatArray]
) -> list[ScoredDocument]:
    return [
        ScoredDocument(
            fold=fold, systems=group.systems, scores=np.asarray(of_group, dtype=np.float64), recall=group.recall
        )
        for group, fold, of_group in zip(groups, folds, scores, strict=True)
    ]
